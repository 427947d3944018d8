"""Orders and the layout of the answer as people say them."""

from backend.plans.english.turns import turns

ORDERS = turns(
    (r"\b(?:in )?any order"
     r"(?: (?:is|will be|would be|will|would) (?:fine|ok|okay|good|do|alright))?"
     r"(?= *[.!]*$)", "no sorting"),
    (r"\b(?:leave|keep) (?:them|it|the list|everything) un(?:sorted|ordered)\b",
     "no sorting"),
    (r"^(?:turn|flip|switch|swap) (?:the )?(?:order|sequence|sorting|list|ranking)"
     r" (?:around|round|over|about)(?= *[.!]*$)", "reverse the order"),
    (r"\bwith the (\w+) (first|last|on top|at the top)\b", r", \1 \2"),
    (r",? (?:starting|beginning) with the (\w+est)\b", r", \1 first"),
)  # fmt: skip
"""What comes first, and that nothing need come first."""
LAYOUTS = turns(
    (r"\bhow many (?:are|is|were|would be) left(?: over)?\b", "how many"),
    (r"\b(?:the )?(?:whole|entire|full|complete) (?:ranking|lot|league table)\b",
     "the full list"),
    (r"\b(?:each|every) (\w+) (?:on|in) (?:its|their) own (?:line|row)\b", r"per \1"),
    (r"\b(?:with |put |add |show |give )?the (?:count|number) of \w+(?: \w+)?"
     r" (?:next to|beside) each(?: one| of them)?\b", "how many of each"),
)  # fmt: skip
"""Lines, counts beside them, and all of them."""
