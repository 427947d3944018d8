"""From the text of a request to pieces: properties, values, numbers, conditions, orders.

Owns the linking of words to what a collection holds, and the cascade of rules over what was
linked. Refuses to know the plan that is to be changed: that is for `requests`.
"""
