"""Claims tasks and runs their bodies, each in a thread of its own.

The heavy part of a body runs in a worker.

A body is registered under the task's kind. It ends its task by `TaskContext.finish`, in the
transaction that contains its effects. If it raises a ServiceError the task ends with the answer of
`Body.refusal`. If a worker dies the task is retried, up to three times, and then reported. A stop
of the whole server does not count as a try, nor does unresponsive file storage: a submitted task
waits for it.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from backend.store.blobs import BlobsUnreachable
from backend.store.database import Database
from backend.store.disk_faults import log_failure
from backend.tasks.headroom import has_headroom
from backend.tasks.messages import Message
from backend.tasks.pool import WorkerDied, WorkerFault, WorkerStopped
from backend.tasks.pool_port import OnQuestion, Pool, Running, no_answer
from backend.tasks.queue import (
    MAX_ATTEMPTS,
    MAX_CRASHES,
    Finished,
    Submission,
    Superseded,
    Task,
    TaskQueue,
)
from workbench.contract.errors import BadRequest, Invalid, ServiceError

_log = logging.getLogger(__name__)
_LOOK_EVERY = 1.0
_LEASE_EVERY = 2.0
"""Seconds between renewals of leases, and between searches for those of others that have expired.

The work of a lost server is taken over after the lease and these two; the leases of a server that
was suspended for 20 seconds must still be valid.
"""
_PROGRESS_EVERY = 0.25
_SHORT = 1.0
"""Seconds. The progress of a shorter task is written only with its end."""
_FILES_AGAIN = 5.0
"""Seconds that a task keeps its place after the file storage failed, before it is tried again."""
_FETCHES = 16
"""Files that are fetched at once, beside the workers: a slow web server occupies no worker."""


def refused_status(error: ServiceError) -> Finished:
    """The answer with the refusal's own status, as the synchronous call would give it."""
    if error.status == Invalid.status and not isinstance(error, Invalid):
        # A refusal from a worker is one sentence; the body of a 422 is always a list.
        error = Invalid.at(("body",), error.detail)
    faults = error.faults if isinstance(error, Invalid) else None
    detail: Any = error.detail if faults is None else [fault.model_dump() for fault in faults]
    return Finished(error.status, json.dumps({"detail": detail}).encode())


@dataclass(frozen=True)
class Body:
    """How tasks of one kind are done, and how a refusal is answered."""

    run: "Callable[[TaskContext], None]"
    refusal: Callable[[ServiceError], Finished] = refused_status


class TaskContext:
    """What a body works with: its task, jobs, progress, cancellation and the end of the task."""

    def __init__(self, task: Task, database: Database, queue: TaskQueue, pool: Pool) -> None:
        self.task = task
        self.database = database
        self._queue = queue
        self._pool = pool
        self._workers: set[Running] = set()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._reported = time.monotonic() + _SHORT - _PROGRESS_EVERY
        self._unwritten: dict[str, Any] = {}
        self._afterwards: list[Callable[[], None]] = []
        self.fetches = bool(task.request.get("file_url"))
        """Whether the file is still to be fetched; until then the task occupies no worker."""

    @property
    def stopped(self) -> bool:
        """Whether the task was cancelled or the server is stopping."""
        return self._stop.is_set()

    @property
    def workers(self) -> int:
        """How many jobs of one task can run at the same time; at least 1."""
        return max(1, self._pool.size)

    def run(
        self,
        entry: str,
        data: Any,
        blobs: Sequence[bytes] = (),
        quiet: bool = False,
        answer: OnQuestion = no_answer,
    ) -> Message:
        """Runs a job in a worker and returns its result; several threads may run one each.

        Its progress counts as the task's unless `quiet`; `answer` answers its questions.
        """
        if self.stopped:
            raise WorkerStopped
        lent: list[Running] = []

        def working(worker: Running) -> None:
            lent.append(worker)
            with self._lock:
                if self._stop.is_set():
                    raise WorkerStopped
                self._workers.add(worker)

        try:
            return self._pool.run(
                entry,
                data,
                blobs=blobs,
                progress=_ignore if quiet else self.report,
                started=working,
                stopped=self._stop.is_set,
                answer=answer,
            )
        finally:
            with self._lock:
                self._workers.difference_update(lent)

    def report(self, done: int, total: int, unit: str, message: str | None = None) -> None:
        """Records progress, at most four times a second and not in the first second.

        The rest is written with the end of the task.
        """
        now = time.monotonic()
        if now - self._reported < (_PROGRESS_EVERY if done < total else 0.0):
            self._unwritten = {"done": done, "total": total, "unit": unit}
            return
        self._unwritten = {}
        self._reported = now
        self._queue.progress(self.task, done, total, unit, message)

    def advance(
        self, connection: Connection, checkpoint: int, done: int, total: int, unit: str
    ) -> None:
        """Records the progress of a walk in the caller's transaction; a next attempt resumes there.

        The caller must not catch Superseded.
        """
        self._queue.advance(connection, self.task, checkpoint, done, total, unit)

    def committed(self) -> None:
        """Notifies listeners of what `advance` recorded, once that is committed."""
        self._queue.announce()

    def explain(self, message: str) -> None:
        """Records what became of the work of a cancelled task."""
        self._queue.explain(self.task, message)

    def finish(
        self, connection: Connection, finished: Finished, message: str | None = None
    ) -> None:
        """Ends the task in the caller's transaction. The caller must not catch Superseded."""
        self._queue.finish(connection, self.task, finished, message, **self._unwritten)

    def afterwards(self, step: Callable[[], None]) -> None:
        """Calls `step` when the task has ended, however it ends."""
        self._afterwards.append(step)

    def fetched(self) -> None:
        """The file has been fetched; from now on the task needs a worker."""
        self.fetches = False

    def clean_up(self) -> None:
        """Calls the steps of `afterwards`; one that fails is left to the upkeep of the server."""
        for step in self._afterwards:
            try:
                step()
            except Exception as error:
                _log.warning("task %s was not tidied up: %s", self.task.task_id, error)

    def wait(self, seconds: float) -> None:
        """Returns after that time, or when the task is stopped."""
        self._stop.wait(seconds)

    def interrupt(self) -> None:
        """Kills the workers of the task, so that the cores are free at once."""
        with self._lock:
            self._stop.set()
            workers = list(self._workers)
        for worker in workers:
            worker.kill()


def _ignore(_done: int, _total: int, _unit: str) -> None:
    return None


class TaskRunner:
    """Runs as many tasks as there are workers, and beside them some that fetch files.

    `alone` says whether no other server shares the database, `several` whether there is more than
    one account. `queued` is called when a task has to wait: another server may have a place for it.
    """

    def __init__(
        self,
        database: Database,
        queue: TaskQueue,
        pool: Pool,
        bodies: dict[str, Body],
        *,
        result_seconds: float,
        alone: bool,
        ended: Callable[[str], None],
        several: Callable[[], bool] = lambda: False,
        queued: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._queue = queue
        self._pool = pool
        self._bodies = bodies
        self._result_seconds = result_seconds
        self._alone = alone
        self._ended = ended
        self._several = several
        self._queued = queued
        self._clock = clock
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._active: dict[str, TaskContext] = {}
        self._reserved = {False: 0, True: 0}
        """Places reserved for tasks that are being submitted, by whether they fetch a file."""
        self._waits = False
        """Whether a task could not start for lack of a thread or memory, or a turn failed."""
        self._lock = threading.Lock()
        self._loop = threading.Thread(target=self._run, name="tasks", daemon=True)

    def start(self) -> None:
        self._wake.set()  # for tasks that an earlier process left
        self._loop.start()

    def submit(self, submission: Submission) -> str:
        """Submits a task and returns its id; it starts in the same transaction if a place is free.

        Raises TooMany when the account has too many open tasks.
        """
        if not self._reserve(submission):
            task_id = self._queue.submit(submission)
            self.wake()
            self._queued()
            return task_id
        try:
            task_id, task = self._queue.submit_started(submission)
            if task is not None:
                self._start(task)
        finally:
            with self._lock:
                self._reserved[submission.fetches] -= 1
        if task is None:
            self.wake()
        return task_id

    def _reserve(self, submission: Submission) -> bool:
        """Reserves a free place for a task that is being submitted; whether there was one."""
        fetches = submission.fetches
        with self._lock:
            inside = self._inside(fetches)
        if self._full(inside, self._places(fetches))(submission.account_id, ()):
            return False
        with self._lock:
            if self._free(fetches) <= 0 or self._closing.is_set() or not has_headroom():
                return False
            self._reserved[fetches] += 1
            return True

    def wake(self) -> None:
        """Makes the loop look for work."""
        self._wake.set()

    def interrupt(self, task_id: str) -> bool:
        """Stops a cancelled task that runs in this process; whether there was one."""
        with self._lock:
            context = self._active.get(task_id)
        if context is None:
            return False
        context.interrupt()
        return True

    def close(self, seconds: float = 8.0) -> None:
        """Stops. Running tasks return to the queue, for the next start."""
        self._closing.set()
        self._wake.set()
        deadline = time.monotonic() + seconds
        while True:
            with self._lock:  # again each time: a turn of the loop may have started another
                active = list(self._active.values())
            for context in active:
                context.interrupt()
            if not active or time.monotonic() >= deadline:
                break
            time.sleep(0.02)
        self._pool.close()
        if self._loop.is_alive():
            self._loop.join(timeout=1.0)

    def _run(self) -> None:
        leased = 0.0
        while not self._closing.is_set():
            # On a server that is alone, every submission wakes this loop.
            looking = not self._alone or self._waits
            looking |= self._wake.wait(_LOOK_EVERY if looking else _LEASE_EVERY)
            self._wake.clear()
            self._waits = False
            try:
                if time.monotonic() - leased >= _LEASE_EVERY:
                    leased = time.monotonic()
                    looking |= self._upkeep()
                if looking:
                    self._start_more()
            except Exception as error:
                # What woke us may still be waiting, so the next turn looks without being woken.
                self._waits = True
                log_failure(_log, error, "a turn of the task loop failed")

    def _upkeep(self) -> bool:
        """Renews the leases of running tasks; whether tasks with expired leases were requeued.

        A server that is alone has those too: when the database failed while a task of its own was
        handed back.
        """
        with self._lock:
            active = list(self._active.values())
        lost = self._queue.renew_leases([context.task for context in active])
        for context in active:
            if context.task in lost:
                context.interrupt()
        self._queue.purge(self._clock() - self._result_seconds)
        with self._lock:  # a task that started meanwhile has not lost its lease
            running = list(self._active)
        return self._queue.requeue_lost(running) > 0

    def _start_more(self) -> None:
        if not has_headroom():
            self._waits = True
            return
        for fetching in (False, True):
            with self._lock:
                besides = list(self._active)
                inside = self._inside(fetching)
                free = self._free(fetching)
                if free <= 0 or self._closing.is_set():
                    continue
                self._reserved[fetching] += free  # a submission must not start in them meanwhile
            try:
                full = self._full(inside, self._places(fetching))
                for task in self._queue.claim(free, besides, fetching=fetching, full=full):
                    self._start(task)
            finally:
                with self._lock:
                    self._reserved[fetching] -= free

    def _places(self, fetching: bool) -> int:
        return _FETCHES if fetching else self._pool.size

    def _inside(self, fetching: bool) -> list[Task]:
        return [c.task for c in self._active.values() if c.fetches == fetching]

    def _free(self, fetching: bool) -> int:
        """The number of free places. The caller holds the lock."""
        used = len(self._inside(fetching)) + self._reserved[fetching]
        return self._places(fetching) - used

    def _start(self, task: Task) -> None:
        context = TaskContext(task, self._database, self._queue, self._pool)
        with self._lock:
            self._active[task.task_id] = context
        self._begin(context)

    def _begin(self, context: TaskContext) -> None:
        task = context.task
        thread = threading.Thread(target=self._do, args=(context,), name=task.task_id, daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the machine has no more threads
            _log.warning("no thread for task %s", task.task_id)
            with self._lock:
                self._active.pop(task.task_id, None)
            self._waits = True
            self._queue.hand_back(task)

    def _full(self, inside: Sequence[Task], places: int) -> Callable[[str, Sequence[Task]], bool]:
        """With several accounts, none may occupy every place."""
        if places < 2 or not self._several():
            return lambda account, claimed: False
        return lambda account, claimed: (
            sum(task.account_id == account for task in [*inside, *claimed]) >= places - 1
        )

    def _do(self, context: TaskContext) -> None:
        task = context.task
        try:
            self._attempt(context)
        except WorkerStopped:
            # Does nothing when the task was cancelled or claimed by another process.
            self._queue.hand_back(task)
        except BlobsUnreachable as error:
            context.wait(_FILES_AGAIN)
            self._queue.postpone(task, f"{error.detail} The task waits for it.")
        except Superseded:
            _log.info("task %s was cancelled or taken over", task.task_id)
        except Exception as error:
            log_failure(_log, error, "task %s could not be ended", task.task_id)
        finally:
            with self._lock:
                self._active.pop(task.task_id, None)
            self._queue.announce()
            self._ended(task.task_id)
            context.clean_up()
            self._wake.set()

    def _attempt(self, context: TaskContext) -> None:
        task = context.task
        body = self._bodies.get(task.kind)
        try:
            if body is None:
                raise BadRequest(f"This version cannot run tasks of the kind {task.kind!r}.")
            if task.attempt > MAX_ATTEMPTS:
                raise BadRequest("The server stopped every time it processed this document.")
            body.run(context)
        except ServiceError as error:
            if context.stopped:
                raise WorkerStopped from error
            if isinstance(error, BlobsUnreachable) and task.listed:
                raise
            self._refuse(context, body, error)
        except WorkerDied as error:
            _log.warning("task %s, attempt %d: %s", task.task_id, task.attempt, error)
            self._retry(context, error)
        except (Superseded, WorkerStopped):
            raise
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            _log.warning("task %s: the database went away", task.task_id)
            raise WorkerStopped from error
        except WorkerFault as error:
            _log.error("task %s failed inside the worker:\n%s", task.task_id, error)
            self._fault(context, body)
        except Exception:
            _log.exception("task %s failed", task.task_id)
            self._fault(context, body)

    def _retry(self, context: TaskContext, death: WorkerDied) -> None:
        if context.stopped:
            raise WorkerStopped
        if context.task.crashes + 1 >= MAX_CRASHES:
            error = BadRequest(
                f"The reader crashed on every attempt at this document; the last time {death}."
            )
            self._refuse(context, self._bodies[context.task.kind], error)
            return
        self._queue.give_up_lease(context.task)

    def _fault(self, context: TaskContext, body: Body | None) -> None:
        self._refuse(context, body, ServiceError("Internal server error."))

    def _refuse(self, context: TaskContext, body: Body | None, error: ServiceError) -> None:
        refusal = body.refusal if body is not None else refused_status
        self._end(context, refusal(error), error.detail)

    def _end(self, context: TaskContext, finished: Finished, message: str) -> None:
        # On a full disk the caller would wait for an answer that cannot be written either.
        with self._database.reserve.lent(), self._database.writing_on() as connection:
            context.finish(connection, finished, message)
