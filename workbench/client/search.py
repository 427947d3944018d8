"""Calls that search a DocSet."""

from collections.abc import Sequence

from pydantic import TypeAdapter

from workbench.client.calls import Calls
from workbench.client.errors import fitting
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.search import (
    CompletionRequest,
    Completions,
    Facet,
    FacetRequest,
    IndexState,
    SearchRequest,
    SearchResponse,
)

_FACETS = TypeAdapter(list[Facet])


class SearchCalls(Calls):
    async def search(
        self,
        docset_id: str,
        request: SearchRequest,
        *,
        page_size: int = 100,
        page_token: str | None = None,
    ) -> SearchResponse:
        """One page of hits, best first."""
        path = f"/v1/query/search/{segment(docset_id)}"
        params = {"page_size": page_size, "page_token": page_token}
        # Defaults are left out: another server may support fewer fields and refuse the rest.
        body = request.model_dump(mode="json", exclude_defaults=True)
        return await self.wire.model(Call("POST", path, params=params, json=body), SearchResponse)

    async def facets(
        self,
        docset_id: str,
        fields: Sequence[str] | None = None,
        *,
        search: SearchRequest | None = None,
        top: int = 20,
        bins: int = 10,
    ) -> list[Facet]:
        """The most frequent values of all or the given properties, with histograms (extension).

        Counts the documents that match `search`, or all.
        """
        with fitting():
            request = FacetRequest(
                search=search, fields=None if fields is None else list(fields), top=top, bins=bins
            )
        body = request.model_dump(mode="json", exclude_defaults=True)
        call = Call("POST", f"{EXTENSIONS}facets/{segment(docset_id)}", json=body)
        facets: list[Facet] = await self.wire.parsed(call, _FACETS)
        return facets

    async def index_state(self, docset_id: str) -> IndexState:
        """Whether the word index is ready, or the progress of its build (extension)."""
        call = Call("GET", f"{EXTENSIONS}docsets/{segment(docset_id)}/index")
        return await self.wire.model(call, IndexState)

    async def rebuild_index(self, docset_id: str) -> IndexState:
        """Rebuilds the index from the stored documents (extension); large ones continue later."""
        call = Call("POST", f"{EXTENSIONS}docsets/{segment(docset_id)}/rebuild", patient=True)
        return await self.wire.model(call, IndexState)

    async def complete(
        self, docset_id: str, filter_text: str, cursor: int | None = None, *, limit: int = 20
    ) -> Completions:
        """Completions at the cursor of a filter, by default at its end (extension)."""
        with fitting():
            request = CompletionRequest(filter=filter_text, cursor=cursor, limit=limit)
        body = request.model_dump(mode="json")
        call = Call("POST", f"{EXTENSIONS}completions/{segment(docset_id)}", json=body)
        return await self.wire.model(call, Completions)
