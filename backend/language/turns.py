"""Turns of phrase, replaced by plain words that the grammar knows."""

import re
from collections.abc import Iterable

Turn = tuple[re.Pattern[str], str]
"""A pattern and its replacement."""


def turns(*pairs: tuple[str, str]) -> tuple[Turn, ...]:
    """Turns of phrase from patterns, which ignore case."""
    return tuple((re.compile(pattern, re.IGNORECASE), meant) for pattern, meant in pairs)


def plainly(text: str, replacements: Iterable[Turn]) -> str:
    """Applies the replacements one after the other."""
    for pattern, meant in replacements:
        text = pattern.sub(meant, text)
    return text
