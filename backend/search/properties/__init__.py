"""Document properties as in-memory columns, for filters, facets and completion.

Owns the storage of values and how it follows the record. It knows nothing of filters, queries and
schemas.
"""
