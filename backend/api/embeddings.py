"""Extensions for vectors: the available models, and the model of a DocSet."""

from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import Body, Request

from backend.api import examples
from backend.api.calls import THROTTLED, Account, Backend, DocSetId, extension_router, submit
from backend.docsets.reembedding import KIND
from backend.inference.catalogue import models
from workbench.contract.embeddings import EmbeddingChoice, EmbeddingState, ModelInfo
from workbench.contract.tasks import TaskAccepted

router = extension_router()


@router.get("/models", summary="Models")
def list_models(service: Backend, account: Account) -> list[ModelInfo]:
    """The providers of vectors: which can be used now, and what each needs."""
    return models(service.embedders, service.settings.embedding)


@router.get("/docsets/{docset_id}/embedding", summary="Get embedding")
def get(service: Backend, account: Account, docset_id: DocSetId) -> EmbeddingState:
    """The model of the vectors of a DocSet, and whether it can make more."""
    return service.reembedding.state(account, docset_id)


@router.post(
    "/docsets/{docset_id}/embedding",
    summary="Change embedding",
    status_code=202,
    dependencies=THROTTLED,
)
async def change(
    request: Request,
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[EmbeddingChoice, Body(openapi_examples=examples.EMBEDDING)],
) -> TaskAccepted:
    """Recomputes all vectors with the provider's current model, as a task.

    Searches use the old vectors until all new ones are ready.
    """
    await run_sync(service.reembedding.check, account, docset_id)
    identity = await run_sync(service.docsets.identity, body.provider, "provider")
    task_id = await submit(
        request,
        service,
        account,
        kind=KIND,
        action=f"/v1/workbench/docsets/{docset_id}/embedding",
        work={"docset_id": docset_id, "embedding": identity.wire()},
        name=identity.model or identity.provider,
    )
    return TaskAccepted(task_id=task_id)
