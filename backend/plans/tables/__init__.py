"""The documents of a DocSet as a table that follows the database, and its distinct values.

Owns the columns of properties, their updates, and conditions over them. It knows nothing of
requests in English.
"""
