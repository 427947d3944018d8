"""The opening of a document's text, which search results show.

It is stored with the content, because gathering it from the elements for each result took longer
than most searches.
"""

from collections.abc import Sequence
from typing import Final

LONGEST_OPENING: Final = 10_000
"""Characters; Get Doc returns the whole text."""

_FIRST_ELEMENTS = 50


def opening_of(texts: Sequence[str | None]) -> str:
    """Joins the texts of the first elements, one per line."""
    lines = (text[:LONGEST_OPENING] for text in texts[:_FIRST_ELEMENTS] if text is not None)
    return "\n".join(lines)[:LONGEST_OPENING]
