"""A whole extract-properties job over stored documents: documents per second of processor time.

    python -m tests.bench.property_jobs [documents]

All that the job costs is counted, in the server and in its workers: reading elements, extraction,
writing values and evidence. The documents are incident reports of all templates; partitioning
them is not part of it. A deletion of all properties follows.
"""

import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from backend.docsets.model_help import ModelHelp
from backend.docsets.property_jobs import DELETE_KIND, EXTRACT_KIND, PropertyJobs
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import contents, docsets, documents, elements
from backend.tasks.pool import Limits, Worker, WorkerPool
from backend.tasks.queue import Submission, TaskQueue
from backend.tasks.runner import Body, TaskRunner
from tests.bench.property_documents import Draft
from tests.bench.property_unseen import KINDS
from workbench.contract.ids import new_id
from workbench.contract.schema import Schema

ACCOUNT, DOCSET = "wb:a-1", "wb:ds-1"
PROPERTIES, DRAW, SEEN, UNSEEN = KINDS["incident reports"]


def fill(database: Database, count: int) -> None:
    """Documents as partitioning leaves them."""
    rng = random.Random(1)
    with database.writing() as connection:
        connection.execute(
            insert(docsets).values(
                docset_id=DOCSET, account_id=ACCOUNT, name="many", created_at=1.0, embedding={}
            )
        )
        for number in range(count):
            draft, content_id = Draft(), new_id("c")
            rng.choice([*SEEN, *UNSEEN])(draft, DRAW(rng), rng)
            connection.execute(
                insert(contents).values(
                    content_id=content_id, blob="b", created_at=1.0, page_count=1
                )
            )
            rows = [
                {
                    "content_id": content_id, "ordinal": at, "kind": element.type,
                    "page_number": 1, "bbox": element.bbox, "text": element.text_representation,
                    "properties": element.properties,
                    "extra": {"table": element.table.model_dump()} if element.table else None,
                }
                for at, element in enumerate(draft.elements)
            ]  # fmt: skip
            connection.execute(insert(elements), rows)
            connection.execute(
                insert(documents).values(
                    doc_id=new_id("f"), docset_id=DOCSET, account_id=ACCOUNT,
                    content_id=content_id, number=number, blob="b", created_at=1.0, name="x",
                    size=1, content_type="text/plain", properties={"entity": {}}, evidence={},
                )
            )  # fmt: skip


class WatchedPool(WorkerPool):
    """Knows its workers, to ask the system what they used."""

    def __init__(self, size: int, limits: Limits) -> None:
        super().__init__(size, limits)
        self.used: set[Worker] = set()

    def run(self, entry: str, data: Any, **more: Any) -> Any:
        started = more.pop("started")

        def noted(worker: Worker) -> None:
            self.used.add(worker)
            started(worker)

        return super().run(entry, data, started=noted, **more)

    def seconds(self) -> float:
        """Processor time of all workers so far."""
        ticks = 0
        for worker in self.used:
            fields = (
                Path(f"/proc/{worker._process.pid}/stat").read_text().rpartition(")")[2].split()
            )
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/bench.sqlite")
        migrate(database)
        fill(database, count)
        queue = TaskQueue(database, "bench", lambda: None)
        jobs = PropertyJobs(database, ModelHelp())
        pool = WatchedPool(os.cpu_count() or 1, Limits(2**31, 600, 600))
        bodies = {EXTRACT_KIND: Body(jobs.extract), DELETE_KIND: Body(jobs.delete)}
        runner = TaskRunner(
            database, queue, pool, bodies, result_seconds=1000, alone=True, ended=lambda _: None
        )
        runner.start()

        def timed(kind: str, request: dict[str, Any]) -> float:
            began, workers = time.process_time(), pool.seconds()
            task_id = queue.submit(Submission(ACCOUNT, kind, kind, {"docset_id": DOCSET} | request))
            runner.wake()
            while queue.row(ACCOUNT, task_id)["status"] != "done":
                time.sleep(0.05)
            return time.process_time() - began + pool.seconds() - workers

        schema = Schema.model_validate({"properties": PROPERTIES})
        wanted = {"schema": schema.model_dump(), "overwrite_corrections": False}
        timed(EXTRACT_KIND, wanted)  # the workers load what they need
        spent = timed(EXTRACT_KIND, wanted)
        print(f"extract: {count / spent:.0f} documents/s and core ({count} documents)")
        names = [prop.name for prop in schema.properties]
        spent = timed(DELETE_KIND, {"names": names})
        print(f"delete: {count / spent:.0f} documents/s and core")
        runner.close()
        database.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
