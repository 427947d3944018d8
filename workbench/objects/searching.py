"""Hits of a search: the first ones at once, or all of them page by page."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, get_args

from workbench.client import AsyncClient
from workbench.client.errors import fitting
from workbench.contract.schema import Schema
from workbench.contract.search import QueryType, ReturnType, SearchRequest
from workbench.frames.hits import Hits
from workbench.objects.arguments import one_of, question, several

_LARGEST_PAGE = 1000


def search_request(
    query: str | None,
    *,
    kind: QueryType = "hybrid",
    where: str | None = None,
    return_type: ReturnType = "doc",
    fields: Sequence[str] | None = None,
    embeddings: bool = False,
) -> SearchRequest:
    """The request; a filter alone is allowed. Raises Mistake for invalid arguments."""
    question(query, where)
    one_of("kind", kind, get_args(QueryType))
    one_of("return_type", return_type, get_args(ReturnType))
    several("fields", fields)
    with fitting():
        return SearchRequest(
            query=query,
            query_type=kind if query is not None else "lexical",
            properties_filter=where,
            return_type=return_type,
            include_fields=None if fields is None else list(fields),
            debug_info=embeddings,
            include_element_embedding=embeddings,
        )


async def first_hits(
    client: AsyncClient, docset_id: str, schema: Schema | None, request: SearchRequest, limit: int
) -> Hits:
    """Fetches pages until `limit` or the end; a server without paging returns one page."""
    items: list[dict[str, Any]] = []
    token: str | None = None
    embedding: list[float] | None = None
    size = min(limit, _LARGEST_PAGE)  # the same for every page, because a token is bound to it
    while len(items) < limit:
        page = await client.search(docset_id, request, page_size=size, page_token=token)
        items += page.results
        embedding = embedding or page.query_embedding
        token = page.next_page_token
        if token is None:
            break
    return Hits(
        items[:limit],
        request,
        schema=schema,
        complete=token is None and len(items) <= limit,
        query_embedding=embedding,
    )


async def pages_of_hits(
    client: AsyncClient, docset_id: str, schema: Schema | None, request: SearchRequest, size: int
) -> AsyncIterator[Hits]:
    """All hits, `size` at a time, fetched on demand."""
    token: str | None = None
    while True:
        page = await client.search(docset_id, request, page_size=size, page_token=token)
        token = page.next_page_token
        if page.results:
            yield Hits(page.results, request, schema=schema, complete=token is None)
        if token is None:
            return
