"""Screen 5: hits with reasons, the values of the properties, and the page of a hit."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from workbench.client.errors import MissingExtension, WorkbenchError
from workbench.contract.elements import StoredElement
from workbench.contract.plan_nodes import bare_field
from workbench.contract.search import Facet, QueryType, ReturnType
from workbench.formats import counted
from workbench.frames.hit_words import Hit
from workbench.pages.raster import page_count
from workbench.sessions.direct_answer import direct_answer
from workbench.sessions.facet_choices import Excluded
from workbench.sessions.schema_examples import condition_example
from workbench.sessions.search_kinds import KIND_WORDS, THING_WORDS
from workbench.sessions.search_session import KINDS, SearchSession, SearchState
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.reading import Reading
from workbench.tui.document_words import NO_PROPERTIES
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.screens.frame import Frame
from workbench.tui.search_words import (
    element_of,
    hit_words,
    hits_title,
    search_line,
)
from workbench.tui.styles import STYLES
from workbench.tui.value_choices import value_choices, value_finder
from workbench.tui.widgets.facet_column import FacetColumn
from workbench.tui.widgets.filter_chips import FilterChips, filter_words
from workbench.tui.widgets.filter_input import FilterInput
from workbench.tui.widgets.hit_list import HitList, why_lines
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, PageView
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.proposals import Proposals
from workbench.tui.widgets.query_bar import QueryBar

_EXPORTED = 10_000
"""The most hits that are exported: by meaning everything is a hit."""
_COLUMN = re.compile(r" at column (\d+)")
_START = (
    line(Span("Type what to search for, then press ", "strong"), Span("enter", "accent"),
         Span(".", "strong")),
    line(),
    line(dim("After "), Span("esc", "accent"), dim(":")),
    line(Span("c", "accent"), " filter by a condition"),
    line(Span("f", "accent"), " filter by values"),
    line(Span("t", "accent"), " search by literal text, words, meaning, or both"),
)  # fmt: skip


class SearchScreen(Frame):
    place = "search"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "search.tcss"]
    needs_docset = True
    BINDINGS = bindings("search")

    def body(self) -> ComposeResult:
        yield QueryBar()
        yield Proposals()
        yield FilterChips(id="chips")
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Facets", id="facets-pane"):
                yield FacetColumn(id="facets")
            with Pane(title="Hits", id="hits-pane"):
                yield HitList(id="hits")
            with Pane(title="Page", id="side", classes="inspector"):
                yield VerticalScroll(Static(id="words", classes="text"), classes="scroll")
                yield PageView(id="page")

    def on_mount(self) -> None:
        self._session: SearchSession | None = None
        self._hits.focus()

    @property
    def _hits(self) -> HitList:
        return self.query_one(HitList)

    def show_waiting(self, words: Line) -> None:
        self._hits.show_rows([])
        self._hits.say(words)

    def on_screen_resume(self) -> None:
        self._begin()

    def _begin(self) -> None:
        """Starts with the query line before anything was searched."""
        if self._session is not None and self._session.answered is None:
            self.query_one(QueryBar).wait()

    # -- the session ----------------------------------------------------------------------------

    def load(self) -> None:
        if self.workspace is None or self.docset is None:
            return
        session = self.workspace.search(self.docset.docset_id)
        if session is not self._session:
            self._session = session
            self._hits.say(*_START)
            self._show()
            self._suggest([])
            self._begin()
        self._load_facets()

    @work(exclusive=True, group="facets")
    async def _load_facets(self) -> None:
        session = self._session
        column = self.query_one(FacetColumn)
        if session is None:
            return
        try:
            facets = await session.load_facets()
        except MissingExtension:
            column.say(line(dim("This server does not offer facets.")))
            return
        except WorkbenchError as error:
            column.say(line(Span(str(error), "bad")))
            return
        nothing = "No values." if facets else NO_PROPERTIES
        column.say(line(dim(nothing)))
        column.show_facets(facets, session.state)
        self._suggest(facets)

    def _suggest(self, facets: Sequence[Facet]) -> None:
        """Shows a condition for this DocSet as a placeholder."""
        if self.docset is not None:
            self.query_one(QueryBar).suggest(condition_example(self.docset.schema_, facets))

    @work(exclusive=True, group="search")
    async def _search(self) -> None:
        session = self._session
        if session is None:
            return
        notice = self.query_one(Notice)
        if session.state.is_empty:
            notice.say("Type a query or a condition first.", "warn")
            return
        notice.say("Searching …")
        try:
            await session.run()
        except WorkbenchError as error:
            notice.say(self.words_for(error), "bad")
            if session.state.where and (place := _COLUMN.search(str(error))):
                self.query_one(QueryBar).focus_where(int(place[1]) - 1)
            return
        notice.hush()
        self._show()
        self._load_facets()
        self._hits.cursor = 0
        self._hits.focus()

    def _show(self) -> None:
        session = self._session
        if session is None:
            return
        self.query_one(QueryBar).show(session.state)
        self.query_one(FilterChips).show(session.state)
        self.query_one(FacetColumn).show_facets(session.facets, session.state)
        if session.answered is not None:
            self._hits.say(
                line(Span("No hits.", "strong")),
                line(),
                line(dim("Try fewer words, another kind of search ("), Span("t", "accent"),
                     dim("), or fewer filters.")),
            )  # fmt: skip
            self._hits.show_rows(session.hits, self._total(session))
        else:
            self._hits.say(*_START)
            self._hits.show_rows([])
        self.query_one("#hits-pane", Pane).retitle(*hits_title(session))
        self._show_hit()

    def _total(self, session: SearchSession) -> int:
        return len(session.hits) + (1 if session.page_token else 0)

    def _change(self, state: SearchState) -> None:
        """Applies another state; searches again if there is something to search for."""
        if self._session is None:
            return
        self._session.state = state
        self._show()
        if not state.is_empty:
            self._search()

    @on(LineList.Wanted, "#hits")
    @work(exclusive=True, group="more")
    async def _more(self) -> None:
        session = self._session
        if session is not None and session.page_token is not None:
            with self.reporting(self.query_one(Notice)):
                await session.more()
                self._hits.append_rows(self._total(session))
                self.query_one("#hits-pane", Pane).retitle(*hits_title(session))

    # -- the hit under the cursor ---------------------------------------------------------------

    @on(LineList.Highlighted, "#hits")
    def _moved(self) -> None:
        self.when_at_rest(self._show_hit)

    def _show_hit(self) -> None:
        hit = self._hits.current
        pane = self.query_one("#side", Pane)
        words = self.query_one("#words", Static)
        if hit is None:
            pane.retitle("Page")
            words.update("")
            self.query_one(PageView).say(line(dim("The page of the selected hit appears here.")))
            return
        pane.retitle(hit.name, f"page {hit.page}" if hit.page is not None else "")
        words.update(as_content(hit_words(hit)))
        self._show_page(hit)

    @work(exclusive=True, group="page")
    async def _show_page(self, hit: Hit) -> None:
        import asyncio

        view = self.query_one(PageView)
        if self.workspace is None or self.docset is None:
            return
        await asyncio.sleep(0.1)  # the cursor may be running
        if not view.is_on_screen:
            return
        try:
            data = await self.workspace.originals.get(self.docset.docset_id, hit.doc_id)
            element = element_of(hit)
            elements: Sequence[StoredElement] = [element] if element else ()
            if not await asyncio.to_thread(page_count, data):  # then the words are the page
                document = await self.workspace.client.document(self.docset.docset_id, hit.doc_id)
                elements = document.elements
        except WorkbenchError as error:
            view.say(line(dim(str(error))))
            return
        view.show(Leaf(data, hit.page or 1, elements, hit.element_id if element else None))

    @on(PageView.Appeared)
    def _page_appeared(self) -> None:
        self._show_hit()

    @on(LineList.Opened, "#hits")
    def _open(self) -> None:
        from workbench.tui.screens.viewer import ViewerScreen

        hit = self._hits.current
        if hit is not None and self.docset is not None:
            self.app.push_screen(
                ViewerScreen(
                    self.docset.docset_id,
                    hit.doc_id,
                    hit.name,
                    page=hit.page or 1,
                    element_id=hit.element_id,
                )
            )

    # -- acting ---------------------------------------------------------------------------------

    @on(QueryBar.Asked)
    def _asked(self, event: QueryBar.Asked) -> None:
        if self._session is not None:
            self._session.state = replace(
                self._session.state, query=event.query.strip(), where=event.where.strip()
            )
            self._search()

    @on(QueryBar.Left)
    def _left(self) -> None:
        self._hits.focus()

    @on(FacetColumn.Toggled)
    def _toggled(self, event: FacetColumn.Toggled) -> None:
        if self._session is not None:
            self._narrow_by(self._session.state.toggled(event.field, event.value))

    @on(FilterChips.Removed)
    def _removed(self, event: FilterChips.Removed) -> None:
        self._narrow_by(event.state)

    def _narrow_by(self, state: SearchState) -> None:
        """Changes the filters; the focus does not move."""
        if self._session is not None:
            self._session.state = state
            self._show()
            self._search_quietly()

    def action_toggle_value(self) -> None:
        if self.query_one(FacetColumn).has_focus:
            self.query_one(FacetColumn).action_open()

    def action_exclude_value(self) -> None:
        if self.query_one(FacetColumn).has_focus:
            self.query_one(FacetColumn).exclude()

    def action_clear_filters(self) -> None:
        if self._session is not None and self._session.state.filter_text:
            self._narrow_by(self._session.state.unfiltered)

    @on(FacetColumn.More)
    @work
    async def _choose_values(self, event: FacetColumn.More) -> None:
        """Lists all values of a property for multiple choice."""
        session = self._session
        if session is None:
            return
        with self.reporting(self.query_one(Notice)):
            facet = await session.all_values(event.field)
            if facet is None:
                return
            picked = session.state.picked(event.field)
            chosen = [pick for pick in picked if not isinstance(pick, Excluded)]
            choices, picks = value_choices(facet, chosen)
            finder = value_finder(session.client, session.docset_id, facet, picks)
            marked = map(repr, chosen)
            keys = await self.app.push_screen_wait(
                Choose(bare_field(event.field), choices, marked=marked, look_up=finder)
            )
            if keys is not None:
                values = [picks[key] for key in keys]
                kept = [pick for pick in picked if isinstance(pick, Excluded)]
                self._narrow_by(session.state.with_picks(event.field, [*values, *kept]))

    @work(exclusive=True, group="search")
    async def _search_quietly(self) -> None:
        """Searches again; the focus stays in the facets."""
        session = self._session
        if session is None:
            return
        if session.state.is_empty:
            session.forget_hits()
            self._show()
            self._load_facets()
            return
        with self.reporting(self.query_one(Notice)):
            await session.run()
            self.query_one(Notice).hush()
            self._show()
            self._load_facets()

    @on(FilterInput.Moved)
    @work(exclusive=True, group="proposals")
    async def _propose(self, event: FilterInput.Moved) -> None:
        """Fetches suggestions; a server without completions offers none."""
        import asyncio

        await asyncio.sleep(0.05)  # the next key may be under way
        if self._session is not None:
            completions = None
            with suppress(WorkbenchError):
                completions = await self._session.complete(event.text, event.cursor)
            self.query_one(FilterInput).propose(event.text, completions)

    @on(FilterInput.Chosen)
    def _meant(self, event: FilterInput.Chosen) -> None:
        self.query_one(Proposals).show(event.proposals, event.place)

    def action_query(self) -> None:
        self.query_one(QueryBar).focus_query()

    def action_where(self) -> None:
        self.query_one(QueryBar).focus_where()

    def action_kind(self) -> None:
        if self._session is not None:
            kinds: tuple[QueryType, ...] = KINDS
            place = kinds.index(self._session.state.kind)
            self._change(replace(self._session.state, kind=kinds[(place + 1) % len(kinds)]))

    def action_return_type(self) -> None:
        if self._session is not None:
            state = self._session.state
            other: ReturnType = "doc" if state.return_type == "element" else "element"
            self._change(replace(state, return_type=other))

    def action_facets(self) -> None:
        """To the facets and back; in narrow terminals they appear and go."""
        self.unzoom()
        pane = self.query_one("#facets-pane", Pane)
        column = self.query_one(FacetColumn)
        if column.has_focus:
            pane.remove_class("-shown")
            self._hits.focus()
        else:
            pane.add_class("-shown")
            column.focus()

    def action_next(self) -> None:
        self._hits.cursor += 1

    def action_previous(self) -> None:
        self._hits.cursor -= 1

    def action_why(self) -> None:
        hit = self._hits.current
        if hit is not None:
            text = "\n\n".join(why_lines(hit, self._hits.cursor + 1))
            self.app.push_screen(Reading("Why it ranks here", text))

    @work(exclusive=True, group="answer")
    async def action_answer(self) -> None:
        """The query as a question: an answer from the documents that fit the filters."""
        from workbench.tui.dialogs.answer import Answer
        from workbench.tui.screens.viewer import ViewerScreen

        session, notice = self._session, self.query_one(Notice)
        question = self.query_one("#query", Input).value.strip()
        if session is None or not question:
            notice.say("Type a question first: press /.", "warn")
            return
        state = session.answered or session.state
        where = state.filter_text
        notice.say("Reading the best matches …")
        with self.reporting(notice):
            answer = await direct_answer(session.client, session.docset_id, question, where=where)
            notice.hush()
            while cited := await self.app.push_screen_wait(
                Answer(question, answer, filter_words(state))
            ):
                page = ViewerScreen(
                    session.docset_id,
                    cited.doc_id,
                    answer.names.get(cited.doc_id, cited.doc_id),
                    page=cited.page,
                    element_id=cited.element_id,
                )
                await self.app.push_screen_wait(page)

    @work
    async def action_history(self) -> None:
        """Lists named searches, then recent ones."""
        if self._session is None:
            return
        saved = self._session.saved()
        named = set(saved.values())
        states = [*saved.values(), *(s for s in self._session.history() if s not in named)]
        names = [*saved, *[""] * (len(states) - len(saved))]
        choices = [
            Choice(str(place), search_line(state, name), " · ".join(filter(None, (
                KIND_WORDS[state.kind], THING_WORDS[state.return_type], state.filter_text))))
            for place, (state, name) in enumerate(zip(states, names, strict=True))
        ]  # fmt: skip
        if not choices:
            self.notify("No searches in this DocSet yet.")
            return
        answer = await self.app.push_screen_wait(Choose("Earlier searches", choices))
        if answer:
            self._change(states[int(answer[0])])

    @work
    async def action_export(self) -> None:
        from workbench.tui.dialogs.export import code_copies, export

        session = self._session
        if session is None or session.answered is None or not session.hits:
            self.notify("There are no hits to export.")
            return
        copies = code_copies(session.as_python, session.as_cell, session.as_curl)
        more = f"the first {_EXPORTED:,} hits" if session.page_token else ""
        many = more or counted(len(session.hits), "hit")
        with self.reporting(self.query_one(Notice)):
            await export(self.app, "hits", lambda: session.collect(_EXPORTED), copies, many=many)

    @work
    async def action_save(self) -> None:
        """Keeps the search under a name."""
        session = self._session
        if session is None or session.state.is_empty:
            self.notify("Run a search first.")
            return
        state = session.answered or session.state
        known = next((name for name, saved in session.saved().items() if saved == state), "")
        words = " · ".join(filter(None, (state.query, KIND_WORDS[state.kind], state.filter_text)))
        name = await self.app.push_screen_wait(Ask("Save this search as", words, value=known))
        if name:
            session.save(name)
            self.notify(f"{name}: press h to open it again.", title="Saved")


SCREEN = SearchScreen
