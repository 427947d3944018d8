"""The output rows of a step, fetched in windows as a person scrolls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from workbench.contract.plan_nodes import bare_field
from workbench.formats import column_words, counted, is_number, unit_words, value_words
from workbench.sessions.judged_words import matching_words
from workbench.sessions.result_diff import RowChange
from workbench.tui.formats import bar, count
from workbench.tui.lines import Part, Span, dim, line
from workbench.tui.marked_text import marked
from workbench.tui.widgets.cell_table import CellTable
from workbench.tui.widgets.table_list import Column

Row = Mapping[str, Any]

_FIRST = ("score", "properties.path", "properties.key", "properties.count", "value", "text")
_PASSAGES = ("evidence", "citations")
"""Columns of passages that a step has judged."""
_NARROW = {"score": 6, "page": 4}
_WIDEST = 20
_WIDEST_CELL = 40
_BAR = 12
_BARS_FROM = 40


@dataclass(frozen=True)
class OutputRow:
    """A row with its position, which identifies it, and its fate in a comparison of answers."""

    place: int
    values: Row
    change: RowChange | None = None


@dataclass(frozen=True)
class ColumnFacts:
    """Facts about the columns of a step: better names and units, by bare name; which are in
    percent, with their factors; which contain the requested number, the likeliest first.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    shares: Mapping[str, int] = field(default_factory=dict)
    measures: Sequence[str] = ()
    question: str = ""


class Order(NamedTuple):
    """The column that rows are sorted by, by the name that plans have for it."""

    name: str
    descending: bool


class NodeOutput(CellTable[OutputRow]):
    """Groups have a bar behind the number asked for, as long as its share of the largest."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__([], lambda row: str(row.place), id=id)
        self.order: Order | None = None
        self._columns: Sequence[str] = ()
        self._facts = ColumnFacts()

    def show_window(
        self,
        columns: Sequence[str],
        rows: Sequence[Row],
        total: int,
        facts: ColumnFacts | None = None,
    ) -> None:
        self.has_header = True
        self.order = None
        self._columns, self._facts = columns, facts or ColumnFacts()
        self._set_columns(rows)
        self.show_rows([OutputRow(place, row) for place, row in enumerate(rows)], total)

    def _set_columns(self, rows: Sequence[Row]) -> None:
        columns = _with_bars(self._columns, rows, self._facts)
        named = [_renamed(c, self._facts.labels.get(c.label, c.label)) for c in columns]
        self.set_columns([_ordered(column, self.order) for column in named])

    def sort_by(self, name: str) -> None:
        """Sorts the loaded rows by a column; a second call reverses the order, a third restores the
        original one. The cursor stays on its row.
        """
        now = self.order if self.order and self.order.name == name else None
        self.order_by(None if now and now.descending else Order(name, now is not None))

    def order_by(self, order: Order | None) -> None:
        """Sorts the rows that are here; None is as they came."""
        self.order = order
        rows = sorted((row for row in self.rows if row is not None), key=lambda row: row.place)
        if order is not None:
            name = order.name
            known = [row for row in rows if row.values.get(name) is not None]
            known.sort(key=lambda row: _rank(row.values[name]), reverse=order.descending)
            rows = [*known, *(row for row in rows if row.values.get(name) is None)]
        self._set_columns([row.values for row in rows])
        self.show_rows(rows, self.total)

    def show_number(self, row: Row) -> None:
        """Shows one number enlarged; the row leads to the documents behind it."""
        documents = len(row.get("doc_ids") or ())
        words = f"{counted(documents, 'document') if documents else 'no document'} behind it"
        self.has_header = False
        self.set_columns([Column("", lambda _: line(words, "   ", Span("t", "accent")))])
        self.show_rows([OutputRow(0, row)], 1)

    def show_changes(self, changes: Sequence[RowChange], labels: Mapping[str, str]) -> None:
        """The rows of two answers, each with whether it was gained, lost or changed."""
        rows = [change.row for change in changes]
        names = shown_columns(list(dict.fromkeys(name for row in rows for name in row)))
        self.has_header = True
        fate = Column[OutputRow]("", lambda row: _fate(row), 1, decor=True)
        columns = [_column(name, rows, _longest_change(name, changes)) for name in names]
        self.order = None
        named = [_renamed(c, labels.get(c.label, c.label)) for c in columns]
        self.set_columns([fate, *(replace(column, order="") for column in named)])
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
    """The columns worth their room: what counts first, ids last and only for lack of names."""
    wanted = [name for name in _FIRST if name in columns]
    wanted += [
        name
        for name in columns
        if name not in wanted and name not in ("doc_id", "doc_ids", "text_representation")
    ]
    if "doc_ids" in columns:
        wanted.append("doc_ids")
    if "doc_id" in columns and "properties.path" not in columns:
        wanted.append("doc_id")
    return wanted


def _with_bars(
    columns: Sequence[str], rows: Sequence[Row], facts: ColumnFacts
) -> list[Column[OutputRow]]:
    """The columns worth showing; in a table of groups a bar follows the number asked for."""
    shown = [
        name for name in shown_columns(columns) if not _repeats(name, shown_columns(columns), rows)
    ]
    measured = _measured(shown, rows, facts.measures) if "properties.key" in columns else None
    made: list[Column[OutputRow]] = []
    for name in shown:
        unit = facts.units.get(bare_field(name), "")
        made.append(_column(name, rows, facts=facts, unit=unit))
        if name == measured:
            numbers = [row.get(name) for row in rows]
            made.append(_bar_column(name, [n for n in numbers if is_number(n)]))
    return made


def _repeats(name: str, columns: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether the number of documents behind each group already has its own column."""
    return name == "doc_ids" and any(
        other != name and all(row.get(other) == len(row.get(name) or ()) for row in rows)
        for other in columns
    )


def _measured(columns: Sequence[str], rows: Sequence[Row], measures: Sequence[str]) -> str | None:
    """The column of the number that was asked for; else the first that has numbers."""
    for name in [*(name for name in measures if name in columns), *columns]:
        if name != "properties.key" and any(is_number(row.get(name)) for row in rows):
            return name
    return None


def _ordered(column: Column[OutputRow], order: Order | None) -> Column[OutputRow]:
    """The column with an arrow at its name where the rows are sorted by it."""
    if order is None or column.order != order.name:
        return column
    return _renamed(column, f"{column.label} {'↓' if order.descending else '↑'}")


def _rank(value: Any) -> tuple[int, Any]:
    """Sorts numbers by value, before everything else by its text."""
    if is_number(value):
        return 0, value
    return 1, value_words(value).casefold()


def _renamed(column: Column[OutputRow], label: str) -> Column[OutputRow]:
    return replace(column, label=label, width=max(column.width, len(label)) if column.width else 0)


def _bar_column(name: str, numbers: Sequence[Any]) -> Column[OutputRow]:
    top = max(numbers, default=0)

    def cell(row: OutputRow) -> Part:
        value = row.values.get(name)
        share = value / top if top > 0 and is_number(value) and value else 0
        return Span(bar(share, _BAR, rest=" "), "accent")

    return Column("", cell, _BAR, from_width=_BARS_FROM, decor=True)


def _column(
    name: str,
    rows: Sequence[Row],
    least: int = 0,
    *,
    facts: ColumnFacts | None = None,
    unit: str = "",
) -> Column[OutputRow]:
    """`least` cells wide or more; a number is written with its `unit` or in percent."""
    percent, question = (facts.shares.get(name, 0), facts.question) if facts else (0, "")
    label = "documents" if name == "doc_ids" else bare_field(name)
    values = [row.get(name) for row in rows[:50]]
    written = column_words(bare_field(name), values, percent=percent)

    def words(value: Any) -> str:
        shown = written(value)
        return f"{shown} {unit_words(value, unit)}" if unit and is_number(value) else shown

    def cell(row: OutputRow) -> Part:
        value = row.values.get(name)
        if name == "doc_ids":
            return dim(count(len(value or ())))
        if row.change is not None and name in row.change.columns and row.change.before:
            was, now = _change(name, row.change)
            return line(dim(f"{was} → "), Span(now, "changed"))
        if row.change is not None and row.change.fate == "lost":
            return dim(words(value) if value is not None else "—")
        if name in _PASSAGES and question and value is not None:
            shown = words(value)
            return marked(shown, matching_words(shown, question))
        return words(value) if value is not None else dim("—")

    measured = () if name == "doc_ids" else values
    widest = max([least, len(label), *(len(words(v)) for v in measured)])
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
        least=min(max(width, _WIDEST), _WIDEST_CELL),
        most=width,
        order=name,
    )


def _change(name: str, change: RowChange) -> tuple[str, str]:
    """A value before and after."""
    values = ((change.before or {}).get(name), change.row.get(name))
    was, now = (value_words(value) or "—" for value in values)
    return was, now


def _longest_change(name: str, changes: Sequence[RowChange]) -> int:
    moves = [_change(name, change) for change in changes[:50] if name in change.columns]
    return max((len(was) + len(now) + 3 for was, now in moves), default=0)


_FATES: Mapping[str, Span] = {
    "gained": Span("+", "added"),
    "lost": Span("−", "removed"),
    "changed": Span("~", "changed"),
    "same": Span(" "),
}


def _fate(row: OutputRow) -> Span:
    return _FATES[row.change.fate] if row.change else Span(" ")
