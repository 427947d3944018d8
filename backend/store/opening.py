"""The beginning of the text of a document, which results show.

It is kept with the content: to gather it from the elements for each result took longer than most
searches.
"""

from collections.abc import Sequence
from typing import Final

LONGEST_OPENING: Final = 10_000
"""Characters; Get Doc has all of the text."""

_FIRST_ELEMENTS = 50


def opening_of(texts: Sequence[str | None]) -> str:
    """From the texts of all elements in reading order: a line for each of the first ones."""
    lines = (text[:LONGEST_OPENING] for text in texts[:_FIRST_ELEMENTS] if text is not None)
    return "\n".join(lines)[:LONGEST_OPENING]
