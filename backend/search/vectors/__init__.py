"""The vector index: every vector of a DocSet against the query's, with exact results.

Owns the vectors' files, their 8-bit forms and the scan. Refuses to know who made the vectors; it
reads those of one identity from the record.
"""
