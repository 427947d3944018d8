"""Labels beside values, without rules: each label makes one line with its value.

A label is recognised by its colon, or by formatting that differs from its value. A single one
proves nothing: there has to be another pair below or above it at the same positions. Without this,
the white space between them looks like that between two columns, and all labels come before all
values.
"""

from dataclasses import dataclass
from itertools import pairwise

from backend.partition.page import Rect, Word, hull
from backend.partition.tables.grid import is_value

_BLANK, _WIDE = 0.35, 1.1
"""Relative to the font size: the white space that may separate a label from its value, and that
always separates.
"""
_SAME = 0.5
"""Relative to the font size: the tolerance for the positions of labels, and of values."""
_NEAR = 3.5
"""In font sizes: the most white space between a label and the next one below."""
_FAR = 30.0
"""In font sizes: the most white space between a label and its value."""
_LONGEST = 45
"""The most letters of a label."""
_MOST_WORDS = 6
_SMALLER = 0.93


@dataclass(slots=True)
class _Pair:
    label: list[Word]
    value: list[Word]
    at: Rect
    """The label."""
    start: float
    """Of the value."""
    worded: bool
    """Whether the label is worded as one and is not a piece of a text."""


def with_pairs(rows: list[list[Word]]) -> list[list[Word]]:
    """The rows, with the words of each label and its value numbered as one line. Small labels
    slightly above or below their values join the same row.
    """
    first = 1 + max((word.line for row in rows for word in row), default=0)
    merged, sources = _with_small_labels(rows)
    pairs = _supported([pair for row in merged for pair in _pairs(row)])
    for number, pair in enumerate(pairs, first):
        for word in pair.label + pair.value:
            word.line = number
    labels = {id(word) for pair in pairs for word in pair.label}
    if not sources:
        return rows
    # A row joined another for its labels alone.
    useless = [row for row in sources if not all(id(word) in labels for word in row)]
    return merged if not useless else rows


def _supported(pairs: list[_Pair]) -> list[_Pair]:
    """The pairs that have another one near them at the same positions, with only labels between."""
    pairs.sort(key=lambda pair: pair.at.y0)
    near: list[list[_Pair]] = [[] for _ in pairs]
    for index, pair in enumerate(pairs):
        size = pair.value[0].style.size
        for other in range(index + 1, len(pairs)):
            if pairs[other].at.y0 - pair.at.y1 > _NEAR * size:
                break
            if _aligned(pair, pairs[other], _SAME * size):
                near[index].append(pairs[other])
                near[other].append(pair)
    return [
        pair
        for pair, others in zip(pairs, near, strict=True)
        if others and all(one.worded for one in [pair, *others])
    ]


def _with_small_labels(rows: list[list[Word]]) -> tuple[list[list[Word]], list[list[Word]]]:
    """Merges rows of smaller letters into a row at the same height to their right. Also returns the
    rows that were merged.
    """
    out = list(rows)
    boxes = [hull([word.box for word in row]) for row in rows]
    order = sorted(range(len(rows)), key=lambda at: boxes[at].y0)
    joined: set[int] = set()
    for place, at in enumerate(order):
        row, box = rows[at], boxes[at]
        for other in order[max(0, place - 2) : place + 3]:
            small = row[0].style.size < _SMALLER * rows[other][0].style.size
            if not small or box.x0 >= boxes[other].x0 or other in joined:
                continue
            level = boxes[other].overlap_y(box) > 0.7 * box.height
            if level and not any(w.box.overlap_x(v.box) > 0 for w in row for v in rows[other]):
                out[other] = sorted(row + out[other], key=lambda word: word.box.x0)
                joined.add(at)
                break
    kept = [row for at, row in enumerate(out) if at not in joined]
    return kept, [rows[at] for at in sorted(joined)]


def _pairs(row: list[Word]) -> list[_Pair]:
    """Neighbours in a row, the first of them formatted as a label."""
    out: list[_Pair] = []
    for label, value in pairwise(_chunks(row)):
        used = out and out[-1].value is label
        if not used and _is_label(label, value):
            box = hull([word.box for word in label])
            out.append(_Pair(label, value, box, value[0].box.x0, _is_worded(label)))
    return out


def _chunks(row: list[Word]) -> list[list[Word]]:
    out = [[row[0]]]
    for before, word in pairwise(row):
        white = (word.box[0] - before.box[2]) / max(before.style[0], word.style[0], 1.0)
        parted = white > _BLANK and (before.text.endswith(":") or _differs(before, word))
        if parted or white > _WIDE:
            out.append([])
        out[-1].append(word)
    return out


def _differs(label: Word, value: Word) -> bool:
    a, b = label.style, value.style
    return a.bold != b.bold or not _SMALLER < a.size / b.size < 1 / _SMALLER


def _is_label(label: list[Word], value: list[Word]) -> bool:
    white = value[0].box.x0 - label[-1].box.x1
    if white > _FAR * label[-1].style.size or value[-1].text.endswith(":"):
        return False
    if label[-1].text.endswith(":"):
        return True
    return _differs(label[-1], value[0]) and not value[0].style.bold


def _is_worded(label: list[Word]) -> bool:
    text = " ".join(word.text for word in label)
    short = len(text) <= _LONGEST and len(label) <= _MOST_WORDS
    return short and not text[:1].islower() and not is_value(text)


def _aligned(a: _Pair, b: _Pair, slack: float) -> bool:
    level = min(abs(a.at.x0 - b.at.x0), abs(a.at.x1 - b.at.x1))
    return level < slack and abs(a.start - b.start) < slack and b.at.y0 > a.at.mid_y
