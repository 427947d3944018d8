"""A run whose caller disconnects is cancelled: nobody would read its answer."""

import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from backend.api.lanes import Lanes
from backend.api.plans import router, sse
from workbench.contract.query import Event


class EndlessPlans:
    """Tells one word of a run, and goes on until its caller has gone."""

    def __init__(self) -> None:
        self.ended = threading.Event()

    def run(
        self,
        query: object,
        account: str,
        emit: Callable[[Event], None],
        cancelled: Callable[[], bool],
        **_: object,
    ) -> None:
        emit(Event("status", "begun"))
        deadline = time.monotonic() + 60
        while not cancelled() and time.monotonic() < deadline:
            time.sleep(0.01)
        if cancelled():
            self.ended.set()

    def run_written(
        self, query: object, account: str, cancelled: Callable[[], bool], until_node: int | None
    ) -> bytes:
        self.run(query, account, lambda _event: None, cancelled)
        return b"null"


@pytest.fixture
def plans() -> EndlessPlans:
    return EndlessPlans()


@pytest.fixture
def url(plans: EndlessPlans) -> Iterator[str]:
    app = FastAPI()
    app.include_router(router)
    app.state.service = SimpleNamespace(plans=plans, lanes=Lanes(30, 30))

    async def known(scope: Any, receive: Any, send: Any) -> None:
        scope.setdefault("state", {})["account_id"] = "a"
        await app(scope, receive, send)

    server = uvicorn.Server(uvicorn.Config(known, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(60)


def test_closing_a_stream_cancels_its_run(url: str, plans: EndlessPlans) -> None:
    body = {"query": "how many?", "docset_id": "d", "stream": True}
    with httpx.Client() as http, http.stream("POST", f"{url}/v1/query", json=body) as answer:
        assert next(answer.iter_lines()) == "event: status"
        assert not plans.ended.is_set()
    assert plans.ended.wait(30)


def test_disconnecting_cancels_a_run(url: str, plans: EndlessPlans) -> None:
    body = {"query": "how many?", "docset_id": "d"}
    with httpx.Client(timeout=0.5) as http, pytest.raises(httpx.ReadTimeout):
        http.post(f"{url}/v1/query", json=body)
    assert plans.ended.wait(30)


def test_a_text_with_unusual_line_ends_reaches_line_readers_whole() -> None:
    text = "one\r\ntwo\x0cthree\u2028four\x85five"
    lines = sse(Event("rag_answer", text)).decode().splitlines()
    assert lines[0] == "event: rag_answer"
    assert [line.removeprefix("data: ") for line in lines[1:6]] == [
        "one", "two", "three", "four", "five",
    ]  # fmt: skip
