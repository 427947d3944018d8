"""Cells of a sheet -> tables: each connected group of filled cells is a table.

Formats with sheets share this, so that the same sheet gives the same tables in every format.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats.heads import mark_heads
from workbench.contract.elements import TableCell

Place = tuple[int, int]
"""Row and column from 0."""

Texts = Mapping[int, Mapping[int, str]]
"""The displayed text of a sheet's filled cells, by row and column."""

_MAX_PARTS = 5000
"""Of one sheet; with more, nothing hangs together and the sheet is one table."""
_SPARSE = 10
"""Places per filled one; a large block with more of them is not a table but lines of text."""
_LARGE = 20_000
"""Places of a block, up to which blank ones cost too little to matter."""
_MAX_MERGED = 10_000
"""Cells of one merged range that count as filled; larger ones are coloured backgrounds."""


def lacking_results(sheet: str, count: int) -> str:
    """The remark on formulas that no program has computed; they are left out."""
    return (
        f"sheet {sheet}: formulas without a stored result were left out: {count}; a spreadsheet"
        " program that opens and saves the file stores them"
    )


def left_out(hidden: Sequence[str]) -> list[str]:
    """The remark on hidden sheets, by name."""
    return [f"hidden sheets were left out: {', '.join(hidden)}"] if hidden else []


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


@dataclass
class Block:
    """Filled places that hang together, by their extent; no other block reaches into it."""

    first: Place
    """The leftmost of its topmost places."""
    top: int
    left: int
    bottom: int
    right: int
    filled: int
    into: "Block | None" = None
    """The block that this one was merged into."""

    @property
    def size(self) -> int:
        return _size((self.top, self.left), (self.bottom, self.right))

    def __contains__(self, place: Place) -> bool:
        return self.top <= place[0] <= self.bottom and self.left <= place[1] <= self.right

    def take(self, other: "Block") -> None:
        """Becomes one with another."""
        self.first = min(self.first, other.first)
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        self.left, self.right = min(self.left, other.left), max(self.right, other.right)
        self.filled += other.filled
        other.into = self

    def whole(self) -> "Block":
        """The block that this one is part of by now."""
        block = self
        while block.into is not None:
            block = block.into
        if block is not self:
            self.into = block
        return block


def blocks_of(texts: Texts, merges: Mapping[Place, Place]) -> list[Block]:
    """Blocks of filled places that share a side; sane merged ranges count as filled.

    Blocks whose extents overlap are one table with blank cells in it, those that only meet at a
    corner are two.
    """
    parts = _parts(_filled(texts, merges) if merges else texts)
    if len(parts) > _MAX_PARTS:
        for part in parts[1:]:
            parts[0].take(part)
        return parts[:1]
    while len(joined := _joined(parts)) < len(parts):
        # What has become one may reach around a third that had ended above the second.
        parts = joined
    return joined


def _filled(texts: Texts, merges: Mapping[Place, Place]) -> dict[int, set[int]]:
    """The columns that are filled in each row."""
    rows = defaultdict(set, {row: set(line) for row, line in texts.items()})
    for (top, left), (bottom, right) in merges.items():
        if left in texts.get(top, ()):
            for row in range(top, bottom + 1):
                rows[row].update(range(left, right + 1))
    return rows


def _parts(rows: Mapping[int, Collection[int]]) -> list[Block]:
    """Blocks of places that hang together, from the columns that are filled in each row."""
    parts: list[Block] = []
    above: list[Block] = []
    runs_above: list[range] = []
    for row in sorted(rows):
        runs = _runs(sorted(rows[row]))
        here = [Block((row, run[0]), row, run[0], row, run[-1], len(run)) for run in runs]
        if row - 1 not in rows:
            above, runs_above = [], []
        at = 0
        for number, run in enumerate(runs):
            while at < len(above) and runs_above[at][-1] < run[0]:
                at += 1
            for near in range(at, len(above)):
                if runs_above[near][0] > run[-1]:
                    break
                upper, lower = above[near].whole(), here[number].whole()
                if upper is not lower:
                    upper.take(lower)
        parts += here
        above, runs_above = here, runs
    return [part for part in parts if part.into is None]


def _runs(cols: list[int]) -> list[range]:
    """Columns, in order, as ranges without gaps."""
    if cols[-1] - cols[0] + 1 == len(cols):
        return [range(cols[0], cols[-1] + 1)]
    gaps = [at for at in range(1, len(cols)) if cols[at] != cols[at - 1] + 1]
    bounds = zip([0, *gaps], [*gaps, len(cols)], strict=True)
    return [range(cols[start], cols[end - 1] + 1) for start, end in bounds]


def _joined(parts: list[Block]) -> list[Block]:
    """Merges blocks whose extents overlap."""
    open_: list[Block] = []
    done: list[Block] = []
    row = -1
    for part in sorted(parts, key=_first):
        if part.top > row:
            # Sorted by the first row: what ended above this row can meet nothing any more.
            row = part.top
            done += [one for one in open_ if one.bottom < row]
            open_ = [one for one in open_ if one.bottom >= row]
        # All open blocks reach this row, so no two of them share a column, and they are in order.
        place = bisect_left(open_, part.left, key=lambda one: one.right)
        while place < len(open_) and open_[place].left <= part.right:
            part.take(open_.pop(place))
        open_.insert(place, part)
    return sorted([*done, *open_], key=_first)


def _first(block: Block) -> Place:
    return block.first


def add_block(flow: Flow, block: Block, texts: Texts, merges: Mapping[Place, Place]) -> None:
    """Adds a table with its head; a single cell is text, and scattered cells are a text for each
    row, because a table would have many times as many blank cells."""
    corner = block.top, block.left
    within = {
        first: last
        for first, last in merges.items()
        if first in block and first[1] in texts.get(first[0], ())
    }
    if within.get(corner, corner) == (block.bottom, block.right):
        only = texts[block.top][block.left]
        if flow.fitting([only]):
            flow.text(only)
        return
    if block.size > _LARGE and (block.size > _SPARSE * block.filled or block.size > MAX_CELLS):
        _add_lines(flow, block, texts)
        return
    covered = {place for first, last in within.items() for place in _range(first, last)}
    covered.difference_update(within)
    cells: list[TableCell] = []
    for row in range(block.top, block.bottom + 1):
        line = texts.get(row, {})
        cells += [
            TableCell(line.get(col, ""), [row - block.top], [col - block.left])
            for col in range(block.left, block.right + 1)
            if not covered or (row, col) not in covered
        ]
    if within:
        _span(cells, block, within)
    mark_heads(cells)
    flow.table(cells)


def _span(cells: list[TableCell], block: Block, merges: Mapping[Place, Place]) -> None:
    """Lets the first cell of each merged range span all of it."""
    for cell in cells:
        last = merges.get((cell.rows[0] + block.top, cell.cols[0] + block.left))
        if last is not None:
            cell.rows = list(range(cell.rows[0], last[0] - block.top + 1))
            cell.cols = list(range(cell.cols[0], last[1] - block.left + 1))


def _add_lines(flow: Flow, block: Block, texts: Texts) -> None:
    inside = range(block.top, block.bottom + 1)
    # Whichever is shorter: one far cell makes an extent long, many blocks make `texts` long.
    rows = inside if len(inside) <= len(texts) else sorted(texts)
    count = 0
    for row in rows:
        if row in inside and (line := texts.get(row)):
            words = [line[col] for col in sorted(line) if (row, col) in block]
            words = words[: flow.fitting(words)]
            flow.text(" ".join(words))
            count += len(words)
    flow.notes.append(f"{count} cells are far apart: each row of them is a line of text")


def _range(first: Place, last: Place) -> list[Place]:
    rows = range(first[0], last[0] + 1)
    return [(row, col) for row in rows for col in range(first[1], last[1] + 1)]


def _size(first: Place, last: Place) -> int:
    return (last[0] - first[0] + 1) * (last[1] - first[1] + 1)
