"""HTTP and nothing else: routes, authentication, request limits, error bodies.

The only package that knows the web framework. A route checks the shape of a request, calls one
function of a lower package and returns its answer in the form of the contract. What is not in the
specification lives below `/v1/workbench` and is marked as an extension in the OpenAPI document.
"""
