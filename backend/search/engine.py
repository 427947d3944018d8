"""The entry point of this package: search, candidates for plans, facets, and index maintenance.

All calls are synchronous and thread-safe. Each one first catches up with the operation log, so it
sees every document acknowledged before the call.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic_core import to_json

from backend.inference.embeddings import ProviderMissing
from backend.inference.providers import Embedders
from backend.search.arrival import arrived
from backend.search.checking import Difference, differences
from backend.search.completion.proposals import completions
from backend.search.docset_indexes import IndexName
from backend.search.facets import facets_of
from backend.search.finding import (
    FUSION_DEPTH,
    LISTS,
    Query,
    QueryHits,
    vector_weight,
)
from backend.search.highlights import Highlighter, Nothing, highlighter
from backend.search.pages import Pager, Start, behind
from backend.search.projection import Projection
from backend.search.ranking import Hit, Numbers, Part, ordinal_of
from backend.search.results import (
    Wanted,
    document_results,
    element_results,
)
from backend.search.selection import allowed, doc_ids_of, numbers_of_documents
from backend.search.shards.fan_out import Shards
from backend.search.views import Answer, TableFor, View, Views
from backend.store.database import Database
from backend.store.shared_files import SharedFiles
from workbench.contract.errors import Invalid
from workbench.contract.search import (
    CompletionRequest,
    Completions,
    Facet,
    FacetRequest,
    IndexState,
    QueryType,
    ReturnType,
    SearchRequest,
    SearchResponse,
)

_DEPTH_PER_RESULT = 10
_AT_ONCE = 25
"""Results that are read before their size is looked at."""
_PAGE_BYTES = 32_000_000
_SHIFT = 100  # how far writes may have moved the last hit of a page


@dataclass(frozen=True)
class Candidate:
    """An element that matches a text. `parts` has its rank (from 1) and score per result list."""

    doc_id: str
    ordinal: int
    score: float
    parts: Mapping[str, tuple[int, float]]


class SearchEngine:
    """Searches the DocSets of a database. Index files under `index_root` may be deleted."""

    def __init__(
        self,
        database: Database,
        index_root: Path,
        embedders: Embedders | None = None,
        shared: SharedFiles | None = None,
        shards: Shards | None = None,
    ) -> None:
        """`embedders` compute query vectors; by default the built-in ones. Servers that share the
        database get built indexes from each other through `shared`, and search large DocSets in
        `shards`.
        """
        self._views = Views(database, index_root, embedders or Embedders(), shared, shards=shards)

    def search(
        self,
        docset_id: str,
        request: SearchRequest,
        *,
        page_size: int = 100,
        page_token: str | None = None,
    ) -> SearchResponse:
        """Returns one page of results.

        NotFound without the DocSet. Invalid for a wrong filter, path or token, and for vector and
        hybrid queries on a DocSet without usable embeddings.
        """
        pager = Pager(docset_id, request, page_size)
        start = pager.start_of(page_token)
        projection = Projection(request.include_fields)
        return self._answered(
            docset_id,
            request.query_type if request.query is not None else None,
            lambda view: _page(view, request, pager, start, projection),
            table="nothing" if request.properties_filter is None else "filter",
        )

    def candidates(
        self,
        docset_id: str,
        text: str,
        kind: QueryType,
        *,
        doc_ids: Collection[str] | None = None,
        depth: int = FUSION_DEPTH,
    ) -> list[Candidate]:
        """The best `depth` elements for a text, best first, within `doc_ids` or everywhere."""

        def answer(view: View) -> list[Candidate]:
            query = _query(view, text, kind)
            chosen = numbers_of_documents(view.connection, docset_id, doc_ids)
            hits = QueryHits(query, view.readers, chosen, by_document=False).best(depth, depth)
            numbers = np.unique([hit.number for hit in hits])
            ids = doc_ids_of(view.connection, docset_id, numbers)
            names = dict(zip(numbers.tolist(), ids, strict=True))
            return [_candidate(hit, names[hit.number]) for hit in hits]

        return self._answered(docset_id, kind, answer)

    def fulfilling(
        self, docset_id: str, properties_filter: str, *, unknown_passes: bool = False
    ) -> list[str]:
        """Ids of the documents that pass a filter, in arrival order, with `unknown_passes` also of
        those that could if all their values were known; Invalid for a bad filter.
        """
        request = SearchRequest(properties_filter=properties_filter)

        def answer(view: View) -> list[str]:
            chosen = allowed(
                view.connection,
                docset_id,
                view.docset.schema,
                request,
                view.table,
                unknown_passes=unknown_passes,
            )
            return [] if chosen is None else doc_ids_of(view.connection, docset_id, chosen)

        return self._answered(docset_id, None, answer, table="filter")

    def facets(self, docset_id: str, request: FacetRequest) -> list[Facet]:
        """Value counts over the documents that match, or all. Errors as of `search`, or Invalid."""
        search = request.search

        def answer(view: View) -> list[Facet]:
            numbers = _matching_documents(view, search) if search else None
            assert view.table is not None
            return facets_of(view.table, view.docset.schema, request, numbers)

        kind = search.query_type if search and search.query is not None else None
        return self._answered(docset_id, kind, answer, table="counts")

    def complete(self, docset_id: str, request: CompletionRequest) -> Completions:
        """Completions at the cursor of a filter on a DocSet."""

        def answer(view: View) -> Completions:
            assert view.table is not None
            return completions(view.table, view.docset.schema, request)

        return self._answered(docset_id, None, answer, table="counts")

    def follow(self, docset_id: str, *, patient: bool = True) -> None:
        """Brings the word index up to date now instead of with the next search.

        With `patient=False` it raises Unavailable when that takes long; the build continues in the
        background.
        """
        if patient:
            self._views.follow(docset_id)
        else:
            self._views.answer(docset_id, LISTS["lexical"], lambda _view: None)

    def rebuild(self, docset_id: str) -> IndexState:
        """Deletes the indexes of a DocSet and rebuilds them from the record.

        Returns when the word index is ready or after a timeout; the build then continues in the
        background.
        """
        return self._views.rebuild(docset_id)

    def state(self, docset_id: str) -> IndexState:
        """Whether the word index of a DocSet is up to date, or the progress of its build."""
        return self._views.state(docset_id)

    def differences(self, docset_id: str) -> list[Difference]:
        """Where the indexes differ from the record; rebuilds unreadable ones. Raises NotFound."""
        names: list[IndexName] = ["lexical", "vector"]
        self._views.follow(docset_id)
        try:
            self._views.follow(docset_id, "vector")
        except ProviderMissing:
            names.remove("vector")
        return self._views.answer(docset_id, names, lambda view: list(differences(view)))

    def copy(self, docset_id: str, target: str) -> int | None:
        """See `Views.copy`."""
        return self._views.copy(docset_id, target)

    def adopt(self, target: str, sequence: int) -> None:
        """See `Views.adopt`."""
        self._views.adopt(target, sequence)

    def publish(self) -> None:
        """Publishes indexes for other servers, and moves large ones to shards."""
        self._views.publish()

    def sweep(self) -> None:
        """Removes index files of DocSets that no longer exist, as left behind by a crash."""
        self._views.sweep()

    def drop(self, docset_id: str) -> None:
        """Removes everything kept for a deleted DocSet."""
        self._views.drop(docset_id)

    def close(self) -> None:
        """Closes all indexes; their files stay."""
        self._views.close()

    def _answered(
        self,
        docset_id: str,
        kind: QueryType | None,
        answer: Callable[[View], Answer],
        table: TableFor = "nothing",
    ) -> Answer:
        try:
            return self._views.answer(docset_id, LISTS[kind] if kind else (), answer, table)
        except ProviderMissing as error:
            raise _no_vectors(str(error)) from error


def _page(
    view: View, request: SearchRequest, pager: Pager, start: Start, projection: Projection
) -> SearchResponse:
    chosen = allowed(
        view.connection, view.docset.docset_id, view.docset.schema, request, view.table
    )
    by_document = request.return_type == "doc"
    stop = start.place + pager.size
    embedding: list[float] | None = None
    highlights: Highlighter = Nothing()
    if request.query is None:
        hits: Sequence[Hit] = arrived(
            view.connection,
            view.docset.docset_id,
            chosen,
            request.return_type,
            start.after,
            pager.size + 1,
        )
    else:
        query = _query(view, request.query, request.query_type)
        ranking = QueryHits(query, view.readers, chosen, by_document=by_document)
        depth = max(FUSION_DEPTH, _DEPTH_PER_RESULT * pager.size)
        spare = _SHIFT if start.place else 0
        hits = behind(ranking.best(stop + spare + 1, depth), start, by_document=by_document)
        highlights = highlighter(query.text, query.kind, view.docset.language)
        if request.debug_info and query.vector is not None:
            embedding = query.vector.tolist()
    on_page = hits[: pager.size]
    results = _filled(view, request, on_page, start.place + 1, highlights, projection)
    last = len(results)
    return SearchResponse(
        results=results,
        query_embedding=embedding,
        next_page_token=(
            pager.token(start.place + last, hits[last - 1].key) if len(hits) > last else None
        ),
    )


def _filled(
    view: View,
    request: SearchRequest,
    hits: Sequence[Hit],
    first_rank: int,
    highlights: Highlighter,
    projection: Projection,
) -> list[dict[str, Any]]:
    """The results of a page, or as many as make up `_PAGE_BYTES`: values may have megabytes."""
    results: list[dict[str, Any]] = []
    size = 0
    while size < _PAGE_BYTES and len(results) < len(hits):
        some = hits[len(results) : len(results) + _AT_ONCE]
        rank = first_rank + len(results)
        made = _results(view, request, some, rank, highlights, projection)
        results += [projection.of(result) for result in made]
        if len(results) < len(hits):
            size += len(to_json(results[-len(some) :]))
    return results


def _results(
    view: View,
    request: SearchRequest,
    hits: Sequence[Hit],
    first_rank: int,
    highlights: Highlighter,
    projection: Projection,
) -> list[dict[str, Any]]:
    wanted = Wanted(
        text=projection.may_touch("text_representation"),
        search=projection.may_touch("_search"),
        embedding_identity=view.docset.identity.text if request.include_element_embedding else None,
    )
    make: Mapping[ReturnType, Callable[..., list[dict[str, Any]]]] = {
        "doc": document_results,
        "element": element_results,
    }
    return make[request.return_type](
        view.connection, view.docset.docset_id, hits, first_rank, highlights, wanted
    )


def _query(view: View, text: str, kind: QueryType) -> Query:
    """Builds a query. Invalid for text with lone surrogates, or when its vector cannot be made."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Invalid.at(("body", "query"), "the text has an unpaired surrogate") from error
    if "vector" not in LISTS[kind]:
        return Query(text, kind)
    try:
        vector = view.embedders.query(view.docset.identity, text)
    except ProviderMissing as error:
        raise _no_vectors(str(error)) from error
    weight = vector_weight(view.docset.identity.provider)
    return Query(text, kind, vector if vector.any() else None, weight)


def _no_vectors(reason: str) -> Invalid:
    return Invalid.at(
        ("body", "query_type"),
        f"vector and hybrid queries are not available ({reason}); use lexical or keyword",
    )


def _matching_documents(view: View, request: SearchRequest) -> Numbers | None:
    """The documents that match a request, None for all.

    Vector and hybrid queries match every document; for them these are the documents of the best
    1,000 elements.
    """
    chosen = allowed(
        view.connection, view.docset.docset_id, view.docset.schema, request, view.table
    )
    if request.query is None:
        return chosen
    query = _query(view, request.query, request.query_type)
    limit = FUSION_DEPTH if "vector" in LISTS[query.kind] else 2**31
    numbers = QueryHits(query, view.readers, chosen, by_document=True).documents(limit)
    return np.fromiter(numbers, dtype=np.int64, count=len(numbers))


def _candidate(hit: Hit, doc_id: str) -> Candidate:
    parts: Mapping[str, Part] = hit.parts
    ranks = {name: (part.rank, part.score) for name, part in parts.items()}
    return Candidate(doc_id, ordinal_of(hit.key), hit.score, ranks)
