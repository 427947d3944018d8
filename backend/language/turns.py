"""Turns of phrase: what people say in another way, and the plain words that the grammar knows."""

import re
from collections.abc import Iterable

Turn = tuple[re.Pattern[str], str]
"""What is said, and what to read instead."""


def turns(*said: tuple[str, str]) -> tuple[Turn, ...]:
    """Turns of phrase from patterns that hold in capitals too."""
    return tuple((re.compile(pattern, re.IGNORECASE), meant) for pattern, meant in said)


def plainly(text: str, known: Iterable[Turn]) -> str:
    """The text with each turn of phrase put in plain words, one after the other."""
    for pattern, meant in known:
        text = pattern.sub(meant, text)
    return text
