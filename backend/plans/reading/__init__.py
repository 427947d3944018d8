"""From the text of a request to pieces: properties, values, numbers, conditions, orders.

Owns the linking of words to the contents of a collection, and the cascade of rules over the links.
It knows nothing of the plan to be changed, which is the business of `requests`.
"""
