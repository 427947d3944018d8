"""The grammatical position of the cursor in a half-written filter."""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from lark import Lark, Token, UnexpectedInput

from backend.language.words import IN_NAMES
from backend.search.filters.grammar import GRAMMAR
from backend.search.filters.parser import explained, fault, parse_path
from backend.search.filters.tree import Path

# Tokens right before the cursor that may still be growing. `=` is complete; `<` is not.
_GROWING: Final = frozenset(
    (
        "PATH", "WORD", "NUMBER", "TRUE", "FALSE",
        "_AND", "_OR", "_NOT", "_LIKE", "_IN", "_IS", "_NULL",
    )
)  # fmt: skip
_GROWING_OPERATORS: Final = ("<", ">", "!")
_QUOTES: Final = "\"'`"
_REST_OF_WORD = re.compile(rf"[{IN_NAMES}.]*")


@dataclass(frozen=True)
class Position:
    """The piece of the filter from `start` to `end`; `typed` is its part before the cursor.

    `terminals` are the grammar terminals allowed at `start`; `path` is the property of the
    surrounding condition.
    """

    start: int
    end: int
    typed: str
    terminals: frozenset[str]
    path: Path | None


def position_at(text: str, cursor: int) -> Position:
    """The position of a cursor, 0 to the length of the text.

    Invalid, as for a whole filter, when no filter can begin with the text before the cursor.
    """
    head = text[:cursor]
    start = _start(head)
    parser = _parser().parse_interactive(head[:start])
    name = None
    for token in parser.iter_parse():
        name = token if token.type == "PATH" else name
    path = None if name is None else parse_path(name)
    if name is not None:
        if path is None:
            raise fault(f"{name} is not the name of a property", name.column)
        path = replace(path, column=name.column or 1)
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    return Position(
        start,
        cursor + _rest(text, start, cursor),
        head[start:],
        frozenset(accepted),
        path,
    )


def _start(head: str) -> int:
    """The start of the piece that ends at the cursor."""
    tokens: list[Token] = []
    try:
        for token in _parser().parse_interactive(head).iter_parse():
            tokens.append(token)
    except UnexpectedInput as error:
        return _start_of_fault(head, tokens, error)
    last = tokens[-1] if tokens else None
    if last is None or last.end_pos != len(head):
        return len(head)
    grows = last.type in _GROWING or last in _GROWING_OPERATORS
    return (last.start_pos or 0) if grows else len(head)


def _start_of_fault(head: str, tokens: list[Token], error: UnexpectedInput) -> int:
    """The start of an unfinished last piece; any other fault is a real one and is raised."""
    place = error.pos_in_stream or 0
    if head[place] == "." and tokens and tokens[-1].end_pos == place:
        return tokens[-1].start_pos or 0
    if head[place] in _QUOTES or not re.search(r"\s", head[place:]):
        return place
    raise explained(error, head) from error


def _rest(text: str, start: int, cursor: int) -> int:
    """Characters after the cursor that belong to the piece: up to the end of a word or a quote."""
    typed, tail = text[start:cursor], text[cursor:]
    opened = next((one for one in reversed(typed) if one in _QUOTES), None)
    if opened is None or typed.count(opened) % 2 == 0:
        matched = _REST_OF_WORD.match(tail) if typed else None
        return matched.end() if matched else 0
    # An odd number of quotes after the cursor means that the first of them closes this one.
    return tail.index(opened) + 1 if tail.count(opened) % 2 else 0


@cache
def _parser() -> Lark:
    """A parser that keeps raw tokens, unlike the one for whole filters."""
    return Lark(GRAMMAR, parser="lalr")
