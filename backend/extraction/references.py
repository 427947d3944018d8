"""Recognises numbers that neither count nor measure: of pages, notes, clauses and list items."""

import re
from collections.abc import Set

from backend.extraction.numbers import worded_numbers
from backend.extraction.segments import Segment
from backend.extraction.words import stem

_POINTING = re.compile(
    r"\b(?P<word>page|pages|p|pp|note|notes|footnote|section|clause|article|paragraph|para|table"
    r"|figure|fig|appendix|annex|exhibit|chapter|schedule|item|line)s?\.?"
    r" (?:\d+ (?:of|and|to) )?\(?$",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"[.)]\s+[^\W\d_]")
_NUMBERED_LINE = re.compile(r"\s*\d{1,2}[.)]\s+[^\W\d_]")
_NOTE = re.compile(r"\)\s*(?:[.,;]|$)")
_SENTENCE_WORDS = 4
_SHORT = 2


def is_numbered(line: str) -> bool:
    """Whether a line begins with a list or heading number: "1. Introduction"."""
    return _NUMBERED_LINE.match(line) is not None


def points(before: str, mentioned: Set[str]) -> bool | None:
    """Whether a number after these words is only a reference ("page", "clause") that the property
    did not ask for; None if they announce no reference. `mentioned` are the words of the property.
    """
    pointing = _POINTING.search(before)
    return None if pointing is None else stem(pointing["word"]) not in mentioned


def refers(segment: Segment, start: int, mentioned: Set[str]) -> bool:
    """Whether the whole number at `start` is only a reference or a numbering that the property did
    not ask for. `mentioned` are the words of the property.
    """
    text = segment.text
    digits = _DIGITS.match(text, start)
    if digits is None:
        return False
    end = digits.end()
    before = text[:start]
    pointed = points(before, mentioned)
    if pointed is not None:
        return pointed
    if end - start > _SHORT:
        return False
    if not before.strip(" ("):
        return segment.kind == "Footnote" or _NUMBERED.match(text, end) is not None
    noted = before.endswith("(") and _NOTE.match(text, end) is not None
    words = before.rstrip("( ").split()
    return noted and len(words) >= _SENTENCE_WORDS and not worded_numbers(words[-1])
