"""A search in a notebook cell: query, kind, filter, facets, and hits with their reasons."""

from collections.abc import Sequence
from typing import Any

import traitlets

from backend.contract.plan_nodes import bare_field
from backend.contract.search import Facet
from workbench.frames.hits import Hits
from workbench.objects import DocSet
from workbench.sessions.facet_choices import Choice, choices
from workbench.sessions.hits import Hit, excerpt, lit
from workbench.sessions.search_session import SearchSession, SearchState
from workbench.widgets.view import Message, View, script

_SHOWN = 50
_LENGTH = 240  # characters of a hit
_VALUES = 8  # of a facet


class SearchBox(View):
    """`box.hits` is the frame of the last search, `box.chosen` the hit that was clicked."""

    _esm = script("search_box")
    query = traitlets.Unicode("").tag(sync=True)
    search_kind = traitlets.Unicode("hybrid").tag(sync=True)
    return_type = traitlets.Unicode("element").tag(sync=True)
    where = traitlets.Unicode("").tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)
    facets: traitlets.List[Any] = traitlets.List().tag(sync=True)
    shown: traitlets.List[Any] = traitlets.List().tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)

    def __init__(self, docset: DocSet, query: str = "", *, where: str = "") -> None:
        self._docset = docset
        self._session = SearchSession(docset.engine.client, docset.id)
        handlers = {"search": self._search, "pick": self._pick}
        super().__init__(handlers, query=query, where=where)
        self.start(self._begin())

    @property
    def hits(self) -> Hits:
        """The hits of the last search as a frame."""
        request = (self._session.answered or self._session.state).request()
        items = [hit.raw for hit in self._session.hits]
        complete = self._session.page_token is None
        return Hits(items, request, schema=self._docset.schema, complete=complete)

    @property
    def chosen(self) -> Hit | None:
        """The hit that was clicked last."""
        found = self._session.hits
        return found[self.selected] if 0 <= self.selected < len(found) else None

    async def _begin(self) -> None:
        if self.query or self.where:
            await self._run()
        else:
            await self._count()

    async def _search(self, message: Message, _: Sequence[bytes]) -> None:
        await self._run()

    async def _pick(self, message: Message, _: Sequence[bytes]) -> None:
        """Chooses or frees a value of a facet: by its place, since values may be of any type."""
        facet = self._session.facets[int(message["facet"])]
        choice = self._choices(facet)[int(message["value"])]
        self._session.state = self._session.state.toggled(facet.field, choice.pick)
        self._show_facets()
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
            self._session.hits, self.shown, self.summary = [], [], ""
            await self._count()
            return
        hits = await self._session.run(page_size=_SHOWN)
        self.selected = -1
        self.shown = [self._line(hit) for hit in hits]
        more = " and more" if self._session.page_token else ""
        seconds = self._session.seconds or 0.0
        documents = len({hit.doc_id for hit in hits})
        self.summary = f"{len(hits)} hits in {documents} documents{more} · {seconds * 1000:.0f} ms"
        await self._count()

    async def _count(self) -> None:
        """Counts the values of all that is found, not only of the hits in sight."""
        await self._session.load_facets()
        self._show_facets()

    def _line(self, hit: Hit) -> dict[str, Any]:
        pieces = lit(*excerpt(hit.text, hit.spans, _LENGTH))
        reasons = [f"{part.source} {part.rank}" for part in hit.parts]
        page = [f"p{hit.page}"] if hit.page else []
        return {"pieces": pieces, "place": " · ".join([hit.name, *page, hit.kind, *reasons])}

    def _choices(self, facet: Facet) -> list[Choice]:
        return choices(facet, self._session.state.picked(facet.field), _VALUES)

    def _show_facets(self) -> None:
        told = [
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
        self.facets = [facet for facet in told if facet["values"]]
