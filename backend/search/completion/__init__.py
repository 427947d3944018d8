"""What may come next in a filter that is being written.

Owns where the cursor stands and which proposals fit there best. Refuses to know what a filter
means.
"""
