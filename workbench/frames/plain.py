"""Frames as text for a terminal: the columns that fit, and the names of those that do not.

Squeezing all columns in would make them unreadable, so those that fit are shown as wide as their
values, and the others are named below.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size

from workbench.formats import column_words, is_number
from workbench.harmless import harmless

if TYPE_CHECKING:
    import polars as pl

ROWS = 10
_WIDEST = 40
_ID = 14
_GAP = "  "
_LEAST_WIDTH = 40


def terminal_width() -> int:
    """In characters; 120 without a terminal."""
    return max(get_terminal_size((120, 24)).columns, _LEAST_WIDTH)


def plain_table(
    head: "pl.DataFrame",
    total: int,
    *,
    shares: Mapping[str, int] | None = None,
    others: Sequence[str] = (),
    width: int | None = None,
) -> str:
    """The rows of `head`, the first of `total`, below the names and types of their columns.

    `width` is that of the terminal in characters; `shares` are columns in percent with
    their factors, `others` the names of columns that are not in `head`.
    """
    room = width or terminal_width()
    columns: list[_Column] = []
    left_out: list[str] = []
    for name, kind in head.schema.items():
        column = _column(
            name, _kind(kind), head[name].to_list(), percent=(shares or {}).get(name, 0)
        )
        needed = column.width + (len(_GAP) if columns else 0)
        if left_out or (columns and needed > room):
            left_out.append(name)
            continue
        room -= needed
        columns.append(column)
    left_out += others
    for column in columns:  # what room is left goes to texts that were cut
        room -= column.widen(room)
    drawn = [column.lines() for column in columns]
    lines = [_GAP.join(cells).rstrip() for cells in zip(*drawn, strict=True)]
    if total > head.height:
        lines.append(f"… and {total - head.height:,} more rows")
    if left_out:
        columns_word = "column" if len(left_out) == 1 else "columns"
        named = ", ".join(map(_one_line, left_out))
        lines.append(f"… and {len(left_out)} more {columns_word}: {named}")
    return "\n".join(lines)


@dataclass
class _Column:
    """The texts of a column, displayed `width` terminal cells wide."""

    name: str
    kind: str
    cells: Sequence[str]
    width: int
    numeric: bool

    @property
    def natural_width(self) -> int:
        return max(map(cell_len, [self.name, self.kind, *self.cells]))

    def widen(self, room: int) -> int:
        """Uses up to `room` more cells if a text is cut, and returns how many; ids stay short."""
        missing = 0 if self.name.endswith("_id") else self.natural_width - self.width
        added = max(0, min(room, missing))
        self.width += added
        return added

    def lines(self) -> list[str]:
        """Name, type, a rule and the values, all of one width."""
        head, rule = (self.name, self.kind), "─" * self.width
        fitted = [_fitted(text, self.width, right=self.numeric) for text in (*head, *self.cells)]
        return [*fitted[:2], rule, *fitted[2:]]


def _column(name: str, kind: str, values: Sequence[Any], *, percent: int) -> _Column:
    words = column_words(name, values, percent=percent)
    cells = ["null" if value is None else _one_line(words(value)) for value in values]
    column = _Column(_one_line(name), kind, cells, 0, any(map(is_number, values)))
    column.width = min(column.natural_width, _ID if name.endswith("_id") else _WIDEST)
    return column


def _fitted(text: str, width: int, *, right: bool) -> str:
    """The text in exactly that many terminal cells."""
    size = cell_len(text)
    if size > width:
        return set_cell_size(text, width - 1) + "…"
    return " " * (width - size) + text if right else text + " " * (width - size)


def _one_line(text: str) -> str:
    return harmless(" ".join(text.split()))


def _kind(kind: "pl.DataType") -> str:
    """The type of a column in a word."""
    import polars as pl

    words: tuple[tuple[type[pl.DataType], str], ...] = (
        (pl.String, "text"),
        (pl.Boolean, "bool"),
        (pl.Date, "date"),
        (pl.Datetime, "time"),
        (pl.Struct, "object"),
    )
    if kind.is_numeric():
        return "int" if kind.is_integer() else "float"
    return next((word for one, word in words if isinstance(kind, one)), "list")
