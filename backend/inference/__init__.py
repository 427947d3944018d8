"""Models: what turns text into vectors, and what answers questions in words.

Owns providers, their identities and their threads, and what a question to a language model may
cost. Refuses to know about DocSets, requests and databases: it takes texts and gives arrays and
typed answers.
"""
