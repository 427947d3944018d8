"""Persistent storage: database, migrations and blobs. Only this package opens a database or stores
original files.

Owns tables, transactions, the operation log that derived indexes follow, and content-addressed
files. It stores rows and bytes without knowing what a document means. The same
calls work on SQLite and PostgreSQL, on a folder and an object store.
"""
