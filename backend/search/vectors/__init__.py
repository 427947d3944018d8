"""The vector index: compares every vector of a DocSet with the query's, with exact results.

Owns the vector files, their 8-bit codes and the scan. It does not compute embeddings; it reads
those of one identity from the record.
"""
