"""A client whose network is a function, and whose pauses are recorded instead of waited for."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx
import pytest

from workbench.client import AsyncClient, Retry
from workbench.client.wire import Relocate

Handler = Callable[[httpx.Request], httpx.Response]


@dataclass
class Scene:
    """The client, its requests, and its pauses in between."""

    client: AsyncClient
    requests: list[httpx.Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)


@pytest.fixture
def scene() -> Callable[..., Scene]:
    def build(
        handler: Handler, *, in_real_time: bool = False, relocate: Relocate | None = None
    ) -> Scene:
        async def pause(seconds: float) -> None:
            made.pauses.append(seconds)
            await asyncio.sleep(seconds if in_real_time else 0)

        async def answer(request: httpx.Request) -> httpx.Response:
            await request.aread()
            made.requests.append(request)
            return handler(request)

        retry = Retry(sleep=pause, random=lambda: 1.0)
        transport = httpx.MockTransport(answer)
        client = AsyncClient(
            "http://server/", "secret", transport=transport, retry=retry, relocate=relocate
        )
        made = Scene(client)
        return made

    return build
