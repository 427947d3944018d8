"""Boxes to tick that a PDF draws as squares; ticks are letters, strokes or smaller squares."""

import re
from itertools import chain

from backend.partition.page import PageContent, Rect
from backend.partition.tables.rulings import edges
from backend.partition.tick_boxes import MAX_BOXES, TickBox, put_in_rows, signs_of, with_signs

_APART = 0.15
"""In sides: squares closer than this are places for single letters."""
_MARK = re.compile(r"[xXvV+×/\\✓✔✗✘•●■]")
_PART = 0.9
"""The largest part of a box that something painted in it covers."""


def read_boxes(content: PageContent, squares: list[Rect]) -> None:
    """Replaces squares with a label by ☐ or ☒ in the words of a page; others become rules."""
    if len(squares) > MAX_BOXES:
        content.rules += edges(squares)
        return
    boxes = [
        TickBox(square, _is_ticked(square, content))
        for at, square in enumerate(squares)
        if _is_empty(square, content) and not _has_neighbour(at, squares)
    ]
    signs = signs_of(boxes, content.words)
    shown = [sign.box for sign in signs]
    content.words = with_signs(content.words, signs)
    put_in_rows(content.words, signs)
    content.shapes = [one for one in content.shapes if not _within(one.box, shown)]
    content.rules += edges([square for square in squares if square not in shown])


def _is_empty(square: Rect, content: PageContent) -> bool:
    """Whether it has no text inside but ticks."""
    return all(
        _MARK.fullmatch(word.text)
        for word in content.words
        if square.holds(word.box.mid_x, word.box.mid_y)
    )


def _is_ticked(square: Rect, content: PageContent) -> bool:
    words, shapes = (word.box for word in content.words), (one.box for one in content.shapes)
    painted = (fill for fill in content.fills if fill.area < _PART * square.area)
    return any(square.holds(box.mid_x, box.mid_y) for box in chain(words, shapes, painted))


def _has_neighbour(at: int, squares: list[Rect]) -> bool:
    near = _APART * squares[at].width
    return any(
        -other.overlap_x(squares[at]) < near and -other.overlap_y(squares[at]) < near
        for number, other in enumerate(squares)
        if number != at
    )


def _within(box: Rect, boxes: list[Rect]) -> bool:
    return any(one.holds(box.mid_x, box.mid_y) for one in boxes)
