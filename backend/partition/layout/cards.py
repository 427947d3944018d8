"""Rows of cards without frames: every entry of a page of columns opens with a heading, and the
headings of neighbours are level. Such a page is read row by row, unlike columns of text.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_FEWEST = 4
_LEAST = 3.0
"""Heights of a line that a card has at least; less is the second line of a heading."""
_LEVEL = 0.3
"""Of the height of a line: by how much level headings differ."""


def card_rows(
    boxes: NDArray[np.float64], styles: NDArray[np.intp], unit: float
) -> list[float] | None:
    """The heights at which rows of cards begin, including the first; None if there are no cards.

    `styles` numbers the styles of the boxes (n x 4) that stand out, 0 for the others. There are at
    least two rows of two cards; everything in the style of their headings is in a row and aligned
    with one of the first row, and nothing crosses the height at which a row begins.
    """
    counts = np.bincount(styles)
    for look in np.flatnonzero(counts[1:] >= _FEWEST) + 1:
        starts = _starts(boxes, _level_rows(boxes[styles == look], unit), unit)
        if starts is not None:
            return starts
    return None


def _starts(
    boxes: NDArray[np.float64], rows: list[NDArray[np.float64]], unit: float
) -> list[float] | None:
    cards = _without_single(rows, unit)
    first, last = cards[0], cards[-1]
    if len(cards) < 2 or len(first) < 2 or any(len(row) != len(first) for row in cards[:-1]):
        return None
    if len(last) > len(first) or not all(_begin_alike(row, first, unit) for row in cards):
        return None
    starts = [float(row[:, 1].min()) for row in rows]
    if min(below - above for above, below in pairwise(starts)) < _LEAST * unit:
        return None
    for start in starts:
        cut = start - 0.1 * unit
        if ((boxes[:, 1] < cut) & (boxes[:, 3] > cut)).any():
            return None
    return starts


def _without_single(rows: list[NDArray[np.float64]], unit: float) -> list[NDArray[np.float64]]:
    """The rows without headings below the cards that begin at the left and have none beside them:
    these open the text that follows the last row."""
    full = sum(len(row) == len(rows[0]) for row in rows)
    if full < 2 or len(rows[0]) < 2:
        return rows
    kept = list(rows)
    while len(kept) > full and len(kept[-1]) == 1 and abs(kept[-1][0, 0] - rows[0][0, 0]) < unit:
        kept.pop()
    return kept


def _level_rows(heads: NDArray[np.float64], unit: float) -> list[NDArray[np.float64]]:
    """Headings at about one height, rows from top to bottom, each from left to right."""
    order = heads[np.argsort(heads[:, 1])]
    ends = np.flatnonzero(np.diff(order[:, 1]) > _LEVEL * unit) + 1
    return [row[np.argsort(row[:, 0])] for row in np.split(order, ends)]


def _begin_alike(row: NDArray[np.float64], first: NDArray[np.float64], unit: float) -> bool:
    near = np.abs(row[:, :1] - first[:, 0]) < 0.5 * unit
    return bool(near.any(axis=1).all())
