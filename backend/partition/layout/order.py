"""Reading order by recursive gutters.

A set of boxes is divided at the best vertical gutter, if there is one with text on both sides for
some height. The few boxes that cross it (a title over two columns, a wide figure) act as
separators: everything above them is read first. Without a gutter the set is divided at the widest
horizontal white band, and finally row by row. The order of the input does not matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from statistics import median

import numpy as np
from numpy.typing import NDArray

from backend.partition.layout.cards import card_rows
from backend.partition.page import Rect

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
_MAX_DEPTH = 60
_LEAST = 1.5
"""Of the unit: the height that is read column by column at the least."""
_OTHER, _CONTRAST, _NEARLY = 4, 0.2, 0.8
"""The number of boxes in separate columns that rules out chance; the difference between their
shares on both sides of a band that marks a change of columns; and the fraction of the largest
difference from which the widest band wins.
"""


@dataclass(frozen=True)
class _Gutter:
    x: float
    score: float


@dataclass(frozen=True)
class _Zone:
    order: list[int]
    column: bool = False
    """Whether something is read beside it."""


def reading_order(
    boxes: Sequence[Rect],
    unit: float,
    block_styles: Sequence[int] = (),
    dividers: Sequence[Rect] = (),
) -> list[list[int]]:
    """Indices of the boxes by zone (a column or a part of one), zones in reading order.

    `unit` is the usual height of a line of text, by which gaps are measured; `styles` numbers the
    heading styles of boxes, 0 for the others; `dividers` are rules between what is above and below
    them.
    """
    if not boxes:
        return []
    table = np.array([*boxes, *dividers], dtype=float)
    marks = np.zeros(len(table), dtype=np.intp)
    marks[: len(block_styles)] = block_styles
    zones = _Page(table, marks, unit).divide(np.arange(len(table)), 0)
    orders = [[index for index in zone.order if index < len(boxes)] for zone in zones]
    return [order for order in orders if order]


@dataclass(frozen=True)
class _Page:
    table: Floats
    styles: Indices
    unit: float

    def divide(self, chosen: Indices, depth: int) -> list[_Zone]:
        if len(chosen) == 1:
            return [_Zone(chosen.tolist())]
        boxes = self.table[chosen]
        if _stacked(boxes) or depth > _MAX_DEPTH:
            return [_Zone(_by_rows(self.table, chosen))]
        gutter = _best_gutter(boxes, self.unit)
        if gutter is not None:
            return self._columns(chosen, gutter.x, depth)
        split = _widest_band(boxes)
        if split is None:
            return [_Zone(_by_rows(self.table, chosen))]
        upper, lower = self._bands(chosen, split, depth)
        if upper[-1].column or lower[0].column:
            return upper + lower
        # Without columns on either side the band is only one between lines.
        return [*upper[:-1], _Zone(upper[-1].order + lower[0].order), *lower[1:]]

    def _columns(self, chosen: Indices, x: float, depth: int) -> list[_Zone]:
        boxes = self.table[chosen]
        split = _change_of_columns(boxes, x)
        if split is not None:
            upper, lower = self._bands(chosen, split, depth)
            return upper + lower
        rows = card_rows(boxes, self.styles[chosen], self.unit)
        if rows is not None:
            row = np.searchsorted(np.array(rows) - 0.1 * self.unit, boxes[:, 1], side="right")
            parts = [chosen[row == number] for number in np.unique(row).tolist()]
        else:
            parts = [chosen[part] for part in _around(boxes, x, self.unit, self.styles[chosen] > 0)]
        parts_in_order = [zone for part in parts for zone in self.divide(part, depth + 1)]
        return [_Zone(zone.order, column=True) for zone in parts_in_order]

    def _bands(self, chosen: Indices, split: float, depth: int) -> tuple[list[_Zone], list[_Zone]]:
        above = self.table[chosen, 3] <= split
        return self.divide(chosen[above], depth + 1), self.divide(chosen[~above], depth + 1)


def _change_of_columns(boxes: Floats, x: float) -> float | None:
    """The middle of a white band between rows that have a gutter at x and rows whose columns are
    elsewhere, so that several of their boxes lie across x beside others; None without one."""
    across = (boxes[:, 2] > x) & (boxes[:, 0] < x)
    if np.count_nonzero(across) < _OTHER:
        return None
    beside = _beside(boxes, across)
    if len(beside) < _OTHER:
        return None
    changes: list[tuple[float, float, float]] = []
    for height, split in _white_bands(boxes):
        upper = np.count_nonzero(beside[:, 3] <= split), np.count_nonzero(boxes[:, 3] <= split)
        counts = upper, (len(beside) - upper[0], len(boxes) - upper[1])
        if min(count for _, count in counts) >= _OTHER:
            shares = [other / count for other, count in counts]
            changes.append((abs(shares[0] - shares[1]), height, split))
    most = max(changes, default=(0.0, 0.0, 0.0))[0]
    if most < _CONTRAST:
        return None
    return max((height, split) for by, height, split in changes if by > _NEARLY * most)[1]


def _beside(boxes: Floats, across: NDArray[np.bool_]) -> Floats:
    """The boxes across a gutter that have neighbours to the left or right."""
    chosen = boxes[across]
    shared = np.minimum(chosen[:, None, 3], boxes[:, 3]) - np.maximum(
        chosen[:, None, 1], boxes[:, 1]
    )
    heights = chosen[:, 3] - chosen[:, 1]
    apart = (chosen[:, None, 2] <= boxes[:, 0]) | (chosen[:, None, 0] >= boxes[:, 2])
    close: Floats = chosen[((shared > -0.6 * heights[:, None]) & apart).any(axis=1)]
    return close


def _white_bands(boxes: Floats) -> list[tuple[float, float]]:
    """Height and middle of the white bands through all boxes."""
    order = np.argsort(boxes[:, 1])
    reach = np.maximum.accumulate(boxes[order, 3])[:-1]
    starts = boxes[order[1:], 1]
    inner = starts > reach
    heights, middles = starts[inner] - reach[inner], (starts[inner] + reach[inner]) / 2
    return list(zip(heights.tolist(), middles.tolist(), strict=True))


def _stacked(boxes: Floats) -> bool:
    """Whether no box has another beside it."""
    tops = np.sort(boxes[:, 1])
    return bool((np.sort(boxes[:, 3])[:-1] <= tops[1:]).all())


def _around(boxes: Floats, x: float, unit: float, heads: NDArray[np.bool_]) -> list[Indices]:
    """Groups in reading order: per band between crossing boxes the left side, then the right.

    A band with boxes on only one side has no columns, so it is read with the boxes across.
    """
    left = boxes[:, 2] <= x
    right = boxes[:, 0] >= x
    middle = (boxes[:, 1] + boxes[:, 3]) / 2
    across = ~left & ~right
    for box in _openers(boxes, across, left, right, unit, heads) + _tails(boxes, across, unit):
        across[box] = True
    crossing = np.flatnonzero(across)
    crossing = crossing[np.argsort(middle[crossing])]
    bounds = [-np.inf, *middle[crossing].tolist(), np.inf]
    parts: list[Indices] = []
    wide: list[int] = []
    for number, (top, bottom) in enumerate(pairwise(bounds)):
        inside = (middle > top) & (middle <= bottom) & ~across
        sides = [np.flatnonzero(inside & side) for side in (left, right)]
        if all(len(side) for side in sides):
            if wide:
                parts.append(np.array(wide))
                wide = []
            parts.extend(sides)
        else:
            wide.extend(int(index) for side in sides for index in side)
        if number < len(crossing):
            wide.append(int(crossing[number]))
    if wide:
        parts.append(np.array(wide))
    return parts


def _openers(
    boxes: Floats,
    across: NDArray[np.bool_],
    left: NDArray[np.bool_],
    right: NDArray[np.bool_],
    unit: float,
    heads: NDArray[np.bool_],
) -> list[int]:
    """Boxes at the foot of a column that introduce the wide box below, as headings do: they are
    aligned with it, are closer to it than to the column, and end the page's columns.
    """
    openers: list[int] = []
    for index in np.flatnonzero(across).tolist():
        x0, top = boxes[index, 0], boxes[index, 1]
        above = boxes[:, 3] <= top
        near = np.flatnonzero(above & ~across & (np.abs(boxes[:, 0] - x0) < unit))
        if not len(near):
            continue
        last = int(near[np.argmax(boxes[near, 3])])
        side, other = (left, right) if left[last] else (right, left)
        before = boxes[above & side & (boxes[:, 3] <= boxes[last, 1]), 3]
        beside = boxes[above & other, 3]
        below = top - boxes[last, 3]
        nearer = (
            not len(before) or boxes[last, 1] - before.max() > (0.9 if heads[last] else 1.3) * below
        )
        if (
            below < 2 * max(unit, boxes[last, 3] - boxes[last, 1])
            and nearer
            and (beside <= boxes[last, 1]).all()
        ):
            openers.append(last)
    return openers


def _tails(boxes: Floats, across: NDArray[np.bool_], unit: float) -> list[int]:
    """Short last lines of wide text: close below a line of their height, aligned with it or centred
    below it, with nothing beside them.
    """
    tails: list[int] = []
    for box in boxes[across]:
        height = box[3] - box[1]
        gap = boxes[:, 1] - box[3]
        alike = np.abs(boxes[:, 3] - boxes[:, 1] - height) < 0.15 * height
        level = np.abs(boxes[:, 0] - box[0]) < 0.2 * unit
        level |= np.abs(boxes[:, 0] + boxes[:, 2] - box[0] - box[2]) < 0.4 * unit
        for index in np.flatnonzero(~across & alike & level & (gap > 0) & (gap < height)).tolist():
            beside = (boxes[:, 1] < boxes[index, 3]) & (boxes[:, 3] > boxes[index, 1])
            if np.count_nonzero(beside) == 1:
                tails.append(index)
    return tails


def _best_gutter(boxes: Floats, unit: float) -> _Gutter | None:
    if boxes[:, 3].max() - boxes[:, 1].min() < _LEAST * unit:
        return None
    starts, ends = np.sort(boxes[:, 0]), np.unique(boxes[:, 2])
    after = np.searchsorted(starts, ends)
    inner = after < len(starts)
    ends, starts = ends[inner], starts[after[inner]]
    wide = starts - ends >= 0.5 * unit
    candidates = (ends[wide] + starts[wide]) / 2
    if not len(candidates):
        return None
    best: _Gutter | None = None
    for bound, x in _possible(boxes, candidates, unit):
        if best is not None and bound < best.score:
            break
        score = _score(boxes, x, unit)
        if score > 0 and (best is None or (score, -x) > (best.score, -best.x)):
            best = _Gutter(x, score)
    return best


def _possible(boxes: Floats, candidates: Floats, unit: float) -> list[tuple[float, float]]:
    """Candidates that the height of the boxes across them does not rule out, each with an upper
    bound of its score, from the highest bound down.
    """
    left = boxes[:, 2][:, None] <= candidates
    right = boxes[:, 0][:, None] >= candidates
    across = ((boxes[:, 3] - boxes[:, 1])[:, None] * ~(left | right)).sum(axis=0)
    tops, bottoms = boxes[:, 1][:, None], boxes[:, 3][:, None]
    spans = [
        np.where(side, bottoms, -np.inf).max(axis=0) - np.where(side, tops, np.inf).min(axis=0)
        for side in (left, right)
    ]
    shared = np.minimum(*spans)
    kept = (shared >= _LEAST * unit) & (shared >= 1.5 * across)
    bounds = (shared - across + 3 * unit)[kept]
    return sorted(zip(bounds.tolist(), candidates[kept].tolist(), strict=True), reverse=True)


def _score(boxes: Floats, x: float, unit: float) -> float:
    """The height that is read column by column at x, less that of the boxes across; 0 for no
    gutter.
    """
    left, right = boxes[:, 2] <= x, boxes[:, 0] >= x
    if not left.any() or not right.any():
        return 0.0
    crossing = ~left & ~right
    width = boxes[right, 0].min() - boxes[left, 2].max()
    sides = [boxes[left], boxes[right]]
    if any(_narrow(side, unit) for side in sides):
        return 0.0
    shared = _shared_height(sides, boxes[crossing])
    across = float((boxes[crossing, 3] - boxes[crossing, 1]).sum())
    if shared < _LEAST * unit or shared < 1.5 * across or _beside_rows(sides[0], sides[1], unit):
        return 0.0
    score = shared - across + min(float(width), 3 * unit)
    if not crossing.any():
        return max(0.1 * score, score)
    # Better a gutter that does not cut a box with boxes of its own beside it.
    return max(
        0.1 * score, score - 2.0 * float(np.ptp(_beside(boxes, crossing)[:, [1, 3]], axis=1).sum())
    )


def _shared_height(sides: list[Floats], crossing: Floats) -> float:
    """The height that both sides of a gutter share, summed over the bands between the boxes
    across.
    """
    if not len(crossing):
        top, bottom = max(s[:, 1].min() for s in sides), min(s[:, 3].max() for s in sides)
        return max(0.0, float(bottom - top))
    cuts = np.sort((crossing[:, 1] + crossing[:, 3]) / 2)
    tops = np.full((2, len(cuts) + 1), np.inf)
    bottoms = -tops
    for row, side in enumerate(sides):
        band = np.searchsorted(cuts, (side[:, 1] + side[:, 3]) / 2)
        np.minimum.at(tops[row], band, side[:, 1])
        np.maximum.at(bottoms[row], band, side[:, 3])
    shared = bottoms.min(axis=0) - tops.max(axis=0)
    heights: list[float] = shared.tolist()
    return sum([max(0.0, height) for height in heights])


def _narrow(side: Floats, unit: float) -> bool:
    """Numbers, bullets and page numbers beside a text belong to its rows, not to a column."""
    narrow = np.count_nonzero(side[:, 2] - side[:, 0] < 4 * unit)
    return bool(narrow - 1 >= 0.75 * (len(side) - 1))


def _beside_rows(left: Floats, right: Floats, unit: float) -> bool:
    """Whether one side has only single lines far apart, each level with a line of the other side:
    dates, marks and second fields of a form are read with their rows.
    """
    for side, other in ((left, right), (right, left)):
        tops = np.sort(side[:, 1])
        if len(tops) < 2:
            continue
        usual = max(unit, _median(side[:, 3] - side[:, 1]))
        if _median(np.diff(tops)) < 2.5 * usual:
            continue
        middles, rows = side[:, 1] + side[:, 3], np.sort(other[:, 1] + other[:, 3])
        after = np.clip(np.searchsorted(rows, middles), 1, max(1, len(rows) - 1))
        near = np.minimum(
            np.abs(rows[after - 1] - middles), np.abs(rows[after % len(rows)] - middles)
        )
        if np.count_nonzero(near < 0.6 * unit) > 0.7 * len(side):
            return True
    return False


def _median(values: Floats) -> float:
    """As `np.median`, which takes ten times as long for a few numbers."""
    return float(median(values.tolist()))


def _widest_band(boxes: Floats) -> float | None:
    """The middle of the highest white band through all boxes; None when they all touch."""
    order = np.argsort(boxes[:, 1])
    reach = np.maximum.accumulate(boxes[order, 3])[:-1]
    gaps = boxes[order[1:], 1] - reach
    widest = int(np.argmax(gaps))
    return float(reach[widest] + gaps[widest] / 2) if gaps[widest] > 0 else None


def _by_rows(table: Floats, chosen: Indices) -> list[int]:
    """Boxes that touch vertically: rows by overlap of their middle, each from left to right."""
    middle = (table[chosen, 1] + table[chosen, 3]) / 2
    order = chosen[np.argsort(middle, kind="stable")]
    rows: list[list[tuple[float, int]]] = []
    limit = -np.inf
    for index, (left, top, _, bottom) in zip(order.tolist(), table[order].tolist(), strict=True):
        if rows and (top + bottom) / 2 < limit:
            rows[-1].append((left, index))
        else:
            rows.append([(left, index)])
            limit = top + 0.7 * (bottom - top)
    return [index for row in rows for _, index in sorted(row, key=itemgetter(0))]
