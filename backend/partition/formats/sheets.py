"""Cells of a sheet -> tables: what is filled and hangs together is one.

Formats with sheets share this, so that the same sheet gives the same tables whatever its format.
"""

from collections.abc import Iterable, Mapping

from backend.contract.elements import TableCell
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats.heads import mark_heads

Place = tuple[int, int]
"""Row and column from 0."""

_MAX_PARTS = 5000
"""Of one sheet; with more, nothing hangs together and the sheet is one table."""
_MAX_MERGED = 10_000
"""Cells of one merged range that count as filled; larger ones are coloured backgrounds."""


def sane_merges(merges: Mapping[Place, Place]) -> dict[Place, Place]:
    """Merged ranges (first place to last) without those that overlap, are too large to be headings
    or are more than a sheet can hold."""
    taken: set[Place] = set()
    out: dict[Place, Place] = {}
    for first, last in sorted(merges.items()):
        if not 1 < _size(first, last) <= _MAX_MERGED or len(taken) > MAX_CELLS:
            continue
        places = _range(first, last)
        if taken.isdisjoint(places):
            taken.update(places)
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
    open_: list[tuple[set[Place], Place, Place]] = []
    done: list[set[Place]] = []
    for block in sorted(parts, key=min):
        top, bottom = _extent(block)
        # Sorted by the first row: what ended above this row can meet nothing any more.
        done += [one for one, _, last in open_ if last[0] < top[0]]
        open_ = [entry for entry in open_ if entry[2][0] >= top[0]]
        while True:
            hit = next((e for e in open_ if _overlap(e[1], e[2], top, bottom)), None)
            if hit is None:
                break
            open_.remove(hit)
            block = block | hit[0]
            top, bottom = _extent(block)
        open_.append((block, top, bottom))
    return sorted([*done, *(block for block, _, _ in open_)], key=min)


def _extent(block: Iterable[Place]) -> tuple[Place, Place]:
    rows, cols = zip(*block, strict=True)
    return (min(rows), min(cols)), (max(rows), max(cols))


def _overlap(top: Place, bottom: Place, other_top: Place, other_bottom: Place) -> bool:
    return (
        top[0] <= other_bottom[0]
        and other_top[0] <= bottom[0]
        and top[1] <= other_bottom[1]
        and other_top[1] <= bottom[1]
    )


def add_block(
    flow: Flow, block: set[Place], values: Mapping[Place, str], merges: Mapping[Place, Place]
) -> None:
    """Adds a table with its head; a single cell is text."""
    first = min(block)
    if block.issubset(_range(first, merges.get(first, first))):
        flow.text(values[first])
        return
    (top, left), (bottom, right) = _extent(block)
    if (bottom - top + 1) * (right - left + 1) > MAX_CELLS:
        bottom = top + max(1, MAX_CELLS // (right - left + 1)) - 1
    within = {place: merges[place] for place in block if place in merges}
    hidden = {place for first, last in within.items() for place in _range(first, last)}
    hidden -= set(within)
    cells: list[TableCell] = []
    for row in range(top, bottom + 1):
        for col in range(left, right + 1):
            if (row, col) in hidden:
                continue
            last_row, last_col = within.get((row, col), (row, col))
            cells.append(
                TableCell(
                    content=values.get((row, col), ""),
                    rows=list(range(row - top, last_row - top + 1)),
                    cols=list(range(col - left, last_col - left + 1)),
                )
            )
    mark_heads(cells)
    flow.table(cells)


def _range(first: Place, last: Place) -> list[Place]:
    rows = range(first[0], last[0] + 1)
    return [(row, col) for row in rows for col in range(first[1], last[1] + 1)]


def _size(first: Place, last: Place) -> int:
    return (last[0] - first[0] + 1) * (last[1] - first[1] + 1)
