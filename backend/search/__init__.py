"""Search inside a DocSet: the filter language, the indexes over elements, fusion, facets and
projection.

Owns every derived index. All of them follow the operation log of the database, so they can be
thrown away at any time. Refuses to know about HTTP, accounts and tasks; it reads the store and
never writes to it.
"""
