"""Property jobs over many documents: parallel, ordered, resumable, cancellable, all or nothing."""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from backend.docsets.model_help import ModelHelp
from backend.docsets.property_jobs import DELETE_KIND, EXTRACT_KIND, PropertyJobs
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import contents, docsets, documents, elements, tasks
from backend.tasks.pool import Limits, MemoryReached, WorkerPool
from backend.tasks.queue import Submission, TaskQueue
from backend.tasks.runner import Body, TaskContext, TaskRunner
from workbench.contract.ids import new_id
from workbench.contract.schema import Schema

ACCOUNT = "wb:a-1"
SCHEMA = {"properties": [{"name": "number", "property_type": "int"}]}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'jobs.sqlite'}")
    migrate(opened)
    yield opened
    opened.close()


@pytest.fixture
def docset(database: Database) -> str:
    with database.writing() as connection:
        connection.execute(
            insert(docsets).values(
                docset_id="wb:ds-1", account_id=ACCOUNT, name="many", created_at=1.0, embedding={}
            )
        )
    return "wb:ds-1"


def add(
    database: Database, docset: str, count: int, start: int = 0, *, valued: bool = False
) -> None:
    """Documents with their number in the text and, with `valued`, as a property."""
    parsed, texts, rows = [], [], []
    for number in range(start, start + count):
        content_id = new_id("c")
        entity = {"number": number} if valued else {}
        parsed.append({"content_id": content_id, "blob": "b", "created_at": 1.0, "page_count": 1})
        texts.append(
            {
                "content_id": content_id, "ordinal": 0, "kind": "Text", "page_number": 1,
                "bbox": [0, 0, 1, 1], "text": f"Number: {number}",
                "properties": {"page_number": 1},
            }
        )  # fmt: skip
        rows.append(
            {
                "doc_id": new_id("f"), "docset_id": docset, "account_id": ACCOUNT,
                "content_id": content_id, "number": number, "blob": "b", "created_at": 1.0,
                "name": f"{number}.txt", "size": 1, "content_type": "text/plain",
                "properties": {"path": f"{number}.txt", "entity": entity},
                "evidence": {name: {"confidence": 0.9} for name in entity},
            }
        )  # fmt: skip
    with database.writing() as connection:
        for table, values in ((contents, parsed), (elements, texts), (documents, rows)):
            connection.execute(insert(table), values)


class Office:
    """A runner with the jobs; `beat` is called at each change of any task."""

    def __init__(self, database: Database, workers: int = 1) -> None:
        self.database = database
        self.beat: Callable[[], None] = lambda: None
        self.queue = TaskQueue(database, "here", lambda: self.beat())
        self.queue.recover(alone=True)
        jobs = PropertyJobs(database, ModelHelp())
        pool = WorkerPool(workers, Limits(memory=2**29, cpu_seconds=60, wall_seconds=60))
        self.runner = TaskRunner(
            database,
            self.queue,
            pool,
            {EXTRACT_KIND: Body(jobs.extract), DELETE_KIND: Body(jobs.delete)},
            result_seconds=1000,
            alone=True,
            ended=lambda _: None,
        )
        self.runner.start()

    def extract(self, docset: str, schema: Any = SCHEMA, *, overwrite: bool = False) -> str:
        wire = Schema.model_validate(schema).model_dump()
        return self._submit(
            EXTRACT_KIND,
            {"docset_id": docset, "schema": wire, "overwrite_corrections": overwrite},
        )

    def delete(self, docset: str, *names: str) -> str:
        return self._submit(DELETE_KIND, {"docset_id": docset, "names": list(names)})

    def _submit(self, kind: str, request: dict[str, Any]) -> str:
        task_id = self.queue.submit(Submission(ACCOUNT, kind, f"/v1/jobs/{kind}", request))
        self.runner.wake()
        return task_id

    def row(self, task_id: str) -> Any:
        with self.database.reading() as connection:
            rows = connection.execute(select(tasks).where(tasks.c.task_id == task_id))
            return rows.mappings().one()

    def outcome(self, task_id: str) -> Any:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            row = self.row(task_id)
            if row["status"] == "done":
                return row["outcome"], json.loads(row["result"])
            time.sleep(0.01)
        raise TimeoutError(task_id)


@pytest.fixture
def office(database: Database) -> Iterator[Office]:
    opened = Office(database)
    yield opened
    opened.runner.close()


def state(database: Database, docset: str) -> tuple[list[str], list[dict[str, Any]]]:
    """The names in the schema and the values of all documents, at one moment."""
    with database.reading() as connection:
        schema = connection.execute(
            select(docsets.c.schema).where(docsets.c.docset_id == docset)
        ).scalar_one()
        rows = connection.execute(
            select(documents.c.properties, documents.c.evidence)
            .where(documents.c.docset_id == docset)
            .order_by(documents.c.sequence)
        ).all()
    for row in rows:  # a value never comes without its evidence
        assert row.evidence.keys() == row.properties["entity"].keys()
    names = [item["name"] for item in (schema or {"properties": []})["properties"]]
    return names, [row.properties["entity"] for row in rows]


def valued_count(database: Database, docset: str) -> int:
    return sum("number" in entity for entity in state(database, docset)[1])


def test_every_document_gets_its_own_value_and_progress_is_reported(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 150)
    task_id = office.extract(docset)
    assert office.outcome(task_id) == (200, {"exit_status": 0})
    assert state(database, docset) == (["number"], [{"number": n} for n in range(150)])
    row = office.row(task_id)
    assert (row["done"], row["total"], row["unit"]) == (150, 150, "documents")


def test_a_document_that_exceeds_a_limit_is_named_and_costs_no_value_of_the_others(
    database: Database, docset: str, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(database, docset, 20)
    with database.reading() as connection:
        of_name = select(documents.c.doc_id).where(documents.c.name == "7.txt")
        large = connection.execute(of_name).scalar_one()
    run = TaskContext.run

    def limited(context: TaskContext, entry: str, data: Any, *rest: Any, **named: Any) -> Any:
        if large in data.get("doc_ids", ()):
            raise MemoryReached("The work needed more than 1 MiB of memory and was stopped.")
        return run(context, entry, data, *rest, **named)

    monkeypatch.setattr(TaskContext, "run", limited)
    task_id = office.extract(docset)
    assert office.outcome(task_id) == (200, {"exit_status": 0})
    numbers = [entity["number"] for entity in state(database, docset)[1]]
    assert numbers == [None if n == 7 else n for n in range(20)]
    assert "could not be read (7.txt)" in office.row(task_id)["message"]
    with database.reading() as connection:
        of_large = select(documents.c.evidence).where(documents.c.doc_id == large)
        note = connection.execute(of_large).scalar_one()["number"]["note"]
    assert "needed more than 1 MiB of memory" in note


def test_batches_are_processed_by_several_workers(
    database: Database, docset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(database, docset, 150)
    office = Office(database, workers=2)
    busy, most = itertools.count(), []
    under_way: set[int] = set()
    lock = threading.Lock()
    run = WorkerPool.run

    def counted(self: WorkerPool, *arguments: Any, **more: Any) -> Any:
        mine = next(busy)
        with lock:
            under_way.add(mine)
            most.append(len(under_way))
        try:
            return run(self, *arguments, **more)
        finally:
            with lock:
                under_way.discard(mine)

    monkeypatch.setattr(WorkerPool, "run", counted)
    office.outcome(office.extract(docset))
    office.runner.close()
    assert max(most) == 2


def test_readers_see_whole_documents_and_the_schema_from_the_first_one_on(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 150)
    seen: list[tuple[list[str], int]] = []
    office.beat = lambda: seen.append((state(database, docset)[0], valued_count(database, docset)))
    office.outcome(office.extract(docset))
    assert {bool(names) for names, count in seen if count} == {True}
    assert any(0 < count < 150 for _, count in seen)


def cancel_midway(office: Office, task_id: str, at: int) -> None:
    """Cancels when some of the documents are done; the job waits for it there."""
    reached, cancelled = threading.Event(), threading.Event()

    def look() -> None:
        if not reached.is_set() and (office.row(task_id)["done"] or 0) >= at:
            reached.set()
            cancelled.wait(10)

    office.beat = look
    assert reached.wait(30)
    office.queue.cancel(ACCOUNT, task_id)
    office.runner.interrupt(task_id)
    cancelled.set()


def explained(office: Office, task_id: str) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        message = office.row(task_id)["message"]
        if message:
            return str(message)
        time.sleep(0.02)
    raise TimeoutError


def test_a_cancelled_extraction_keeps_finished_batches_and_reports_them(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 300)
    task_id = office.extract(docset)
    cancel_midway(office, task_id, 16)
    message = explained(office, task_id)
    names, entities = state(database, docset)
    done = valued_count(database, docset)
    assert 0 < done < 300 and names == ["number"]
    assert entities == [{"number": n} for n in range(done)] + [{}] * (300 - done)
    assert message == (f"{done} of 300 documents have the properties; the others are unchanged.")


def test_an_extraction_resumes_after_a_crash(
    database: Database, docset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(database, docset, 250)
    first = Office(database)
    task_id = first.extract(docset)
    while (first.row(task_id)["done"] or 0) < 32:
        time.sleep(0.005)
    first.runner.close()  # returns the task unfinished, as the next start does after a crash
    before = first.row(task_id)
    assert before["status"] == "queued" and 32 <= before["done"] < 250

    read: list[str] = []
    run = WorkerPool.run

    def noted(self: WorkerPool, entry: str, data: Any, **more: Any) -> Any:
        read.extend(data["doc_ids"])
        return run(self, entry, data, **more)

    monkeypatch.setattr(WorkerPool, "run", noted)
    second = Office(database)
    second.outcome(task_id)
    second.runner.close()
    assert len(read) == 250 - before["done"]
    assert state(database, docset)[1] == [{"number": n} for n in range(250)]
    assert second.row(task_id)["done"] == 250


def test_documents_that_arrive_during_the_walk_are_included(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 100)
    task_id = office.extract(docset)
    added = threading.Event()

    def look() -> None:
        if (office.row(task_id)["done"] or 0) >= 16 and not added.is_set():
            added.set()
            add(database, docset, 30, start=100)

    office.beat = look
    office.outcome(task_id)
    assert added.is_set()
    assert state(database, docset)[1] == [{"number": n} for n in range(130)]


def correct(database: Database, number: int, value: int) -> None:
    with database.writing() as connection:
        connection.execute(
            update(documents)
            .where(documents.c.number == number)
            .values(
                properties={"entity": {"number": value}},
                evidence={"number": {"corrected": True, "confidence": 1.0}},
            )
        )


def test_corrections_stay_unless_they_are_overwritten(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 3)
    correct(database, 1, 1001)
    office.outcome(office.extract(docset))
    assert [e["number"] for e in state(database, docset)[1]] == [0, 1001, 2]
    office.outcome(office.extract(docset, overwrite=True))
    assert [e["number"] for e in state(database, docset)[1]] == [0, 1, 2]


def test_a_deletion_removes_values_evidence_and_the_schema_entry(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 60)
    correct(database, 7, 70)
    office.outcome(office.extract(docset))
    assert office.outcome(office.delete(docset, "number")) == (200, {"exit_status": 0})
    assert state(database, docset) == ([], [{}] * 60)


def test_a_cancelled_deletion_keeps_the_property_in_the_schema_and_reports_it(
    database: Database, docset: str, office: Office
) -> None:
    add(database, docset, 1_100, valued=True)
    with database.writing() as connection:
        connection.execute(update(docsets).values(schema=SCHEMA))
    task_id = office.delete(docset, "number")
    cancel_midway(office, task_id, 500)
    message = explained(office, task_id)
    names, _ = state(database, docset)
    left = valued_count(database, docset)
    assert names == ["number"] and 0 < left < 1_100
    assert message.startswith(f"{1_100 - left} of 1100 documents have lost the properties")
    office.outcome(office.delete(docset, "number"))
    assert state(database, docset) == ([], [{}] * 1_100)
