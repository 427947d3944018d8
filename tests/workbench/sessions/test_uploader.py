import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from tests.tui.fake_client import NOW, task
from workbench.client import ConnectionFailed, RateLimited, ServerFailed, TaskResult
from workbench.sessions.task_watch import TaskWatch
from workbench.sessions.upload_queue import LEASE_SECONDS, UploadQueue
from workbench.sessions.uploader import Uploader


@pytest.fixture
def queue(file, clock):
    return UploadQueue(file, clock=clock)


async def nap(_seconds: float) -> None:
    await asyncio.sleep(0.001)


@asynccontextmanager
async def working(queue, client, clock, **options):
    """An uploader at work."""
    watch = TaskWatch(client, clock=clock, sleep=nap)
    uploader = Uploader(queue, client, watch, clock=clock, sleep=nap, **options)
    tasks = [asyncio.create_task(watch.run()), asyncio.create_task(uploader.run())]
    try:
        yield uploader
    finally:
        for running in tasks:
            running.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the awaited state never came"
        await asyncio.sleep(0.002)


def states(queue):
    return [upload.state for upload in queue.uploads()]


def finish(client, number: int, result: TaskResult) -> None:
    """The server ends task `number`."""
    client.results[f"wb:t-{number}"] = result
    client.progress.append(
        task(number, "done", sequence=100 + number, outcome=result.status, finished=1.0)
    )


async def test_every_file_becomes_a_document(queue, client, clock, papers):
    queue.add("wb:ds-1", papers)
    async with working(queue, client, clock):
        await until(lambda: len(client.sent) == 3)
        for number in (1, 2, 3):
            finish(client, number, TaskResult(False, 200, {"doc_id": f"doc {number}"}))
        await until(lambda: states(queue) == ["done"] * 3)
    assert {upload.doc_id for upload in queue.uploads()} == {"doc 1", "doc 2", "doc 3"}


async def test_one_failure_stops_nothing_and_its_reason_is_kept(queue, client, clock, papers):
    queue.add("wb:ds-1", papers)
    async with working(queue, client, clock, at_once=1):
        await until(lambda: len(client.sent) == 3)
        finish(client, 1, TaskResult(False, 200, {"doc_id": "doc 1"}))
        finish(client, 2, TaskResult(False, 415, {"detail": "The PDF is encrypted."}))
        finish(client, 3, TaskResult(False, 200, {"doc_id": "doc 3"}))
        await until(lambda: sorted(states(queue)) == ["done", "done", "failed"])
    assert [u.reason for u in queue.uploads() if u.state == "failed"] == ["The PDF is encrypted."]


async def test_a_vanished_file_fails_with_a_reason_and_the_others_continue(
    queue, client, clock, papers
):
    queue.add("wb:ds-1", papers)
    papers[0].unlink()
    async with working(queue, client, clock):
        await until(lambda: len(client.sent) == 2 and states(queue)[0] == "failed")
    assert "cannot be read" in queue.uploads()[0].reason


async def test_no_more_than_the_limit_are_sent_at_once(queue, client, clock, papers):
    busy, most = 0, 0
    gate = asyncio.Event()

    async def slow(*_args, **_options):
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await gate.wait()
        busy -= 1
        return "wb:t-9"

    client.submit_document = slow
    queue.add("wb:ds-1", papers)
    async with working(queue, client, clock, at_once=2):
        await until(lambda: busy == 2)
        await asyncio.sleep(0.02)
        gate.set()
        await until(lambda: states(queue).count("partitioning") == 3)
    assert most == 2


async def test_while_the_server_is_away_uploads_wait_and_then_continue(
    queue, client, clock, papers
):
    client.fail["submit_document"] = ConnectionFailed("Nothing answers.")
    queue.add("wb:ds-1", papers[:1])
    async with working(queue, client, clock) as uploader:
        await until(lambda: uploader.trouble is not None)
        assert states(queue) == ["queued"]
        del client.fail["submit_document"]
        clock.now += 60
        await until(lambda: states(queue) == ["partitioning"])
        assert uploader.trouble is None


async def test_a_server_that_takes_no_more_is_asked_again_later(queue, client, clock, papers):
    client.fail["submit_document"] = RateLimited(429, "Too many requests", 30.0)
    queue.add("wb:ds-1", papers[:1])
    async with working(queue, client, clock):
        await until(lambda: queue.uploads()[0].reason is not None)
        tries = len(client.calls)
        clock.now += 10
        await asyncio.sleep(0.02)
        assert len([c for c in client.calls[tries:] if c[0] == "submit_document"]) == 0
        del client.fail["submit_document"]
        clock.now += 30
        await until(lambda: states(queue) == ["partitioning"])


async def test_the_same_bytes_are_noticed_and_sent_only_when_meant(queue, client, clock, papers):
    papers[1].write_bytes(papers[0].read_bytes())
    queue.add("wb:ds-1", papers[:2])
    async with working(queue, client, clock, at_once=1) as uploader:
        await until(lambda: "duplicate" in states(queue))
        assert len(client.sent) == 1
        duplicate = queue.uploads()[1]
        assert "paper 0.txt" in duplicate.reason
        queue.retry([duplicate.id])
        uploader.wake()
        await until(lambda: len(client.sent) == 2)


async def test_after_a_restart_finished_tasks_are_collected(queue, client, clock, papers):
    [upload] = queue.add("wb:ds-1", papers[:1])
    queue.change(upload.id, "partitioning", task_id="wb:t-1")
    client.results["wb:t-1"] = TaskResult(False, 200, {"doc_id": "doc 1"})
    async with working(queue, client, clock):
        await until(lambda: states(queue) == ["done"])


async def test_a_server_fault_while_collecting_is_tried_again(queue, client, clock, papers):
    [upload] = queue.add("wb:ds-1", papers[:1])
    queue.change(upload.id, "partitioning", task_id="wb:t-1")
    client.fail["result"] = ServerFailed(500, "Internal server error.")
    async with working(queue, client, clock):
        await until(lambda: ("result", ("wb:t-1",)) in client.calls)
        assert states(queue) == ["partitioning"]
        client.results["wb:t-1"] = TaskResult(False, 200, {"doc_id": "doc 1"})
        del client.fail["result"]
        await until(lambda: states(queue) == ["done"])


async def test_an_orphan_that_the_server_already_has_is_not_sent_twice(
    queue, client, clock, tmp_path
):
    known = client.files["wb:ds-1"][0]
    paper = tmp_path / known.name
    paper.write_bytes(b"x" * known.size)
    queue.add("wb:ds-1", [paper])
    queue.claim("killed", 1)
    clock.now += LEASE_SECONDS + 1
    async with working(queue, client, clock):
        await until(lambda: states(queue) == ["done"])
    assert client.sent == []
    assert queue.uploads()[0].doc_id == known.doc_id


async def test_a_cancelled_upload_stays_to_be_retried(queue, client, clock, papers):
    queue.add("wb:ds-1", papers[:1])
    async with working(queue, client, clock) as uploader:
        await until(lambda: states(queue) == ["partitioning"])
        await uploader.cancel(queue.uploads()[0])
        assert states(queue) == ["cancelled"]
        assert ("cancel", ("wb:t-1",)) in client.calls
        assert queue.retry() == 0
        assert queue.retry([queue.uploads()[0].id]) == 1


async def test_an_upload_whose_task_was_cancelled_elsewhere_is_not_a_failure(
    queue, client, clock, papers
):
    queue.add("wb:ds-1", papers[:1])
    async with working(queue, client, clock):
        await until(lambda: states(queue) == ["partitioning"])
        client.results.clear()
        client.progress.append(task(1, "cancelled", finished=NOW, sequence=9))
        await until(lambda: states(queue) == ["cancelled"])


async def test_ending_the_program_gives_claims_back_at_once(queue, client, clock, papers):
    async def hang(*_args, **_options):
        await asyncio.Event().wait()

    client.submit_document = hang
    queue.add("wb:ds-1", papers[:1])
    async with working(queue, client, clock):
        await until(lambda: states(queue) == ["sending"])
    assert states(queue) == ["queued"]
