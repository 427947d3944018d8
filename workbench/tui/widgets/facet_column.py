"""The values of the properties with their counts; choosing one narrows the search."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from backend.contract.search import Facet
from workbench.formats import value_words
from workbench.sessions.facet_choices import Choice, Pick, choices
from workbench.sessions.search_session import SearchState
from workbench.tui.formats import count, sparkline
from workbench.tui.lines import Line, Span, dim, line, spread
from workbench.tui.widgets.line_list import LineList

_SHOWN = 8
_DRAWN = 12  # bars beside a heading


@dataclass(frozen=True)
class FacetRow:
    """A heading, which has no choice, or one choice."""

    facet: Facet
    choice: Choice | None = None


class FacetColumn(LineList[FacetRow]):
    """Tells `Toggled` when a value is chosen or let go."""

    class Toggled(Message):
        def __init__(self, field: str, value: Pick) -> None:
            super().__init__()
            self.field, self.value = field, value

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = SearchState()

    def show_facets(self, facets: Sequence[Facet], state: SearchState) -> None:
        self.state = state
        self.show_rows(facet_rows(facets, state))

    def key_of(self, row: FacetRow) -> str:
        return f"{row.facet.field}\0{row.choice.pick if row.choice else None!r}"

    def draw(self, row: FacetRow, index: int, width: int) -> Sequence[Line]:
        if row.choice is None:
            return (_heading(row.facet, width),)
        chosen = row.choice.pick in self.state.picked(row.facet.field)
        mark = Span("■ ", "accent") if chosen else dim("□ ")
        words = row.choice.words or value_words(row.choice.pick, row.facet.field) or "—"
        label = line(mark, Span(words, "strong" if chosen else ""))
        return (spread(line(" ", label), line(dim(f" {count(row.choice.count)}"), " "), width),)

    def action_open(self) -> None:
        row = self.current
        if row is not None and row.choice is not None:
            self.post_message(self.Toggled(row.facet.field, row.choice.pick))


def facet_rows(facets: Sequence[Facet], state: SearchState) -> list[FacetRow]:
    """Headings, each with what can be chosen below it; those with nothing are left out."""
    rows: list[FacetRow] = []
    for facet in facets:
        found = choices(facet, state.picked(facet.field), _SHOWN)
        if found:
            rows += [FacetRow(facet), *(FacetRow(facet, choice) for choice in found)]
    return rows


def _heading(facet: Facet, width: int) -> Line:
    name = facet.field.rpartition(".")[2].strip('"`')
    right: Line = ()
    if len(facet.histogram) > 2:
        drawn = sparkline([one.count for one in facet.histogram])[:_DRAWN]
        right = line(Span(drawn, "changed"), " ")
    return spread(line(Span(name, "accent")), right, width)
