"""Headers with several tiers: labels over column groups, and labels beside two tiers.

Without rules, a label spans the columns over which it is centred. That counts only if the labels of
a tier cover all columns to the right between them.
"""

from backend.partition.page import hull
from backend.partition.tables.grid import Grid, GridCell, first_value_row

_MOST = 4
"""Maximum tiers of a header."""
_OFF = 0.8
"""In font sizes: the tolerance for a label centred over its columns."""


def with_spans(grid: Grid) -> Grid:
    """The grid with the labels of its upper tiers spanning their columns."""
    grid = _beside_tiers(grid)
    body = first_value_row(grid)
    for row in range(min(body, _MOST) - 1):
        cells = [cell for cell in grid.cells if cell.row == row and cell.row_end == row]
        filled = sorted((cell for cell in cells if cell.words), key=lambda cell: cell.col)
        labels = [cell for cell in filled if cell.col > 0]
        below = [c for c in grid.cells if c.row <= row + 1 <= c.row_end and c.words and c.col > 0]
        if len(labels) < 2 or len(below) <= len(labels):
            continue
        spans = _division(grid, labels)
        if spans is not None:
            _apply(grid, row, labels, spans)
    _heighten(grid, min(body, _MOST))
    return grid


def _heighten(grid: Grid, tiers: int) -> None:
    """Extends the only label of the first column to the height of the tiers beside it."""
    head = [cell for cell in grid.cells if cell.row < tiers]
    first = [cell for cell in head if cell.col == 0]
    labels = [cell for cell in first if cell.words]
    tiered = any(cell.col_end > cell.col and cell.words for cell in head)
    if not tiered or len(labels) != 1 or any(c.col_end or c.row_end >= tiers for c in first):
        return
    label = labels[0]
    label.row, label.row_end, label.box = 0, tiers - 1, hull([cell.box for cell in first])
    grid.cells = [cell for cell in grid.cells if cell not in first or cell is label]


def _division(grid: Grid, labels: list[GridCell]) -> list[tuple[int, int]] | None:
    edges = _text_edges(grid)
    if edges is None:
        return None
    middles = [hull([word.box for word in label.words]).mid_x for label in labels]
    return division(middles, edges, labels[0].words[0].style.size, labels[0].col_end)


def division(
    middles: list[float], edges: list[tuple[float, float]], size: float, latest: int
) -> list[tuple[int, int]] | None:
    """First and last column of each label, so that each is centred over its columns and together
    they reach the last column; None if that is impossible, or nothing spans. A label centred over a
    single column may be the first line of that column's own.

    `edges` are the extents of each column's text; the first label begins at the second column or
    later, up to `latest`.
    """
    for first in range(1, latest + 1):
        spans: list[tuple[int, int]] = []
        start = first
        for middle in middles:
            ends = range(start, len(edges))
            end = next((e for e in ends if _over(edges[start : e + 1], middle, size)), None)
            if end is None:
                break
            spans.append((start, end))
            start = end + 1
        whole = len(spans) == len(middles) and start == len(edges)
        alone = any(
            _over([edge], middle, size)
            for (a, b), middle in zip(spans, middles, strict=False)
            for edge in edges[a : b + 1]
            if a < b
        )
        if whole and not alone and any(a < b for a, b in spans):
            return spans
    return None


def _over(columns: list[tuple[float, float]], middle: float, size: float) -> bool:
    return abs((columns[0][0] + columns[-1][1]) / 2 - middle) < _OFF * size


def _text_edges(grid: Grid) -> list[tuple[float, float]] | None:
    """The extents of each column's text; None if a column has none of its own."""
    out: list[tuple[float, float]] = []
    for column in range(grid.cols):
        words = [
            word
            for cell in grid.cells
            if cell.col == cell.col_end == column and cell.row > 0
            for word in cell.words
        ]
        if not words:
            return None
        box = hull([word.box for word in words])
        out.append((box.x0, box.x1))
    return out


def _apply(grid: Grid, row: int, labels: list[GridCell], spans: list[tuple[int, int]]) -> None:
    """Assigns labels to their columns and removes the empty cells there."""
    places = {(cell.col, cell.col_end): cell.box for cell in grid.cells if cell.row == row}
    first = spans[0][0]
    grid.cells = [
        cell for cell in grid.cells if cell.row != row or cell.col_end < first or cell.row_end > row
    ]
    box = hull(list(places.values()))
    columns = {cell.col: cell.box for cell in grid.cells if cell.col == cell.col_end}
    for label, (start, end) in zip(labels, spans, strict=True):
        across = columns.get(start, label.box).joined(columns.get(end, label.box))
        label.col, label.col_end = start, end
        label.box = across._replace(y0=box.y0, y1=box.y1)
        grid.cells.append(label)


def _beside_tiers(grid: Grid) -> Grid:
    """Assigns a row of labels between two tiers, level with neither, to both."""
    for row in range(1, min(grid.rows - 1, _MOST)):
        own = [cell for cell in grid.cells if cell.row == row and cell.words]
        above, below = (
            [cell for cell in grid.cells if cell.row == at and cell.words]
            for at in (row - 1, row + 1)
        )
        if not (own and above and below):
            continue
        around = above + below
        if any(cell.row_end > cell.row for cell in own + around):
            continue
        covered = {c for cell in around for c in range(cell.col, cell.col_end + 1)}
        if any(c in covered for cell in own for c in range(cell.col, cell.col_end + 1)):
            continue
        top, middle, bottom = (
            hull([word.box for cell in cells for word in cell.words])
            for cells in (above, own, below)
        )
        if top.y1 > middle.y0 and middle.y1 > bottom.y0:
            return _beside_tiers(_merged(grid, row, own))
    return grid


def _merged(grid: Grid, row: int, own: list[GridCell]) -> Grid:
    """The grid without a row, whose cells become as high as the rows above and below it."""
    columns = {cell.col for cell in own}
    cells: list[GridCell] = []
    for cell in grid.cells:
        beside = cell.col in columns and cell.row in (row - 1, row + 1) and not cell.words
        if beside or (cell.row == row and not cell.words):
            continue
        if cell.row == row:
            cell.row -= 1
        elif cell.row > row:
            cell.row, cell.row_end = cell.row - 1, cell.row_end - 1
        cells.append(cell)
    return Grid(grid.box, grid.rows - 1, grid.cols, cells, grid.score)
