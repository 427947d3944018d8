"""`client.aio` is the same API for await, call by call."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.backend_process import BackendProcess
from tests.workbench.awaited_source import FOLDER, LOCAL, TARGETS, source
from workbench import Workbench, connect
from workbench.client import Mistake, UnknownName
from workbench.objects import DocSet, DocSets, Document, PlanDraft, Run, Task
from workbench.objects.awaited import AsyncDocSet, AsyncDocument, AsyncPlanDraft
from workbench.objects.awaited_run import AsyncRun, AsyncTask
from workbench.objects.awaited_workbench import AsyncDocSets, AsyncWorkbench

PAIRS: list[tuple[type, type]] = [
    (Workbench, AsyncWorkbench), (DocSets, AsyncDocSets), (DocSet, AsyncDocSet),
    (Document, AsyncDocument),
    (PlanDraft, AsyncPlanDraft), (Run, AsyncRun), (Task, AsyncTask),
]  # fmt: skip
AWAITED_PROPERTIES = {"tasks"}
"""Properties that ask the server; to be awaited they must be called."""
NOT_AWAITED = {"task"} | {name for names in LOCAL.values() for name in names}
ONLY_HERE = {("Workbench", "aio"), ("DocSets", "title")}


@pytest.fixture
def client(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workbench]:
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    with connect(backend.url, backend.token) as opened:
        yield opened


def members(kind: type) -> dict[str, Any]:
    return {
        name: member
        for name, member in vars(kind).items()
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
    }


@pytest.mark.parametrize(
    ("sync", "awaited", "name"),
    [
        pytest.param(sync, awaited, name, id=f"{sync.__name__}.{name}")
        for sync, awaited in PAIRS
        for name in members(sync)
        if (sync.__name__, name) not in ONLY_HERE
    ],
)
def test_every_call_exists_with_the_same_parameters(sync, awaited, name):
    one, other = members(sync)[name], members(awaited)[name]
    if isinstance(one, property):
        assert isinstance(other, property) or name in AWAITED_PROPERTIES
        return

    def parameters(function: Any) -> list[tuple[str, Any, Any]]:
        given = inspect.signature(function).parameters.values()
        return [(p.name, p.kind, inspect.isfunction(p.default) or p.default) for p in given]

    assert parameters(one) == parameters(other)
    goes_on = "Iterator" in str(inspect.signature(other).return_annotation)
    assert inspect.iscoroutinefunction(other) or goes_on or name in NOT_AWAITED


@pytest.mark.parametrize("target", TARGETS)
def test_the_awaited_objects_are_generated_from_the_others(target):
    text = (FOLDER / f"{target}.py").read_text("utf-8")
    assert text == source(target), "run python -m tests.workbench.awaited_source"


async def test_a_session_is_awaited_from_the_first_call_to_the_last(client):
    aio = client.aio
    docset = await aio.docsets.create("awaited", schema={"state": str})
    texts = [f"State: Alaska\n\nReport {n} about wind.".encode() for n in range(3)]
    added = await docset.add(texts, progress=False)
    assert len(added) == 3 and len(docset) == 3
    again, none = await aio.docsets["awaited"], await aio.docsets.get("nothing like it")
    assert again.id == docset.id and none is None
    hits, documents = await asyncio.gather(docset.search("wind"), docset.documents())
    assert len(hits) == len(documents) == 3
    assert [len(page) async for page in docset.document_pages(size=2)] == [2, 1]
    plan = await docset.plan("How many documents are there for each state?")
    edited = await plan.edit("only the first one")
    assert (edited - plan).lines and edited.undo().number == plan.number
    run = await plan.run()
    assert run.to_polars().to_dicts() == [{"state": "Alaska", "count": 3}]
    assert len((await run.why(0)).doc_ids) == 3 and len(await run[0]) == 3
    task = await docset.submit(b"One more.", name="more.txt")
    assert (await task)["name"] == "more.txt" and await task.done()
    assert task.id in {one.id for one in await aio.tasks()}
    assert docset.id in [one.id async for one in aio.docsets]
    await docset.delete()
    with pytest.raises(UnknownName):
        await aio.docsets["awaited"]


async def test_the_loop_of_the_caller_keeps_running(client, monkeypatch):
    docset = await client.aio.docsets.create("patient")
    monkeypatch.setattr(docset.sync, "documents", lambda *_, **__: time.sleep(0.3))
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    beating = asyncio.create_task(beat())
    await docset.documents()
    beating.cancel()
    assert beats > 3


async def test_errors_are_the_same(client):
    docset = await client.aio.docsets.create("mistaken")
    with pytest.raises(Mistake, match="Did you mean 'hybrid'"):
        await docset.search("ice", kind="hybrd")
    pages = docset.hit_pages("ice", size=0)
    assert isinstance(pages, AsyncIterator)
    with pytest.raises(Mistake, match="size must be"):
        await anext(pages)
