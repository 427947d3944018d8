"""Turns of phrase for bounds, extremes and totals."""

from backend.language.turns import turns

_SETTING = r"\b(?:add|set|put|use|apply) (?:an? |the )"
BOUNDS = turns(
    (r"\b(?:do not|don't|don’t|never) (?:show|list|give|display|return|print)(?: me| us)? more than"
     r" (?=\w+(?: (?:results?|rows|of them|documents))?(?: please)?[.! ]*$)", "limit to "),
    (r"\b(more|less|fewer|[a-z]{3,}er) then (?=\S)", r"\1 than "),
    (r"\b(more|less|fewer|[a-z]{3,}er) as (?=[$€£]?\d)", r"\1 than "),
    (rf"{_SETTING}(?:ceiling|cap|upper (?:limit|bound)) (?:of|at) (?=[$€£]?\d)", "at most "),
    (rf"{_SETTING}(?:floor|lower (?:limit|bound)) (?:of|at) (?=[$€£]?\d)", "at least "),
    (r"\bcut-?offs?\b", "cutoff"),
    (r"\bwithin (?=\d[\d.,]* (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b)",
     "at most "),
    (r"\b(\d+) as (?:an?|the|their) (rating|score|grade|mark)\b", r"\2 of \1"),
    (r"\bor higher up\b", "or higher"),
    (r"\b(?:do not|don't|don’t|never) (?:go|be|get) (?:beyond|over|above|past) (?=[$€£]?\d)",
     "at most "),
    (r"\b(?:do not|don't|don’t|never) (?:go|be|get) (?:below|under) (?=[$€£]?\d)", "at least "),
    (r"\bbtw (?=[$€£]?\d)", "between "),
)  # fmt: skip
"""At least, at most, more than: limits of a number."""
EXTREMES = turns(
    (r"\b(?:largest|highest|biggest|greatest|most) (?:number|amount|count) of (\w+(?: \w+)?)"
     r" (?:in|on|at|for|of|during) (?:any|a) (?:one|single) \w+", r"maximum \1"),
    (r"\b(?:smallest|lowest|fewest|least) (?:number|amount|count) of (\w+(?: \w+)?)"
     r" (?:in|on|at|for|of|during) (?:any|a) (?:one|single) \w+", r"minimum \1"),
)  # fmt: skip
"""The most or least of something in any single place or time."""
TOTALS = turns(
    (r"\b(?:best|top)[- ]selling\b", "most sold"),
    (r"\bsum (?:it|this|that|everything)(?: all)? up\b", "summarize"),
    (r"^what (?:did|do|does|have) (?:we|they|you|i|people) ((?:spen[dt]|pay|paid|earn)\w*)\b",
     r"total \1"),
)  # fmt: skip
"""Totals of money and sales, summaries of texts."""
