"""Completion for a filter that is being typed.

Owns the cursor position and the ranking of proposals. The meaning of a filter belongs to
`search.filters`.
"""
