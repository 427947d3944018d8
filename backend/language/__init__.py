"""English for requests and documents: words, numbers, units, dates and word classes.

Independent of collections and plans: a word means the same here for all of them.
"""
