"""Grids drawn with rules in both directions; a missing piece of a rule makes a cell span."""

from bisect import bisect_right
from itertools import pairwise

from backend.partition.lines import in_one_row
from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.columns import Columns, find_columns
from backend.partition.tables.grid import Grid, GridCell, is_value, rows_in_order
from backend.partition.tables.open import table_rows
from backend.partition.tables.rulings import TOLERANCE, hull_of, positions
from backend.partition.tables.shelf import Shelf
from backend.partition.tables.tiers import division

_HEAD = 3
"""Rows that are searched for labels of column groups."""
_APART = 0.5
"""In font sizes: the white space between texts of different rows."""
_LINES, _BOTH, _VALUES, _CROSS = 4, 0.5, 0.7, 0.05
"""The minimum lines of a drawn column with several columns of text, the share of those with text on
both sides of the white space between these, the share of values that makes two such lines enough,
and the most words of a cell across it.
"""
_MAX_LINES = 400
"""Per grid and direction; more is a drawing."""


def ruled_grid(rules: list[Rule], words: Shelf) -> Grid | None:
    """The grid of one connected group of rules; None if it is not a table (a frame, a chart)."""
    xs, ys = _lattice(rules)
    if len(xs) < 3 or len(ys) < 2 or max(len(xs), len(ys)) > _MAX_LINES:
        return None
    box = Rect(xs[0], ys[0], xs[-1], ys[-1])
    cells = _cells(xs, ys, rules)
    inside = words.inside(box)
    _fill(cells, xs, ys, inside)
    walls = _walls_in_gutters(cells, len(xs) - 1)
    if walls:
        xs = positions([*xs, *(wall.at for wall in walls)])
        cells = _cells(xs, ys, rules + walls)
        _fill(cells, xs, ys, inside)
    filled = [cell for cell in cells if cell.words]
    if len(filled) < 2 or len(filled) < 0.3 * len(cells):
        return None
    grid = Grid(box, len(ys) - 1, len(xs) - 1, cells, 0.95)
    grid = _split_groups(_split_columns(_split_lines(grid, ys), xs), xs)
    grid = _split_rows(grid, xs)
    return grid if grid.cols > 1 and (grid.rows > 1 or len(filled) == len(cells)) else None


def _lattice(rules: list[Rule]) -> tuple[list[float], list[float]]:
    """Column and row borders. If horizontal rules extend beyond the outermost vertical ones (or
    vice versa) the table is open at that side and gets a border there.
    """
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
    walls = [_at(rules, x, horizontal=False) for x in xs]
    floors = [_at(rules, y, horizontal=True) for y in ys]
    parent = {(r, c): (r, c) for r in range(rows) for c in range(cols)}

    def find(key: tuple[int, int]) -> tuple[int, int]:
        while parent[key] != key:
            key = parent[key]
        return key

    for r in range(rows):
        for c in range(cols):
            if c and not _drawn(walls[c], ys[r], ys[r + 1]):
                parent[find((r, c))] = find((r, c - 1))
            if r and not _drawn(floors[r], xs[c], xs[c + 1]):
                parent[find((r, c))] = find((r - 1, c))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for key in parent:
        groups.setdefault(find(key), []).append(key)
    return [
        GridCell(r0, c0, r1, c1, Rect(xs[c0], ys[r0], xs[c1 + 1], ys[r1 + 1]))
        for r0, c0, r1, c1 in _rectangles(list(groups.values()))
    ]


def _walls_in_gutters(cells: list[GridCell], columns: int) -> list[Rule]:
    """The missing walls of columns that only wide white space separates, within drawn ones."""
    out: list[Rule] = []
    for column in range(columns):
        own = [cell for cell in cells if cell.words and cell.col == cell.col_end == column]
        lines = [row for cell in own for row in rows_in_order(cell.words)]
        size = max((line[0].style.size for line in lines), default=0.0)
        found = find_columns(lines, size) if len(lines) >= _LINES else None
        for start, end in found.gutters if found else []:
            at = (start + end) / 2
            sides = [(line[0].box.x0 < at, line[-1].box.x1 > at) for line in lines]
            both = sum(left and right for left, right in sides)
            values = sum(is_value(line[-1].text) for line in lines)
            several = both > 1 and values > _VALUES * len(lines)
            if end - start < size or not (several or both >= _BOTH * len(lines)):
                continue
            out += [
                Rule(False, at, cell.box.y0, cell.box.y1)
                for cell in cells
                if cell.col == cell.col_end == column
                and sum(w.box.x0 < at < w.box.x1 for w in cell.words) <= _CROSS * len(cell.words)
            ]
    return out


def _at(rules: list[Rule], place: float, *, horizontal: bool) -> list[tuple[float, float]]:
    """Start and end of the rules of one direction at a border."""
    return [
        (rule.start, rule.end)
        for rule in rules
        if rule.horizontal is horizontal and abs(rule.at - place) <= 2 * TOLERANCE
    ]


def _drawn(extents: list[tuple[float, float]], start: float, end: float) -> bool:
    """Whether most of the piece from start to end is drawn."""
    length = 0.0
    for first, last in extents:
        if first <= start and end <= last:
            return True
        length += max(0.0, min(last, end) - max(first, start))
    return length >= 0.6 * (end - start)


def _rectangles(groups: list[list[tuple[int, int]]]) -> list[tuple[int, int, int, int]]:
    """Groups of grid cells as rectangles; a group that is not one is split into its rows."""
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
    last_row, last_col = len(ys) - 2, len(xs) - 2
    for word in words:
        x0, y0, x1, y1 = word.box
        r = min(max(bisect_right(ys, (y0 + y1) / 2) - 1, 0), last_row)
        c = min(max(bisect_right(xs, (x0 + x1) / 2) - 1, 0), last_col)
        owner[r, c].words.append(word)


def _split_lines(grid: Grid, ys: list[float]) -> Grid:
    """Splits cells across several rows that have one line of text in each, farther apart than lines
    of a paragraph: only the columns beside them have rules, as in the forms of tax offices.
    """
    out: list[GridCell] = []
    for cell in grid.cells:
        rows = range(cell.row, cell.row_end + 1)
        lines = rows_in_order(cell.words) if len(rows) > 1 else []
        boxes = [hull([word.box for word in line]) for line in lines]
        within = [bisect_right(ys, box.mid_y) - 1 for box in boxes]
        apart = all(
            below.y0 - above.y1 > _APART * line[0].style.size
            for (above, below), line in zip(pairwise(boxes), lines, strict=False)
        )
        if within != list(rows) or not apart:
            out.append(cell)
            continue
        for row, words in zip(rows, lines, strict=True):
            box = Rect(cell.box.x0, ys[row], cell.box.x1, ys[row + 1])
            out.append(GridCell(row, cell.col, row, cell.col_end, box, words))
    return Grid(grid.box, grid.rows, grid.cols, out, grid.score)


def _split_columns(grid: Grid, xs: list[float]) -> Grid:
    """Splits cells across columns whose words respect these columns: rules are missing there."""
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


def _split_groups(grid: Grid, xs: list[float]) -> Grid:
    """Splits header cells whose labels are centred over their own columns: rules are missing."""
    out: list[GridCell] = []
    for cell in grid.cells:
        spans: list[tuple[int, int]] | None = None
        labels = _labels(cell) if cell.row < _HEAD and cell.col_end > cell.col + 1 else []
        if len(labels) > 1:
            edges = list(pairwise(xs[cell.col : cell.col_end + 2]))
            middles = [hull([word.box for word in words]).mid_x for words in labels]
            # the columns are counted from the cell's own first one
            spans = division(middles, [edges[0], *edges], labels[0][0].style.size, 1)
        if spans is None:
            out.append(cell)
            continue
        for words, (a, b) in zip(labels, spans, strict=True):
            first, last = cell.col + a - 1, cell.col + b - 1
            box = Rect(xs[first], cell.box.y0, xs[last + 1], cell.box.y1)
            out.append(GridCell(cell.row, first, cell.row_end, last, box, words))
    return Grid(grid.box, grid.rows, grid.cols, out, grid.score)


def _labels(cell: GridCell) -> list[list[Word]]:
    """The words of a cell, split if a single line of them has wide blanks."""
    if not cell.words or not in_one_row(cell.words):
        return []
    line = sorted(cell.words, key=lambda word: word.box.x0)
    out = [[line[0]]]
    for before, word in pairwise(line):
        if word.box.x0 - before.box.x1 > word.style.size:
            out.append([])
        out[-1].append(word)
    return out


def _column(word: Word, xs: list[float]) -> tuple[int, int]:
    """First and last column that a word covers by more than a hair's breadth."""
    slack = 0.1 * word.style.size
    return bisect_right(xs, word.box.x0 + slack) - 1, bisect_right(xs, word.box.x1 - slack) - 1


def _flows(cell: GridCell, places: list[tuple[int, int]]) -> bool:
    """Whether a text continues across columns with ordinary blanks."""
    order = sorted(zip(cell.words, places, strict=True), key=lambda pair: pair[0].box.x0)
    return any(
        a[1] != b[1]
        and abs(a[0].box.mid_y - b[0].box.mid_y) < 0.4 * a[0].style.size
        and b[0].box.x0 - a[0].box.x1 < 0.45 * a[0].style.size
        for a, b in pairwise(order)
    )


def _split_rows(grid: Grid, xs: list[float]) -> Grid:
    """Splits a row between two rules that contains several lines of values."""
    columns = Columns(xs[0], xs[-1], [(x - 1, x + 1) for x in xs[1:-1]])
    parts: dict[int, list[list[tuple[int, int, list[Word]]]]] = {}
    for row, cells in enumerate(grid.by_row()):
        single = all(cell.row == cell.row_end and cell.col == cell.col_end for cell in cells)
        # the words of a scanned row are not quite level, so only the lines of one cell count
        if single and any(cell.words and not in_one_row(cell.words) for cell in cells):
            body = table_rows([w for cell in cells for w in cell.words], columns, drawn=True)
            if _are_rows(body):
                parts[row] = body
    if not parts:
        return grid
    shift = [0]
    for row in range(grid.rows):
        shift.append(shift[-1] + len(parts[row]) - 1 if row in parts else shift[-1])
    out = [
        GridCell(
            c.row + shift[c.row], c.col, c.row_end + shift[c.row_end], c.col_end, c.box, c.words
        )
        for c in grid.cells
        if c.row not in parts
    ]
    for row, body in parts.items():
        for number, spans in enumerate(body):
            out.extend(cells_of_line(row + shift[row] + number, spans, grid.cols, xs))
    return Grid(grid.box, grid.rows + shift[-1], grid.cols, out, grid.score)


def _are_rows(rows: list[list[tuple[int, int, list[Word]]]]) -> bool:
    """Whether lines between two rules are rows: most have values, or all have labels with texts
    beside them; a form has labels above its fields.
    """
    values = sum(
        any(first and is_value(" ".join([w.text for w in words])) for first, _, words in row)
        for row in rows
    )
    labelled = len(rows) > 2 and all(row[0][0] == 0 and len(row) > 1 for row in rows)
    return labelled or (values > 1 and values >= 0.5 * len(rows))


def cells_of_line(
    row: int, spans: list[tuple[int, int, list[Word]]], cols: int, xs: list[float]
) -> list[GridCell]:
    """Cells of one line of text, including empty ones."""
    lines = hull([word.box for _, _, words in spans for word in words])
    owners: dict[int, tuple[int, list[Word]]] = {}
    free = set(range(cols))
    for first, last, words in spans:
        if first in free:
            last = max(c for c in range(first, last + 1) if c in free)
            owners[first] = (last, words)
            free -= set(range(first, last + 1))
    for column in free:
        owners[column] = (column, [])
    return [
        GridCell(row, first, row, last, Rect(xs[first], lines.y0, xs[last + 1], lines.y1), words)
        for first, (last, words) in owners.items()
    ]
