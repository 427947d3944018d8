"""The word index: BM25 over stems, in one tantivy folder per DocSet.

Owns how text becomes stems, the schema of the folder, its writers, and what waits in memory for
their next commit. Refuses to know properties, pages and the other kinds of search.
"""
