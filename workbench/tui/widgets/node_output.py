"""The rows that a node gave out, fetched in windows as far as someone looks."""

from collections.abc import Mapping, Sequence
from typing import Any

from backend.contract.plan_nodes import bare_field
from workbench.tui.formats import count, value_text
from workbench.tui.lines import Part, dim
from workbench.tui.widgets.table_list import Column, TableList

Row = Mapping[str, Any]

_FIRST = ("score", "properties.path", "properties.key", "properties.count", "value", "text")
_NARROW = {"score": 6, "page": 4}
_MOST_COLUMNS = 12
_WIDEST = 20


class NodeOutput(TableList[tuple[int, Row]]):
    """Rows come with their place, by which they are known."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__([], lambda row: str(row[0]), id=id)

    def show_window(self, columns: Sequence[str], rows: Sequence[Row], total: int) -> None:
        self.set_columns([_column(name, rows) for name in shown_columns(columns)])
        self.show_rows(list(enumerate(rows)), total)

    def add_rows(self, rows: Sequence[Row], total: int) -> None:
        start = len(self.rows)
        self.rows = [*self.rows, *((start + i, row) for i, row in enumerate(rows))]
        self.append_rows(total)

    @property
    def row(self) -> Row | None:
        return self.current[1] if self.current else None


def shown_columns(columns: Sequence[str]) -> list[str]:
    """The columns worth their room: what counts first, ids last and only where nothing else
    names.
    """
    wanted = [name for name in _FIRST if name in columns]
    wanted += [
        name
        for name in columns
        if name not in wanted and name not in ("doc_id", "doc_ids", "text_representation")
    ]
    wanted = wanted[:_MOST_COLUMNS]
    if "doc_ids" in columns:
        wanted.append("doc_ids")
    if "doc_id" in columns and "properties.path" not in columns:
        wanted.append("doc_id")
    return wanted


def _column(name: str, rows: Sequence[Row]) -> Column[tuple[int, Row]]:
    label = "documents" if name == "doc_ids" else bare_field(name)
    values = [row.get(name) for row in rows[:50]]
    numbers = any(isinstance(v, int | float) and not isinstance(v, bool) for v in values)

    def cell(row: tuple[int, Row]) -> Part:
        value = row[1].get(name)
        if name == "doc_ids":
            return dim(count(len(value or ())))
        return value_text(value) if value is not None else dim("—")

    widest = max([len(label), *(len(value_text(v)) for v in values if not isinstance(v, list))])
    width = _NARROW.get(name) or widest
    if name == "doc_ids":
        width = len(label)
    long = width > _WIDEST and name not in _NARROW
    return Column(
        label,
        cell,
        0 if long else width,
        "right" if numbers or name == "doc_ids" else "left",
        weight=3 if widest > 60 else 1,
        least=_WIDEST,
    )
