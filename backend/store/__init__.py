"""Persistent storage: database, migrations and blobs. Only this package touches disk or a database
engine.

Owns tables, transactions, the operation log that derived indexes follow, and content-addressed
files. It stores rows and bytes without knowing what a document means. Callers cannot tell which
engines are behind the two URLs.
"""
