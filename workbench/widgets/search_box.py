"""A search in a notebook cell: query, kind, filter, facets, and hits with their reasons."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import traitlets

from workbench.client.errors import MissingExtension
from workbench.contract.plan_nodes import bare_field
from workbench.contract.search import Completion, Facet
from workbench.formats import counted
from workbench.frames.hit_words import Hit, excerpt, lit
from workbench.frames.hits import Hits
from workbench.frames.html import Markup, preview
from workbench.objects import DocSet
from workbench.sessions.facet_choices import Choice, choices
from workbench.sessions.search_kinds import KIND_WORDS, LIST_WORDS, THING_WORDS
from workbench.sessions.search_session import SearchSession, SearchState
from workbench.widgets.message import Message
from workbench.widgets.view import View, script

_SHOWN = 50
_LENGTH = 240  # characters of a hit
_VALUES = 8  # of a facet
_SNAPSHOT = 20
_EARLIER = 30


class SearchBox(View):
    """`box.hits` is the frame of the last search, `box.chosen` the hit that was clicked."""

    _esm = script("completion", "search_box")
    quiet = frozenset({"complete"})
    query = traitlets.Unicode("").tag(sync=True)
    search_kind = traitlets.Unicode("hybrid").tag(sync=True)
    return_type = traitlets.Unicode("element").tag(sync=True)
    where = traitlets.Unicode("").tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)
    facets: traitlets.List[Any] = traitlets.List().tag(sync=True)
    shown: traitlets.List[Any] = traitlets.List().tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    more = traitlets.Bool(False).tag(sync=True)
    proposals = traitlets.Dict().tag(sync=True)
    earlier: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(self, docset: DocSet, query: str = "", *, where: str = "") -> None:
        engine = docset.engine
        self._docset = docset
        self._session = SearchSession(engine.client, docset.id, engine.workspace.file)
        self._completed = ""
        handlers = {
            "search": self._search,
            "pick": self._pick,
            "more": self._more,
            "complete": self._complete,
            "recall": self._recall,
        }
        super().__init__(handlers, query=query, where=where)
        news = engine.workspace.news
        self.until_closed(news.listen(lambda: self.soon(self._show_earlier)), engine.news.hold())
        self._show_earlier()
        self.start(self._begin())

    @property
    def hits(self) -> Hits:
        """The hits of the last search as a frame."""
        request = (self._session.answered or self._session.state).request()
        items = [hit.raw for hit in self._session.hits]
        complete = self._session.page_token is None
        return Hits(items, request, schema=self._docset.schema, complete=complete)

    def snapshot(self) -> Markup:
        title = " · ".join(filter(None, (f"Search: {self.query}", self.where, self.summary)))
        rows = [("".join(words for words, _ in hit["pieces"]), hit["place"]) for hit in self.shown]
        return preview(title, ("hit", "place"), rows[:_SNAPSHOT], len(rows))

    @property
    def chosen(self) -> Hit | None:
        """The hit that was clicked last."""
        hits = self._session.hits
        return hits[self.selected] if 0 <= self.selected < len(hits) else None

    def choose(self, element_id: str) -> None:
        """Chooses the hit that is this element; nothing changes when none is."""
        if self.chosen is not None and self.chosen.element_id == element_id:
            return
        for place, hit in enumerate(self._session.hits):
            if element_id and hit.element_id == element_id:
                self.selected = place
                return

    async def _begin(self) -> None:
        if self.query or self.where:
            await self._run()
        else:
            await self._count()

    async def _search(self, message: Message, _: Sequence[bytes]) -> None:
        await self._run()

    async def _pick(self, message: Message, _: Sequence[bytes]) -> None:
        """Chooses or frees a value of a facet: by its place, since values may be of any type."""
        facet = message.item("facet", self._session.facets)
        choice = message.item("value", self._choices(facet))
        self._session.state = self._session.state.toggled(facet.field, choice.pick)
        self._show_facets()
        await self._run()

    async def _more(self, message: Message, _: Sequence[bytes]) -> None:
        """The next hits, behind those that are shown."""
        await self._session.more(page_size=_SHOWN)
        self._show_hits()

    async def _complete(self, message: Message, _: Sequence[bytes]) -> None:
        """Completions at the cursor of the filter; the browser asks on every change."""
        text, cursor = message.text("text"), message.number("cursor")
        self._completed = text
        try:
            completions = await self._session.complete(text, cursor)
        except MissingExtension:
            return
        if text != self._completed:
            return  # meanwhile more was typed, and that answer may be here already
        items = [{"text": i.text, "about": _about(i)} for i in completions.items]
        answer = {"start": completions.start, "end": completions.end, "items": items}
        self.proposals = {"text": text, "problem": completions.problem or "", **answer}

    async def _recall(self, message: Message, _: Sequence[bytes]) -> None:
        """Takes up an earlier search, also one of the terminal app."""
        state = message.item("place", self._kept())[1]
        self._session.state = state
        with self.hold_sync():
            self.query, self.where = state.query, state.where
            self.search_kind, self.return_type = state.kind, state.return_type
        await self._run()

    async def _run(self) -> None:
        self._session.state = SearchState(
            query=self.query,
            kind=self.search_kind,  # type: ignore[arg-type]  # checked by the request
            return_type=self.return_type,  # type: ignore[arg-type]
            where=self.where,
            picks=self._session.state.picks,
        )
        if self._session.state.is_empty:
            self._session.hits, self.shown, self.summary, self.more = [], [], "", False
            await self._count()
            return
        await self._session.run(page_size=_SHOWN)
        self.selected = -1
        self._show_hits()
        self._show_earlier()
        await self._count()

    def _show_hits(self) -> None:
        hits = self._session.hits
        more = self._session.page_token is not None
        documents = len({hit.doc_id for hit in hits})
        counts = f"{counted(len(hits), 'hit')} in {counted(documents, 'document')}"
        seconds = self._session.seconds or 0.0
        with self.hold_sync():
            self.shown = [self._line(hit) for hit in hits]
            self.summary = f"{counts}{' and more' if more else ''} · {seconds * 1000:.0f} ms"
            self.more = more

    def _show_earlier(self) -> None:
        self.earlier = [words for words, _ in self._kept()]

    def _kept(self) -> list[tuple[str, SearchState]]:
        """The saved searches, then the latest ones, each with its name."""
        named = [(f"★ {name}", state) for name, state in self._session.saved().items()]
        return named + [
            (_search_words(state), state) for state in self._session.history()[:_EARLIER]
        ]

    async def _count(self) -> None:
        """Counts the values over all matches, not only the hits shown."""
        with suppress(MissingExtension):
            await self._session.load_facets()
        self._show_facets()

    def _line(self, hit: Hit) -> dict[str, Any]:
        pieces = lit(*excerpt(hit.text, hit.spans, _LENGTH))
        reasons = [f"{LIST_WORDS.get(part.source, part.source)} {part.rank}" for part in hit.parts]
        page = [f"p{hit.page}"] if hit.page else []
        return {"pieces": pieces, "place": " · ".join([hit.name, *page, hit.kind, *reasons])}

    def _choices(self, facet: Facet) -> list[Choice]:
        return choices(facet, self._session.state.picked(facet.field), _VALUES)

    def _show_facets(self) -> None:
        facets = [
            {
                "place": place,
                "field": bare_field(facet.field),
                "values": [
                    {
                        "text": choice.words or str(choice.pick),
                        "count": choice.count,
                        "picked": choice.pick in self._session.state.picked(facet.field),
                    }
                    for choice in self._choices(facet)
                ],
            }
            for place, facet in enumerate(self._session.facets)
        ]
        self.facets = [facet for facet in facets if facet["values"]]


def _search_words(state: SearchState) -> str:
    """An earlier search as a line of the menu."""
    words = [f"“{state.query}”"] if state.query else []
    where = [f"where {state.filter_text}"] if state.filter_text else []
    return " ".join(
        [*words, *where, f"({KIND_WORDS[state.kind]}, {THING_WORDS[state.return_type]})"]
    )


def _about(item: Completion) -> str:
    counted = f" · {item.count:,}" if item.count is not None else ""
    return f"{item.detail or item.kind}{counted}"
