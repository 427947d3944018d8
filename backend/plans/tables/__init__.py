"""The documents of a DocSet as one table, kept at the state of the record, and its distinct values.

Owns the columns of properties, how they follow the record, and conditions over them. Refuses to
know how people ask.
"""
