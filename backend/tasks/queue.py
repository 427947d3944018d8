"""The durable queue: rows of the `tasks` table and the transitions between their states.

    queued ──claim──▶ running ──finish──▶ done
      ▲                 │  └────cancel──▶ cancelled ◀──cancel── queued
      └──── requeue ────┘

A claim counts the attempt and takes a lease. Only the process with the current attempt can finish
a task: one that was suspended beyond its lease, or whose task was cancelled, finds no row to update
and its transaction is rolled back. Tasks of a waiting call (`listed` false) come first, appear in
no list, and are dropped after a crash: their caller got no answer, so nothing was promised.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    delete,
    extract,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import RowMapping

from backend.store.database import Database, account_key, lock
from backend.store.failpoints import reach
from backend.store.tables import IS_OPEN, docsets, tasks
from backend.tasks.turns import is_overtaking, take_turn, waiting_accounts
from workbench.contract.errors import NotFound, TooMany
from workbench.contract.ids import new_id
from workbench.contract.tasks import TaskProgress

LEASE_SECONDS = 26.0
"""Seconds without a renewal after which another server takes a task over."""
MAX_CRASHES = 3
"""Workers that may die on a document before it is reported."""
MAX_ATTEMPTS = 30
"""Attempts that the end of the whole server may interrupt; that is hardly the document's fault."""
ANSWERED_SECONDS = 120.0
"""Seconds that the row of a waiting call is kept after its end; the caller polls every second."""
_DATABASE_TIME = extract("epoch", func.clock_timestamp())


class Superseded(Exception):
    """The task was cancelled or claimed by another process; the transaction must be rolled back."""


@dataclass(frozen=True)
class Task:
    """A claimed task, as its body sees it. A caller waits for one that is not `listed`."""

    task_id: str
    account_id: str
    action: str
    kind: str
    request: dict[str, Any]
    attempt: int
    crashes: int = 0
    checkpoint: int | None = None
    """Where the previous attempt of a walk stopped; None at the first."""
    done: int = 0
    """How much was done at that time."""
    listed: bool = True


@dataclass(frozen=True)
class Finished:
    """The answer of a finished task: the HTTP status of the call and its body."""

    outcome: int
    body: bytes


@dataclass(frozen=True)
class Submission:
    """A task to be queued.

    `action` is the path that was submitted, `blob` the file it needs, `name` the display name of
    what it works on.
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

    @property
    def fetches(self) -> bool:
        """Whether its file has to be fetched first."""
        return bool(self.request.get("file_url"))


class TaskQueue:
    """The queue of one database. `executor` is this process; `changed` is called after changes."""

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

    def submit(self, submission: Submission) -> str:
        """Makes the task durable and returns its id. TooMany when the account has too many open."""
        return self._submit(submission, starts=False)[0]

    def submit_started(self, submission: Submission) -> tuple[str, Task | None]:
        """Submits and claims in one transaction; no task if it has to wait behind others."""
        return self._submit(submission, starts=True)

    def _submit(self, submission: Submission, *, starts: bool) -> tuple[str, Task | None]:
        task_id = new_id("t")
        account, fetches = submission.account_id, submission.fetches
        with self._database.writing_on(account_key(account)) as connection:
            is_open = IS_OPEN & (tasks.c.account_id == account)
            if submission.listed and _count(connection, is_open) >= self._max_open:
                raise TooMany(retry_after=5.0)
            starts = starts and not is_overtaking(
                connection, fetches=fetches, listed=submission.listed
            )
            state: dict[str, Any] = {"status": "queued", "attempts": 0}
            if starts:
                state = self._started(1, self._lease_clock(connection))
            connection.execute(
                insert(tasks).values(
                    task_id=task_id,
                    account_id=account,
                    action=submission.action,
                    kind=submission.kind,
                    method=submission.method,
                    request=submission.request,
                    blob=submission.blob,
                    name=submission.name,
                    userdata=submission.userdata,
                    webhook=submission.webhook,
                    listed=submission.listed,
                    fetches=fetches,
                    created_at=self._clock(),
                    crashes=0,
                    changed=_next_change(),
                    **state,
                )
            )
            if starts:
                take_turn(connection, account)
        reach("task.submitted")
        self._changed()
        what = submission.action, submission.kind, submission.request
        task = Task(task_id, account, *what, attempt=1, listed=submission.listed)
        return task_id, task if starts else None

    def _started(self, attempt: int, now: float) -> dict[str, Any]:
        """The columns of a task while this process works on it; `now` by the lease clock."""
        return {
            "status": "running",
            "attempts": attempt,
            "executor": self._executor,
            "lease_until": now + LEASE_SECONDS,
            "started_at": self._clock(),
        }

    def claim(
        self,
        limit: int,
        besides: Collection[str] = (),
        *,
        fetching: bool | None = None,
        full: Callable[[str, Sequence[Task]], bool] = lambda account, claimed: False,
    ) -> list[Task]:
        """Claims up to `limit` queued tasks for this process.

        Tasks of waiting calls come first, then accounts take turns, so that no account waits for
        all tasks of another.

        With `fetching` only tasks whose file has to be fetched, or only the others. `full` says
        whether an account gets no more, given what was claimed here. Tasks in `besides` are running
        here and are not claimed again.
        """
        with self._database.reading() as connection:  # spares an idle queue the write lock
            line = waiting_accounts(connection, fetching, besides)
        accounts = {
            place.account_id: place.turn for place in line if not full(place.account_id, ())
        }
        accounts = dict(list(accounts.items())[:limit])
        if not accounts:
            return []
        line = [place for place in line if place.account_id in accounts]
        claimed: list[Task] = []
        with self._database.writing_on(*map(account_key, sorted(accounts))) as connection:
            now = self._lease_clock(connection)
            while line and len(claimed) < limit:
                first = min(line, key=lambda place: place.rank(accounts[place.account_id]))
                row = None
                if not full(first.account_id, claimed):
                    row = first.oldest(connection, fetching, besides)
                if row is None:
                    line.remove(first)
                    continue
                task = _task(row, attempt=row["attempts"] + 1)
                claimed.append(task)
                connection.execute(
                    update(tasks)
                    .where(tasks.c.task_id == task.task_id)
                    .values(changed=_next_change(), **self._started(task.attempt, now))
                )
                accounts[first.account_id] = take_turn(connection, first.account_id)
        reach("task.claimed")
        if claimed:
            self._changed()
        return claimed

    def requeue_lost(self, besides: Collection[str] = ()) -> int:
        """Requeues tasks whose lease has expired; returns how many.

        Tasks in `besides` are running here: the machine was only suspended.
        """
        with self._database.reading() as connection:
            lost = (
                (tasks.c.status == "running")
                & (tasks.c.lease_until < self._lease_clock(connection))
                & tasks.c.task_id.not_in(besides)
            )
            if connection.execute(select(tasks.c.task_id).where(lost).limit(1)).first() is None:
                return 0
        return self._requeue(lost)

    def _requeue(self, chosen: ColumnElement[bool]) -> int:
        with self._database.writing() as connection:
            requeued = connection.execute(
                update(tasks).where(chosen).values(status="queued", changed=_next_change())
            ).rowcount
        if requeued:
            self._changed()
        return requeued

    def renew_leases(self, running: Sequence[Task]) -> list[Task]:
        """Renews the leases of running tasks; returns those that this process has lost."""
        if not running:
            return []
        ids = [task.task_id for task in running]
        mine = tasks.c.executor == self._executor
        with self._database.writing_on() as connection:
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
        return [task for task in running if (task.task_id, task.attempt) not in current]

    def progress(self, task: Task, done: int, total: int, unit: str, message: str | None) -> None:
        """Records the progress of a running task."""
        self._write(task, done=done, total=total, unit=unit, message=message)

    def advance(
        self, connection: Connection, task: Task, checkpoint: int, done: int, total: int, unit: str
    ) -> None:
        """Records the progress of a walk in the transaction that holds its effects.

        Raises Superseded, which rolls that back, when the task was cancelled or claimed by another.
        """
        _write_within(connection, task, checkpoint=checkpoint, done=done, total=total, unit=unit)
        reach("task.advanced")

    def explain(self, task: Task, message: str) -> None:
        """Records what became of the work of a cancelled task."""
        with self._database.writing_on(account_key(task.account_id)) as connection:
            connection.execute(
                update(tasks)
                .where(tasks.c.task_id == task.task_id, tasks.c.status == "cancelled")
                .values(message=message, changed=_next_change())
            )
        self._changed()

    def finish(
        self,
        connection: Connection,
        task: Task,
        finished: Finished,
        message: str | None = None,
        **progress: Any,
    ) -> None:
        """Ends the task inside the caller's transaction; Superseded rolls that back.

        `progress` has `done`, `total` and `unit` if they are not recorded yet.
        """
        _write_within(
            connection,
            task,
            status="done",
            finished_at=self._clock(),
            outcome=finished.outcome,
            result=finished.body,
            message=message,
            lease_until=None,
            **progress,
        )
        reach("task.finished")

    def announce(self) -> None:
        """Notifies listeners of a change made inside another transaction."""
        self._changed()

    def hand_back(self, task: Task) -> None:
        """Requeues an interrupted task; this does not count as a crash."""
        self._write(task, status="queued")

    def postpone(self, task: Task, reason: str) -> None:
        """Requeues a task that could not begin, with the reason; the attempt is not counted."""
        self._write(task, status="queued", attempts=task.attempt - 1, message=reason)

    def give_up_lease(self, task: Task) -> None:
        """Requeues a task whose worker died, and counts the crash."""
        self._write(task, status="queued", crashes=task.crashes + 1)

    def _write(self, task: Task, **values: Any) -> None:
        """Writes to the row of a running task; does nothing if this process has lost it."""
        with self._database.writing_on(account_key(task.account_id)) as connection:
            connection.execute(_written(task, values))
        self._changed()

    def recover(self, *, alone: bool) -> int:
        """Requeues tasks whose process has ended; returns how many.

        All running ones when this process is `alone` on the database, otherwise those whose lease
        has expired.
        """
        if not alone:
            return self.requeue_lost()
        with self._database.writing() as connection:
            connection.execute(delete(tasks).where(tasks.c.listed.is_(False)))
        return self._requeue(tasks.c.status == "running")

    def _lease_clock(self, connection: Connection) -> float:
        """The clock of leases: the database's where machines share it, since theirs may differ."""
        if self._database.is_sqlite:
            return self._clock()
        return float(connection.execute(select(_DATABASE_TIME)).scalar_one())

    def cancel(self, account_id: str, task_id: str) -> RowMapping:
        """Cancels an open task, once, and returns its row. NotFound for any other."""
        with self._database.writing_on(account_key(account_id)) as connection:
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
        """All stored tasks of an account, oldest first: id, action, method, status, userdata."""
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
            rows = (
                connection.execute(
                    select(*_SHOWN)
                    .where(
                        tasks.c.account_id == account_id, tasks.c.listed, tasks.c.changed > after
                    )
                    .order_by(tasks.c.changed)
                    .limit(limit)
                )
                .mappings()
                .all()
            )
            names = _docset_names(connection, {row["docset_id"] for row in rows} - {None})
        return [_progress(row, names) for row in rows]

    def latest_change(self) -> int:
        """The largest number that a change has; 0 before there is one."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.max(tasks.c.changed))) or 0

    def forget(self, task_id: str) -> None:
        """Removes the row of a call that has been answered."""
        with self._database.writing_on() as connection:
            connection.execute(delete(tasks).where(tasks.c.task_id == task_id))

    def purge(self, before: float) -> int:
        """Removes finished and cancelled tasks that ended before that time, and the rows of calls
        that were answered; returns how many.

        The row with the latest change stays: the next change is numbered after it, and a reader who
        resumes there must not be sent back.
        """
        answered = self._clock() - ANSWERED_SECONDS
        latest = select(func.max(tasks.alias("other").c.changed)).scalar_subquery()
        old = or_(  # open ones have no such time
            tasks.c.finished_at < before,
            tasks.c.listed.is_(False) & (tasks.c.finished_at < answered),
        ) & (tasks.c.changed < latest)
        with self._database.reading() as connection:
            if connection.execute(select(tasks.c.task_id).where(old).limit(1)).first() is None:
                return 0
        with self._database.writing_on() as connection:
            return connection.execute(delete(tasks).where(old)).rowcount

    def has_queued(self) -> bool:
        """Whether a task waits to be claimed."""
        with self._database.reading() as connection:
            queued = select(tasks.c.task_id).where(tasks.c.status == "queued").limit(1)
            return connection.execute(queued).first() is not None

    def open_count(self) -> int:
        """How many tasks are queued or running."""
        with self._database.reading() as connection:
            return _count(connection, IS_OPEN)


def _count(connection: Connection, chosen: ColumnElement[bool]) -> int:
    counted = connection.execute(select(func.count()).select_from(tasks).where(chosen))
    return int(counted.scalar_one())


def _is_ours(task: Task) -> ColumnElement[bool]:
    return (
        (tasks.c.task_id == task.task_id)
        & (tasks.c.status == "running")
        & (tasks.c.attempts == task.attempt)
    )


def _written(task: Task, values: dict[str, Any]) -> Update:
    return update(tasks).where(_is_ours(task)).values(changed=_next_change(), **values)


def _write_within(connection: Connection, task: Task, **values: Any) -> None:
    """Writes to the row of a running task; Superseded if this process has lost it."""
    lock(connection, account_key(task.account_id))
    if connection.execute(_written(task, values)).rowcount != 1:
        raise Superseded(task.task_id)


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
        listed=row["listed"],
    )


def _docset_names(connection: Connection, ids: Collection[str | None]) -> dict[str | None, str]:
    if not ids:
        return {}
    named = select(docsets.c.docset_id, docsets.c.name).where(docsets.c.docset_id.in_(ids))
    return {row.docset_id: row.name for row in connection.execute(named)}


_SHOWN = (
    tasks.c.task_id, tasks.c.action, tasks.c.status, tasks.c.created_at, tasks.c.started_at,
    tasks.c.finished_at, tasks.c.done, tasks.c.total, tasks.c.unit, tasks.c.message,
    tasks.c.outcome, tasks.c.name, tasks.c.changed,
    tasks.c.request["docset_id"].as_string().label("docset_id"),
)  # fmt: skip
"""The progress of a task. Its request and its result may have megabytes, and not only once."""


def _progress(row: RowMapping, names: Mapping[str | None, str]) -> TaskProgress:
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
        docset_id=row["docset_id"],
        docset_name=names.get(row["docset_id"]),
        sequence=row["changed"],
    )
