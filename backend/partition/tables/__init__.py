"""Tables: finding them from rules and white gutters, and their cells, spans and header rows.

Owns the geometry of grids. Refuses to know about documents and pages beyond the words, rules and
fills it is given.
"""
