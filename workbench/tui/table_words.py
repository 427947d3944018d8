"""A table of a document drawn as a table: columns as wide as they need, spans shown once."""

from collections.abc import Sequence

from rich.cells import cell_len

from workbench.contract.elements import StoredElement, Table
from workbench.tui.lines import Line, Span, dim, fit, line, wrap

_LEAST = 4
_GAP = 2
_LONGEST_WORD = 48
"""Longer texts, such as web addresses, are not words and are broken."""


def table_lines(table: Table, width: int) -> list[Line]:
    """The table in `width` cells with wrapped cells, or wider for words that do not fit."""
    grid = [[""] * table.num_cols for _ in range(table.num_rows)]
    heads = [False] * table.num_rows
    for cell in table.cells:
        row, column = min(cell.rows), min(cell.cols)
        grid[row][column] = " ".join((cell.content or "").split())
        heads[row] = heads[row] or cell.is_header
    widths = _widths(grid, width)
    lines: list[Line] = [line(Span(table.caption, "strong"))] if table.caption else []
    for row, (texts, is_head) in enumerate(zip(grid, heads, strict=True)):
        lines += _row(texts, widths, strong=is_head)
        if is_head and not any(heads[row + 1 :]):
            lines.append(line(dim("─" * (sum(widths) + _GAP * (len(widths) - 1)))))
    return lines


def _row(texts: Sequence[str], widths: Sequence[int], *, strong: bool) -> list[Line]:
    """One row, as high as its longest cell."""
    cells = [
        wrap(line(Span(text, "strong" if strong else "")), width)
        for text, width in zip(texts, widths, strict=True)
    ]
    height = max(map(len, cells), default=0)
    rows: list[Line] = []
    for part in range(height):
        pieces: list[Line] = []
        for cell, width in zip(cells, widths, strict=True):
            pieces.append(fit(cell[part] if part < len(cell) else (), width))
            pieces.append((Span(" " * _GAP),))
        rows.append(line(*pieces[:-1]))
    return rows


def _widths(grid: Sequence[Sequence[str]], width: int) -> list[int]:
    """The width of each column; those with the most to spare give way, to their longest word."""
    columns = list(zip(*grid, strict=True))
    wanted = [max(_LEAST, *map(cell_len, column)) for column in columns]
    least = [min(_LONGEST_WORD, max([_LEAST, *map(_longest_word, column)])) for column in columns]
    room = width - _GAP * (len(wanted) - 1)
    while sum(wanted) > room:
        spare = [size - small for size, small in zip(wanted, least, strict=True)]
        if max(spare, default=0) <= 0:
            break
        wanted[spare.index(max(spare))] -= 1
    return wanted


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


def table_of(element: StoredElement, originals: Sequence[dict[str, object]]) -> Table | None:
    """The cells of a table element, from its document's original elements, else None."""
    if element.type != "table":
        return None
    page = element.properties.get("page_number")
    for original in originals:
        properties = original.get("properties")
        place = properties.get("page_number") if isinstance(properties, dict) else None
        if original.get("table") and (original.get("bbox"), place) == (element.bbox, page):
            return Table.model_validate(original["table"])
    return None
