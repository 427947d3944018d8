"""The route of search."""

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from backend.api import examples
from backend.api.calls import REFUSALS, DocSetId, PageSize, PageToken
from backend.api.direct import DirectRoute
from backend.api.service import Service
from workbench.contract.search import SearchRequest, SearchResponse

router = APIRouter(prefix="/v1/query", tags=["Query"], route_class=DirectRoute, responses=REFUSALS)


@router.post("/search/{docset_id}", summary="Search", response_model=SearchResponse)
def search(
    request: Request,
    docset_id: DocSetId,
    body: Annotated[SearchRequest, Body(openapi_examples=examples.SEARCH)],
    page_size: PageSize = 100,
    page_token: PageToken = None,
) -> Response:
    service: Service = request.app.state.service
    service.docsets.check(request.state.account_id, docset_id)
    hits = service.search.search(docset_id, body, page_size=page_size, page_token=page_token)
    # Encoded here: the framework would validate every result a second time.
    return Response(hits.model_dump_json(), media_type="application/json")
