"""The word index: BM25 over stems, in one tantivy folder per DocSet.

Owns stemming, the tantivy schema and writers, and the elements that wait in memory for the next
commit. It knows nothing of properties, pages and other kinds of search.
"""
