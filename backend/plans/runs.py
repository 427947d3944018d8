"""What is kept of a run: a row with its trace, and one Arrow IPC file for each step.

Files are read by window, so a step with many rows can be scrolled through. They are written beside
the run by one thread. Only the newest runs of a DocSet are kept.
"""

import shutil
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import delete, desc, insert, select, update

from backend.contract.errors import NotFound
from backend.contract.plan import Plan
from backend.contract.query import NodeTrace, NodeWindow, RunTrace
from backend.plans.collection import Collection
from backend.plans.relations import (
    LINEAGE,
    SCORE,
    Docs,
    Groups,
    Number,
    Prose,
    Relation,
    Rows,
    plain,
)
from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.tables import docsets, query_runs

KEPT_RUNS = 50


class Runs:
    """The runs of all DocSets, in the database and below `folder`."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._writer = ThreadPoolExecutor(1, "plan-runs")
        self._writing: dict[str, list[Future[None]]] = {}
        self._lock = threading.Lock()

    def begin(self, query_id: str, docset_id: str, account_id: str, plan: Plan, now: float) -> None:
        """Records that a run has begun, and forgets the oldest of the DocSet."""
        with self._database.writing() as connection:
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
        """Removes the files of runs, after whatever is still being written of them."""
        for query_id in query_ids:
            with self._lock:
                self._writing.pop(query_id, None)
            self._writer.submit(shutil.rmtree, self._path(query_id), ignore_errors=True)

    def keep(
        self,
        query_id: str,
        node_id: int,
        relation: Relation,
        collection: Collection,
        names: Sequence[str],
    ) -> None:
        """Writes what a step gave: of documents the fields `names` that the plan works with.

        The caller need not wait for the disk; whoever reads the rows of a step does.
        """
        folder = self._path(query_id)

        def write() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            frame = _frame(relation, collection, names)
            frame.write_ipc(folder / f"{node_id}.arrow", compression="lz4")
            reach("run.written")

        with self._lock:
            waiting = self._writing.setdefault(query_id, [])
            waiting.append(self._writer.submit(write))

    def _written(self, query_id: str) -> None:
        """Waits until all that a run gave is on disk; raises what went wrong with it."""
        with self._lock:
            waiting = self._writing.pop(query_id, [])
        for written in waiting:
            written.result()

    def finish(
        self, query_id: str, status: str, nodes: list[NodeTrace], now: float, message: str | None
    ) -> None:
        """Records how a run ended."""
        trace = {"nodes": [node.model_dump(mode="json") for node in nodes], "message": message}
        with self._database.writing() as connection:
            connection.execute(
                update(query_runs)
                .where(query_runs.c.query_id == query_id)
                .values(status=status, finished_at=now, trace=trace)
            )
        reach("run.finished")

    def trace(self, query_id: str, account_id: str) -> RunTrace:
        """A run as it was kept; NotFound when it is gone or of somebody else."""
        query = select(query_runs).where(
            query_runs.c.query_id == query_id, query_runs.c.account_id == account_id
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound(f"There is no run {query_id}; only the newest runs are kept.")
        return RunTrace(
            query_id=row.query_id,
            docset_id=row.docset_id,
            status=row.status,
            created_at=row.created_at,
            finished_at=row.finished_at,
            plan=row.plan,
            nodes=row.trace.get("nodes", []),
            message=row.trace.get("message"),
        )

    def window(
        self, query_id: str, node_id: int, account_id: str, offset: int, limit: int
    ) -> NodeWindow:
        """Rows `offset` to `offset + limit` of what a step gave."""
        self.trace(query_id, account_id)
        self._written(query_id)
        path = self._path(query_id) / f"{node_id}.arrow"
        if not path.exists():
            raise NotFound(f"Step {node_id} of the run {query_id} kept no rows.")
        frame = pl.scan_ipc(path)
        total = frame.select(pl.len()).collect().item()
        shown = frame.slice(offset, limit).collect()
        rows = [{k: plain(v) for k, v in row.items()} for row in shown.iter_rows(named=True)]
        return NodeWindow(columns=shown.columns, rows=rows, total=total)

    def drop(self, docset_id: str) -> None:
        """Forgets all runs of a DocSet that was deleted."""
        chosen = query_runs.c.docset_id == docset_id
        with self._database.writing() as connection:
            old = list(connection.execute(select(query_runs.c.query_id).where(chosen)).scalars())
            connection.execute(delete(query_runs).where(chosen))
        self._forget(old)

    def recover(self, now: float, *, alone: bool) -> None:
        """Ends what a crash cut off, and removes what belongs to no run or DocSet any more.

        Runs that are called running are not, when this process is `alone` on the database.
        """
        gone = query_runs.c.docset_id.not_in(select(docsets.c.docset_id))
        with self._database.writing() as connection:
            connection.execute(delete(query_runs).where(gone))
            if alone:
                trace = {"nodes": [], "message": "the server ended while it ran"}
                connection.execute(
                    update(query_runs)
                    .where(query_runs.c.status == "running")
                    .values(status="failed", finished_at=now, trace=trace)
                )
            kept = set(connection.execute(select(query_runs.c.query_id)).scalars())
        names = {self._path(query_id).name for query_id in kept}
        for folder in list(self._folder.iterdir()) if self._folder.is_dir() else []:
            if folder.name not in names:
                shutil.rmtree(folder, ignore_errors=True)

    def _path(self, query_id: str) -> Path:
        # Ids hold a colon, which some file systems refuse.
        return self._folder / query_id.replace(":", "-")


def _frame(relation: Relation, collection: Collection, names: Sequence[str]) -> pl.DataFrame:
    """A relation as it is written: lineage as document ids, columns by their names on the wire."""
    ids = collection.table.get_column("doc_id")
    match relation:
        case Docs(table=table):
            shown = {"doc_id", "properties.path", SCORE, *names}
            return table.select(c for c in table.columns if c in shown)
        case Groups(docs=docs, keys=keys):
            return docs.table.select(*keys, "doc_id")
        case Rows(table=table):
            lists = [ids.gather(places) for places in table.get_column(LINEAGE)]
            column = pl.Series("doc_ids", lists, dtype=pl.List(pl.String))
            return table.drop(LINEAGE).with_columns(column)
        case Number(value=value):
            behind: list[Any] = ids.gather(relation.documents).to_list()
            return pl.DataFrame({"value": [value], "doc_ids": [behind]}, strict=False)
        case Prose(text=text):
            behind = ids.gather(relation.documents).to_list()
            cited = [e.model_dump_json() for e in relation.citations]
            return pl.DataFrame(
                {"text": [text], "citations": [cited], "doc_ids": [behind]},
                schema_overrides={"citations": pl.List(pl.String), "doc_ids": pl.List(pl.String)},
            )
