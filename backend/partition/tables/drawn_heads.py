"""Headers of tables drawn cell by cell, with labels that span columns.

The columns of such a table are known from the pieces of its rules; if its upper rules have fewer
pieces, or are shorter, the rows above the first complete one were left out or read as one.
"""

from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.columns import Columns
from backend.partition.tables.grid import Grid, first_value_row, rows_in_order
from backend.partition.tables.open import wide_share
from backend.partition.tables.shelf import Shelf
from backend.partition.tables.spanning import Drawn, head_cells

_MOST = 4
"""Maximum rows of a header."""
_REACH = 7
"""In row heights: the maximum distance of the header's first rule above a table."""
_SAME = 6.0
"""Points: the tolerance for the ends of rules of one table."""


def with_drawn_head(grid: Grid, drawn: Drawn, words: Shelf) -> Grid:
    """The grid with its header labels spanning their columns, and with the lines above it between a
    rule of its width and shorter ones. The rules in `drawn` are already joined.
    """
    xs = sorted({x for cell in grid.cells for x in (cell.box.x0, cell.box.x1)})
    # The labels of columns may be numbers, and those of a group of rows may span all of them.
    spanning = [cell.row for cell in grid.cells if cell.col_end > cell.col]
    first = min([first_value_row(grid) or 1, *spanning])
    head = [cell for cell in grid.cells if cell.row < first]
    if len(xs) != grid.cols + 1:
        return grid
    above = _words_above(grid, drawn.rules, words)
    lines = rows_in_order(above + [word for cell in head for word in cell.words])
    rows = len({cell.row for cell in head})
    reaching = any(cell.row_end >= rows for cell in head)
    if len(lines) < 2 or not 0 < rows <= _MOST or reaching:
        return grid
    columns = Columns(xs[0], xs[-1], [(x - 1, x + 1) for x in xs[1:-1]])
    body = [cell for cell in grid.cells if cell.row >= rows]
    edges = columns.extents()
    for column in range(grid.cols):
        own = [w.box for c in body if c.col == c.col_end == column for w in c.words]
        edges[column] = (hull(own).x0, hull(own).x1) if own else edges[column]
    cells = head_cells(lines, columns, edges, drawn) or []
    if not any(cell.col_end > cell.col for cell in cells):
        return grid
    tiers = max(cell.row_end for cell in cells) + 1
    for cell in body:
        cell.row, cell.row_end = cell.row + tiers - rows, cell.row_end + tiers - rows
    box = hull([grid.box, *(word.box for word in above)])
    return Grid(box, grid.rows + tiers - rows, grid.cols, cells + body, grid.score)


def _words_above(grid: Grid, rules: list[Rule], words: Shelf) -> list[Word]:
    """The words between the top rule of a header and the table, with shorter rules between."""
    left, top, right, _ = grid.box
    height = min(cell.box.height for cell in grid.cells)
    near = [rule for rule in rules if top - _REACH * height < rule.at < top + 1]
    wide = [r.at for r in near if abs(r.start - left) < _SAME and abs(r.end - right) < _SAME]
    over = [at for at in wide if at < top - 1]
    if not over:
        return []
    short = [r for r in near if r.at > max(over) + 1 and left - _SAME < r.start < right]
    above = words.inside(Rect(left - 1, max(over), right + 1, top))
    if not short or not above:
        return []
    prose = wide_share(rows_in_order(above), right - left, above[0].style.size) > 0
    return [] if prose else above
