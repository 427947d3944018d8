"""HTTP and nothing else: routes, authentication, request limits, error bodies.

The only package that knows the web framework. A route checks the shape of a request, calls one
function of a lower package and returns its answer in the form of the contract. Paths
below `/v1/workbench` are not in the specification; the OpenAPI document marks them as extensions.
"""
