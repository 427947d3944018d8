"""Documents, their properties and their order as columns, lines and choices."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.contract.documents import DocumentMetadata
from workbench.formats import is_number, value_words
from workbench.sessions.document_list import entity
from workbench.sessions.document_view import NAME, Order
from workbench.sessions.readings import readings
from workbench.tui.dialogs.choose import Choice
from workbench.tui.evidence_words import reading_lines
from workbench.tui.formats import byte_size, count, day
from workbench.tui.lines import Line, Span, dim, line, wrap
from workbench.tui.widgets.table_list import Column

NO_PROPERTIES = "No properties yet. Press 1, then p, to extract some."

_WIDEST = 18
_REMARKS = 4
_KINDS = {
    "int": "A whole number",
    "float": "A number",
    "string": "A text",
    "choice": "One of the choices",
    "bool": "true or false",
    "date": "A date (2024-03-31)",
    "datetime": "A date and time (2024-03-31 14:05)",
    "array": "A list, separated by commas",
}
_ARROWS = {False: "↑", True: "↓"}


def columns(
    properties: Sequence[str],
    rows: Sequence[DocumentMetadata] = (),
    order: Order | None = None,
) -> list[Column[DocumentMetadata]]:
    """Columns as wide as their values; those at the right shrink first."""

    def label(name: str, field: str) -> str:
        return f"{name} {_ARROWS[order.descending]}" if order and order.field == field else name

    def cell(name: str) -> Column[DocumentMetadata]:
        values = [entity(row).get(name) for row in rows[:200]]
        width = max(map(len, [label(name, name), *(value_words(value, name) for value in values)]))
        known = [value for value in values if value is not None]
        return Column(
            label(name, name),
            lambda row: value_words(entity(row).get(name), name),
            min(width, _WIDEST),
            "right" if known and all(map(is_number, known)) else "left",
            order=name,
        )

    longest = max((len(row.name) for row in rows[:200]), default=12)
    return [
        Column(
            label("name", NAME), lambda row: row.name, weight=1, least=min(longest, 36), order=NAME
        ),
        *(cell(name) for name in properties),
        Column("size", lambda row: dim(byte_size(row.size) if row.size else ""), 7, "right"),
        Column("added", lambda row: dim(day(row.created_at)), 10),
    ]


def about(
    row: DocumentMetadata,
    evidence: Mapping[str, Mapping[str, Any]] | None = None,
    width: int = 40,
) -> list[Line]:
    """A document in lines of `width` cells, as far as it is known without opening it; with
    `evidence`, including the confidence and source of each value.
    """
    suffix = row.name.rpartition(".")[2] if "." in row.name else ""
    kind = suffix.upper() if 0 < len(suffix) < 6 else row.content_type
    known = [byte_size(row.size) if row.size else "", kind, day(row.created_at)]
    lines = [line(dim(" · ".join(filter(None, known))))]
    lines += remark_lines(row.remarks)
    properties = entity(row)
    if not properties:
        return [*lines, line(), line(dim(NO_PROPERTIES))]
    lines.append(line())
    return lines + reading_lines(readings(properties, evidence or {}), width)


def remark_lines(remarks: Sequence[str]) -> list[Line]:
    """Remarks about parts of the file that could not be read; the rest as a number."""
    lines = [line(Span("! ", "warn"), remark) for remark in remarks[:_REMARKS]]
    if len(remarks) > _REMARKS:
        lines.append(line(dim(f"  and {count(len(remarks) - _REMARKS)} more remarks")))
    return [part for whole in lines for part in wrap(whole, 200, indent=2)]


def kind_words(kind: str) -> str:
    """What to type for a value of that kind: `A whole number`."""
    return _KINDS.get(kind, "A value")


def order_choices(names: Sequence[str], order: Order | None) -> list[Choice]:
    """What documents can be ordered by; the current order with its direction."""
    known = [("", "order added"), (NAME, "name"), *((name, name) for name in names)]
    return [
        Choice(key, label, _ARROWS[order.descending] if order and order.field == key else "")
        for key, label in known
    ]
