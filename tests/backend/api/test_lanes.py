"""Slow requests of one account leave room for those of another."""

import asyncio
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from backend.api.documents import get
from backend.api.lanes import Lane, Lanes, Turns
from backend.api.time_limit import TimeLimits
from workbench.contract.errors import Unavailable


async def test_one_account_never_has_all_places() -> None:
    lane = Lane(3, 60, TimeLimits())
    go = threading.Event()
    slow = [asyncio.create_task(lane.run("many", go.wait)) for _ in range(8)]
    await asyncio.sleep(0.1)
    assert await asyncio.wait_for(lane.run("one", lambda: "done"), 5) == "done"
    go.set()
    assert await asyncio.gather(*slow) == [True] * 8


async def test_names_that_are_never_resolved_hold_up_no_search() -> None:
    """45 webhooks beside a silent resolver delayed a search by 7.7 s."""
    lanes = Lanes(60, 60)
    go = threading.Event()
    stuck = [asyncio.create_task(lanes.names.run("many", go.wait)) for _ in range(45)]
    await asyncio.sleep(0.1)
    for lane, account in ((lanes.searches, "many"), (lanes.names, "one")):
        assert await asyncio.wait_for(lane.run(account, lambda: "done"), 5) == "done"
    go.set()
    assert await asyncio.gather(*stuck) == [True] * 45


async def test_accounts_take_turns() -> None:
    turns = Turns(1)
    order: list[str] = []

    async def work(account: str) -> None:
        async with turns.turn(account):
            order.append(account)
            await asyncio.sleep(0)

    await asyncio.gather(*map(work, ["a", "a", "a", "a", "b", "b", "c"]))
    assert order == ["a", "a", "b", "c", "a", "b", "a"]


async def test_leaving_the_queue_frees_the_place() -> None:
    turns = Turns(1)
    async with turns.turn("a"):
        waiting = [asyncio.create_task(entered(turns, name)) for name in ("b", "b", "c")]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
    assert await asyncio.wait_for(asyncio.gather(*waiting[1:]), 5) == [True, True]
    assert await asyncio.wait_for(entered(turns, "d"), 5)


@pytest.mark.parametrize(("query", "at_once"), [(b"", 2), (b"include_original_elements=true", 1)])
async def test_one_account_has_few_documents_written_at_once(query: bytes, at_once: int) -> None:
    """Forty large ones at once left the interpreter to nobody else for seconds."""
    inside, most = 0, 0
    lock = threading.Lock()

    def write(*document: str, **_: object) -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.02)
        with lock:
            inside -= 1

    service: Any = SimpleNamespace(
        lanes=Lanes(60, 60), documents=SimpleNamespace(write=write)
    )  # fmt: skip
    request = Request({"type": "http", "method": "GET", "query_string": query, "headers": []})
    answers = [get(request, service, "a", "docset", "doc") for _ in range(6)]
    assert {answer.status_code for answer in await asyncio.gather(*answers)} == {200}
    assert most == at_once


async def entered(turns: Turns, account: str) -> bool:
    async with turns.turn(account):
        return True


async def test_work_ends_when_its_caller_disconnects() -> None:
    lane = Lane(2, 600, TimeLimits())
    ended = threading.Event()

    def work() -> None:
        try:
            while True:
                time.sleep(0.01)
        finally:
            ended.set()

    task = asyncio.create_task(lane.run("a", work))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_work_that_takes_too_long_is_refused() -> None:
    with pytest.raises(Unavailable):
        await Lane(1, 0.1, TimeLimits()).run("a", lambda: [time.sleep(0.01) for _ in range(10_000)])
