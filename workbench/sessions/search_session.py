"""A search as the user builds it: question, kind, filter, chosen facet values and hits."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.client.errors import Invalid, fitting
from workbench.contract.search import Completions, Facet, QueryType, ReturnType, SearchRequest
from workbench.frames.hit_words import Hit, read_hit
from workbench.frames.hits import Hits
from workbench.sessions.curl import curl
from workbench.sessions.facet_choices import Excluded, Pick, Range, bare, condition
from workbench.sessions.property_values import listed_values
from workbench.sessions.session_file import SessionFile

if TYPE_CHECKING:
    from workbench.client import AsyncClient

KINDS: tuple[QueryType, ...] = ("keyword", "lexical", "vector", "hybrid")

_REMEMBERED = 200
_PROPOSED = 12


@dataclass(frozen=True)
class SearchState:
    """Everything that decides the answer; `picks` are values or ranges chosen by facet field."""

    query: str = ""
    kind: QueryType = "hybrid"
    return_type: ReturnType = "element"
    where: str = ""
    picks: tuple[tuple[str, tuple[Pick, ...]], ...] = ()

    @property
    def filter_text(self) -> str:
        """The filter as the service reads it: what was typed, and the picks, joined by `and`.

        A condition alone is kept as typed, so that error positions match the input.
        """
        where = self.where.strip()
        parts = [f"({where})" if self.picks else where] if where else []
        for name, values in self.picks:
            chosen = [condition(name, v) for v in values if not isinstance(v, Excluded)]
            if chosen:
                parts.append(f"({' or '.join(chosen)})")
            parts += [condition(name, v) for v in values if isinstance(v, Excluded)]
        return " and ".join(parts)

    @property
    def is_empty(self) -> bool:
        return not self.query.strip() and not self.filter_text

    @fitting()
    def request(self) -> SearchRequest:
        """The body to send; raises Mistake when there is nothing to find, or a text is too long."""
        query = self.query.strip() or None
        kind: QueryType = self.kind if query else "lexical"
        return SearchRequest(
            query=query,
            query_type=kind,
            properties_filter=self.filter_text or None,
            return_type=self.return_type,
        )

    def toggled(self, name: str, value: Pick) -> "SearchState":
        """Toggles `value` of facet `name`: chosen, excluded, or neither."""
        before = self.picked(name)
        others = [pick for pick in before if bare(pick) != bare(value)]
        return self.with_picks(name, others if value in before else [*others, value])

    @property
    def unfiltered(self) -> "SearchState":
        """Without condition and picks."""
        return replace(self, where="", picks=())

    def picked(self, name: str) -> tuple[Pick, ...]:
        """The picked values of facet `name`."""
        return dict(self.picks).get(name, ())

    def with_picks(self, name: str, values: Sequence[Pick]) -> "SearchState":
        """With exactly these values of facet `name` chosen."""
        picks = {**dict(self.picks), name: tuple(values)}
        return replace(self, picks=tuple(pick for pick in picks.items() if pick[1]))

    def without(self, name: str) -> "SearchState":
        """With nothing chosen of facet `name`."""
        return replace(self, picks=tuple(pick for pick in self.picks if pick[0] != name))


@dataclass
class SearchSession:
    """The search of one DocSet: `run()` fills `hits`; the session file has earlier ones."""

    client: "AsyncClient"
    docset_id: str
    file: SessionFile | None = None
    clock: Callable[[], float] = time.time
    timer: Callable[[], float] = time.perf_counter
    state: SearchState = SearchState()
    hits: list[Hit] = field(default_factory=list)
    facets: list[Facet] = field(default_factory=list)
    seconds: float | None = None
    """How long the last answer took, seen from here."""
    page_token: str | None = None
    """Where the next hits begin; None when all are here."""
    answered: SearchState | None = None
    """What `hits` answer; None before the first search."""

    async def run(self, *, page_size: int = 100) -> list[Hit]:
        """Runs the search and stores it. The former hits stay until the answer arrives."""
        asked = self.state
        started = self.timer()
        try:
            response = await self.client.search(
                self.docset_id, asked.request(), page_size=page_size
            )
        except Invalid:
            await self._check_condition(asked)
            raise
        if asked != self.state:
            return self.hits  # a newer search is under way
        self.seconds = self.timer() - started
        self.hits = [read_hit(item, asked.return_type) for item in response.results]
        self.page_token = response.next_page_token
        self.answered = asked
        self._remember(asked)
        return self.hits

    def forget_hits(self) -> None:
        """Drops the hits and everything else about the last answer."""
        self.hits, self.page_token, self.answered, self.seconds = [], None, None, None

    async def _check_condition(self, asked: SearchState) -> None:
        """Raises Invalid with the place in what was typed, where that is at fault."""
        if asked.where.strip() and asked.picks:
            alone = SearchState(where=asked.where).request()
            await self.client.search(self.docset_id, alone, page_size=1)

    async def more(self, *, page_size: int = 100) -> list[Hit]:
        """Fetches the next hits and returns only those."""
        if self.answered is None or self.page_token is None:
            return []
        asked = self.answered
        response = await self.client.search(
            self.docset_id, asked.request(), page_size=page_size, page_token=self.page_token
        )
        if asked != self.answered:
            return []
        fresh = [read_hit(item, asked.return_type) for item in response.results]
        self.hits.extend(fresh)
        self.page_token = response.next_page_token
        return fresh

    async def load_facets(self) -> list[Facet]:
        """The values of the properties with their counts in all that the search finds.

        Before the first search all documents count. A facet with picks counts what would be found
        without them, so that others can be picked beside them.
        """
        asked = self.state
        counted = await asyncio.gather(
            self._facets(asked), *(self._facets(asked.without(n), [n]) for n, _ in asked.picks)
        )
        if asked == self.state:
            own = {facet.field: facet for facets in counted[1:] for facet in facets}
            self.facets = [own.get(facet.field, facet) for facet in counted[0]]
        return self.facets

    async def all_values(self, name: str) -> Facet | None:
        """Facet `name` with as many of its values as the server lists; None without such."""
        search = self._request_or_none(self.state.without(name))
        return next(
            iter(await listed_values(self.client, self.docset_id, [name], search=search)), None
        )

    async def complete(self, where: str, cursor: int) -> Completions:
        """Completions at the cursor of a condition."""
        return await self.client.complete(self.docset_id, where, cursor, limit=_PROPOSED)

    async def _facets(self, state: SearchState, fields: list[str] | None = None) -> list[Facet]:
        search = self._request_or_none(state)
        return await self.client.facets(self.docset_id, fields, search=search)

    def _request_or_none(self, state: SearchState) -> SearchRequest | None:
        return None if state.is_empty else state.request()

    def history(self) -> list[SearchState]:
        """Earlier searches of this DocSet, newest first."""
        if self.file is None:
            return []
        rows = self.file.rows(
            "SELECT state FROM searches WHERE docset_id = ? ORDER BY made DESC, id DESC",
            (self.docset_id,),
        )
        return [_read_state(row["state"]) for row in rows]

    def as_python(self) -> str:
        """The search as a notebook cell."""
        state = self.state
        arguments = [repr(state.query.strip() or None), f"kind={state.kind!r}"]
        if state.filter_text:
            arguments.append(f"where={state.filter_text!r}")
        arguments.append(f"return_type={state.return_type!r}")
        return (
            "import workbench as wb\n\nclient = wb.connect()\n"
            f"docset = client.docsets[{self.docset_id!r}]\n"
            f"hits = docset.search({', '.join(arguments)})\nhits.to_polars()\n"
        )

    def as_cell(self) -> str:
        """The search as a notebook cell that continues from its current state."""
        state = self.state
        where = f", where={state.filter_text!r}" if state.filter_text else ""
        return (
            "import workbench as wb\nfrom workbench.widgets import SearchBox\n\n"
            f"docset = wb.connect().docsets[{self.docset_id!r}]\n"
            f"SearchBox(docset, {state.query.strip()!r}{where})\n"
        )

    def as_curl(self) -> str:
        """The search as a command for a shell."""
        body = self.state.request().model_dump(mode="json", exclude_defaults=True)
        return curl(self.client.base_url, f"/v1/query/search/{self.docset_id}", body)

    async def collect(self, most: int, *, page_size: int = 1000) -> Hits:
        """The first `most` hits of the last answer as a frame, in ranking order."""
        asked = (self.answered or self.state).request()
        items: list[dict[str, Any]] = []
        token: str | None = None
        while len(items) < most:
            response = await self.client.search(
                self.docset_id, asked, page_size=min(page_size, most - len(items)), page_token=token
            )
            items += response.results
            token = response.next_page_token
            if token is None:
                break
        return Hits(items, asked, complete=token is None)

    # -- searches that are kept -----------------------------------------------------------------

    def save(self, name: str) -> None:
        """Keeps the latest answered search under a name, replacing one of that name."""
        if self.file is None:
            return
        state = json.dumps(asdict(self.answered or self.state))
        with self.file.writing() as connection:
            connection.execute(
                "UPDATE searches SET name = NULL WHERE docset_id = ? AND name = ?",
                (self.docset_id, name),
            )
            connection.execute(
                "INSERT INTO searches (docset_id, state, made, name) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (docset_id, state) DO UPDATE SET name = excluded.name",
                (self.docset_id, state, self.clock(), name),
            )

    def forget(self, name: str) -> None:
        """Takes a name off; the search itself stays in the history for a while."""
        if self.file is not None:
            with self.file.writing() as connection:
                connection.execute(
                    "UPDATE searches SET name = NULL WHERE docset_id = ? AND name = ?",
                    (self.docset_id, name),
                )

    def saved(self) -> dict[str, SearchState]:
        """The searches with a name, by name."""
        if self.file is None:
            return {}
        rows = self.file.rows(
            "SELECT name, state FROM searches WHERE docset_id = ? AND name IS NOT NULL"
            " ORDER BY name COLLATE NOCASE",
            (self.docset_id,),
        )
        return {row["name"]: _read_state(row["state"]) for row in rows}

    def _remember(self, state: SearchState) -> None:
        if self.file is None:
            return
        with self.file.writing() as connection:
            connection.execute(
                "INSERT INTO searches (docset_id, state, made) VALUES (?, ?, ?)"
                " ON CONFLICT (docset_id, state) DO UPDATE SET made = excluded.made",
                (self.docset_id, json.dumps(asdict(state)), self.clock()),
            )
            connection.execute(
                "DELETE FROM searches WHERE docset_id = ? AND name IS NULL AND id NOT IN ("
                " SELECT id FROM searches WHERE docset_id = ? ORDER BY made DESC, id DESC LIMIT ?)",
                (self.docset_id, self.docset_id, _REMEMBERED),
            )


def _read_state(text: str) -> SearchState:
    data = json.loads(text)
    picks = tuple(
        (name, tuple(_read_pick(value) for value in values)) for name, values in data.pop("picks")
    )
    return SearchState(**data, picks=picks)


def _read_pick(value: Any) -> Pick:
    if not isinstance(value, dict):
        return value
    return Excluded(_read_pick(value["pick"])) if "pick" in value else Range(**value)
