"""Tables: their detection from rules and white gutters, their cells, spans and header rows.

Owns the geometry of grids. It knows nothing of documents and pages beyond the words, rules and
fills it is given.
"""
