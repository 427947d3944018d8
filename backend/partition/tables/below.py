"""Rows of a table below its drawn part: often only the header is shaded, or every second row."""

from statistics import median

from backend.partition.page import Rect, Word, hull
from backend.partition.tables.columns import Columns, find_columns, stretches
from backend.partition.tables.grid import Grid, is_value, rows_in_order
from backend.partition.tables.heads import is_heading
from backend.partition.tables.open import table_rows
from backend.partition.tables.plausible import plausible
from backend.partition.tables.ruled import cells_of_line
from backend.partition.tables.shelf import Shelf

_REACH = 1.6
"""In row heights: white space between the table and its next row."""
_BLANK = 0.45
"""In font sizes: words farther apart may belong to neighbouring columns."""


def with_totals_below(grid: Grid, words: Shelf) -> Grid:
    """The grid with the rows of values below its last rule, such as totals."""
    return with_rows_below(grid, words, values=True)


def with_rows_below(grid: Grid, words: Shelf, *, values: bool = False) -> Grid:
    """The grid with the lines right below it that respect its columns and fill more than one; with
    `values` they need values beside labels, for less certain lines.
    """
    xs = sorted({x for cell in grid.cells for x in (cell.box.x0, cell.box.x1)})
    if len(xs) != grid.cols + 1:
        return grid
    lines = _lines_below(grid, xs, words, values)
    if not lines or _more_columns(grid, lines):
        return grid
    columns = Columns(xs[0], xs[-1], [(x - 1, x + 1) for x in xs[1:-1]])
    rows = table_rows(lines, columns)
    cells = list(grid.cells)
    for number, spans in enumerate(rows, grid.rows):
        cells.extend(cells_of_line(number, spans, grid.cols, xs))
    box = grid.box.joined(hull([word.box for word in lines]))
    longer = Grid(box, grid.rows + len(rows), grid.cols, cells, grid.score)
    return longer if plausible(longer) else grid


def _more_columns(grid: Grid, below: list[Word]) -> bool:
    """Whether the header only covers groups of columns, and is not drawn for all of them."""
    size = sorted(word.style.size for word in below)[len(below) // 2]
    columns = find_columns(rows_in_order(below), size)
    return columns is not None and columns.count > grid.cols


def _lines_below(grid: Grid, xs: list[float], words: Shelf, values: bool) -> list[Word]:
    pitch = min(cell.box.height for cell in grid.cells)
    claimed: list[Word] = []
    whole: list[Word] = []
    bottom = grid.box.y1
    usual = median([word.style.size for word in grid.words()] or [0.0])
    rest = words.inside(Rect(xs[0] - 1, bottom, xs[-1] + 1, float("inf")))
    for line in rows_in_order(rest):
        box = hull([word.box for word in line])
        parts = stretches(line, _BLANK * line[0].style.size)
        close = bool(claimed) and box.y0 - bottom < 0.5 * line[0].style.size
        if box.y0 - bottom > _REACH * pitch or any(
            a + 1 < x < b - 1 for a, b in parts for x in xs[1:-1]
        ):
            break
        if usual and is_heading(line, usual):
            break
        if values and not _is_total(line, parts, xs):
            break
        claimed += line
        bottom = box.y1
        totals = len(parts) >= grid.cols - 1 and all(is_value(word.text) for word in line)
        if len(parts) > 1 and (parts[0][0] < xs[1] or close or totals):
            whole = list(claimed)
    return whole


def _is_total(line: list[Word], parts: list[tuple[float, float]], xs: list[float]) -> bool:
    """Whether a label and values beside it fill nearly all columns."""
    right = [word for word in line if word.box.mid_x > xs[1]]
    labelled = len(right) < len(line)
    return labelled and len(parts) >= max(3, len(xs) - 2) and all(is_value(w.text) for w in right)
