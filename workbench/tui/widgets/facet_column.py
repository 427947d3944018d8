"""The values of the properties with their counts; choosing one narrows the search."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from workbench.contract.search import Facet
from workbench.sessions.facet_choices import Choice, Excluded, Pick, choices
from workbench.sessions.search_session import SearchState
from workbench.tui.formats import count, sparkline
from workbench.tui.lines import Line, Span, dim, line, spread
from workbench.tui.value_choices import SHOWN, more_words, words_of
from workbench.tui.widgets.line_list import LineList

_DRAWN = 12  # bars beside a heading


@dataclass(frozen=True)
class FacetRow:
    """A heading, one choice, or what leads to the choices that are not listed (`more`)."""

    facet: Facet
    choice: Choice | None = None
    more: str = ""


class FacetColumn(LineList[FacetRow]):
    """Posts `Toggled` when a value is chosen, excluded or released, and `More` for all values."""

    class Toggled(Message):
        def __init__(self, field: str, value: Pick) -> None:
            super().__init__()
            self.field, self.value = field, value

    class More(Message):
        def __init__(self, field: str) -> None:
            super().__init__()
            self.field = field

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = SearchState()

    def show_facets(self, facets: Sequence[Facet], state: SearchState) -> None:
        self.state = state
        self.show_rows(facet_rows(facets, state))

    def key_of(self, row: FacetRow) -> str:
        return f"{row.facet.field}\0{row.choice.pick if row.choice else None!r}\0{bool(row.more)}"

    def draw(self, row: FacetRow, index: int, width: int) -> Sequence[Line]:
        if row.more:
            return (line("   ", Span(row.more, "accent")),)
        if row.choice is None:
            return (_heading(row.facet, width),)
        picked = self.state.picked(row.facet.field)
        chosen, excluded = row.choice.pick in picked, Excluded(row.choice.pick) in picked
        mark = Span("■ ", "accent") if chosen else Span("− ", "bad") if excluded else dim("□ ")
        words = words_of(row.choice, row.facet.field)
        label = line(mark, Span(words, "strong" if chosen or excluded else ""))
        number = "" if row.choice.count is None else f" {count(row.choice.count)}"
        return (spread(line(" ", label), line(dim(number), " "), width),)

    def exclude(self) -> None:
        """Leaves out documents with the value under the cursor, or no longer."""
        row = self.current
        if row is not None and row.choice is not None:
            self.post_message(self.Toggled(row.facet.field, Excluded(row.choice.pick)))

    def clicked(self, chain: int) -> None:
        if chain == 1:
            self.action_open()

    def action_open(self) -> None:
        row = self.current
        if row is not None and row.choice is not None:
            self.post_message(self.Toggled(row.facet.field, row.choice.pick))
        elif row is not None and row.more:
            self.post_message(self.More(row.facet.field))


def facet_rows(facets: Sequence[Facet], state: SearchState) -> list[FacetRow]:
    """Headings, each with what can be chosen below it; those with nothing are left out."""
    rows: list[FacetRow] = []
    for facet in facets:
        listed = choices(facet, state.picked(facet.field), SHOWN)
        more = more_words(facet, listed)
        if listed or more:
            rows += [FacetRow(facet), *(FacetRow(facet, choice) for choice in listed)]
        if more:
            rows.append(FacetRow(facet, more=more))
    return rows


def _heading(facet: Facet, width: int) -> Line:
    name = facet.field.rpartition(".")[2].strip('"`')
    right: Line = ()
    if len(facet.histogram) > 2:
        drawn = sparkline([one.count for one in facet.histogram])[:_DRAWN]
        right = line(Span(drawn, "changed"), " ")
    return spread(line(Span(name, "accent")), right, width)
