"""The durable queue: rows of the `tasks` table and the transitions between their states.

    queued ──claim──▶ running ──finish──▶ done
      ▲                 │  └────cancel──▶ cancelled ◀──cancel── queued
      └──── recover ────┘

A claim counts the attempt and takes a lease. Whoever finishes must still hold that attempt: a
process that was suspended beyond its lease, or whose task was cancelled, finds no row to finish
and its transaction is undone. Tasks of a waiting call (`listed` false) come first, are shown to
nobody, and are dropped after a crash: their caller got no answer, so nothing was promised.
"""

import itertools
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    delete,
    extract,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import RowMapping

from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.tables import IS_OPEN, tasks
from workbench.contract.errors import NotFound, TooMany
from workbench.contract.ids import new_id
from workbench.contract.tasks import TaskProgress

LEASE_SECONDS = 30.0
MAX_CRASHES = 3
"""So many workers may die of a document before it is reported."""
MAX_ATTEMPTS = 30
"""So often may the whole server end while it works on one: it is hardly the document's doing."""
_DATABASE_TIME = extract("epoch", func.clock_timestamp())


class Superseded(Exception):
    """The task was cancelled or taken over meanwhile; the transaction must be undone."""


@dataclass(frozen=True)
class Task:
    """A claimed task: what its body needs to know."""

    task_id: str
    account_id: str
    action: str
    kind: str
    request: dict[str, Any]
    attempt: int
    crashes: int = 0
    checkpoint: int | None = None
    """Where an earlier attempt at a walk was; None at the first."""
    done: int = 0
    """How much was done up to there."""


@dataclass(frozen=True)
class Finished:
    """The answer of a finished task: the HTTP status of the call and its body."""

    outcome: int
    body: bytes


@dataclass(frozen=True)
class Submission:
    """A task to be.

    `action` is the path that was submitted, `blob` the file it needs, `name` what it works on, for
    people to read.
    """

    account_id: str
    kind: str
    action: str
    request: dict[str, Any]
    blob: str | None = None
    name: str | None = None
    method: str = "POST"
    userdata: str | None = None
    webhook: str | None = None
    listed: bool = True


class TaskQueue:
    """The queue of one database.

    `executor` names this process; `changed` is called after changes.
    """

    def __init__(
        self,
        database: Database,
        executor: str,
        changed: Callable[[], None],
        *,
        max_open: int = 1000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._executor = executor
        self._changed = changed
        self._max_open = max_open
        self._clock = clock
        self._turns: dict[str, int] = {}
        self._turn = itertools.count(1)

    def submit(self, submission: Submission) -> str:
        """Makes the task durable and returns its id. TooMany when the account has too many open."""
        task_id = new_id("t")
        with self._database.writing() as connection:
            if submission.listed and self._open_count(connection, submission) >= self._max_open:
                raise TooMany(retry_after=5.0)
            connection.execute(
                insert(tasks).values(
                    task_id=task_id,
                    account_id=submission.account_id,
                    action=submission.action,
                    kind=submission.kind,
                    method=submission.method,
                    status="queued",
                    request=submission.request,
                    blob=submission.blob,
                    name=submission.name,
                    userdata=submission.userdata,
                    webhook=submission.webhook,
                    listed=submission.listed,
                    created_at=self._clock(),
                    attempts=0,
                    crashes=0,
                    changed=_next_change(),
                )
            )
        reach("task.submitted")
        self._changed()
        return task_id

    def claim(
        self,
        limit: int,
        besides: Collection[str] = (),
        *,
        fetching: bool | None = None,
        full: Callable[[str, Sequence[Task]], bool] = lambda account, claimed: False,
    ) -> list[Task]:
        """Takes up to `limit` queued tasks for this process, those of waiting calls first and
        accounts in turn, so that nobody waits behind all that somebody else has submitted.

        With `fetching` only tasks whose file has to be fetched, or only the others. `full` says of
        an account and what was claimed here that it gets no more.

        Also tasks whose lease ended, but not those of `besides`: they are under way here, and the
        machine was only suspended.
        """
        with self._database.reading() as connection:  # spares an idle queue the write lock
            now = self._lease_clock(connection)
            open_to_us = _claimable(now, besides)
            if fetching is not None:
                open_to_us &= _FETCHES if fetching else ~_FETCHES
            if (
                connection.execute(select(tasks.c.task_id).where(open_to_us).limit(1)).first()
                is None
            ):
                return []
        claimed: list[Task] = []
        with self._database.writing() as connection:
            while len(claimed) < limit:
                row = self._next(connection, open_to_us, lambda account: full(account, claimed))
                if row is None:
                    break
                task = _task(row, attempt=row["attempts"] + 1)
                claimed.append(task)
                connection.execute(
                    update(tasks)
                    .where(tasks.c.task_id == task.task_id)
                    .values(
                        status="running",
                        attempts=task.attempt,
                        executor=self._executor,
                        lease_until=now + LEASE_SECONDS,
                        started_at=self._clock(),
                        changed=_next_change(),
                    )
                )
        reach("task.claimed")
        if claimed:
            self._changed()
        return claimed

    def _next(
        self,
        connection: Connection,
        open_to_us: ColumnElement[bool],
        full: Callable[[str], bool],
    ) -> RowMapping | None:
        """The oldest task of the account whose last turn is longest ago."""
        oldest = func.min(tasks.c.created_at)
        waiting = connection.execute(
            select(tasks.c.listed, tasks.c.account_id, oldest.label("oldest"))
            .where(open_to_us)
            .group_by(tasks.c.listed, tasks.c.account_id)
        ).all()
        waiting = [w for w in waiting if not full(w.account_id)]
        if not waiting:
            return None
        first = min(waiting, key=lambda w: (w.listed, self._turns.get(w.account_id, 0), w.oldest))
        self._turns[first.account_id] = next(self._turn)
        chosen = open_to_us, tasks.c.account_id == first.account_id, tasks.c.listed == first.listed
        return (
            connection.execute(
                select(tasks).where(*chosen).order_by(tasks.c.created_at, tasks.c.changed).limit(1)
            )
            .mappings()
            .one()
        )

    def extend(self, held: Sequence[Task]) -> list[Task]:
        """Renews the leases of the tasks under way; returns those that are no longer ours to do."""
        if not held:
            return []
        ids = [task.task_id for task in held]
        mine = tasks.c.executor == self._executor
        with self._database.writing() as connection:
            connection.execute(
                update(tasks)
                .where(tasks.c.task_id.in_(ids), tasks.c.status == "running", mine)
                .values(lease_until=self._lease_clock(connection) + LEASE_SECONDS)
            )
            rows = connection.execute(
                select(tasks.c.task_id, tasks.c.attempts).where(
                    tasks.c.task_id.in_(ids), tasks.c.status == "running", mine
                )
            )
            current = {(row.task_id, row.attempts) for row in rows}
        return [task for task in held if (task.task_id, task.attempt) not in current]

    def progress(self, task: Task, done: int, total: int, unit: str, message: str | None) -> None:
        """Notes how far a running task is."""
        with self._database.writing() as connection:
            connection.execute(
                update(tasks)
                .where(_held(task))
                .values(done=done, total=total, unit=unit, message=message, changed=_next_change())
            )
        self._changed()

    def advance(
        self, connection: Connection, task: Task, checkpoint: int, done: int, total: int, unit: str
    ) -> None:
        """Notes how far a walk is, in the transaction that holds what was done.

        Superseded undoes that transaction when the task was cancelled or taken over.
        """
        moved = connection.execute(
            update(tasks)
            .where(_held(task))
            .values(
                checkpoint=checkpoint, done=done, total=total, unit=unit, changed=_next_change()
            )
        )
        if moved.rowcount != 1:
            raise Superseded(task.task_id)
        reach("task.advanced")

    def explain(self, task: Task, message: str) -> None:
        """Says of a cancelled task what became of its work."""
        with self._database.writing() as connection:
            connection.execute(
                update(tasks)
                .where(tasks.c.task_id == task.task_id, tasks.c.status == "cancelled")
                .values(message=message, changed=_next_change())
            )
        self._changed()

    def finish(
        self, connection: Connection, task: Task, finished: Finished, message: str | None = None
    ) -> None:
        """Ends the task inside the caller's transaction; Superseded undoes that transaction."""
        ended = connection.execute(
            update(tasks)
            .where(_held(task))
            .values(
                status="done",
                finished_at=self._clock(),
                outcome=finished.outcome,
                result=finished.body,
                message=message,
                lease_until=None,
                changed=_next_change(),
            )
        )
        if ended.rowcount != 1:
            raise Superseded(task.task_id)
        reach("task.finished")

    def announce(self) -> None:
        """Tells listeners of a change that was made inside somebody's transaction."""
        self._changed()

    def hand_back(self, task: Task) -> None:
        """Returns an interrupted task to the queue, for the next start to do.

        It counts as no crash.
        """
        with self._database.writing() as connection:
            connection.execute(
                update(tasks).where(_held(task)).values(status="queued", changed=_next_change())
            )
        self._changed()

    def give_up_lease(self, task: Task) -> None:
        """Returns a task whose worker died to the queue, and counts that."""
        crashed = {"crashes": task.crashes + 1}
        with self._database.writing() as connection:
            connection.execute(
                update(tasks)
                .where(_held(task))
                .values(status="queued", changed=_next_change(), **crashed)
            )
        self._changed()

    def recover(self, *, alone: bool) -> int:
        """Requeues tasks whose process is gone.

        All running ones when this process is `alone` on the database, else those whose lease
        ended. Returns how many.
        """
        gone = tasks.c.status == "running"
        with self._database.writing() as connection:
            if alone:
                connection.execute(delete(tasks).where(tasks.c.listed.is_(False)))
            else:
                gone &= tasks.c.lease_until < self._lease_clock(connection)
            requeued = connection.execute(
                update(tasks).where(gone).values(status="queued", changed=_next_change())
            )
        if requeued.rowcount:
            self._changed()
        return requeued.rowcount

    def _lease_clock(self, connection: Connection) -> float:
        """What leases go by: where machines share a database its clock, since theirs may differ."""
        if self._database.is_sqlite:
            return self._clock()
        return float(connection.execute(select(_DATABASE_TIME)).scalar_one())

    def cancel(self, account_id: str, task_id: str) -> RowMapping:
        """Cancels an open task, once, and returns its row.

        NotFound for any other: unknown, finished, cancelled before.
        """
        with self._database.writing() as connection:
            cancelled = connection.execute(
                update(tasks)
                .where(
                    tasks.c.task_id == task_id,
                    tasks.c.account_id == account_id,
                    IS_OPEN,
                )
                .values(status="cancelled", finished_at=self._clock(), changed=_next_change())
            )
            if cancelled.rowcount != 1:
                raise NotFound("Task not found.")
            row = connection.execute(select(tasks).where(tasks.c.task_id == task_id))
            task = row.mappings().one()
        reach("task.cancelled")
        self._changed()
        return task

    def row(self, account_id: str, task_id: str) -> RowMapping:
        """The row of a task; NotFound for an unknown or cancelled one."""
        with self._database.reading() as connection:
            row = (
                connection.execute(
                    select(tasks).where(
                        tasks.c.task_id == task_id,
                        tasks.c.account_id == account_id,
                        tasks.c.status != "cancelled",
                    )
                )
                .mappings()
                .first()
            )
        if row is None:
            raise NotFound("No such task.")
        return row

    def listed(self, account_id: str) -> list[RowMapping]:
        """All tasks of an account that are kept, oldest first.

        Id, action, method, status, userdata.
        """
        with self._database.reading() as connection:
            return list(
                connection.execute(
                    select(
                        tasks.c.task_id,
                        tasks.c.action,
                        tasks.c.method,
                        tasks.c.status,
                        tasks.c.userdata,
                    )
                    .where(tasks.c.account_id == account_id, tasks.c.listed)
                    .order_by(tasks.c.created_at)
                ).mappings()
            )

    def changes(self, account_id: str, after: int, limit: int = 1000) -> list[TaskProgress]:
        """What has changed since the change numbered `after`, in order."""
        with self._database.reading() as connection:
            rows = connection.execute(
                select(tasks)
                .where(tasks.c.account_id == account_id, tasks.c.listed, tasks.c.changed > after)
                .order_by(tasks.c.changed)
                .limit(limit)
            ).mappings()
            return [_progress(row) for row in rows]

    def forget(self, task_id: str) -> None:
        """Removes the row of a call whose answer has been given."""
        with self._database.writing() as connection:
            connection.execute(delete(tasks).where(tasks.c.task_id == task_id))

    def purge(self, before: float) -> int:
        """Removes finished and cancelled tasks that ended before that time; returns how many.

        The latest change stays: the next one is numbered behind it, and a reader who resumes
        there must not be sent back.
        """
        latest = select(func.max(tasks.alias("other").c.changed)).scalar_subquery()
        with self._database.writing() as connection:
            return connection.execute(
                delete(tasks).where(
                    tasks.c.finished_at < before,  # open ones have no such time
                    tasks.c.changed < latest,
                )
            ).rowcount

    def open_count(self) -> int:
        """How many tasks are queued or running."""
        with self._database.reading() as connection:
            return _count(connection, IS_OPEN)

    def _open_count(self, connection: Connection, submission: Submission) -> int:
        return _count(
            connection,
            tasks.c.account_id == submission.account_id,
            IS_OPEN,
        )


def _count(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    counted = connection.execute(select(func.count()).select_from(tasks).where(*conditions))
    return int(counted.scalar_one())


_FETCHES = tasks.c.request["file_url"].as_string().is_not(None)
"""Whether the file of a task has to be fetched first."""


def _claimable(now: float, besides: Collection[str]) -> ColumnElement[bool]:
    lost = (tasks.c.status == "running") & (tasks.c.lease_until < now)
    # Without the first condition SQLite would read all that are done.
    return IS_OPEN & or_(tasks.c.status == "queued", lost) & tasks.c.task_id.not_in(besides)


def _held(task: Task) -> ColumnElement[bool]:
    return (
        (tasks.c.task_id == task.task_id)
        & (tasks.c.status == "running")
        & (tasks.c.attempts == task.attempt)
    )


def _next_change() -> Any:
    other = tasks.alias("other")
    return select(func.coalesce(func.max(other.c.changed), 0) + 1).scalar_subquery()


def _task(row: RowMapping, attempt: int) -> Task:
    return Task(
        task_id=row["task_id"],
        account_id=row["account_id"],
        action=row["action"],
        kind=row["kind"],
        request=row["request"],
        attempt=attempt,
        crashes=row["crashes"],
        checkpoint=row["checkpoint"],
        done=row["done"] or 0,
    )


def _progress(row: RowMapping) -> TaskProgress:
    return TaskProgress(
        task_id=row["task_id"],
        action=row["action"],
        status=row["status"],
        submitted=row["created_at"],
        started=row["started_at"],
        finished=row["finished_at"],
        done=row["done"],
        total=row["total"],
        unit=row["unit"],
        message=row["message"],
        outcome=row["outcome"],
        name=row["name"],
        sequence=row["changed"],
    )
