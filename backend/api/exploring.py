"""Exploring a DocSet: the values of its properties, and completion of filters.

Extensions, like all below `/v1/workbench`.
"""

from typing import Annotated

from fastapi import Body

from backend.api import examples
from backend.api.calls import Account, Backend, DocSetId, extension_router
from workbench.contract.search import CompletionRequest, Completions, Facet, FacetRequest

router = extension_router()


@router.post("/facets/{docset_id}", summary="Facets")
async def facets(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[FacetRequest, Body(openapi_examples=examples.FACETS)],
) -> list[Facet]:
    """The most common values of properties in the documents that match a search, or in all."""

    def work() -> list[Facet]:
        service.docsets.check(account, docset_id)
        return service.search.facets(docset_id, body)

    return await service.lanes.searches.run(account, work)


@router.post("/completions/{docset_id}", summary="Completions")
async def complete(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[CompletionRequest, Body(openapi_examples=examples.COMPLETION)],
) -> Completions:
    """Completions at the cursor of a filter: properties, operators, values, conjunctions."""

    def work() -> Completions:
        service.docsets.check(account, docset_id)
        return service.search.complete(docset_id, body)

    return await service.lanes.searches.run(account, work)
