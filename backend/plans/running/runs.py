"""Stored runs: a database row with the trace, and the files of `stored_steps`.

One thread writes the files after the run has ended, or earlier when the rows of a step are
requested: the answer comes first. Only the newest runs of a DocSet are kept. Where several servers
share a database, the files of a run are published after its end, so that every server can read
them.
"""

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import polars as pl
from sqlalchemy import delete, desc, insert, select, update

from backend.plans.running.relations import Relation, plain
from backend.plans.running.run_comparison import Answer, Window, documents_between, rows_between
from backend.plans.running.stored_steps import (
    IDENTITIES,
    StoredStep,
    step_file,
    write_identities,
    write_step,
)
from backend.plans.tables.collection import Collection
from backend.store.database import Database, docset_key
from backend.store.failpoints import reach
from backend.store.shared_files import SharedFiles
from backend.store.tables import docsets, query_runs
from workbench.contract.errors import NotFound
from workbench.contract.plan import Plan
from workbench.contract.query import (
    AnswerAccount,
    NodeProgress,
    NodeTrace,
    NodeWindow,
    RunComparison,
    RunTrace,
)

KEPT_RUNS = 50
_SHARED = "runs"
_LONGEST = 86_400.0
"""Seconds; no run of another process lasts that long."""
_PUBLISHED_WITHIN = 10.0
"""Seconds after the end of a run in which its rows may still be on their way to other servers."""
_LOOK_EVERY = 0.1


class Runs:
    """The runs of all DocSets: the database, `folder`, and for other servers `shared`."""

    def __init__(self, database: Database, folder: Path, shared: SharedFiles | None = None) -> None:
        self._database = database
        self._folder = folder
        self._shared = shared or SharedFiles()
        self._writer = ThreadPoolExecutor(1, "plan-runs")
        self._unwritten: dict[str, list[Callable[[], None]]] = {}
        self._writing: dict[str, list[Future[None]]] = {}
        self._advanced: dict[str, tuple[list[NodeTrace], NodeProgress]] = {}
        self._identities: dict[str, tuple[str, Path | None]] = {}
        """The state of each DocSet with the file that has its ids; only for the writer."""
        self._lock = threading.Lock()

    def begin(self, query_id: str, docset_id: str, account_id: str, plan: Plan, now: float) -> None:
        """Records that a run has begun, and deletes the oldest of the DocSet."""
        with self._database.writing_on(docset_key(docset_id)) as connection:
            connection.execute(
                insert(query_runs).values(
                    query_id=query_id,
                    docset_id=docset_id,
                    account_id=account_id,
                    created_at=now,
                    status="running",
                    plan=plan.model_dump(mode="json"),
                    trace={},
                )
            )
            listed = (
                select(query_runs.c.query_id)
                .where(query_runs.c.docset_id == docset_id, query_runs.c.query_id != query_id)
                .order_by(desc(query_runs.c.created_at))
                .offset(KEPT_RUNS - 1)
            )
            old = list(connection.execute(listed).scalars())
            connection.execute(delete(query_runs).where(query_runs.c.query_id.in_(old)))
        reach("run.begun")
        self._forget(old)

    def _forget(self, query_ids: Sequence[str]) -> None:
        """Removes the files of runs, after any pending writes."""
        for query_id in query_ids:
            with self._lock:
                self._unwritten.pop(query_id, None)
                self._writing.pop(query_id, None)
            self._writer.submit(shutil.rmtree, self.folder_of(query_id), ignore_errors=True)
            self._writer.submit(self._unpublish, query_id)

    def advance(self, query_id: str, nodes: list[NodeTrace], so_far: NodeProgress) -> None:
        """Records the progress of a run, for requests before its end."""
        with self._lock:
            self._advanced[query_id] = nodes, so_far

    def keep_identities(self, query_id: str, collection: Collection) -> None:
        """Stores the ids and paths of all documents, which the results of steps refer to."""

        def write(folder: Path) -> None:
            digest, file = self._identities.get(collection.docset_id, ("", None))
            same = file if digest == collection.digest else None
            file = write_identities(folder, collection, same)
            self._identities[collection.docset_id] = collection.digest, file

        self._later(query_id, write)

    def keep(self, query_id: str, node_id: int, relation: Relation, names: Sequence[str]) -> None:
        """Stores the result of a step; of documents only the fields `names` that the plan uses."""

        def write(folder: Path) -> None:
            write_step(folder, node_id, relation, names)
            reach("run.written")

        self._later(query_id, write)

    def _later(self, query_id: str, write: Callable[[Path], None]) -> None:
        """Calls `write` with the folder of the run, in the thread that writes."""
        folder = self.folder_of(query_id)

        def written() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            write(folder)

        with self._lock:
            self._unwritten.setdefault(query_id, []).append(written)

    def _write(self, query_id: str) -> None:
        """Starts writing all results of a run so far."""
        with self._lock:
            writing = self._writing.setdefault(query_id, [])
            writing += map(self._writer.submit, self._unwritten.pop(query_id, []))

    def _written(self, query_id: str) -> None:
        """Waits until all results of a run so far are on disk; raises their errors."""
        self._write(query_id)
        with self._lock:
            writing = self._writing.pop(query_id, [])
        for written in writing:
            written.result()

    def finish(
        self,
        query_id: str,
        status: str,
        nodes: list[NodeTrace],
        now: float,
        message: str | None,
        account: AnswerAccount | None = None,
    ) -> None:
        """Records how a run ended, with the account of its answer, if it has one."""
        with self._lock:
            self._advanced.pop(query_id, None)
        trace = {"nodes": [node.model_dump(mode="json") for node in nodes], "message": message}
        if account is not None:
            kept = {"bounds", "unused", "merges", "warnings", "confidence_limit"}
            trace |= account.model_dump(mode="json", include=kept)
        with self._database.writing_on() as connection:
            connection.execute(
                update(query_runs)
                .where(query_runs.c.query_id == query_id)
                .values(status=status, finished_at=now, trace=trace)
            )
        reach("run.finished")
        self._write(query_id)
        self._writer.submit(self._publish, query_id)

    def trace(self, query_id: str, account_id: str) -> RunTrace:
        """A stored run. NotFound when it does not exist or belongs to another account."""
        query = select(query_runs).where(
            query_runs.c.query_id == query_id, query_runs.c.account_id == account_id
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound(f"There is no run {query_id}; only the newest runs are kept.")
        with self._lock:
            nodes, so_far = self._advanced.get(query_id, (row.trace.get("nodes", []), None))
        return RunTrace(
            query_id=row.query_id,
            docset_id=row.docset_id,
            status=row.status,
            created_at=row.created_at,
            finished_at=row.finished_at,
            plan=row.plan,
            nodes=nodes,
            progress=so_far,
            message=row.trace.get("message"),
            bounds=row.trace.get("bounds"),
            unused=row.trace.get("unused") or [],
            merges=row.trace.get("merges") or [],
            warnings=row.trace.get("warnings") or [],
            confidence_limit=row.trace.get("confidence_limit"),
        )

    def window(
        self, query_id: str, node_id: int, account_id: str, offset: int, limit: int
    ) -> NodeWindow:
        """Rows `offset` to `offset + limit` of the result of a step."""
        self.trace(query_id, account_id)
        shown, total = self._step(query_id, node_id).window(offset, limit)
        rows = [{k: plain(v) for k, v in row.items()} for row in shown.iter_rows(named=True)]
        return NodeWindow(columns=shown.columns, rows=rows, total=total)

    def documents_behind(self, query_id: str, node_id: int, row: int | None) -> pl.Series:
        """The ids of the documents behind the result of a step, or behind one row of it."""
        return self._step(query_id, node_id).ids(row)

    def as_read(
        self, query_id: str, node_ids: Sequence[int], doc_ids: Sequence[str], names: Sequence[str]
    ) -> pl.DataFrame:
        """Documents with the values of `names` that the sources `node_ids` of a run read."""
        read = [self._step(query_id, node_id).documents(doc_ids, names) for node_id in node_ids]
        return pl.concat(read, how="diagonal_relaxed").unique("doc_id", maintain_order=True)

    def compare(self, before: str, after: str, account_id: str, window: Window) -> RunComparison:
        """How the answers of two runs differ; they may be of different plans."""
        old, new = self._answer(before, account_id), self._answer(after, account_id)
        return RunComparison(
            before=before,
            after=after,
            flow_before=old.flow,
            flow_after=new.flow,
            value_before=old.value,
            value_after=new.value,
            rows=rows_between(old, new, window),
            documents=documents_between(old, new, window),
        )

    def _answer(self, query_id: str, account_id: str) -> Answer:
        trace = self.trace(query_id, account_id)
        if trace.status != "done" or not trace.nodes:
            raise NotFound(f"The run {query_id} has no answer: it is {trace.status}.")
        last = trace.nodes[-1]
        return Answer(last.flow, self._step(query_id, last.node_id).rows())

    def _step(self, query_id: str, node_id: int) -> StoredStep:
        """The stored result of a step. NotFound when there is none."""
        self._written(query_id)
        folder = self.folder_of(query_id)
        step = StoredStep(step_file(folder, node_id), folder / IDENTITIES)
        if not step.file.exists() and not self._fetched(query_id, step.file):
            raise NotFound(f"Step {node_id} of the run {query_id} has no stored rows.")
        if not step.identities.exists():  # a run of an earlier version has none
            self._fetched(query_id, step.identities)
        return step

    def _publish(self, query_id: str) -> None:
        folder = self.folder_of(query_id)
        if self._shared.enabled and folder.is_dir():
            for file in folder.glob("*.arrow"):
                self._shared.publish(_shared_name(file), file)

    def _unpublish(self, query_id: str) -> None:
        if self._shared.enabled:
            folder = f"{_SHARED}/{self.folder_of(query_id).name}"
            self._shared.remove(self._shared.names(folder))

    def _fetched(self, query_id: str, path: Path) -> bool:
        """Fetches rows that another server has published; waits where they may be on their way."""
        if not self._shared.enabled:
            return False
        ended = select(query_runs.c.finished_at).where(query_runs.c.query_id == query_id)
        with self._database.reading() as connection:
            finished = connection.scalar(ended) or 0.0
        while not self._shared.fetch(_shared_name(path), path):
            if time.time() - finished > _PUBLISHED_WITHIN:
                return False
            time.sleep(_LOOK_EVERY)
        return True

    def drop(self, docset_id: str) -> None:
        """Deletes all runs of a deleted DocSet."""
        chosen = query_runs.c.docset_id == docset_id
        with self._database.writing() as connection:
            old = list(connection.execute(select(query_runs.c.query_id).where(chosen)).scalars())
            connection.execute(delete(query_runs).where(chosen))
        self._forget(old)

    def recover(self, now: float, *, alone: bool) -> None:
        """Ends runs that a crash interrupted, and removes orphaned rows and files.

        When this process is `alone` on the database, no run can be active; else those that began
        more than a day ago are not.
        """
        published = self._shared.names(_SHARED)  # before the rows: a new run has its row first
        gone = query_runs.c.docset_id.not_in(select(docsets.c.docset_id))
        with self._database.writing() as connection:
            connection.execute(delete(query_runs).where(gone))
            cut_off = query_runs.c.status == "running"
            if not alone:
                cut_off &= query_runs.c.created_at < now - _LONGEST
            trace = {"nodes": [], "message": "the server stopped during the run"}
            connection.execute(
                update(query_runs)
                .where(cut_off)
                .values(status="failed", finished_at=now, trace=trace)
            )
            kept = set(connection.execute(select(query_runs.c.query_id)).scalars())
        names = {self.folder_of(query_id).name for query_id in kept}
        for folder in list(self._folder.iterdir()) if self._folder.is_dir() else []:
            if folder.name not in names:
                shutil.rmtree(folder, ignore_errors=True)
        self._shared.remove(name for name in published if Path(name).parent.name not in names)

    def folder_of(self, query_id: str) -> Path:
        """The folder with the files of a run."""
        # Ids contain a colon, which some file systems refuse.
        return self._folder / query_id.replace(":", "-")


def _shared_name(file: Path) -> str:
    """The shared name of a run's file."""
    return f"{_SHARED}/{file.parent.name}/{file.name}"
