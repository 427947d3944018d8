"""Grids drawn with rules in both directions; a missing piece of rule makes a cell span."""

from bisect import bisect_right

from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.grid import Grid, GridCell, is_value, rows_in_order
from backend.partition.tables.rulings import TOLERANCE, hull_of, positions

_MAX_LINES = 400
"""Of one grid in one direction; more is a drawing."""


def ruled_grid(rules: list[Rule], words: list[Word]) -> Grid | None:
    """The grid of one connected group of rules; None when it is no table (a frame, a chart)."""
    xs, ys = _lattice(rules)
    if len(xs) < 3 or len(ys) < 2 or max(len(xs), len(ys)) > _MAX_LINES:
        return None
    box = Rect(xs[0], ys[0], xs[-1], ys[-1])
    cells = _cells(xs, ys, rules)
    inside = [word for word in words if box.holds(word.box.mid_x, word.box.mid_y)]
    _fill(cells, xs, ys, inside)
    filled = [cell for cell in cells if cell.words]
    if len(cells) < 3 or len(filled) < 2 or len(filled) < 0.3 * len(cells):
        return None
    grid = Grid(box, len(ys) - 1, len(xs) - 1, cells, 0.95)
    grid = _split_rows(_split_columns(grid, xs))
    return grid if grid.rows > 1 and grid.cols > 1 else None


def _lattice(rules: list[Rule]) -> tuple[list[float], list[float]]:
    """Column and row borders. Where horizontal rules run on past the outermost vertical ones (or
    the other way round) the table is open at that side and gets a border there."""
    flat = [rule for rule in rules if rule.horizontal]
    tall = [rule for rule in rules if not rule.horizontal]
    if not flat or not tall:
        return [], []
    box = hull_of(rules)
    xs, ys = positions([rule.at for rule in tall]), positions([rule.at for rule in flat])
    for borders, low, high in ((xs, box.x0, box.x1), (ys, box.y0, box.y1)):
        if borders[0] - low > 8:
            borders.insert(0, low)
        if high - borders[-1] > 8:
            borders.append(high)
    return xs, ys


def _cells(xs: list[float], ys: list[float], rules: list[Rule]) -> list[GridCell]:
    rows, cols = len(ys) - 1, len(xs) - 1
    walls = [rule for rule in rules if not rule.horizontal]
    floors = [rule for rule in rules if rule.horizontal]
    parent = {(r, c): (r, c) for r in range(rows) for c in range(cols)}

    def find(key: tuple[int, int]) -> tuple[int, int]:
        while parent[key] != key:
            key = parent[key]
        return key

    for r in range(rows):
        for c in range(cols):
            if c and not _drawn(walls, xs[c], ys[r], ys[r + 1]):
                parent[find((r, c))] = find((r, c - 1))
            if r and not _drawn(floors, ys[r], xs[c], xs[c + 1]):
                parent[find((r, c))] = find((r - 1, c))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for key in parent:
        groups.setdefault(find(key), []).append(key)
    return [
        GridCell(r0, c0, r1, c1, Rect(xs[c0], ys[r0], xs[c1 + 1], ys[r1 + 1]))
        for r0, c0, r1, c1 in _rectangles(list(groups.values()))
    ]


def _drawn(rules: list[Rule], at: float, start: float, end: float) -> bool:
    """Whether most of the piece from start to end is drawn."""
    length = sum(
        max(0.0, min(rule.end, end) - max(rule.start, start))
        for rule in rules
        if abs(rule.at - at) <= 2 * TOLERANCE
    )
    return length >= 0.6 * (end - start)


def _rectangles(groups: list[list[tuple[int, int]]]) -> list[tuple[int, int, int, int]]:
    """Groups of grid places as rectangles; one that is no rectangle falls apart into its rows."""
    out: list[tuple[int, int, int, int]] = []
    for group in groups:
        rows, cols = [r for r, _ in group], [c for _, c in group]
        r0, r1, c0, c1 = min(rows), max(rows), min(cols), max(cols)
        if len(group) == (r1 - r0 + 1) * (c1 - c0 + 1):
            out.append((r0, c0, r1, c1))
            continue
        places = set(group)
        for r in range(r0, r1 + 1):
            c = c0
            while c <= c1:
                if (r, c) not in places:
                    c += 1
                    continue
                end = c
                while (r, end + 1) in places:
                    end += 1
                out.append((r, c, r, end))
                c = end + 1
    return out


def _fill(cells: list[GridCell], xs: list[float], ys: list[float], words: list[Word]) -> None:
    owner = {
        (r, c): cell
        for cell in cells
        for r in range(cell.row, cell.row_end + 1)
        for c in range(cell.col, cell.col_end + 1)
    }
    for word in words:
        r = min(max(bisect_right(ys, word.box.mid_y) - 1, 0), len(ys) - 2)
        c = min(max(bisect_right(xs, word.box.mid_x) - 1, 0), len(xs) - 2)
        owner[r, c].words.append(word)


def _split_columns(grid: Grid, xs: list[float]) -> Grid:
    """A cell across several columns whose words keep to these columns lacks rules, not borders."""
    out: list[GridCell] = []
    for cell in grid.cells:
        places = [_column(word, xs) for word in cell.words]
        apart = len({first for first, _ in places}) > 1 and all(a == b for a, b in places)
        if cell.col == cell.col_end or not apart or _flows(cell, places):
            out.append(cell)
            continue
        for col in range(cell.col, cell.col_end + 1):
            words = [w for w, (at, _) in zip(cell.words, places, strict=True) if at == col]
            box = Rect(xs[col], cell.box.y0, xs[col + 1], cell.box.y1)
            out.append(GridCell(cell.row, col, cell.row_end, col, box, words))
    return Grid(grid.box, grid.rows, grid.cols, out, grid.score)


def _column(word: Word, xs: list[float]) -> tuple[int, int]:
    """First and last column that a word reaches into by more than a hair."""
    slack = 0.1 * word.style.size
    return bisect_right(xs, word.box.x0 + slack) - 1, bisect_right(xs, word.box.x1 - slack) - 1


def _flows(cell: GridCell, places: list[tuple[int, int]]) -> bool:
    """Whether a text runs on from one column into the next with ordinary blanks."""
    order = sorted(zip(cell.words, places, strict=True), key=lambda pair: pair[0].box.x0)
    return any(
        a[1] != b[1]
        and abs(a[0].box.mid_y - b[0].box.mid_y) < 0.4 * a[0].style.size
        and b[0].box.x0 - a[0].box.x1 < 0.45 * a[0].style.size
        for a, b in zip(order, order[1:], strict=False)
    )


def _split_rows(grid: Grid) -> Grid:
    """Rows that hold several lines of values, side by side, are several rows without rules."""
    extra: dict[int, list[float]] = {}
    for row in range(grid.rows):
        cells = [cell for cell in grid.cells if cell.row == cell.row_end == row]
        cuts = (
            _line_cuts(cells)
            if len(cells) == len([c for c in grid.cells if c.row <= row <= c.row_end])
            else []
        )
        if cuts:
            extra[row] = cuts
    if not extra:
        return grid
    cells_out: list[GridCell] = []
    shift = 0
    for row in range(grid.rows):
        cuts = extra.get(row, [])
        for cell in (c for c in grid.cells if c.row == row):
            if not cuts:
                longer = sum(len(extra.get(r, [])) for r in range(cell.row + 1, cell.row_end + 1))
                cells_out.append(
                    GridCell(
                        row + shift,
                        cell.col,
                        cell.row_end + shift + longer,
                        cell.col_end,
                        cell.box,
                        cell.words,
                    )
                )
                continue
            borders = [cell.box.y0, *cuts, cell.box.y1]
            for number, (top, bottom) in enumerate(zip(borders, borders[1:], strict=False)):
                words = [w for w in cell.words if top <= w.box.mid_y < bottom]
                box = Rect(cell.box.x0, top, cell.box.x1, bottom)
                at = row + shift + number
                cells_out.append(GridCell(at, cell.col, at, cell.col_end, box, words))
        shift += len(cuts)
    return Grid(grid.box, grid.rows + shift, grid.cols, cells_out, grid.score)


def _line_cuts(cells: list[GridCell]) -> list[float]:
    """Heights at which a row of cells is cut into its lines; empty when it is one row."""
    columns = [rows_in_order(cell.words) for cell in cells if cell.words]
    if len(columns) < 2 or max(len(column) for column in columns) < 2:
        return []
    valued = [
        column
        for column in columns
        if len(column) > 1 and all(is_value(" ".join(w.text for w in line)) for line in column)
    ]
    if not valued or len(valued) < 0.4 * len(columns):
        return []
    longest = max(valued, key=len)
    if any(len(column) > len(longest) + 1 for column in columns):
        return []
    boxes = [hull([word.box for word in line]) for line in longest]
    return [(a.y1 + b.y0) / 2 for a, b in zip(boxes, boxes[1:], strict=False)]
