"""The parts that screens are made of, one per file; they show what they are given and fetch
nothing.
"""
