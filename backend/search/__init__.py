"""Search inside a DocSet: filter language, indexes over elements, fusion, facets and projection.

Owns every derived index. Each one follows the operation log of the database, so it can be deleted
at any time. This package knows nothing of HTTP, accounts or tasks; it reads the store and never
writes to it.
"""
