"""The face of this package: search, candidates for plans, facets, and the upkeep of indexes.

All calls are synchronous and may come from any thread. Each one first follows the operation log,
so that it sees every document acknowledged before it began.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection

from backend.contract.errors import Invalid
from backend.contract.search import Facet, QueryType, ReturnType, SearchRequest, SearchResponse
from backend.inference.embeddings import ProviderMissing
from backend.inference.providers import Embedders
from backend.search.arrival import arrived
from backend.search.docset import DocSet, read_docset
from backend.search.facets import facets_of
from backend.search.finding import (
    FUSION_DEPTH,
    LISTS,
    STATIC_WEIGHT,
    Found,
    Query,
    no_terms,
    terms_of,
)
from backend.search.holding import IndexName
from backend.search.holdings import Holdings
from backend.search.pages import Pager
from backend.search.port import IndexDamaged, Reader
from backend.search.projection import Projection
from backend.search.ranking import Hit, Numbers, Part, ordinal_of
from backend.search.results import (
    Terms,
    Wanted,
    document_numbers,
    document_results,
    element_results,
)
from backend.search.selection import allowed, numbers_of_documents
from backend.store.database import Database

_DEPTH_PER_RESULT = 10
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Candidate:
    """An element found for a text. `parts` holds rank (from 1) and score in each list that has
    it.
    """

    doc_id: str
    ordinal: int
    score: float
    parts: Mapping[str, tuple[int, float]]


@dataclass(frozen=True)
class _View:
    """One state of a DocSet: the record and the readers are at the same operation."""

    connection: Connection
    docset: DocSet
    readers: Mapping[IndexName, Reader[Any]]
    embedders: Embedders


class SearchEngine:
    """Searches the DocSets of a database; its indexes lie under `index_root` and may be deleted
    there.
    """

    def __init__(
        self, database: Database, index_root: Path, embedders: Embedders | None = None
    ) -> None:
        """`embedders` make the vectors of queries; by default those that are built in."""
        self._database = database
        self._embedders = embedders or Embedders()
        self._holdings = Holdings(index_root)

    def search(
        self,
        docset_id: str,
        request: SearchRequest,
        *,
        page_size: int = 100,
        page_token: str | None = None,
    ) -> SearchResponse:
        """One page of results. NotFound without the DocSet; Invalid for a wrong filter, path or
        token, and for vector and hybrid queries where the DocSet's vectors cannot be made.
        """
        pager = Pager(docset_id, request, page_size)
        start = pager.start_of(page_token)
        projection = Projection(request.include_fields)
        return self._answered(
            docset_id,
            request.query_type if request.query is not None else None,
            lambda view: _page(view, request, pager, start, projection),
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
        """The best `depth` elements for a text, best first, of the documents `doc_ids` or all."""

        def answer(view: _View) -> list[Candidate]:
            query = _query(view, text, kind)
            chosen = numbers_of_documents(view.connection, docset_id, doc_ids)
            hits = Found(query, view.readers, chosen, by_document=False).best(depth, depth)
            names = document_numbers(view.connection, docset_id, hits)
            return [_candidate(hit, names[hit.number]) for hit in hits]

        return self._answered(docset_id, kind, answer)

    def facets(
        self,
        docset_id: str,
        fields: list[str] | None,
        *,
        request: SearchRequest | None = None,
        top: int = 20,
    ) -> list[Facet]:
        """The `top` commonest values of properties among the documents that `request` finds, or
        among all.

        Vector and hybrid queries find every document; there the documents of the best 1,000
        elements count.
        """
        kind = request.query_type if request and request.query is not None else None

        def answer(view: _View) -> list[Facet]:
            numbers = _found_documents(view, request) if request else None
            return facets_of(view.connection, view.docset, fields, numbers, top)

        return self._answered(docset_id, kind, answer)

    def follow(self, docset_id: str) -> None:
        """Bring the word index up to date now instead of with the next search."""
        self._answered(docset_id, "lexical", lambda _view: None)

    def rebuild(self, docset_id: str) -> None:
        """Throw the indexes of a DocSet away and build them from the record."""
        self._forget(docset_id)
        self.follow(docset_id)

    def drop(self, docset_id: str) -> None:
        """The DocSet was deleted: remove what is kept of it."""
        self._holdings.remove(docset_id)

    def close(self) -> None:
        """Let go of all indexes; they stay on disk."""
        self._holdings.close()

    def _answered(
        self, docset_id: str, kind: QueryType | None, answer: Callable[[_View], _Answer]
    ) -> _Answer:
        """The answer over one state of the DocSet; a damaged index is rebuilt once on the way."""
        try:
            with self._view(docset_id, kind) as view:
                return answer(view)
        except IndexDamaged:
            self._forget(docset_id)
        with self._view(docset_id, kind) as view:
            return answer(view)

    @contextmanager
    def _view(self, docset_id: str, kind: QueryType | None) -> Iterator[_View]:
        """Index and database at the same operation.

        The database state is taken while the DocSet is locked, so the index cannot be ahead of
        it; the lock is free again while the answer is made.
        """
        with ExitStack() as stack:
            held = stack.enter_context(self._holdings.use(docset_id))
            with held.locked():
                connection = stack.enter_context(self._database.reading())
                docset = read_docset(connection, docset_id)
                names = LISTS[kind] if kind else ()
                if "vector" in names and not docset.identity.dimension:
                    raise _no_vectors("this DocSet was created without embeddings")
                readers = {name: held.reader(name, connection, docset) for name in names}
            yield _View(connection, docset, readers, self._embedders)

    def _forget(self, docset_id: str) -> None:
        with self._holdings.use(docset_id) as held, held.locked():
            held.remove()


def _page(
    view: _View, request: SearchRequest, pager: Pager, start: int, projection: Projection
) -> SearchResponse:
    chosen = allowed(view.connection, view.docset.docset_id, view.docset.schema, request)
    stop = start + pager.size
    embedding: list[float] | None = None
    terms: Terms = no_terms
    if request.query is None:
        count = pager.size + 1
        hits = arrived(
            view.connection, view.docset.docset_id, chosen, request.return_type, start, count
        )
    else:
        query = _query(view, request.query, request.query_type)
        found = Found(query, view.readers, chosen, by_document=request.return_type == "doc")
        depth = max(FUSION_DEPTH, _DEPTH_PER_RESULT * pager.size)
        hits = found.best(stop + 1, depth)[start:]
        terms = terms_of(query, view.docset.language)
        if request.debug_info and query.vector is not None:
            embedding = query.vector.tolist()
    results = _results(view, request, hits[: pager.size], start + 1, terms, projection)
    return SearchResponse(
        results=[projection.of(result) for result in results],
        query_embedding=embedding,
        next_page_token=pager.token(stop) if len(hits) > pager.size else None,
    )


def _results(
    view: _View,
    request: SearchRequest,
    hits: list[Hit],
    first_rank: int,
    terms: Terms,
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
        view.connection, view.docset.docset_id, hits, first_rank, terms, wanted
    )


def _query(view: _View, text: str, kind: QueryType) -> Query:
    """Invalid when the text is no text, or needs a vector and there is nobody to make it."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Invalid.at(("body", "query"), "half of a surrogate pair is not text") from error
    if "vector" not in LISTS[kind]:
        return Query(text, kind)
    try:
        vector = view.embedders.query(view.docset.identity, text)
    except ProviderMissing as error:
        raise _no_vectors(str(error)) from error
    weight = STATIC_WEIGHT if view.docset.identity.provider == "static" else 1.0
    return Query(text, kind, vector if vector.any() else None, weight)


def _no_vectors(reason: str) -> Invalid:
    return Invalid.at(
        ("body", "query_type"),
        f"vector and hybrid queries are not possible: {reason}; lexical and keyword queries are",
    )


def _found_documents(view: _View, request: SearchRequest) -> set[int] | None:
    """The documents that a request finds, None for all."""
    chosen: Numbers | None = allowed(
        view.connection, view.docset.docset_id, view.docset.schema, request
    )
    if request.query is None:
        return None if chosen is None else set(chosen.tolist())
    query = _query(view, request.query, request.query_type)
    limit = FUSION_DEPTH if "vector" in LISTS[query.kind] else 2**31
    return Found(query, view.readers, chosen, by_document=True).documents(limit)


def _candidate(hit: Hit, doc_id: str) -> Candidate:
    parts: Mapping[str, Part] = hit.parts
    told = {name: (part.rank, part.score) for name, part in parts.items()}
    return Candidate(doc_id, ordinal_of(hit.key), hit.score, told)
