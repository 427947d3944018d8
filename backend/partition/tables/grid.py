"""A table as detected on a page: a grid of cells, each with the words inside it."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from backend.partition.direction import in_reading_order, is_leftward
from backend.partition.lines import rows as rows_of
from backend.partition.page import Rect, Word
from backend.partition.text import cleaned, line_starts
from workbench.contract.elements import LINE_STARTS, WORDS, Table

Placing = Callable[[Rect], list[float]]

_SIDES = ("x1", "y1", "x2", "y2")
_VALUE = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*$|^(?:[$€£¥] ?)?[-–—.*]+$")


@dataclass(slots=True)
class GridCell:
    """Covers rows `row..row_end` and columns `col..col_end`, both ends included."""

    row: int
    col: int
    row_end: int
    col_end: int
    box: Rect
    words: list[Word] = field(default_factory=list)
    _text: str | None = None
    """Cached on first use."""

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = _text_of(self.words)
        return self._text

    def add(self, word: Word) -> None:
        self.words.append(word)
        self._text = None

    def settle(self) -> None:
        """Drops the words; the text stays."""
        self._text, self.words = self.text, []


@dataclass(slots=True)
class Grid:
    """`score` is the confidence that this is a table, 0..1."""

    box: Rect
    rows: int
    cols: int
    cells: list[GridCell]
    score: float
    header_rows: int = 0
    sizes: Counter[float] = field(default_factory=Counter)
    """The number of letters in each font size; kept when the words are dropped."""

    def copied(self) -> "Grid":
        """A copy with cells of its own, which can be changed independently."""
        cells = [
            GridCell(cell.row, cell.col, cell.row_end, cell.col_end, cell.box, list(cell.words))
            for cell in self.cells
        ]
        return Grid(self.box, self.rows, self.cols, cells, self.score, self.header_rows)

    def words(self) -> list[Word]:
        return [word for cell in self.cells for word in cell.words]

    def by_row(self) -> list[list[GridCell]]:
        """The cells that cover each row, in order."""
        rows: list[list[GridCell]] = [[] for _ in range(self.rows)]
        for cell in self.cells:
            for row in range(cell.row, cell.row_end + 1):
                rows[row].append(cell)
        return rows

    def count_sizes(self) -> None:
        for word in self.words():
            self.sizes[word.style.size] += len(word.text)

    def mirror(self) -> None:
        """Counts the columns from the right, for right-to-left tables."""
        last = self.cols - 1
        for cell in self.cells:
            cell.col, cell.col_end = last - cell.col_end, last - cell.col

    def settle(self) -> None:
        """Drops the words, of which documents have millions; their text stays."""
        for cell in self.cells:
            cell.settle()

    def text(self) -> str:
        """The text of the cells, row by row."""
        rows: dict[int, list[str]] = {}
        for cell in sorted(self.cells, key=attrgetter("row", "col")):
            rows.setdefault(cell.row, []).append(" ".join(cell.text.split()))
        return "\n".join(" ".join(filter(None, row)) for row in rows.values())

    def to_table(self, place: Placing, *, with_words: bool = False) -> Table:
        """The wire form, cells sorted by row then column; boxes by `place`."""
        cells = [
            {
                "content": " ".join(cell.text.split()),
                "rows": [*range(cell.row, cell.row_end + 1)],
                "cols": [*range(cell.col, cell.col_end + 1)],
                "is_header": cell.row < self.header_rows,
                "bbox": dict(zip(_SIDES, place(cell.box), strict=True)),
                "properties": {
                    **({LINE_STARTS: starts} if (starts := line_starts(cell.text)) else {}),
                    **({WORDS: word_boxes(cell.words, place)} if with_words else {}),
                },
            }
            for cell in sorted(self.cells, key=attrgetter("row", "col"))
        ]
        # All cells are validated in one call, which is cheaper than one for each.
        return Table.model_validate({"cells": cells, "num_rows": self.rows, "num_cols": self.cols})


def word_boxes(words: list[Word], place: Placing) -> list[dict[str, Any]]:
    """Words line by line with their boxes by `place`, each line from its reading side."""
    return [
        {"text": cleaned(word.text), "bbox": place(word.box)}
        for row in rows_in_order(words)
        for word in (reversed(row) if is_leftward("".join(word.text for word in row)) else row)
    ]


def placing(width: float, height: float) -> Placing:
    """Boxes on a page of this size as fractions of it, clipped at its edges."""
    width, height = max(width, 1e-6), max(height, 1e-6)

    @cache
    def part(value: float) -> float:
        return 0.0 if value <= 0 else 1.0 if value >= 1 else round(value, 5)

    def place(box: Rect) -> list[float]:
        x0, y0, x1, y1 = box
        return [part(x0 / width), part(y0 / height), part(x1 / width), part(y1 / height)]

    return place


def _text_of(words: list[Word]) -> str:
    if len(words) < 2:
        return words[0].text if words else ""
    rows = [[word.text for word in row] for row in rows_in_order(words)]
    return "\n".join([" ".join(in_reading_order(row)) for row in rows])


def rows_in_order(words: list[Word]) -> list[list[Word]]:
    """Lines of words from top to bottom."""
    return from_the_top(rows_of(words))


def from_the_top(rows: list[list[Word]]) -> list[list[Word]]:
    return sorted(rows, key=_height) if len(rows) > 1 else rows


def _height(row: list[Word]) -> float:
    """Twice the vertical middle of a line."""
    if len(row) == 1:
        return row[0].box[1] + row[0].box[3]
    boxes = [word.box for word in row]
    return min([box[1] for box in boxes]) + max([box[3] for box in boxes])


@lru_cache(maxsize=4096)
def is_value(text: str) -> bool:
    """Numbers, percentages, dashes: content of a table's body rather than its header."""
    return bool(_VALUE.match(text.strip()))


def is_year(text: str) -> bool:
    """A number that also occurs in headers."""
    text = text.strip()
    return len(text) == 4 and text.isdecimal() and text[:2] in ("18", "19", "20")


def first_value_row(grid: Grid) -> int:
    """The first row with a value beside its label, other than a year; 0 if there is none."""
    first = grid.rows
    for cell in grid.cells:
        if cell.row < first and cell.col and is_value(cell.text) and not is_year(cell.text):
            first = cell.row
    return first if first < grid.rows else 0


def count_header_rows(grid: Grid) -> int:
    """Leading rows without values above rows with values; at least the first row of a table with
    two rows, and rows that a cell spans from the first.
    """
    by_row: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        by_row.setdefault(cell.row, []).append(cell)
    if grid.rows < 2:
        return 0
    reach = 1
    first = by_row.get(0, [])
    reach = max(
        [reach, *(cell.row_end + 1 for cell in first if cell.col_end < grid.cols - 1 or cell.col)]
    )
    reach = min(reach, grid.rows - 1, 4)
    if any(
        cell.col > 0 and is_value(cell.text)
        for row in range(1, reach)
        for cell in by_row.get(row, [])
    ):
        reach = 1
    while reach < min(grid.rows - 1, 4):
        row = by_row.get(reach, [])
        spans_above = any(cell.col_end > cell.col for cell in by_row.get(reach - 1, []))
        if not spans_above or any(is_value(c.text) and not is_year(c.text) for c in row):
            break
        reach += 1
    return reach
