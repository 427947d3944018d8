"""Columns of a table without vertical rules: white gutters shared by its rows."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from math import inf

import numpy as np

from backend.partition.page import Word
from backend.partition.tables.grid import is_value

_TIERS, _FEW = 3, 0.6
"""The number of top lines that may be labels of column groups, and their maximum number of pieces
relative to the usual one.
"""
_LEAST, _VALUES = 0.35, 0.8
"""In font sizes, the narrowest gutter; with few rows so narrow a gutter needs this share of values
to its right."""
_RARE, _BLANK = 0.2, 0.8
"""The share of rows with a text in a column by accident, and in font sizes, the blank beside it."""
_STEP = 0.5
"""Points per bin of the projection."""
_WIDE, _NARROW = 2.0, 0.3
"""In font sizes: white space that separates two pieces of text anywhere, and over a gutter."""


@dataclass(frozen=True)
class Columns:
    """`gutters` are (start, end) of the white stripes between the columns."""

    left: float
    right: float
    gutters: list[tuple[float, float]]

    @property
    def count(self) -> int:
        return len(self.gutters) + 1

    @cached_property
    def _starts(self) -> list[float]:
        return [self.left, *(end for _, end in self.gutters)]

    @cached_property
    def _ends(self) -> list[float]:
        return [*(start for start, _ in self.gutters), self.right]

    def borders(self) -> list[float]:
        return [self.left, *((a + b) / 2 for a, b in self.gutters), self.right]

    def extents(self) -> list[tuple[float, float]]:
        """The extent of the text in each column."""
        return list(zip(self._starts, self._ends, strict=True))

    def part(self, start: float, end: float) -> bool:
        """Whether most of the white space is in the gutter, or most of the gutter in it."""
        first = bisect_right(self._starts, start, 1) - 1
        for left, right in islice(self.gutters, first, None):
            if left >= end:
                break
            if min(right, end) - max(left, start) > 0.5 * min(end - start, right - left):
                return True
        return False

    def pieces(self, line: list[Word], size: float) -> list[list[Word]]:
        """Words of a line split at wide white space, and at any blank over a gutter."""
        out: list[list[Word]] = [[line[0]]]
        for before, word in pairwise(line):
            start, end = before.box.x1, word.box.x0
            parted = end - start > _NARROW * size and self.part(start, end)
            if parted or end - start > _WIDE * size:
                out.append([])
            out[-1].append(word)
        return out

    def of(self, x0: float, x1: float) -> tuple[int, int]:
        """First and last column of a piece of text, which may extend into a gutter."""
        slack = min(1.5, 0.3 * (x1 - x0))
        # The columns that end right of x0 and those that begin left of x1, both with a tolerance.
        first = bisect_right(self._ends, x0 + slack)
        last = bisect_left(self._starts, x1 - slack) - 1
        if first <= last:
            return min(first, self.count - 1), max(last, 0)
        nearest = max(
            (column for column in (first - 1, first, last, last + 1) if 0 <= column < self.count),
            key=lambda column: min(x1, self._ends[column]) - max(x0, self._starts[column]),
        )
        return nearest, nearest


def find_columns(lines: list[list[Word]], size: float) -> Columns | None:
    """Columns of rows of words; None if nearly all rows share no gutter.

    Rows with a single long piece of text (section headers, notes, spanning headers) do not vote,
    nor do top lines with far fewer pieces than usual: labels of column groups.
    """
    counted = [(line, len(stretches(line, 0.9 * size))) for line in lines]
    counts = sorted(count for _, count in counted if count > 1)
    if len(counts) < 2:
        return None
    few = _FEW * counts[len(counts) // 2]
    voters = [line for at, (line, n) in enumerate(counted) if n > max(1, few * (at < _TIERS))]
    voters = voters if len(voters) > 1 else [line for line, count in counted if count > 1]
    left = min(word.box.x0 for line in lines for word in line)
    right = max(word.box.x1 for line in lines for word in line)
    bins = int((right - left) / _STEP) + 2
    # Few rows share white space by accident: they need wider gaps, and ordinary blanks do not
    # count.
    joining = 0.45 * size if len(voters) <= 6 else 0.0
    cover = _cover([stretches(line, joining) for line in voters], left, bins)
    allowed = int(0.12 * len(voters)) if len(voters) > 4 else 0
    needed = (0.8 if len(voters) <= 5 else 0.55 if len(voters) <= 10 else 0.35) * size
    gutters = [
        gutter
        for gutter in _white(cover <= allowed, left, min(needed, _LEAST * size))
        if _between(voters, gutter)
        and (
            gutter[1] - gutter[0] >= needed
            or _before_values(voters, gutter)
            or _after_numbers(voters, gutter)
        )
    ]
    gutters = _without_accidents(voters, _without_labels_aside(voters, gutters), size)
    return Columns(left, right, gutters) if gutters else None


def _without_accidents(
    rows: list[list[Word]], gutters: list[tuple[float, float]], size: float
) -> list[tuple[float, float]]:
    """Drops the gutters beside a column of hardly any texts that all continue across the gutter:
    blanks of long lines above each other, or above the white space of a column.
    """
    starts = [end for _, end in gutters]
    counts, blanks = [0] * (len(gutters) + 1), [0.0] * (len(gutters) + 1)
    for row in rows:
        filled = [bisect_right(starts, word.box.mid_x) for word in row]
        for column in set(filled):
            counts[column] += 1
        for (left, right), (before, word) in zip(pairwise(filled), pairwise(row), strict=True):
            if left + 1 == right:
                blanks[right] = max(blanks[right], word.box.x0 - before.box.x1)
    return [
        gutter
        for at, gutter in enumerate(gutters, 1)
        if min(counts[at - 1 : at + 1]) > _RARE * len(rows) or not 0 < blanks[at] < _BLANK * size
    ]


def _without_labels_aside(
    rows: list[list[Word]], gutters: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Drops the gutters between a label and its values: only top lines have text beside."""
    if len(rows) < 2 * _TIERS:
        return gutters
    starts = [end for _, end in gutters]
    filled = [{bisect_right(starts, word.box.mid_x) for word in row} for row in rows]
    for column in range(1, len(gutters) + 1):
        lines = [at for at, columns in enumerate(filled) if column in columns]
        if not lines or lines[-1] >= _TIERS:
            continue
        for near in (column + 1, column - 1):
            beside = [at for at, columns in enumerate(filled) if near in columns]
            if near > 0 and len(beside) > len(rows) / 2 and not set(beside) & set(lines):
                gone = gutters[min(column, near)]
                return _without_labels_aside(rows, [one for one in gutters if one != gone])
    return gutters


def _cover(
    rows: list[list[tuple[float, float]]], left: float, bins: int
) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The number of rows with text in each bin from `left` on."""
    changes = [0] * (bins + 1)
    for row in rows:
        free = 0
        for start, end in row:
            first, after = int((start - left) / _STEP), int((end - left) / _STEP) + 1
            # Two pieces of text may end and begin in one bin, which counts once.
            changes[max(first, free)] += 1
            changes[after] -= 1
            free = after
    return np.cumsum(changes[:bins])


def stretches(line: list[Word], gap: float) -> list[tuple[float, float]]:
    """Horizontal extents of text in a row, split at blanks wider than `gap`."""
    out: list[tuple[float, float]] = []
    start = end = -inf
    for word in line:
        x0, _, x1, _ = word.box
        if x0 - end > gap:
            if end > -inf:
                out.append((start, end))
            start, end = x0, x1
        elif x1 > end:
            end = x1
    return [*out, (start, end)] if line else out


def _white(
    free: "np.ndarray[tuple[int], np.dtype[np.bool_]]", left: float, needed: float
) -> list[tuple[float, float]]:
    steps = np.diff(np.concatenate(([False], free, [False])).astype(int))
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return [
        (left + start * _STEP, left + end * _STEP)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        if (end - start) * _STEP >= needed and start > 0 and end < len(free) - 1
    ]


def _before_values(voters: list[list[Word]], gutter: tuple[float, float]) -> bool:
    """Whether a gutter has a value to its right in nearly all rows that have text there."""
    after = [next((w.text for w in line if w.box.x0 >= gutter[1] - 1), None) for line in voters]
    texts = [text for text in after if text is not None]
    return len(texts) > 2 and sum(map(is_value, texts)) >= _VALUES * len(texts)


def _after_numbers(voters: list[list[Word]], gutter: tuple[float, float]) -> bool:
    """Whether numbers of items end at a gutter, and their texts begin after it, in nearly all
    rows.
    """
    rows = 0
    for line in voters:
        at = bisect_left(line, gutter[1] - 1, key=lambda word: word.box.x0)
        if 0 < at < len(line):
            number, text = line[at - 1], line[at]
            aligned = gutter[0] - number.box.x1 < 1 and text.box.x0 - gutter[1] < 1
            rows += aligned and number.text.isdecimal() and not is_value(text.text)
    return rows > 2 and rows >= _VALUES * len(voters)


def _between(voters: list[list[Word]], gutter: tuple[float, float]) -> bool:
    """Whether a gutter has text on both sides in several rows."""
    middle = (gutter[0] + gutter[1]) / 2
    both = sum(line[0].box.x0 < middle < line[-1].box.x1 for line in voters)
    return both >= min(2, len(voters) - 1)
