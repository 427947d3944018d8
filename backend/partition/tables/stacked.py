"""Forms with multi-line cells, without rules: the lines of a cell are tight, and the cells of a row
have their middles or their tops at one height. A line halfway between two neighbouring lines
belongs to no row of text, so reading line by line breaks such forms up. Those with two or more
labels in a row are tables.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from backend.partition.page import Line, Rect, Word, hull
from backend.partition.tables.columns import Columns, find_columns
from backend.partition.tables.grid import Grid, GridCell
from backend.partition.tables.shelf import Shelf

_TIGHT, _MORE = 0.35, 0.1
"""In font sizes: white space between two lines of one cell, and above the page's minimum."""
_LEVEL = 0.2
"""In font sizes: the tolerance for the middles, or the tops, of the cells of a row."""
_EDGE = 0.3
"""In font sizes: the same for the edges of the lines of one cell."""
_FAR = 2.2
"""In font sizes: the maximum white space between two rows."""
_TALLEST = 12
"""Lines; taller cells are columns of text."""
_LABELS = 0.6
"""Share of cells with colons from which a column consists of labels."""
_CENTRED = 2
"""Rows whose cells have different numbers of lines and level middles: fewer are accidental."""


@dataclass(eq=False, slots=True)
class _Cell:
    lines: list[list[Word]]
    box: Rect
    size: float = field(init=False)
    """Of the letters of its first line."""

    def __post_init__(self) -> None:
        self.size = max(self.lines[0][0].style.size, 1.0)

    @property
    def words(self) -> list[Word]:
        return [word for line in self.lines for word in line]

    @property
    def is_label(self) -> bool:
        return self.lines[-1][-1].text.endswith(":")

    def white_to(self, below: "_Cell") -> float | None:
        """In font sizes: white space above a line of the same cell, in one style with one edge."""
        white = (below.box[1] - self.box[3]) / self.size
        if not -_TIGHT < white < _TIGHT or self.is_label:
            return None
        one, other, box = self.lines[0][0].style, below.lines[0][0].style, self.box
        alike = one.bold == other.bold and abs(one.size - other.size) < 0.05 * self.size
        edges = box.x0 - below.box.x0, box.x1 - below.box.x1, box.mid_x - below.box.mid_x
        return white if alike and min(map(abs, edges)) < _EDGE * self.size else None


_Row = list[_Cell]


def find_stacked(words: Shelf) -> tuple[list[Grid], list[Line]]:
    """The tables among the words of a page, and the fields of forms with one label, as lines."""
    if not any(word.text.endswith(":") for word in words.words):
        return [], []  # all of them have labels with colons
    cells = _cells(words)
    grids: list[Grid] = []
    fields: list[Line] = []
    used: set[_Cell] = set()
    runs = [
        (run, height is _middle)
        for height in (_middle, _top)
        for run in _runs(_rows(cells, height))
    ]
    for run, by_middle in sorted(runs, key=lambda item: len(item[0]), reverse=True):
        within = {cell for row in run for cell in row}
        grid = _grid(run) if used.isdisjoint(within) else None
        if grid is None or not (_is_form(run, grid) or (by_middle and _is_centred(run, grid))):
            continue
        used |= within
        if grid.cols == 2 and _labels(grid, 0):
            fields += [_field(row) for row in run]
        else:
            grids.append(grid)
    return grids, fields


def _cells(words: Shelf) -> list[_Cell]:
    """Merges the lines of each cell: those hardly farther apart than the page's minimum."""
    lines = [_Cell([chunk], box) for row in words.chunks for chunk, box in row]
    near: list[_Cell] = []
    above: list[list[tuple[_Cell, float]]] = []
    for line in lines:
        top = line.box[1]
        near = [one for one in near if top - one.box[3] < _TIGHT * one.size]
        gaps = [(one, white) for one in near if (white := one.white_to(line)) is not None]
        above.append(gaps)
        near.append(line)
    whites = sorted(white for gaps in above for _, white in gaps)
    most = whites[len(whites) // 10] + _MORE if whites else 0.0
    out: list[_Cell] = []
    of_last: dict[_Cell, _Cell] = {}
    for line, gaps in zip(lines, above, strict=True):
        home = next((of_last.pop(one) for one, w in gaps if w < most and one in of_last), None)
        if home is None:
            home = _Cell(list(line.lines), line.box)
            out.append(home)
        else:
            home.lines += line.lines
            home.box = home.box.joined(line.box)
        of_last[line] = home
    return out


def _middle(cell: _Cell) -> float:
    return cell.box.mid_y


def _top(cell: _Cell) -> float:
    return cell.box.y0


def _rows(cells: list[_Cell], height: Callable[[_Cell], float]) -> list[_Row]:
    """Level cells beside each other, from the top."""
    out: list[_Row] = []
    for cell in sorted(cells, key=height):
        level = out and height(cell) - height(out[-1][0]) < _LEVEL * cell.size
        if level and all(cell.box.overlap_x(other.box) < 0 for other in out[-1]):
            out[-1].append(cell)
        else:
            out.append([cell])
    return [sorted(row, key=lambda cell: cell.box.x0) for row in out]


def _runs(rows: list[_Row]) -> list[list[_Row]]:
    """Neighbouring rows of two cells or more that do not overlap; a single label goes with them."""
    out: list[list[_Row]] = [[]]
    bottom = 0.0
    for row in rows:
        box, run = hull([cell.box for cell in row]), out[-1]
        size = row[0].size
        fits = not run or -_EDGE * size < box.y0 - bottom < _FAR * size
        several = len(row) > 1 or (bool(run) and row[0].is_label and _starts_as(row[0], run[-1][0]))
        if not fits or not several or any(len(cell.lines) > _TALLEST for cell in row):
            out.append([])
        if several:
            out[-1].append(row)
            bottom = box.y1
    return [run for run in out if len(run) > 1]


def _starts_as(cell: _Cell, other: _Cell) -> bool:
    return abs(cell.box.x0 - other.box.x0) < _EDGE * cell.size


def _grid(run: list[_Row]) -> Grid | None:
    columns = _columns(run)
    if columns is None:
        return None
    borders = columns.borders()
    cells: list[GridCell] = []
    for number, row in enumerate(run):
        top, bottom = min(cell.box.y0 for cell in row), max(cell.box.y1 for cell in row)
        free = 0
        for cell in row:
            first, last = columns.of(cell.box.x0, cell.box.x1)
            if first < free:
                return None
            for start, end, words in (*((at, at, []) for at in range(free, first)),
                                      (first, last, cell.words)):  # fmt: skip
                box = Rect(borders[start], top, borders[end + 1], bottom)
                cells.append(GridCell(number, start, number, end, box, words))
            free = last + 1
        for at in range(free, columns.count):
            box = Rect(borders[at], top, borders[at + 1], bottom)
            cells.append(GridCell(number, at, number, at, box))
    box = hull([cell.box for row in run for cell in row])
    return Grid(box, len(run), columns.count, cells, 0.7)


def _columns(run: list[_Row]) -> Columns | None:
    """The columns by the fullest rows, since a value may span several."""
    counts = Counter(len(row) for row in run)
    most = max((count for count, rows in counts.items() if rows > 1), default=0)
    full = [row for row in run if len(row) >= most]
    lines = [sorted([word for cell in row for word in cell.words], key=_left) for row in full]
    columns = find_columns(lines, run[0][0].size)
    if columns is None or columns.count != most:
        return None
    words = [word for row in run for cell in row for word in cell.words]
    left, right = min(map(_left, words)), max(word.box.x1 for word in words)
    return Columns(left, right, columns.gutters)


def _left(word: Word) -> float:
    return word.box.x0


def _is_form(run: list[_Row], grid: Grid) -> bool:
    """Whether every other column has labels with colons, two or more in a row."""
    if grid.cols < 4 or grid.cols % 2 or sum(len(row) > 2 for row in run) < 2:
        return False
    return all(_labels(grid, col) == (col % 2 == 0) for col in range(grid.cols))


def _labels(grid: Grid, col: int) -> bool:
    texts = [cell.text for cell in grid.cells if cell.col == col and cell.words]
    return sum(text.endswith(":") for text in texts) > _LABELS * len(texts)


def _is_centred(run: list[_Row], grid: Grid) -> bool:
    """Whether labels with colons are beside values, some of which wrap around their middle."""
    mixed = sum(len({len(cell.lines) for cell in row}) > 1 for row in run)
    return mixed >= _CENTRED and len(run) > _CENTRED and _labels(grid, 0)


def _field(row: _Row) -> Line:
    line = Line.of([word for cell in row for word in cell.words])
    line.single = True
    return line
