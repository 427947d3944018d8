"""Heavy runs in processes of their own: the side of the server.

A run that takes long or much is done by a worker process, so that it cannot hold up other requests,
ends at once when it is cancelled, and leaves no memory behind. Whether one is heavy `weight` says.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.inference.embeddings import ProviderFailed
from backend.plans.running.allowance import RunLimits
from backend.plans.running.carried import TABLE, listed_events, write_collection
from backend.plans.running.child import candidate_fields, limit_fields, order_fields
from backend.plans.running.execution import Order
from backend.plans.running.nearness import is_costly
from backend.plans.running.run_record import RunRecord
from backend.plans.running.stage import RunCancelled, Stage
from backend.store.disk_faults import disk_faults_are_told
from backend.tasks.memory_errors import is_of_machine
from backend.tasks.messages import Message
from backend.tasks.pool import (
    LimitReached,
    Limits,
    MemoryReached,
    Worker,
    WorkerDied,
    WorkerStopped,
)
from workbench.contract.errors import FieldFault, Invalid, Unavailable
from workbench.contract.query import AnswerAccount, Event, NodeProgress, NodeTrace

_JOB = "backend.plans.running.child:run"
_MIB = 2**20
_BASE, _MEMORY = 128 * _MIB, 2
"""Bytes for what every run needs, and times what a run may take, which counts tables once: a step
has its input and its output, and the answer is written from them. At 256 MiB for a run, server and
process stay below 1 GiB together."""
_RESERVED = 3
"""Times that: the allocator of the tables keeps as much again for each of its threads."""
_LOOK_EVERY = 0.1
_GRACE = 30
"""Seconds beyond those of a run, which looks at the clock itself and says so."""
_AT_ONCE = 2
"""Heavy runs of different accounts: nobody waits for those of another."""


@dataclass(frozen=True)
class Hearers:
    """Who hears of a run, and of its events if somebody listens.

    `show_list` takes the events of a list, made while they are read.
    """

    record: RunRecord
    emit: Callable[[Event], None] | None
    show_list: Callable[[Any], None] | None


class Children:
    """Runs orders in worker processes: two at a time, of an account one. Between `start` and
    `close` one process is kept for the next order, until `tidy` has come by twice.
    """

    def __init__(self, limits: RunLimits) -> None:
        self._limits = limits
        self._accounts: set[str] = set()
        self._left = threading.Condition()
        self._lock = threading.Lock()
        self._spare: Worker | None = None
        self._is_used = False
        self._busy: set[Worker] = set()
        self._keeps = False
        self._closed = False

    def start(self) -> None:
        """From now on a worker is kept."""
        self._keeps = True

    def run(
        self, account: str, order: Order, stage: Stage, folder: Path, hearers: Hearers
    ) -> bytes:
        """The answer as JSON. RunCancelled when the stage says so, Invalid for a plan that needs
        more than a run may have.
        """
        with ExitStack() as left:
            left.enter_context(self.turn(account, stage))
            table = folder / TABLE
            left.callback(table.unlink, missing_ok=True)
            with disk_faults_are_told():
                folder.mkdir(parents=True, exist_ok=True)
                about = write_collection(stage.collection, table)
            data = self._data(order, stage, about, table, hearers)
            answering = Answering(stage, hearers)
            message = self._in_worker(data, answering, stage)
        if faults := message.data.get("faults"):
            raise Invalid([FieldFault(**fault) for fault in faults])
        return bytes(message.blobs[0])

    @contextmanager
    def turn(self, account: str, stage: Stage) -> Iterator[None]:
        """Waits until the account may run; the stage says for how long."""
        with self._left:
            while account in self._accounts or len(self._accounts) >= _AT_ONCE:
                stage.go_on()
                self._left.wait(_LOOK_EVERY)
            self._accounts.add(account)
        try:
            yield
        finally:
            with self._left:
                self._accounts.discard(account)
                self._left.notify_all()

    def tidy(self) -> None:
        """Ends the spare worker that nobody has used since the last time."""
        with self._lock:
            spare = None if self._is_used else self._spare
            self._is_used = False
            if spare is not None:
                self._spare = None
        if spare is not None:
            spare.close()

    def close(self) -> None:
        """Ends all; runs under way raise Unavailable."""
        with self._lock:
            self._closed, self._keeps = True, False
            spare, self._spare = self._spare, None
            busy = list(self._busy)
        if spare is not None:
            spare.close()
        for worker in busy:  # closed by the thread that waits for it
            worker.kill()

    def _data(
        self, order: Order, stage: Stage, about: dict[str, Any], table: Path, hearers: Hearers
    ) -> dict[str, Any]:
        embedder = stage.embedder()
        return {
            "order": order_fields(order),
            "collection": about,
            "table": str(table),
            "folder": str(table.parent),
            "include": stage.include,
            "exclude": stage.exclude,
            "embedding": embedder.identity.wire() if is_costly(embedder) else None,
            "limits": limit_fields(self._limits),
            "listens": hearers.emit is not None,
            "shows_lists": hearers.show_list is not None,
        }

    def _in_worker(self, data: dict[str, Any], answering: "Answering", stage: Stage) -> Message:
        size = int(stage.collection.table.estimated_size())
        memory = _BASE + _MEMORY * self._limits.memory + size
        limits = Limits(memory, None, int(self._limits.seconds) + _GRACE, _RESERVED * memory)
        with ExitStack() as left, _machine_faults_are_told():
            worker = self._worker()
            left.callback(self._put_back, worker)
            done = threading.Event()
            watch = threading.Thread(
                target=_watch, args=(worker, stage.cancelled, done), name="run", daemon=True
            )
            watch.start()
            left.callback(watch.join)
            left.callback(done.set)
            return self._result(worker, data, limits, answering, stage)

    def _result(
        self,
        worker: Worker,
        data: dict[str, Any],
        limits: Limits,
        answering: "Answering",
        stage: Stage,
    ) -> Message:
        try:
            return worker.run(_JOB, data, (), limits, _no_progress, answering)
        except MemoryReached as error:
            raise Invalid.at(
                ("body", "query", "plan"),
                f"The run needs more memory than the {limits.memory // _MIB:,} MiB that it may"
                " take: filter the documents before it. The setting run_memory allows more.",
                "too_large",
            ) from error
        except WorkerStopped as error:
            if stage.cancelled():
                raise RunCancelled from error
            raise Unavailable("The backend is stopping.") from error
        except LimitReached as error:
            raise Unavailable(f"The run was stopped: {error.detail}") from error
        except WorkerDied as error:
            raise Unavailable(f"The process of the run has ended: {error}. Try again.") from error

    def _worker(self) -> Worker:
        with self._lock:
            if self._closed:
                raise Unavailable("The backend is stopping.")
            worker, self._spare = self._spare, None
        if worker is not None and not worker.alive:
            worker.close()
            worker = None
        worker = worker or Worker()
        with self._lock:
            self._busy.add(worker)
        return worker

    def _put_back(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
            keep = worker.alive and self._spare is None and self._keeps
            if keep:
                self._spare, self._is_used = worker, True
        if not keep:
            worker.close()


class Answering:
    """Answers what a run asks for, from where the server has it."""

    def __init__(self, stage: Stage, hearers: Hearers) -> None:
        self._stage = stage
        self._hearers = hearers

    def __call__(self, kind: str, data: Any, _blobs: Sequence[bytes]) -> Any:
        if self._stage.cancelled():
            raise RunCancelled  # which ends the worker
        try:
            return {"answer": getattr(self, f"_{kind}")(data)}
        except Invalid as error:
            return {"invalid": [fault.model_dump() for fault in error.faults]}
        except ProviderFailed as error:
            return {"provider": error.detail}
        except Unavailable as error:
            return {"unavailable": error.detail}

    def _event(self, data: dict[str, Any]) -> None:
        progress, account = data["progress"], data["account"]
        if self._hearers.emit is not None:
            self._hearers.emit(
                Event(
                    data["name"],
                    data["data"],
                    None if progress is None else NodeProgress.model_validate(progress),
                    None if account is None else AnswerAccount.model_validate(account),
                )
            )

    def _list(self, data: dict[str, Any]) -> None:
        if self._hearers.show_list is not None:
            collection = self._stage.collection
            self._hearers.show_list(listed_events(data["about"], Path(data["file"]), collection))

    def _advance(self, data: dict[str, Any]) -> None:
        self._hearers.record.advance(NodeProgress.model_validate(data))

    def _add(self, data: dict[str, Any]) -> None:
        self._hearers.record.add_trace(NodeTrace.model_validate(data))

    def _finished(self, data: dict[str, Any]) -> None:
        self._hearers.record.succeed(AnswerAccount.model_validate(data))

    def _texts_of(self, data: list[str]) -> dict[str, list[Any]]:
        found = self._stage.texts.of(data)
        return {key: [list(vars(item).values()) for item in items] for key, items in found.items()}

    def _texts_at(self, data: list[list[Any]]) -> list[Any]:
        found = self._stage.texts.at([(content_id, ordinal) for content_id, ordinal in data])
        return [list(vars(item).values()) for item in found.values()]

    def _candidates(self, data: dict[str, Any]) -> list[Any]:
        found = self._stage.retrieval.candidates(self._stage.collection.docset_id, **data)
        return [candidate_fields(candidate) for candidate in found]

    def _fulfilling(self, data: str) -> list[str]:
        return list(self._stage.retrieval.fulfilling(self._stage.collection.docset_id, data))

    def _embed(self, data: list[str]) -> list[Any]:
        made: list[Any] = self._stage.embedder().embed(data).tolist()
        return made


@contextmanager
def _machine_faults_are_told() -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError) as error:
        if is_of_machine(error):
            raise Unavailable("The server cannot start a process for this run now.") from error
        raise


def _watch(worker: Worker, cancelled: Callable[[], bool], done: threading.Event) -> None:
    """Ends the worker when the caller has gone."""
    while not done.wait(_LOOK_EVERY):
        if cancelled():
            worker.kill()
            return


def _no_progress(_done: int, _total: int, _unit: str) -> None:
    return None
