"""Decides whether a grid of words without a full set of rules is a table at all."""

import re
from itertools import pairwise

from backend.partition.page import Word, hull
from backend.partition.tables.grid import Grid, GridCell, is_value
from backend.partition.tick_boxes import SIGNS

_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}|_{6,}")
_MARKER = re.compile(r"^(?:[•●○◦▪■□▫‣⁃∙·➢➤✓✔–—\-*→]|\(?\w{1,4}[.)])$")
_CLAUSE = re.compile(r"^\d{1,3}(?:\.\d{1,3})+\.?$")
"""The number of a subclause."""
_RELATION = re.compile(r"^[=<>≤≥≈≡∼≠:]+$")
_EQUATION = re.compile(r"^[=≈≡]|[=≈≡∈]$|[⎛⎜⎝⎞⎟⎠⎡⎢⎣⎤⎥⎦⎧⎨⎩⎫⎬⎭]")
_RUNNING, _WORDS = 0.3, 3
"""Share of continued cells from which columns are prose, and the words of such a cell."""
_ENDED = re.compile(r"[.!?:;][\"'”’)\]]*$")
_MANY = 5
"""Columns: adjacent addresses and names have fewer."""
_TIGHT = 0.2
"""In font sizes: white space between lines of text."""
_ONE_SIZE = (0.85, 1.18)
"""Relative to the usual size: the range of one size."""


def plausible(grid: Grid) -> bool:
    """Filled well enough, with more than one row and column, and no table of contents."""
    filled = sum(bool(cell.words) for cell in grid.cells)
    if _is_contents(grid) or any(_LEADERS.search(cell.text) for cell in grid.cells):
        return False
    many = filled >= 0.35 * len(grid.cells) and grid.cols > 1 and grid.rows > 1
    return many and not _runs_on(grid) and not _of_options(grid)


def _of_options(grid: Grid) -> bool:
    """Whether most cells are options with their boxes to tick, set in columns."""
    texts = [cell.text for cell in grid.cells if cell.words]
    options = sum(text[:1] in SIGNS and len(text) > 1 for text in texts)
    return options > 0.5 * len(texts)


def _runs_on(grid: Grid) -> bool:
    """Whether the columns are running text: many cells stop in mid-sentence and continue, in lower
    case, in the cell below. Lines of wrapped cells are already joined.
    """
    cells = {(c.row, c.col): c.text for c in grid.cells if c.words and c.col == c.col_end}
    pairs = [
        (text, cells[row + 1, col])
        for (row, col), text in cells.items()
        if (row + 1, col) in cells and len(text.split()) >= _WORDS
    ]
    running = sum(below[:1].islower() and not _ENDED.search(above) for above, below in pairs)
    return len(pairs) > 3 and running > _RUNNING * len(pairs) and _of_text(grid)


def _of_text(grid: Grid) -> bool:
    """Whether half of the columns have several words, unlike questions with check boxes."""
    columns = _columns_of(grid).values()
    wordy = sum(
        sum(len(text.split()) >= _WORDS for text in texts) > 0.5 * len(texts) for texts in columns
    )
    return wordy >= 0.5 * len(columns)


def _of_one_size(grid: Grid) -> bool:
    """Whether hardly any cell below the first row, which may be a header, is larger or smaller;
    pages with headings over columns are not uniform.
    """
    filled = [cell for cell in grid.cells if cell.words and cell.row]
    usual = _usual_size(grid.words())
    low, high = _ONE_SIZE
    same = sum(low * usual <= _usual_size(cell.words) <= high * usual for cell in filled)
    return same >= 0.8 * len(filled)


def _usual_size(words: list[Word]) -> float:
    sizes = sorted(word.style.size for word in words)
    return sizes[len(sizes) // 2]


def _filled(grid: Grid) -> list[list[GridCell]]:
    """The non-empty cells that begin in each row."""
    rows: list[list[GridCell]] = [[] for _ in range(grid.rows)]
    for cell in grid.cells:
        if cell.words:
            rows[cell.row].append(cell)
    return rows


def _columns_of(grid: Grid) -> dict[int, list[str]]:
    """Texts of the non-empty cells of each column, except spanning ones."""
    columns: dict[int, list[str]] = {}
    for cell in grid.cells:
        if cell.words and cell.col == cell.col_end:
            columns.setdefault(cell.col, []).append(cell.text)
    return columns


def _is_contents(grid: Grid) -> bool:
    """A table of contents: titles with ascending page numbers."""
    columns, count = _columns_of(grid), grid.cols
    numbers = [int(text) for text in columns.get(count - 1, []) if text.isdecimal()]
    return (
        count <= 3
        and len(numbers) > 2
        and len(numbers) > 0.8 * len(columns[count - 1])
        and numbers == sorted(numbers)
        and all(any(char.isalpha() for char in text) for text in columns.get(count - 2, []))
    )


def _is_matrix(texts: list[str]) -> bool:
    """Whether a column has the brackets of a matrix, or its left-hand side."""
    values = sum(map(is_value, texts))
    return any(_EQUATION.search(text.strip()) for text in texts) or (
        values >= 0.5 * len(texts) and any(" = " in text for text in texts)
    )


def is_other(grid: Grid) -> bool:
    """Whether rows without rules are certainly something other than a table: a list, equations, a
    matrix, headings over columns, lines with hardly anything beside them.
    """
    if not _of_one_size(grid):
        return True
    columns = _columns_of(grid)
    first = columns.get(0, [])
    lists = sum(map(_is_marked, columns.values()))
    if first and _is_marked(first) and (grid.cols < 3 or lists > 1):
        return True
    if grid.cols == 2 and _numbers_clauses(first):
        return True
    if any(
        sum(bool(_RELATION.match(t)) for t in texts) > 0.5 * len(texts)
        for texts in columns.values()
    ):
        # consecutive equations
        return True
    if any(_is_matrix(texts) for texts in columns.values()):
        return True
    return sum(len(filled) > 1 for filled in _filled(grid)) < 0.5 * grid.rows


def _is_marked(texts: list[str]) -> bool:
    """Whether a column consists of the bullets or numbers of a list."""
    return sum(bool(_MARKER.match(text.strip())) for text in texts) > 0.6 * len(texts)


def _numbers_clauses(texts: list[str]) -> bool:
    """Whether the texts of a column are clause numbers: 1.1, 1.2, 2.1, 2.1.1."""
    numbers = [tuple(map(int, t.strip(". ").split("."))) for t in texts if _CLAUSE.match(t.strip())]
    ascending = all(a < b for a, b in pairwise(numbers))
    return len(numbers) > max(1, 0.6 * len(texts)) and ascending


def tabular(grid: Grid) -> bool:
    """Rows without any rule look like a table if columns contain values or are many and short."""
    if sum(len(filled) > 1 for filled in _filled(grid)) < 0.6 * grid.rows:
        return False
    columns = _columns_of(grid)
    values = sum(
        sum(map(is_value, texts)) > 0.6 * len(texts) for col, texts in columns.items() if col > 0
    )
    lengths = sorted(len(text) for texts in columns.values() for text in texts)
    usual = lengths[len(lengths) // 2] if lengths else 0
    if values >= max(1, 0.4 * (grid.cols - 1)):
        return grid.rows >= 3
    short = grid.cols >= 3 and grid.rows >= 3 and usual <= 25
    return short and (grid.cols >= _MANY or not _side_by_side(grid))


def _side_by_side(grid: Grid) -> bool:
    """Whether rows without values are as tight as lines of text: adjacent addresses, names of
    authors and the columns of an index, which are read one after the other.
    """
    boxes = [hull([cell.box for cell in filled]) for filled in _filled(grid) if filled]
    white = sorted(below.y0 - above.y1 for above, below in pairwise(boxes))
    return white[len(white) // 2] < _TIGHT * _usual_size(grid.words())
