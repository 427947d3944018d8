"""Rows whose cells are known by their edges -> cells on one grid, as Word keeps its tables."""

from bisect import bisect_left
from dataclasses import dataclass, field

from backend.partition.formats.heads import mark_heads
from workbench.contract.elements import TableCell

_MOST_SPANNED = 20
"""Columns that a cell spans on the average, at most."""
_SAME = 20
"""Twips; edges of cells that are closer are one."""


@dataclass
class Row:
    cells: list[str] = field(default_factory=list)
    edges: tuple[int, ...] = ()
    """One more than cells, from the left; in twips."""
    leftward: frozenset[int] = frozenset()
    """Cells that are one with the cell on their left."""
    upward: frozenset[int] = frozenset()
    """Cells that are one with the cell above."""


def cells_on_grid(rows: list[Row]) -> list[TableCell]:
    """A cell over several columns of the grid spans them; a continued cell spans rows."""
    aligned = all(len(row.edges) == len(row.cells) + 1 for row in rows)
    grid: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges}):
        if not grid or edge - grid[-1] > _SAME:
            grid.append(edge)
    if aligned:  # cells over very many columns would fill the memory: each row is its own grid
        spanned = (_nearest(grid, row.edges[-1]) - _nearest(grid, row.edges[0]) for row in rows)
        aligned = sum(spanned) <= max(2_000, _MOST_SPANNED * sum(len(row.cells) for row in rows))
    cells: list[TableCell] = []
    above: dict[int, TableCell] = {}
    for number, row in enumerate(rows):
        here: dict[int, TableCell] = {}
        made: TableCell | None = None
        for place, text in enumerate(row.cells):
            first, last = place, place + 1
            if aligned:
                first, last = (_nearest(grid, row.edges[place + i]) for i in (0, 1))
            if place in row.leftward and made is not None:
                made.cols = list(range(made.cols[0], max(made.cols[-1] + 1, last)))
                made.content = f"{made.content} {text}".strip()
                continue
            made = above.get(first) if place in row.upward else None
            if made is not None:
                made.rows.append(number)
                made.content = f"{made.content} {text}".strip()
            else:
                cols = list(range(first, max(first + 1, last)))
                made = TableCell(content=text, rows=[number], cols=cols)
                cells.append(made)
            here[first] = made
        above = here
    mark_heads(cells)
    return cells


def _nearest(grid: list[int], edge: int) -> int:
    place = bisect_left(grid, edge)
    near = range(max(0, place - 1), min(len(grid), place + 1))
    return min(near, key=lambda index: abs(grid[index] - edge))
