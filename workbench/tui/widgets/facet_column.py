"""The values of the properties with their counts; choosing one narrows the search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual.message import Message

from backend.contract.search import Facet
from workbench.sessions.search_session import SearchState
from workbench.tui.formats import count, sparkline, value_text
from workbench.tui.lines import Line, Span, dim, line, spread
from workbench.tui.widgets.line_list import LineList

_SHOWN = 8


@dataclass(frozen=True)
class FacetRow:
    """A heading (`value` is None and `heading` is true) or one value."""

    facet: Facet
    heading: bool
    value: Any = None
    count: int = 0


class FacetColumn(LineList[FacetRow]):
    """Tells `Toggled` when a value is chosen or let go."""

    class Toggled(Message):
        def __init__(self, field: str, value: Any) -> None:
            super().__init__()
            self.field, self.value = field, value

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = SearchState()

    def show_facets(self, facets: Sequence[Facet], state: SearchState) -> None:
        self.state = state
        self.show_rows(facet_rows(facets, state))

    def key_of(self, row: FacetRow) -> str:
        return f"{row.facet.field}\0{row.heading}\0{row.value}"

    def draw(self, row: FacetRow, index: int, width: int) -> Sequence[Line]:
        if row.heading:
            return (_heading(row.facet, width),)
        chosen = self.state.picked(row.facet.field, row.value)
        mark = Span("■ ", "accent") if chosen else dim("□ ")
        label = line(mark, Span(value_text(row.value) or "—", "strong" if chosen else ""))
        return (spread(line(" ", label), line(dim(f" {count(row.count)}"), " "), width),)

    def action_open(self) -> None:
        row = self.current
        if row is not None and not row.heading:
            self.post_message(self.Toggled(row.facet.field, row.value))


def facet_rows(facets: Sequence[Facet], state: SearchState) -> list[FacetRow]:
    """Headings and values; chosen values are shown even beyond the first few.

    A property with a value of its own for each document (a number, a date) narrows nothing and is
    left out.
    """
    rows: list[FacetRow] = []
    for facet in facets:
        if len(facet.values) > _SHOWN and facet.values[0].count == 1:
            continue
        rows.append(FacetRow(facet, True))
        for place, found in enumerate(facet.values):
            if place < _SHOWN or state.picked(facet.field, found.value):
                rows.append(FacetRow(facet, False, found.value, found.count))
    return rows


def _heading(facet: Facet, width: int) -> Line:
    name = facet.field.rpartition(".")[2].strip('"`')
    right: Line = ()
    if facet.kind in ("int", "float") and len(facet.values) > 2:
        in_order = sorted(facet.values, key=lambda found: found.value)
        right = line(Span(sparkline([found.count for found in in_order])[:10], "changed"), " ")
    return spread(line(Span(name, "accent")), right, width)
