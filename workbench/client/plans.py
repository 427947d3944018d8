"""Calls about query plans: question to plan, feedback to better plan, plan to result.

The data of a run's events is JSON for `plan`, `trace_doc` and `result_doc`, and text for the
others; `rag_source` and `citations` may be either.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Literal, TypeVar, cast, get_args

from pydantic import BaseModel, TypeAdapter

from workbench.client.calls import Calls
from workbench.client.errors import BadAnswer, fitting
from workbench.client.events import ServerEvent, read_events
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.coverage import EvidenceWindow
from workbench.contract.plan import (
    EditRequest,
    NodeEstimate,
    Plan,
    PlanCheckRequest,
    PlanDiffRequest,
    Query,
)
from workbench.contract.plan_diff import PlanDiff
from workbench.contract.query import (
    AnswerAccount,
    Event,
    EventName,
    NodeProgress,
    QueryResult,
    RunComparison,
)

_QUERY = "/v1/query"
_PLAN = "/v1/query/plan"
_JSON_EVENTS = ("plan", "trace_doc", "result_doc")
_PERHAPS_JSON_EVENTS = ("rag_source", "citations")
_ESTIMATES = TypeAdapter(list[NodeEstimate])
QueryEvent = Event
EvidenceState = Literal["used", "left_out"]
Extension = TypeVar("Extension", bound=BaseModel)


class PlanCalls(Calls):
    async def generate_plan(self, docset_id: str, question: str) -> Plan:
        """Generates a plan that answers the question."""
        with fitting():
            body = Query(docset_id=docset_id, query=question)
        return await self.wire.model(Call("POST", _PLAN, json=body, patient=True), Plan)

    async def edit_plan(
        self, docset_id: str, plan: Plan, feedback: str, question: str | None = None
    ) -> Plan:
        """Rewrites the plan by the feedback; its `edit` reports the effect of each clause."""
        with fitting():
            query = Query(docset_id=docset_id, query=question, plan=plan)
            body = EditRequest(query=query, feedback=feedback)
        return await self.wire.model(Call("PATCH", _PLAN, json=body, patient=True), Plan)

    async def run_plan(
        self,
        docset_id: str,
        plan: Plan,
        *,
        until_node: int | None = None,
        summarize: bool = False,
        confidence_limit: float | None = None,
    ) -> QueryResult:
        """Runs the plan, optionally only up to a node, and waits for the result.

        Values with less confidence than the limit are left out; None means the limit of the DocSet,
        0 uses every value.
        """
        call = _run(
            docset_id, plan, until_node, confidence_limit, summarize=summarize, stream=False
        )
        return await self.wire.model(call, QueryResult)

    def stream_plan(
        self,
        docset_id: str,
        plan: Plan,
        *,
        until_node: int | None = None,
        summarize: bool = False,
    ) -> AsyncGenerator[QueryEvent, None]:
        """Runs the plan and yields events up to `complete`; closing the generator stops the run."""
        return self._events(
            _run(docset_id, plan, until_node, None, summarize=summarize, stream=True)
        )

    def stream_answer(
        self, docset_id: str, question: str, *, among: Sequence[str] | None = None
    ) -> AsyncGenerator[QueryEvent, None]:
        """Answers from the texts that match the question best: `rag_source`, `rag_answer`,
        `citations`. With `among`, a list of document ids, it only reads those.
        """
        with fitting():
            body = Query(
                docset_id=docset_id,
                query=question,
                stream=True,
                rag_mode=True,
                doc_inclusion_list=None if among is None else list(among),
            )
        return self._events(Call("POST", _QUERY, json=body, patient=True))

    async def _events(self, call: Call) -> AsyncGenerator[QueryEvent, None]:
        async with self.wire.pieces(call) as pieces:
            async for event in read_events(pieces):
                if (parsed := _read(event)) is not None:
                    yield parsed

    async def estimate_plan(self, docset_id: str, plan: Plan) -> list[NodeEstimate]:
        """Estimated output and cost of each step of a valid plan (extension)."""
        with fitting():
            body = PlanCheckRequest(docset_id=docset_id, plan=plan)
        call = Call("POST", f"{EXTENSIONS}plans/estimate", json=body)
        estimates: list[NodeEstimate] = await self.wire.parsed(call, _ESTIMATES)
        return estimates

    async def diff_plans(self, before: Plan, after: Plan) -> PlanDiff:
        """The differences between two plans, computed by the server (extension)."""
        with fitting():
            body = PlanDiffRequest(before=before, after=after)
        return await self.wire.model(Call("POST", f"{EXTENSIONS}plans/diff", json=body), PlanDiff)

    async def run_trace(self, query_id: str) -> dict[str, Any]:
        """Input and output of each node of a run (extension)."""
        trace: dict[str, Any] = await self.wire.json(Call("GET", _run_path(query_id)))
        return trace

    async def compare_runs(
        self, before: str, after: str, offset: int = 0, limit: int = 200
    ) -> RunComparison:
        """The difference between the answers of two runs (extension)."""
        path = f"{_run_path(after)}/since/{segment(before)}"
        call = Call("GET", path, params={"offset": offset, "limit": limit})
        return await self.wire.model(call, RunComparison)

    async def node_output(
        self, query_id: str, node_id: int, offset: int = 0, limit: int = 200
    ) -> dict[str, Any]:
        """A window of a node's rows: `columns`, `rows`, and `total` of all rows (extension)."""
        path = f"{_run_path(query_id)}/nodes/{node_id}"
        params = {"offset": offset, "limit": limit}
        window: dict[str, Any] = await self.wire.json(Call("GET", path, params=params))
        return window

    async def run_evidence(
        self,
        query_id: str,
        node_id: int,
        *,
        row: int | None = None,
        field: str | None = None,
        state: EvidenceState = "used",
        offset: int = 0,
        limit: int = 100,
    ) -> EvidenceWindow:
        """Documents behind a step or one of its rows, with values and sources; with `left_out` the
        documents that the step could not use (extension).
        """
        path = f"{_run_path(query_id)}/nodes/{node_id}/evidence"
        params = {"row": row, "field": field, "state": state, "offset": offset, "limit": limit}
        return await self.wire.model(Call("GET", path, params=params), EvidenceWindow)


@fitting()
def _run(
    docset_id: str,
    plan: Plan,
    until_node: int | None,
    confidence_limit: float | None,
    *,
    summarize: bool,
    stream: bool,
) -> Call:
    # summarize_result only works with stream, but the caller's wish is sent in either case.
    body = Query(
        docset_id=docset_id,
        plan=plan,
        stream=stream,
        summarize_result=summarize,
        confidence_limit=confidence_limit,
    )
    return Call("POST", _QUERY, params={"until_node": until_node}, json=body, patient=True)


def _run_path(query_id: str) -> str:
    return f"{EXTENSIONS}runs/{segment(query_id)}"


def _extension(kind: type[Extension], text: str | None) -> Extension | None:
    """Extra data of an event; None when absent or in an unknown format."""
    try:
        return kind.model_validate_json(text) if text else None
    except ValueError:
        return None


def _read(event: ServerEvent) -> QueryEvent | None:
    """The event as a type of the contract; None for an unknown name."""
    if event.name not in get_args(EventName):
        return None
    name = cast("EventName", event.name)
    if name not in _JSON_EVENTS + _PERHAPS_JSON_EVENTS:
        return QueryEvent(
            name,
            event.data,
            _extension(NodeProgress, event.progress),
            _extension(AnswerAccount, event.account),
        )
    try:
        return QueryEvent(name, json.loads(event.data))
    except ValueError as error:
        if name in _PERHAPS_JSON_EVENTS:
            return QueryEvent(name, event.data)
        raise BadAnswer(f"The data of a {name} event is not JSON.") from error
