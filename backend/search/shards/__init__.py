"""The index of a large DocSet in shards on other machines, each with a share of the documents.

A shard is the index of one machine over its share: the same files, scores and log. A server asks
all of them for one search at one operation of the log and merges what they rank. Scores agree,
because words and strings are weighted by how often they occur in all shards.
"""
