"""The client: every call of the contract and its extensions as one flat set of methods."""

from typing import Self

import httpx

from workbench.client.docsets import DocSetCalls
from workbench.client.documents import DocumentCalls
from workbench.client.jobs import JobCalls
from workbench.client.partition import PartitionCalls
from workbench.client.plans import PlanCalls
from workbench.client.retry import Retry
from workbench.client.reviews import ReviewCalls
from workbench.client.search import SearchCalls
from workbench.client.service import ServiceCalls
from workbench.client.tasks import TaskCalls
from workbench.client.wire import Relocate, Wire


class AsyncClient(
    DocSetCalls,
    DocumentCalls,
    JobCalls,
    ReviewCalls,
    TaskCalls,
    PartitionCalls,
    SearchCalls,
    PlanCalls,
    ServiceCalls,
):
    """Talks to one server from one event loop; close it with `aclose` or `async with`.

    `timeout` is the maximum silence in seconds; calls that run work on the server wait without a
    limit. `transport` replaces the network, for example by an ASGI application. `relocate` is asked
    for a new address when nothing answers: the bundled backend stops when unused for long and
    listens elsewhere at its next start.
    Every method raises `workbench.client.errors.WorkbenchError`.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        timeout: float = 60,
        retry: Retry | None = None,
        relocate: Relocate | None = None,
    ) -> None:
        self.wire = Wire(
            base_url,
            token,
            transport=transport,
            timeout=timeout,
            retry=retry or Retry(),
            relocate=relocate,
        )

    @property
    def base_url(self) -> str:
        return self.wire.base_url

    async def aclose(self) -> None:
        await self.wire.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncClient({self.base_url!r})"
