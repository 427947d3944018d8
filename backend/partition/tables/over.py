"""Labels above a table without a grid, each with a rule below it that spans its columns."""

from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import Grid, GridCell, rows_in_order
from backend.partition.tables.shelf import Shelf

_REACH = 2.0
"""In font sizes: the maximum distance of the line above the table."""
_SLACK = 3.0
"""Points by which a label may extend over its rule."""
_WHOLE = 0.9
"""Relative to the width of the table: longer rules span no column group."""


def with_labels_over(grid: Grid, rules: list[Rule], words: Shelf) -> Grid:
    """The grid with the line above it as its first row, if all of it consists of such labels."""
    labelled = grid.words()
    size = sorted(word.style.size for word in labelled)[len(labelled) // 2] if labelled else 1.0
    top, box = grid.box.y0, grid.box
    above = words.inside(Rect(box.x0, top - (_REACH + 1) * size, box.x1 + _SLACK, top))
    lines = rows_in_order(above)
    if not lines:
        return grid
    line = lines[-1]
    level = hull([word.box for word in line])
    near = [rule for rule in rules if level.mid_y < rule.at < top + 0.5 * size]
    labels: list[tuple[int, int, list[Word]]] = []
    for start, end in stretches(line, 1.1 * size):
        columns = _columns(grid, near, start, end)
        if columns is None or (labels and columns[0] <= labels[-1][1]):
            return grid
        labels.append((*columns, [w for w in line if start <= w.box.mid_x <= end]))
    return _with_row(grid, level, labels)


def _columns(grid: Grid, rules: list[Rule], start: float, end: float) -> tuple[int, int] | None:
    """The columns of the rule below a piece of text: several, and none of labels."""
    for rule in rules:
        if rule.end - rule.start > _WHOLE * grid.box.width:
            continue
        if rule.start - _SLACK <= start and end <= rule.end + _SLACK:
            under = [
                cell.col
                for cell in grid.cells
                if cell.words
                and cell.col == cell.col_end
                and rule.start < hull([word.box for word in cell.words]).mid_x < rule.end
            ]
            if under and 0 < min(under) < max(under):
                return min(under), max(under)
    return None


def _with_row(grid: Grid, level: Rect, labels: list[tuple[int, int, list[Word]]]) -> Grid:
    box = grid.box.joined(level)
    for cell in grid.cells:
        cell.row, cell.row_end = cell.row + 1, cell.row_end + 1
    sides = {cell.col: cell.box for cell in grid.cells if cell.col == cell.col_end}
    free = set(range(grid.cols)) - {c for a, b, _ in labels for c in range(a, b + 1)}
    cells = [
        GridCell(0, a, 0, b, Rect(sides[a].x0, level.y0, sides[b].x1, level.y1), words)
        for a, b, words in [*labels, *((c, c, []) for c in sorted(free) if c in sides)]
    ]
    return Grid(box, grid.rows + 1, grid.cols, cells + grid.cells, grid.score)
