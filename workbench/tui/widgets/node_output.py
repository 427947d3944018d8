"""The rows that a node gave out, fetched in windows as far as someone looks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.contract.plan_nodes import bare_field
from workbench.formats import column_words, is_number, value_words
from workbench.sessions.result_diff import RowChange
from workbench.tui.formats import bar, count, plural
from workbench.tui.lines import Part, Span, dim, line
from workbench.tui.widgets.table_list import Column, TableList

Row = Mapping[str, Any]

_FIRST = ("score", "properties.path", "properties.key", "properties.count", "value", "text")
_NARROW = {"score": 6, "page": 4}
_MOST_COLUMNS = 12
_WIDEST = 20
_BAR = 12
_BARS_FROM = 40


@dataclass(frozen=True)
class OutputRow:
    """A row with its place, by which it is known, and what became of it where answers are
    compared.
    """

    place: int
    values: Row
    change: RowChange | None = None


class NodeOutput(TableList[OutputRow]):
    """Groups with a number have a small bar behind it, as long as its share of the largest."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__([], lambda row: str(row.place), id=id)

    def show_window(
        self,
        columns: Sequence[str],
        rows: Sequence[Row],
        total: int,
        labels: Mapping[str, str] | None = None,
        shares: Collection[str] = (),
    ) -> None:
        """`labels` are better names of columns, by bare name; `shares` are columns of parts of
        one.
        """
        self.has_header = True
        found = _with_bars(columns, rows, shares)
        self.set_columns([_renamed(c, (labels or {}).get(c.label, c.label)) for c in found])
        self.show_rows([OutputRow(place, row) for place, row in enumerate(rows)], total)

    def show_number(self, row: Row) -> None:
        """One number stands above in large; the row leads to the documents behind it."""
        documents = len(row.get("doc_ids") or ())
        words = f"{plural(documents, 'document') if documents else 'no document'} behind it"
        self.has_header = False
        self.set_columns([Column("", lambda _: line(words, "   ", Span("t", "accent")))])
        self.show_rows([OutputRow(0, row)], 1)

    def show_changes(self, changes: Sequence[RowChange], labels: Mapping[str, str]) -> None:
        """The rows of two answers, each with whether it was gained, lost or changed."""
        rows = [change.row for change in changes]
        names = shown_columns(list(dict.fromkeys(name for row in rows for name in row)))
        self.has_header = True
        fate = Column[OutputRow]("", lambda row: _fate(row), 1)
        found = [_column(name, rows, _longest_change(name, changes)) for name in names]
        self.set_columns([fate, *(_renamed(c, labels.get(c.label, c.label)) for c in found)])
        self.show_rows([OutputRow(i, change.row, change) for i, change in enumerate(changes)])

    def add_rows(self, rows: Sequence[Row], total: int) -> None:
        start = len(self.rows)
        self.rows = [*self.rows, *(OutputRow(start + i, row) for i, row in enumerate(rows))]
        self.append_rows(total)

    @property
    def values(self) -> list[Row]:
        """The rows that are here."""
        return [row.values for row in self.rows if row is not None]

    @property
    def row(self) -> Row | None:
        return self.current.values if self.current else None


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


def _with_bars(
    columns: Sequence[str], rows: Sequence[Row], shares: Collection[str]
) -> list[Column[OutputRow]]:
    """The columns worth showing; a bar follows the first number of a table of groups."""
    found: list[Column[OutputRow]] = []
    wanted = "properties.key" in columns
    for name in shown_columns(columns):
        found.append(_column(name, rows, share=name in shares))
        numbers = [row.get(name) for row in rows]
        if wanted and name != "properties.key" and any(map(is_number, numbers)):
            found.append(_bar_column(name, [n for n in numbers if is_number(n)]))
            wanted = False
    return found


def _renamed(column: Column[OutputRow], label: str) -> Column[OutputRow]:
    return replace(column, label=label, width=max(column.width, len(label)) if column.width else 0)


def _bar_column(name: str, numbers: Sequence[Any]) -> Column[OutputRow]:
    top = max(numbers, default=0)

    def cell(row: OutputRow) -> Part:
        value = row.values.get(name)
        share = value / top if top > 0 and is_number(value) and value else 0
        return Span(bar(share, _BAR, rest=" "), "accent")

    return Column("", cell, _BAR, from_width=_BARS_FROM)


def _column(
    name: str, rows: Sequence[Row], least: int = 0, *, share: bool = False
) -> Column[OutputRow]:
    """`least` cells wide or more; a `share` is written in percent."""
    label = "documents" if name == "doc_ids" else bare_field(name)
    values = [row.get(name) for row in rows[:50]]
    words = column_words(bare_field(name), values, share=share)

    def cell(row: OutputRow) -> Part:
        value = row.values.get(name)
        if name == "doc_ids":
            return dim(count(len(value or ())))
        if row.change is not None and name in row.change.columns and row.change.before:
            was, now = _change(name, row.change)
            return line(dim(f"{was} → "), Span(now, "changed"))
        if row.change is not None and row.change.fate == "lost":
            return dim(words(value) if value is not None else "—")
        return words(value) if value is not None else dim("—")

    widest = max([least, len(label), *(len(words(v)) for v in values if not isinstance(v, list))])
    width = _NARROW.get(name) or widest
    if name == "doc_ids":
        width = len(label)
    long = width > _WIDEST and name not in _NARROW
    return Column(
        label,
        cell,
        0 if long else width,
        "right" if any(map(is_number, values)) or name == "doc_ids" else "left",
        weight=3 if widest > 60 else 1,
        least=_WIDEST,
    )


def _change(name: str, change: RowChange) -> tuple[str, str]:
    """A value as it was and as it is."""
    values = ((change.before or {}).get(name), change.row.get(name))
    was, now = (value_words(value) or "—" for value in values)
    return was, now


def _longest_change(name: str, changes: Sequence[RowChange]) -> int:
    told = [_change(name, change) for change in changes[:50] if name in change.columns]
    return max((len(was) + len(now) + 3 for was, now in told), default=0)


_FATES: Mapping[str, Span] = {
    "gained": Span("+", "added"),
    "lost": Span("−", "removed"),
    "changed": Span("~", "changed"),
    "same": Span(" "),
}


def _fate(row: OutputRow) -> Span:
    return _FATES[row.change.fate] if row.change else Span(" ")
