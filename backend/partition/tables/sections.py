"""Rows of a table that only name the rows below them."""

from collections import defaultdict

from backend.partition.page import hull
from backend.partition.tables.grid import Grid, GridCell

_WIDE = 0.3
"""The minimum share of names that are wider than the first column; a long label among labels that
have no values is none."""


def with_sections(grid: Grid) -> Grid:
    """The grid with the names of groups of rows across all columns: the only text of its row, from
    the first column on. A part of those in one style must be wider than that column.
    """
    rows: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        if cell.row == cell.row_end:
            rows.setdefault(cell.row, []).append(cell)
    names = {row: name for row, cells in rows.items() if (name := _name(cells, grid.cols))}
    wide: defaultdict[tuple[bool, bool, int], list[bool]] = defaultdict(list)
    for row, name in names.items():
        wide[_style(name)].append(row > 0 and name.col_end > 0)
    across = {}
    for row, name in names.items():
        crossing = wide[_style(name)]
        if sum(crossing) > _WIDE * len(crossing):
            name.box = hull([cell.box for cell in rows[row]])
            name.col_end = grid.cols - 1
            across[row] = name
    grid.cells = [cell for cell in grid.cells if across.get(cell.row, cell) is cell]
    return grid


def _name(cells: list[GridCell], cols: int) -> GridCell | None:
    """The only filled cell of a whole row if it is the first."""
    filled = [cell for cell in cells if cell.words]
    whole = sum(cell.col_end - cell.col + 1 for cell in cells) == cols
    return filled[0] if whole and len(filled) == 1 and filled[0].col == 0 else None


def _style(cell: GridCell) -> tuple[bool, bool, int]:
    style = cell.words[0].style
    return style.bold, style.italic, style.color
