"""Models: what turns text into vectors.

Owns providers, their identities and their threads. Refuses to know about DocSets, requests and
databases: it takes texts and gives arrays.
"""
