"""Completion for a filter that is being typed: the position of the cursor, and proposals."""
