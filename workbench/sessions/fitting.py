"""Finds the documents that fulfil a condition on their properties."""

from typing import TYPE_CHECKING

from workbench.client.errors import fitting
from workbench.contract.search import SearchRequest

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_PAGE = 1000


async def fitting_documents(client: "AsyncClient", docset_id: str, condition: str) -> list[str]:
    """The ids of all documents that fulfil `condition`. Invalid with its place if unreadable."""
    with fitting():
        request = SearchRequest(properties_filter=condition, include_fields=["$.doc_id"])
    ids: dict[str, None] = {}
    token: str | None = None
    while True:
        answer = await client.search(docset_id, request, page_size=_PAGE, page_token=token)
        ids.update({str(item["doc_id"]): None for item in answer.results if "doc_id" in item})
        token = answer.next_page_token
        if token is None:
            return list(ids)
