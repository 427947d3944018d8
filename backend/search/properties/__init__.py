"""The properties of a DocSet's documents in columns, held in memory: for counting values and
proposing them.

Owns how values are kept and how they follow the record. Refuses to know what a filter, a query or
a schema is.
"""
