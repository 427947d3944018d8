"""Translates patterns of OpenSearch queries for Polars: they match the whole value, ignoring case.

Regular expressions are supported as far as they mean the same in both; operators that only Lucene
has are refused.
"""

import re

import polars as pl
from polars.exceptions import PolarsError

LONGEST_PATTERN = 1000
_LUCENE_ONLY = frozenset('~<>&@#"')
_CLASSES = frozenset("dDwWsS")


def wildcard_pattern(pattern: str) -> str:
    """`*` matches any characters, `?` matches one."""
    letters = {"*": ".*", "?": "."}
    return _whole("".join(letters.get(letter) or re.escape(letter) for letter in pattern))


def regexp_pattern(pattern: str) -> str:
    """Translates a Lucene regular expression. Raises ValueError for what is not supported."""
    made: list[str] = []
    inside, place = False, 0
    while place < len(pattern):
        letter = pattern[place : place + (2 if pattern[place] == "\\" else 1)]
        place += len(letter)
        made.append(_within(letter) if inside else _outside(letter, pattern[place : place + 1]))
        inside = letter != "]" if inside else letter == "["
    translated = _whole("".join(made))
    try:
        pl.Series(["x"]).str.contains(translated)
    except PolarsError:
        raise ValueError("it is not a valid regular expression, or too large") from None
    return translated


def _outside(letter: str, following: str) -> str:
    """A character outside brackets, or a backslash with the character behind it."""
    if letter[0] == "\\":
        return _escaped(letter)
    if letter in _LUCENE_ONLY:
        raise ValueError(f"the operator {letter!r} is not supported")
    if letter + following in ("(?", "[]"):
        raise ValueError(f"{letter + following!r} is not supported")
    return rf"\{letter}" if letter in "^$" else letter


def _within(letter: str) -> str:
    """A character or escape within brackets."""
    if letter[0] == "\\":
        return _escaped(letter)
    if letter == "[":
        raise ValueError("brackets in brackets are not supported")
    return letter if letter in "^-]" else re.escape(letter)


def _escaped(letter: str) -> str:
    if len(letter) < 2 or (letter[1].isalnum() and letter[1] not in _CLASSES):
        raise ValueError(f"{letter!r} is not a known escape")
    return letter if letter[1] in _CLASSES else re.escape(letter[1])


def _whole(pattern: str) -> str:
    return rf"(?is)\A(?:{pattern})\z"
