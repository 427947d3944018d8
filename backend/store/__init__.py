"""The record of truth: database, migrations and blobs. The only place that touches disk or a
database engine.

Owns tables, transactions, the operation log that derived indexes follow, and content-addressed
files. Refuses to know what a document means: it keeps rows and bytes. Nothing outside sees which
engine is behind the two URLs.
"""
