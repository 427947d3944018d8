"""From pieces to operations, beside the present plan: what a question asks and feedback commands.

Owns the planner, the editor, what a language model may propose, and the history of plans.
"""
