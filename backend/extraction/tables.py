"""Tables as labels and values: forms with label and value columns, and rows under a header.

Header flags of partitioned tables are evidence, not truth: the first row of a form is often flagged
as a header. Form decides first, flags second.
"""

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from backend.extraction.numbers import numbers
from backend.extraction.periods import Other, other_periods
from backend.extraction.words import stem, stems
from workbench.contract.elements import Table, TableCell

MAX_CELLS = 20_000
MAX_HEADER = 80

_VALUE_HEADERS = frozenset(
    stems("result value amount total figure reading measured sum price finding")
)
_UNIT_HEADERS = frozenset(stems("unit units uom"))
_REFERRING = re.compile(
    r"(?P<word>note|footnote|page)s?\.?(?: (?:no|nos|number)\.?)?", re.IGNORECASE
)


@dataclass(frozen=True)
class CellPair:
    label: str
    value: str
    bbox: tuple[float, ...] | None
    weight: float
    row: str = ""
    """The name of the row, if the label combines it with a column title."""
    period: Other = ""
    """How the period of its column differs from the current one."""


@dataclass(frozen=True)
class _Grid:
    """A table as rows of cells; a spanning cell appears in every position it covers."""

    rows: list[list[TableCell | None]]
    header: list[str] | None
    body: list[list[TableCell | None]]


def read_table(table: Table) -> Iterator[CellPair]:
    """The label/value pairs of a table."""
    grid = _grid(table)
    if grid is None:
        return
    if _is_form(grid):
        yield from _form_pairs(grid)
    elif grid.header is not None:
        yield from _row_pairs(grid, grid.header, other_periods(table))


def blank_labels(table: Table) -> list[str]:
    """The labels of a form with an empty box beside them."""
    grid = _grid(table)
    if grid is None or not _is_form(grid):
        return []
    return [
        _text(row[col]).rstrip(" :")
        for row in grid.rows
        for col in range(0, len(row) - 1, 2)
        if row[col] is not row[col + 1] and _is_label(_text(row[col])) and not _text(row[col + 1])
    ]


def heads_references(title: str, mentioned: Set[str] = frozenset()) -> bool:
    """Whether a column with this title has numbers of notes or pages that a property did not ask
    for: "Note", "Page no."; `mentioned` are the words of the property.
    """
    match = _REFERRING.fullmatch(title)
    return match is not None and stem(match["word"]) not in mentioned


def data_columns(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    """Header and cells of each column, for tables with a header that are no forms."""
    grid = _grid(table)
    if grid is None or grid.header is None or (table.num_cols > 2 and _is_form(grid)):
        return []
    return [
        (header, tuple(_text(row[index]) for row in grid.body))
        for index, header in enumerate(grid.header)
        if 0 < len(header) <= MAX_HEADER
    ]


def full_width_texts(table: Table) -> list[str]:
    """The texts of cells that span all columns: captions and notes inside the table."""
    if table.num_cols < 2:
        return []
    wide = (cell for cell in table.cells if len(set(cell.cols)) == table.num_cols)
    return [text for cell in wide if (text := _text(cell))]


def _grid(table: Table) -> _Grid | None:
    if not table.cells or not table.num_rows or table.num_rows * table.num_cols > MAX_CELLS:
        return None
    rows: list[list[TableCell | None]] = [[None] * table.num_cols for _ in range(table.num_rows)]
    for cell in table.cells:
        for row in cell.rows:
            for col in cell.cols:
                if 0 <= row < table.num_rows and 0 <= col < table.num_cols:
                    rows[row][col] = cell
    flagged = [all(cell is None or cell.is_header for cell in row) and any(row) for row in rows]
    depth = next((index for index, flag in enumerate(flagged) if not flag), len(rows))
    if depth == 0 and len(rows) > 1 and _resembles_header(rows):
        depth = 1
    if depth == 0 or depth == len(rows):
        headers = table.column_headers
        if depth == 0 and headers and len(headers) == table.num_cols:
            return _Grid(rows, list(headers), rows)
        return _Grid(rows, None, rows)
    header = [
        " ".join(dict.fromkeys(_text(row[col]) for row in rows[:depth])).strip()
        for col in range(table.num_cols)
    ]
    return _Grid(rows, header, rows[depth:])


def _resembles_header(rows: list[list[TableCell | None]]) -> bool:
    first = [_text(cell) for cell in rows[0]]
    filled = [text for text in first if text]
    if len(filled) < 2 or len(set(filled)) < len(filled) or any(_digits(text) for text in filled):
        return False
    below = [_text(cell) for row in rows[1:] for cell in row]
    return any(_digits(text) for text in below)


def _is_form(grid: _Grid) -> bool:
    """Whether labels and values alternate: in two columns, or in four or six with short labels."""
    width = len(grid.rows[0])
    if width == 2:
        return _labels_share(grid.rows, 0) >= 0.7
    if width not in (4, 6) or (
        grid.header is not None and len(grid.rows) <= 2 and _header_only(grid)
    ):
        return False
    even = min(_labels_share(grid.rows, col) for col in range(0, width, 2))
    first = [_text(cell) for cell in grid.rows[0]]
    odd_values = [_text(row[col]) for row in grid.rows for col in range(1, width, 2)]
    with_digits = sum(map(_digits, odd_values)) / max(1, len(odd_values))
    header_has_value = any(_digits(text) for text in first[1::2])
    return even >= 0.85 and with_digits >= 0.2 and (header_has_value or not _header_only(grid))


def _header_only(grid: _Grid) -> bool:
    """Whether the first row looks like column titles above numbers."""
    first = [_text(cell) for cell in grid.rows[0]]
    if any(_digits(text) for text in first):
        return False
    width = len(first)
    figures = sum(
        all(_digits(_text(row[col])) or not _text(row[col]) for row in grid.rows[1:])
        for col in range(1, width)
    )
    return figures >= 2 or any(
        all(_digits(_text(row[col])) for row in grid.rows[1:]) for col in range(2, width, 2)
    )


def _labels_share(rows: list[list[TableCell | None]], col: int) -> float:
    """The share of filled cells in a column that could be labels, 0 if they repeat."""
    texts = [text for row in rows if (text := _text(row[col]))]
    if not texts or len(set(texts)) < 0.8 * len(texts):
        return 0.0
    fitting = [text for text in texts if _is_label(text)]
    return len(fitting) / len(texts)


def _form_pairs(grid: _Grid) -> Iterator[CellPair]:
    for row in grid.rows:
        for col in range(0, len(row) - 1, 2):
            label, value = row[col], row[col + 1]
            if label is value or not _text(label) or not _text(value):
                continue
            yield CellPair(_text(label).rstrip(" :"), _text(value), _box(value), 1.0)


def _row_pairs(grid: _Grid, header: list[str], periods: Mapping[int, Other]) -> Iterator[CellPair]:
    """A single row under a header, or rows named by their first cell."""
    if len(grid.body) == 1:
        for title, cell in zip(header, grid.body[0], strict=True):
            if title and _text(cell):
                yield CellPair(title, _text(cell), _box(cell), 0.95)
        return
    yield from _column_totals(grid, header)
    for row in grid.body:
        name_cell = next((cell for cell in row if _text(cell)), None)
        name = _text(name_cell).rstrip(" :")
        if not _is_label(name):
            continue
        named = [
            (title, cell, periods.get(column, ""))
            for column, (title, cell) in enumerate(zip(header, row, strict=True))
            if cell is not name_cell and _text(cell) and not heads_references(title)
        ]
        if not named:
            continue
        unit = next((_text(cell) for title, cell, _ in named if _is(title, _UNIT_HEADERS)), "")
        present = [one for one in named if not one[2]] or named
        valued = (one for one in present if _is(one[0], _VALUE_HEADERS))
        title, main, period = next(valued, present[-1])
        if title and not _is(title, _VALUE_HEADERS) and _digits(_text(present[0][1])):
            _, main, period = present[0]
        value = f"{_text(main)} {unit}".strip() if unit and unit not in _text(main) else _text(main)
        weight = 0.92 if _is(title, _VALUE_HEADERS) else 0.85
        yield CellPair(name, value, _box(main), weight, period=period)
        for title, cell, period in named:
            if 0 < len(title) <= MAX_HEADER:
                yield CellPair(f"{name} {title}", _text(cell), _box(cell), 0.8, name, period)


def _column_totals(grid: _Grid, header: list[str]) -> Iterator[CellPair]:
    """The numbers of an unnamed last row that are the sums of those above them."""
    last = grid.body[-1]
    if _text(last[0]) or len(grid.body) < 3:
        return
    for col, title in enumerate(header):
        above = [_figure(_text(row[col])) for row in grid.body[:-1]]
        total = _figure(_text(last[col]))
        figures = [figure for figure in above if figure is not None]
        if total is None or len(figures) < 2 or abs(sum(figures) - total) > 0.005 * abs(total):
            continue
        if 0 < len(title) <= MAX_HEADER:
            yield CellPair(f"Total {title}", _text(last[col]), _box(last[col]), 0.85)


def _figure(text: str) -> float | None:
    """The value of a cell that contains one number and little else."""
    parsed = numbers(text)
    return parsed[0].value if len(parsed) == 1 and len(text) <= 24 else None


def _is(title: str, words: frozenset[str]) -> bool:
    return any(word in words for word in stems(title))


def _is_label(text: str) -> bool:
    words = text.split()
    if not 1 < len(text) <= 60 or len(words) > 8 or (text.endswith(".") and len(words) > 3):
        return False
    digits = sum(char.isdigit() for char in text)
    return digits <= 2 and text[0].isalpha()


def _digits(text: str) -> bool:
    return bool(re.search(r"\d", text))


def _text(cell: TableCell | None) -> str:
    return " ".join(cell.content.split()) if cell is not None else ""


def _box(cell: TableCell | None) -> tuple[float, ...] | None:
    if cell is None or cell.bbox is None:
        return None
    return (cell.bbox.x1, cell.bbox.y1, cell.bbox.x2, cell.bbox.y2)
