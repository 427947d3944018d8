"""Calls that search a DocSet."""

from collections.abc import Sequence

from pydantic import TypeAdapter

from backend.contract.search import Facet, SearchRequest, SearchResponse
from workbench.client.calls import Calls
from workbench.client.wire import EXTENSIONS, Call, segment

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
        # Defaults are left out: a server may know fewer fields than we do and refuse the others.
        body = request.model_dump(mode="json", exclude_defaults=True)
        return await self.wire.model(Call("POST", path, params=params, json=body), SearchResponse)

    async def facets(self, docset_id: str, fields: Sequence[str] | None = None) -> list[Facet]:
        """The commonest values of the properties, or of those named (extension)."""
        params = {"field": None if fields is None else list(fields)}
        call = Call("GET", f"{EXTENSIONS}facets/{segment(docset_id)}", params=params)
        facets: list[Facet] = await self.wire.parsed(call, _FACETS)
        return facets
