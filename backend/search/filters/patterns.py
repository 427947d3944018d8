"""The patterns of `like`: parsed once, written as GLOB for SQLite and as regular expressions
elsewhere.

SQLite's own LIKE only folds the case of ASCII letters, so each letter becomes a class of its cases.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import polars as pl
import re2


@dataclass(frozen=True)
class AnyText:
    """The wildcard %."""


@dataclass(frozen=True)
class AnyCharacter:
    """The wildcard _."""


Piece = str | AnyText | AnyCharacter
_ANY: Final = AnyText()
_ONE: Final = AnyCharacter()


def pieces(pattern: str) -> list[Piece]:
    r"""The pattern in parts; `\%`, `\_` and `\\` are the literal characters."""
    parts: list[Piece] = []
    wild = False
    characters = iter(pattern)
    for character in characters:
        if character == "\\":
            parts.append(next(characters, "\\"))
        elif character in "%_":
            wild = True
            parts.append(_ANY if character == "%" else _ONE)
        else:
            parts.append(character)
    return parts if wild else [_ANY, *parts, _ANY]


def glob(pattern: str) -> str:
    """The pattern as SQLite GLOB. Runs of % become one *, so matching stays linear."""
    out: list[str] = []
    for piece in pieces(pattern):
        if isinstance(piece, AnyText):
            if not out or out[-1] != "*":
                out.append("*")
        elif isinstance(piece, AnyCharacter):
            out.append("?")
        else:
            cases = _cases(piece)
            plain = len(cases) == 1 and piece not in "*?["
            out.append(piece if plain else f"[{''.join(cases)}]")
    return "".join(out)


def regex(pattern: str, spelt: Callable[[str], str] | None = None) -> str:
    """The pattern as an anchored regular expression for RE2 and PostgreSQL, escaped by `spelt`."""
    spelt = spelt or _escaped
    out: list[str] = []
    for piece in pieces(pattern):
        if isinstance(piece, AnyText):
            out.append(".*")
        elif isinstance(piece, AnyCharacter):
            out.append(".")
        elif len(cases := _cases(piece)) > 1:
            out.append(f"[{''.join(map(spelt, cases))}]")
        else:
            out.append(spelt(piece))
    return f"(?s)^{''.join(out)}$"


@lru_cache(maxsize=256)
def matcher(pattern: str) -> Callable[[str], bool]:
    """A function that tests a whole value against the pattern in linear time."""
    options = re2.Options()
    options.log_errors = False
    compiled = re2.compile(regex(pattern), options)
    return lambda value: compiled.fullmatch(value) is not None


def fitting(pattern: str, texts: pl.Series) -> pl.Series:
    """A mask of the texts that match; null stays null."""
    # Polars' regex engine knows fewer escapes, but takes every character by its code point.
    return texts.str.contains(regex(pattern, lambda character: f"\\x{{{ord(character):x}}}"))


def _escaped(character: str) -> str:
    plain = character.isalnum() or ord(character) > 127
    return character if plain else "\\" + character


def _cases(character: str) -> list[str]:
    """The distinct single-character case variants of a character."""
    variants = dict.fromkeys((character, character.lower(), character.upper()))
    return [case for case in variants if len(case) == 1]
