"""Routes of query plans: generate, edit, run, and run as a stream of events."""

import asyncio
import json
import logging
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Annotated, get_args

from anyio.to_thread import run_sync
from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response, StreamingResponse

from backend.api import examples
from backend.api.bodies import StrictRoute
from backend.api.calls import REFUSALS, Account, Backend
from backend.api.openapi import events
from backend.api.service import Service
from backend.plans.running.answering import Later
from workbench.contract.errors import ServiceError
from workbench.contract.plan import EditRequest, NewQuery, Plan
from workbench.contract.query import Event, EventName, QueryResult
from workbench.contract.wire import LARGEST_NUMBER

router = APIRouter(prefix="/v1/query", tags=["Query"], route_class=StrictRoute, responses=REFUSALS)
_EXAMPLES = examples.about()
_LINE_END = re.compile(r"\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""All line ends of some line reader, for instance that of httpx."""
_STOP_SECONDS = 5.0
_log = logging.getLogger(__name__)


@router.post("/plan", summary="Generate Plan")
async def generate(
    request: Request,
    service: Backend,
    account: Account,
    body: Annotated[NewQuery, Body(openapi_examples=_EXAMPLES["plan"])],
) -> Plan:
    work = partial(service.plans.generate, body, account)
    return await service.lanes.plans.run(account, work, request)


@router.patch("/plan", summary="Edit Plan")
async def edit(
    request: Request,
    service: Backend,
    account: Account,
    body: Annotated[EditRequest, Body(openapi_examples=_EXAMPLES["edit"])],
) -> Plan:
    work = partial(service.plans.edit, body, account)
    return await service.lanes.plans.run(account, work, request)


@router.post(
    "", summary="Run Query", response_model=QueryResult, responses=events(*get_args(EventName))
)
async def run(
    request: Request,
    service: Backend,
    account: Account,
    body: Annotated[NewQuery, Body(openapi_examples=_EXAMPLES["run"])],
    until_node: Annotated[
        int | None, Query(ge=0, le=LARGEST_NUMBER, description="Extension: stop behind this node.")
    ] = None,
) -> Response:
    work = _Run(service, account, body, until_node)
    if body.stream:
        return StreamingResponse(work.stream(), media_type="text/event-stream")
    result = await service.lanes.runs.run(account, work.written, request, work.stop)
    return Response(result, media_type="application/json")


def sse(event: Event) -> bytes:
    """An event on the wire; text with line breaks becomes several data lines."""
    text = event.data if isinstance(event.data, str) else json.dumps(event.data)
    lines = "".join(f"data: {line}\n" for line in _LINE_END.split(text))
    beside = {"progress": event.progress, "account": event.account}
    extra = "".join(
        f"{name}: {value.model_dump_json()}\n"
        for name, value in beside.items()
        if value is not None
    )
    return f"event: {event.name}\n{extra}{lines}\n".encode()


class _Run:
    """One run of a query in a thread; the event loop reads its events."""

    def __init__(
        self, service: Service, account: str, query: NewQuery, until_node: int | None
    ) -> None:
        self._service = service
        self._account = account
        self._query = query
        self._until_node = until_node
        self._cancelled = threading.Event()
        self._emit: Callable[[Event], None] = lambda _event: None
        self._later: Later | None = None

    def run(self) -> QueryResult:
        return self._service.plans.run(
            self._query,
            self._account,
            self._emit,
            self._cancelled.is_set,
            until_node=self._until_node,
            later=self._later,
        )

    def written(self) -> bytes:
        """The answer as JSON, without events."""
        return self._service.plans.run_written(
            self._query, self._account, self._cancelled.is_set, self._until_node
        )

    def stop(self) -> None:
        """Stops the run at its next check; completed steps are kept."""
        self._cancelled.set()

    async def stream(self) -> AsyncIterator[bytes]:
        """The events as they arrive; leaving the iteration cancels the run."""
        loop = asyncio.get_running_loop()
        pending: asyncio.Queue[Event | Iterator[list[Event]] | None] = asyncio.Queue()

        def put(event: Event | Iterator[list[Event]] | None) -> None:
            loop.call_soon_threadsafe(pending.put_nowait, event)

        async def work() -> None:
            try:
                await self._service.lanes.runs.run(self._account, self.run)
            except ServiceError as error:
                put(Event("error", error.detail))
            except Exception:
                _log.exception("a streamed query failed")
                put(Event("error", "Internal server error."))
            finally:
                put(None)

        self._emit = self._later = put
        worker = asyncio.ensure_future(work())
        try:
            while (item := await pending.get()) is not None:
                if isinstance(item, Event):
                    yield sse(item)
                    continue
                while window := await run_sync(_written, item):
                    yield window
        except Exception:
            _log.exception("a streamed answer failed")
            yield sse(Event("error", "Internal server error."))
        finally:
            self.stop()
            await asyncio.wait({worker}, timeout=_STOP_SECONDS)
            worker.cancel()
            await asyncio.wait({worker})


def _written(windows: Iterator[list[Event]]) -> bytes:
    """The next events of a list on the wire; empty after the last ones."""
    return b"".join(map(sse, next(windows, [])))
