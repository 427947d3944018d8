"""The documents of a DocSet as a table that follows the database, and its distinct values.

Owns the columns of properties, how they are kept current, and conditions over them. Knows nothing
of how people ask.
"""
