"""From pieces to operations on the current plan: what a question asks and feedback commands.

Owns the planner, the editor, proposals by a language model, and the history of plans.
"""
