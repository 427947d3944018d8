"""Numbered lists: consecutively numbered paragraphs.

A number before a text may belong to a heading, a note or a sentence. Paragraphs are items of a list
when their numbers follow each other in one notation, at one indentation and under one heading; a
single one proves nothing. The references at the end of a paper are items, too.
"""

import re
from typing import NamedTuple

from backend.partition.layout.blocks import Block
from backend.partition.layout.regions import LaidPage

_COUNTED = re.compile(
    r"\s*(?P<open>[(\[]?)(?P<sign>\d{1,3}|[ivxIVX]{1,6}|[a-zA-Z])(?P<close>[.)\]])\s+\S"
)
_CLOSED_BY = {"(": ")", "[": "]"}
_ROMAN = {"i": 1, "v": 5, "x": 10}


class _Notation(NamedTuple):
    """How numbers are written: the signs around them and what counts, such as small letters."""

    open: str
    close: str
    counts: str


def mark_numbered_lists(pages: list[LaidPage]) -> None:
    """Turns consecutively numbered paragraphs into list items; headings must have been marked."""
    for page in pages:
        last: dict[_Notation, tuple[int, Block]] = {}
        for block in page.regions:
            if not isinstance(block, Block):
                continue
            if block.kind in ("Title", "Section-header"):
                last = {}
            if block.kind not in ("Text", "List-item"):
                continue
            for notation, value in _numbers(block.text):
                before = last.get(notation)
                if before is not None and before[0] == value - 1 and _level(before[1], block):
                    before[1].kind = block.kind = "List-item"
                last[notation] = value, block


def counts_on(above: Block, below: Block) -> bool:
    """Whether the number of one paragraph follows that of the other."""
    before = dict(_numbers(above.text))
    return bool(before) and any(
        before.get(notation) == value - 1 for notation, value in _numbers(below.text)
    )


def _numbers(text: str) -> list[tuple[_Notation, int]]:
    """Possible numbers at the start of a text: `i` is a letter and a Roman number."""
    match = _COUNTED.match(text)
    if match is None or _CLOSED_BY.get(match["open"], match["close"]) != match["close"]:
        return []
    if match["close"] == "]" and not match["open"]:
        return []
    sign = match["sign"]
    counts_read = [("digits", int(sign))] if sign.isdecimal() else []
    case = "small" if sign.islower() else "capital"
    if len(sign) == 1 and sign.isalpha():
        counts_read.append((f"{case} letters", ord(sign)))
    if set(sign.lower()) <= set(_ROMAN) and sign in (sign.lower(), sign.upper()):
        counts_read.append((f"{case} roman", _roman(sign.lower())))
    return [(_Notation(match["open"], match["close"], counts), n) for counts, n in counts_read]


def _roman(sign: str) -> int:
    values = [_ROMAN[letter] for letter in sign]
    after = [*values[1:], 0]
    return sum(v if v >= following else -v for v, following in zip(values, after, strict=True))


def _level(above: Block, below: Block) -> bool:
    """Whether both have about the same indentation (numbers may be right-aligned), or the second is
    in the next column.
    """
    size = max(above.style.size, 1.0)
    return abs(above.box.x0 - below.box.x0) < 1.2 * size or below.box.y0 < above.box.y0
