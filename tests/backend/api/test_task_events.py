"""Events of tasks are read and encoded once for all streams, away from the event loop, in turn."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable

import pytest

from backend.api.task_events import TaskEvents
from workbench.contract.tasks import TaskProgress


class Changes:
    """The changes of every account; a reading waits while `may_read` is clear."""

    def __init__(self, number: int = 900) -> None:
        self.may_read = threading.Event()
        self.may_read.set()
        self.asked: Counter[str] = Counter()
        self.number = number

    def __call__(self, account: str, after: int) -> list[TaskProgress]:
        self.asked[account] += 1
        assert self.may_read.wait(30)
        return [
            TaskProgress(task_id="t", action="/", status="done", submitted=0, sequence=number)
            for number in range(after + 1, self.number + 1)
        ]


async def until(holds: Callable[[], bool]) -> None:
    """Waits for something that other coroutines or threads bring about."""
    for _ in range(1000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen in ten seconds")


async def test_a_hundred_streams_of_an_account_cost_one_reading() -> None:
    changes = Changes()
    events = TaskEvents(changes, lambda: 0)
    every = await asyncio.gather(*(events.since("a", 0, 0) for _ in range(120)))
    assert changes.asked == {"a": 1}
    assert {one.last for one in every} == {900}
    text = b"".join(every[0].pieces).decode()
    assert text.startswith("id: 1\nevent: task\ndata: {") and text.count("\n\n") == 900
    assert 1 < len(every[0].pieces) < 10, "an unread stream keeps a piece, not everything"


async def test_events_are_encoded_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the event loop the streams of one account would delay everybody else's requests."""
    threads = set()
    encode = TaskProgress.model_dump_json

    def noted(change: TaskProgress) -> str:
        threads.add(threading.current_thread())
        return encode(change)

    monkeypatch.setattr(TaskProgress, "model_dump_json", noted)
    await TaskEvents(Changes(), lambda: 0).since("a", 0, 0)
    assert threads and threading.main_thread() not in threads


async def test_another_account_does_not_wait_for_many_readings_of_one() -> None:
    changes = Changes(number=3)
    changes.may_read.clear()
    events = TaskEvents(changes, lambda: 0)
    many = [asyncio.create_task(events.since("a", after, 0)) for after in (0, 1, 2)]
    await until(lambda: changes.asked["a"] == 1)
    other = asyncio.create_task(events.since("b", 0, 0))
    await until(lambda: changes.asked["b"] == 1)
    assert changes.asked["a"] == 1
    changes.may_read.set()
    assert [one.last for one in await asyncio.gather(*many, other)] == [3, 3, 3, 3]


async def test_no_stream_gets_a_reading_that_began_before_what_it_waits_for() -> None:
    changes, fired = Changes(number=1), [0]
    changes.may_read.clear()
    events = TaskEvents(changes, lambda: fired[0])
    first = asyncio.create_task(events.since("a", 0, 0))
    await until(lambda: changes.asked["a"] == 1)
    fired[0] = changes.number = 2
    second = asyncio.create_task(events.since("a", 0, 2))
    changes.may_read.set()
    await first
    assert (await second).last == 2 and changes.asked["a"] == 2


async def test_changes_of_other_servers_come_without_a_signal() -> None:
    changes = Changes(number=0)
    events = TaskEvents(changes, lambda: 0)
    nothing = await events.since("a", 0, 0)
    changes.number = 1
    assert nothing.pieces == [] and (await events.since("a", 0, 0)).last == 1


async def test_a_caller_who_leaves_does_not_end_the_reading_of_others() -> None:
    changes = Changes(number=1)
    changes.may_read.clear()
    events = TaskEvents(changes, lambda: 0)
    leaves, stays = (asyncio.create_task(events.since("a", 0, 0)) for _ in range(2))
    await until(lambda: changes.asked["a"] == 1)
    leaves.cancel()
    changes.may_read.set()
    assert (await stays).last == 1 and changes.asked["a"] == 1
