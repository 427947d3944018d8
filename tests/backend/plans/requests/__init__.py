"""A grammar of requests over three invented collections, with the answer of each computed in plain
Python. It owns wordings and their meaning; it knows nothing of how requests are read.
"""
