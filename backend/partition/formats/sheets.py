"""Cells of a sheet -> tables: what is filled and hangs together is one.

Formats with sheets share this, so that the same sheet gives the same tables whatever its format.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping
from itertools import groupby
from operator import itemgetter

from pydantic import TypeAdapter

from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats.heads import mark_heads
from workbench.contract.elements import TableCell

_CELLS = TypeAdapter(list[TableCell])

Place = tuple[int, int]
"""Row and column from 0."""

_MAX_PARTS = 5000
"""Of one sheet; with more, nothing hangs together and the sheet is one table."""
_SPARSE = 10
"""Places for each filled one; a large block with more of them is no table but lines of text."""
_LARGE = 20_000
"""Places of a block, up to which blank ones cost too little to matter."""
_MAX_MERGED = 10_000
"""Cells of one merged range that count as filled; larger ones are coloured backgrounds."""


def lacking_results(sheet: str, count: int) -> str:
    """The remark on formulas that no program has computed. They are left out: the digits in a
    formula are no value."""
    return (
        f"sheet {sheet}: formulas without a stored result were left out: {count}; a spreadsheet"
        " program that opens and saves the file stores them"
    )


def sane_merges(merges: Mapping[Place, Place]) -> dict[Place, Place]:
    """Merged ranges (first place to last) without those that overlap, are too large to be headings
    or are more than a sheet can hold."""
    claimed: set[Place] = set()
    out: dict[Place, Place] = {}
    for first, last in sorted(merges.items()):
        if not 1 < _size(first, last) <= _MAX_MERGED or len(claimed) > MAX_CELLS:
            continue
        places = _range(first, last)
        if claimed.isdisjoint(places):
            claimed.update(places)
            out[first] = last
    return out


def blocks_of(values: Mapping[Place, str], merges: Mapping[Place, Place]) -> list[set[Place]]:
    """Sets of filled places that share a side; sane merged ranges count as filled.

    Sets whose extents overlap are one table with blank cells in it, those that only meet at a
    corner are two.
    """
    left = set(values)
    for first, last in merges.items():
        if first in values:
            left.update(_range(first, last))
    if left and _size(*_extent(left)) == len(left):
        return [left]
    parts: list[set[Place]] = []
    for start in sorted(left):
        if start in left:
            left.discard(start)
            parts.append(_touching(start, left))
    return _joined(parts) if len(parts) <= _MAX_PARTS else [set().union(*parts)]


def _touching(start: Place, left: set[Place]) -> set[Place]:
    """What hangs together with `start`; taken out of `left`."""
    block, edge = {start}, [start]
    while edge:
        row, col = edge.pop()
        for near in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)):
            if near in left:
                left.discard(near)
                block.add(near)
                edge.append(near)
    return block


def _joined(parts: list[set[Place]]) -> list[set[Place]]:
    """Puts together sets whose extents overlap, until none do."""
    open_: list[_Part] = []
    done: list[set[Place]] = []
    row = -1
    for block in sorted(parts, key=min):
        part = _Part(block)
        if part.top > row:
            # Sorted by the first row: what ended above this row can meet nothing any more.
            row = part.top
            done += [one.places for one in open_ if one.bottom < row]
            open_ = [one for one in open_ if one.bottom >= row]
        # All that is open lies in this row, so no two of them share a column: they are in order.
        place = bisect_left(open_, part.left, key=lambda one: one.right)
        while place < len(open_) and open_[place].left <= part.right:
            part.take(open_.pop(place))
        open_.insert(place, part)
    return sorted([*done, *(one.places for one in open_)], key=min)


class _Part:
    """Places with their extent."""

    def __init__(self, places: set[Place]) -> None:
        self.places = places
        (self.top, self.left), (self.bottom, self.right) = _extent(places)

    def take(self, other: "_Part") -> None:
        """Becomes one with another, copying the smaller of the two."""
        small, large = sorted((self.places, other.places), key=len)
        large |= small
        self.places = large
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        self.left, self.right = min(self.left, other.left), max(self.right, other.right)


def _extent(block: Collection[Place]) -> tuple[Place, Place]:
    top, bottom = min(block)[0], max(block)[0]
    cols = [col for _, col in block]
    return (top, min(cols)), (bottom, max(cols))


def add_block(
    flow: Flow, block: set[Place], values: Mapping[Place, str], merges: Mapping[Place, Place]
) -> None:
    """Adds a table with its head; a single cell is text, and scattered cells are a text for each
    row, because a table would have many times as many blank cells."""
    first = min(block)
    if block.issubset(_range(first, merges.get(first, first))):
        flow.text(values[first])
        return
    (top, left), (bottom, right) = _extent(block)
    if (places := _size((top, left), (bottom, right))) > _LARGE and (
        places > _SPARSE * len(block) or places > MAX_CELLS
    ):
        _add_lines(flow, sorted(block & values.keys()), values)
        return
    within = {place: merges[place] for place in merges if place in block}
    hidden = {place for first, last in within.items() for place in _range(first, last)}
    hidden -= set(within)
    cells: list[dict[str, object]] = []
    for row in range(top, bottom + 1):
        for col in range(left, right + 1):
            place = row, col
            if place in hidden:
                continue
            rows, cols = [row - top], [col - left]
            if place in within:
                last_row, last_col = within[place]
                rows = list(range(row - top, last_row - top + 1))
                cols = list(range(col - left, last_col - left + 1))
            cells.append({"content": values.get(place, ""), "rows": rows, "cols": cols})
    # All cells are checked in one call, which costs a quarter of one for each.
    table = _CELLS.validate_python(cells)
    mark_heads(table)
    flow.table(table)


def _add_lines(flow: Flow, places: list[Place], values: Mapping[Place, str]) -> None:
    for _, row in groupby(places, key=itemgetter(0)):
        flow.text(" ".join(values[place] for place in row))
    flow.notes.append(f"{len(places)} cells are far apart: each row of them is a line of text")


def _range(first: Place, last: Place) -> list[Place]:
    rows = range(first[0], last[0] + 1)
    return [(row, col) for row in rows for col in range(first[1], last[1] + 1)]


def _size(first: Place, last: Place) -> int:
    return (last[0] - first[0] + 1) * (last[1] - first[1] + 1)
