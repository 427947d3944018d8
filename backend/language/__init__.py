"""English, for requests about documents: words, numbers, units, dates and word classes.

Knows no collection and no plan; what a word means here it means everywhere.
"""
