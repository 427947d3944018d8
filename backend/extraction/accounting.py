"""Decides whether a number in brackets is negative, as accountants write it, or just an aside.

"(175)" alone in a cell, "Net result: (90)", "$(175)" and "Net loss (175) (203)" are negative.
"thirty (30) days", "Figure (2)", "See note: (2)", "the town (1,234) grew" and "(2014)" are not.
"""

import re

_OPEN = re.compile(r"\(\s*$")
_AMOUNT_LEADS = re.compile(
    r"(?:\b(?:of|was|were|is|are|to|at|by|from|loss|deficit)\b|[:=])\s*$", re.IGNORECASE
)
"""Words before an amount that belongs to the sentence and is no aside."""
_SPELLED = re.compile(
    r"\b(?:zero|one|two|three|five|ten|eleven|twelve|(?:four|six|seven|eight|nine)(?:teen|ty)?"
    r"|thirteen|fifteen|eighteen|twenty|thirty|forty|fifty|eighty|hundred|thousand|million|billion)"
    r"(?:\s+[a-z]+)?\s*$",
    re.IGNORECASE,
)
"""A number in words, with a unit at most, that the brackets repeat in digits."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_REFERENCE = re.compile(r"\d{1,2}")
_LABEL = re.compile(r"[:=]\s*$")
_POINTING = re.compile(
    r"\b(?:notes?|see|sections?|figures?|tables?|pages?|items?|lines?|ref|references?)\s*[:=]\s*$",
    re.IGNORECASE,
)
"""A label of what small numbers in brackets refer to."""
_NEAR = 60
"""Characters examined on either side."""
_LETTER = re.compile(r"[^\W\d_]")


def below_zero(text: str, start: int, end: int, *, digits: str, outer: bool, unit: str) -> bool:
    """Whether the number from `start` to `end`, brackets included, is negative.

    `digits` are its digits and separators; `outer` means that a currency precedes the brackets;
    `unit` follows the digits ("" or "%" for a plain number).
    """
    if outer:
        return True
    before, behind = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    if _YEAR.fullmatch(digits) or _SPELLED.search(before):
        return False
    last = "\n" in text[start:end].lstrip() or not behind.partition("\n")[0].strip()
    if last and _LABEL.search(before):
        return not _POINTING.search(before)
    if unit not in ("", "%"):
        return False
    if not _LETTER.search(before + behind):
        return not _OPEN.search(before)
    if _AMOUNT_LEADS.search(before):
        return not (_REFERENCE.fullmatch(digits) and unit == "")
    statement = not _LETTER.search(behind) and not behind.strip().startswith((".", ",", ";"))
    return statement and unit == "" and not _REFERENCE.fullmatch(digits)
