"""The index of a DocSet: its state, and rebuilding it.

Extensions, like all below `/v1/workbench`.
"""

from backend.api.calls import Account, Backend, DocSetId, extension_router
from workbench.contract.search import IndexState

router = extension_router()


@router.get("/docsets/{docset_id}/index", summary="State of the index")
def index_state(service: Backend, account: Account, docset_id: DocSetId) -> IndexState:
    """Whether the index is ready for searches, or the progress of its build."""
    service.docsets.check(account, docset_id)
    return service.search.state(docset_id)


@router.post("/docsets/{docset_id}/rebuild", summary="Rebuild the index")
def rebuild(service: Backend, account: Account, docset_id: DocSetId) -> IndexState:
    """Discards the index and builds it from the stored documents.

    Answers when that is done, or after a few seconds: it then continues in the background, and
    searches are refused with 503 until it is done.
    """
    service.docsets.check(account, docset_id)
    return service.search.rebuild(docset_id)
