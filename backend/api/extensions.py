"""Extensions of the interface, all below `/v1/workbench` and marked in the OpenAPI document."""

import os
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import Body, Header, Path, Query, Request
from starlette.responses import StreamingResponse

from backend.api import examples
from backend.api.calls import Account, Backend, DocId, DocSetId, extension_router
from backend.api.capabilities import Capabilities, Health, Limits, Ready
from backend.api.cluster import cluster_state, waits_for
from backend.api.openapi import events
from backend.api.service import Service
from backend.inference.catalogue import models
from backend.plans.running.behind import Asked, State
from backend.search.lexical import analysis
from workbench.contract.cluster import ClusterState
from workbench.contract.coverage import EvidenceWindow, Merge
from workbench.contract.errors import FieldFault
from workbench.contract.plan import NodeEstimate, PlanCheckRequest, PlanDiffRequest
from workbench.contract.plan_diff import PlanDiff, diff
from workbench.contract.query import NodeWindow, RunComparison, RunTrace
from workbench.contract.version import __version__
from workbench.contract.wire import LARGEST_NUMBER

router = extension_router()
OPEN = ("/v1/workbench/health", "/v1/workbench/ready")
"""Need no credential, so that the server can be monitored."""
_EXAMPLES = examples.about()
_EVENT_SECONDS = 4.0
"""Longest silence of a stream, and how long it may outlive its token."""
QueryId = Annotated[str, Path(max_length=200)]


@router.get("/health", summary="Health")
async def health(service: Backend) -> Health:
    """Whether the backend answers. Needs no credential."""
    pool = service.pool.state()
    return Health(
        status="ok",
        version=__version__,
        pid=os.getpid(),
        started=service.started,
        places=pool.places if pool.connected else 0,
        waits_for=waits_for(pool),
    )


@router.get("/ready", summary="Readiness")
def ready(service: Backend) -> Ready:
    """Whether the backend accepts work: the database answers and it is not stopping.

    503 with the reason otherwise. A cluster that cannot be reached keeps tasks waiting, which is
    accepted work. Needs no credential.
    """
    service.check_ready()
    return Ready(status="ready", waits_for=waits_for(service.pool.state()))


@router.get("/cluster", summary="Cluster")
def cluster(service: Backend, account: Account) -> ClusterState:
    """Where work is done: nodes, places, queue, and what work waits for.

    Counts the tasks of every account.
    """
    return cluster_state(service.database, service.pool.state())


@router.get("/capabilities", summary="Capabilities")
async def capabilities(service: Backend, account: Account) -> Capabilities:
    """Formats, languages, providers of vectors, models, and the limits in force."""
    # Imported on demand: the code that reads documents belongs to the workers.
    from backend.partition import sniff
    from backend.partition.ocr import LANGUAGES
    from backend.partition.ocr_models import installed

    return Capabilities(
        version=__version__,
        formats=list(sniff.FORMATS),
        ocr_languages=sorted(LANGUAGES) if installed() else [],
        stem_languages=sorted(analysis.LANGUAGES),
        embedding=service.settings.embedding,
        embedding_providers=[
            model.name
            for model in models(service.embedders, service.settings.embedding)
            if model.ready
        ],
        chat_model=service.help.chat.name if service.help.chat else None,
        vision_model=service.help.vision.name if service.help.vision else None,
        limits=Limits.model_validate(service.settings, from_attributes=True),
    )


@router.post("/stop", summary="Stop the backend")
def stop(service: Backend, account: Account) -> dict[str, str]:
    """Stops the backend gracefully: running work returns to the queue and resumes at the start."""
    service.stop()
    return {"detail": "Stopping."}


@router.get(
    "/tasks/events",
    summary="Task events",
    response_class=StreamingResponse,
    responses=events("task"),
)
async def task_events(
    request: Request,
    service: Backend,
    account: Account,
    after: Annotated[
        int, Query(ge=0, le=LARGEST_NUMBER, description="Resume after this sequence number.")
    ] = 0,
    last_event_id: Annotated[
        int | None, Header(ge=0, le=LARGEST_NUMBER, description="The same, as sent by browsers.")
    ] = None,
) -> StreamingResponse:
    """Every change of every task as a `task` event, whose id is its sequence number.

    Without a number to resume from, or with one that this server has not given, it begins with the
    current state of all stored tasks. The stream ends soon after its token is revoked or expires.
    """
    start = after if last_event_id is None else last_event_id
    return StreamingResponse(
        _events(service, account, start, request.state.allowed),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )


async def _events(
    service: Service, account: str, after: int, allowed: Callable[[], bool]
) -> AsyncIterator[bytes]:
    yield b": task events\n\n"
    if after > await run_sync(service.queue.latest_change):
        after = 0
    while not service.stopping.is_set():
        mark = service.changes.mark()
        events = await service.task_events.since(account, after, mark)
        if not await run_sync(allowed):
            return
        for piece in events.pieces:
            yield piece
        after = events.last
        if not events.pieces and not await service.changes.wait(mark, _EVENT_SECONDS):
            yield b": still here\n\n"


@router.get("/docsets/{docset_id}/docs/{doc_id}/evidence", summary="Evidence")
def evidence(
    service: Backend, account: Account, docset_id: DocSetId, doc_id: DocId
) -> dict[str, Any]:
    """The source and confidence of each extracted value, and whether a person corrected it."""
    return service.documents.evidence(account, docset_id, doc_id)


@router.get("/docsets/{docset_id}/merged-values", summary="Merged values")
def merged_values(service: Backend, account: Account, docset_id: DocSetId) -> list[Merge]:
    """The spellings that count as one in answers, in the order of the merges."""
    return service.merged_values.all(account, docset_id)


@router.post("/docsets/{docset_id}/merged-values", summary="Merge values")
def merge_values(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    body: Annotated[Merge, Body(openapi_examples=_EXAMPLES["merge"])],
) -> list[Merge]:
    """Counts all `values` of a property as `into`; the documents keep their values."""
    return service.merged_values.add(account, docset_id, body)


@router.delete("/docsets/{docset_id}/merged-values/{number}", summary="Undo a merge")
def undo_merge(
    service: Backend,
    account: Account,
    docset_id: DocSetId,
    number: Annotated[int, Path(ge=0, le=LARGEST_NUMBER)],
) -> list[Merge]:
    """Undoes one merge, numbered from 0 in the order of the list."""
    return service.merged_values.undo(account, docset_id, number)


@router.post("/plans/validate", summary="Validate a plan")
async def validate_plan(
    request: Request,
    service: Backend,
    account: Account,
    body: Annotated[PlanCheckRequest, Body(openapi_examples=_EXAMPLES["validate"])],
) -> list[FieldFault]:
    """All faults of a plan at once; an empty list means that it can run."""
    work = partial(service.plans.validate, body.plan, body.docset_id, account)
    return await service.lanes.plans.run(account, work, request)


@router.post("/plans/estimate", summary="Cost of a plan")
async def estimate_plan(
    request: Request,
    service: Backend,
    account: Account,
    body: Annotated[PlanCheckRequest, Body(openapi_examples=_EXAMPLES["validate"])],
) -> list[NodeEstimate]:
    """The estimated rows and cost of each step; the plan must be valid."""
    work = partial(service.plans.estimate, body.plan, body.docset_id, account)
    return await service.lanes.plans.run(account, work, request)


@router.post("/plans/diff", summary="Difference of two plans")
async def diff_plans(
    request: Request,
    service: Backend,
    account: Account,
    body: Annotated[PlanDiffRequest, Body(openapi_examples=_EXAMPLES["diff"])],
) -> PlanDiff:
    """Steps that were added, removed, changed and moved."""
    return await service.lanes.plans.run(account, partial(diff, body.before, body.after), request)


@router.get("/runs/{query_id}", summary="Trace of a run")
def trace(service: Backend, account: Account, query_id: QueryId) -> RunTrace:
    """For each step: rows in and out, time, rows dropped by reason, samples, warnings."""
    return service.plans.trace(query_id, account)


@router.get("/runs/{query_id}/nodes/{node_id}", summary="Output of a node")
def node_output(
    service: Backend,
    account: Account,
    query_id: QueryId,
    node_id: Annotated[int, Path(ge=0, le=LARGEST_NUMBER)],
    offset: Annotated[int, Query(ge=0, le=LARGEST_NUMBER)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> NodeWindow:
    """A window of the rows that a step returned."""
    return service.plans.node_output(query_id, node_id, account, offset, limit)


@router.get(
    "/runs/{query_id}/nodes/{node_id}/evidence",
    summary="Documents behind a step",
)
def run_evidence(
    service: Backend,
    account: Account,
    query_id: QueryId,
    node_id: Annotated[int, Path(ge=0, le=LARGEST_NUMBER)],
    row: Annotated[
        int | None, Query(ge=0, le=LARGEST_NUMBER, description="One row of the step.")
    ] = None,
    field: Annotated[str | None, Query(max_length=1000, description="One property.")] = None,
    state: Annotated[
        State, Query(description="The documents that were used, or those without a usable value.")
    ] = "used",
    offset: Annotated[int, Query(ge=0, le=LARGEST_NUMBER)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> EvidenceWindow:
    """The documents behind a number: the value in each, its confidence, its place and a quote.

    `state=left_out` with a `field` lists the input documents without a usable value. A value that
    is another one since the run is marked as changed, with the one that the run used; a document
    that was deleted since has the values that the run used.
    """
    asked = Asked(row, field, state, offset, limit)
    behind = service.plans.documents_behind(query_id, node_id, account, asked)
    shown = service.documents.value_evidence(
        account, behind.docset_id, behind.doc_ids, behind.fields, behind.confidence_limit
    )
    return behind.window(shown)


@router.get(
    "/runs/{query_id}/since/{earlier_id}",
    summary="Compare the answers of two runs",
)
def compare_runs(
    service: Backend,
    account: Account,
    query_id: QueryId,
    earlier_id: QueryId,
    offset: Annotated[int, Query(ge=0, le=LARGEST_NUMBER)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> RunComparison:
    """Rows gained, lost and changed since an earlier run, and the documents behind them.

    The two runs may be of two versions of a plan, or of one plan before and after documents
    changed. `offset` and `limit` choose a window of each list; the totals count all.
    """
    return service.plans.compare_runs(earlier_id, query_id, account, offset, limit)
