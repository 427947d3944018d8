import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from tests.tui.fake_client import task
from workbench.client import ConnectionFailed, MissingExtension
from workbench.sessions.task_watch import TaskWatch, failed


@asynccontextmanager
async def running(watch):
    """The watch at work; gives what waits for a condition."""

    async def until(condition):
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline, "the awaited state never came"
            await asyncio.sleep(0.002)

    work = asyncio.create_task(watch.run())
    try:
        yield until
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def run_until(watch, condition):
    async with running(watch) as until:
        await until(condition)


async def nap(_seconds: float) -> None:
    await asyncio.sleep(0.001)


async def test_events_keep_the_tasks_current_and_listeners_hear_of_each(client, clock):
    client.progress = [task(1), task(2, "queued"), task(1, "done", outcome=200, sequence=5)]
    heard = []
    watch = TaskWatch(client, clock=clock, sleep=nap)
    stop = watch.listen(lambda progress: heard.append(progress.sequence))
    await run_until(watch, lambda: len(heard) == 3)
    stop()
    assert watch.channel == "events"
    assert watch.running == 1
    assert watch.tasks["wb:t-1"].status == "done"


async def test_a_late_event_never_undoes_a_newer_one(client, clock):
    client.progress = [task(1, "done", outcome=200, sequence=9), task(1, sequence=3), task(2)]
    watch = TaskWatch(client, clock=clock, sleep=nap)
    await run_until(watch, lambda: "wb:t-2" in watch.tasks)
    assert watch.tasks["wb:t-1"].status == "done"


async def test_a_server_without_events_is_asked_again_and_again(client, clock):
    client.fail["task_events"] = MissingExtension(404, "This server does not offer that.")
    client.progress = [task(1, "queued")]
    watch = TaskWatch(client, clock=clock, sleep=nap)
    async with running(watch) as until:
        await until(lambda: watch.tasks and watch.channel == "polling")
        client.progress = [task(1, "done")]
        await until(lambda: watch.tasks["wb:t-1"].status == "done")
    assert watch.channel == "polling"
    assert watch.tasks["wb:t-1"].submitted == clock()


async def test_an_unresponsive_server_is_reported_and_retried(client, clock):
    client.fail["task_events"] = ConnectionFailed("Nothing listens there.")
    client.progress = [task(1)]
    watch = TaskWatch(client, clock=clock, sleep=nap)
    await run_until(watch, lambda: watch.channel == "waiting")
    assert watch.trouble == "Nothing listens there."
    client.fail.clear()
    await run_until(watch, lambda: watch.channel == "events")
    assert watch.trouble is None


@pytest.mark.parametrize(("outcome", "bad"), [(200, False), (415, True), (None, False)])
def test_a_task_that_ended_with_an_error_counts_as_failed(outcome, bad):
    assert failed(task(1, "done", outcome=outcome)) is bad


async def test_a_silent_stream_of_a_server_that_came_back_does_no_harm(client, clock):
    client.fail["tasks"] = ConnectionFailed("Nothing listens there.")
    watch = TaskWatch(client, clock=clock, sleep=nap)
    await run_until(watch, lambda: watch.channel == "waiting")
    client.fail.clear()
    await run_until(watch, lambda: watch.channel == "events")
    assert watch.trouble is None
    assert watch.tasks == {}
