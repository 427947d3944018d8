"""The server side of heavy runs, which execute in worker processes.

A heavy run in a worker cannot block other requests, ends at once when it is cancelled, and leaves
no memory behind. `weight` decides which runs are heavy.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.inference.embeddings import ProviderFailed
from backend.plans.running.allowance import RunLimits
from backend.plans.running.carried import listed_events, remove_collection, write_collection
from backend.plans.running.child import candidate_fields, limit_fields, order_fields
from backend.plans.running.execution import RunRequest
from backend.plans.running.nearness import is_costly
from backend.plans.running.run_record import RunRecord
from backend.plans.running.stage import RunCancelled, Stage
from backend.store.disk_faults import translate_disk_faults
from backend.tasks.headroom import require_headroom
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
"""Bytes that every run needs, and a factor for the memory limit of a run, which counts each table
once: a step has its input and its output, and the answer is written from them. With 256 MiB for a
run, server and worker together stay below 1 GiB."""
_RESERVED = 3
"""Factor for reserved memory: the allocator of the tables keeps as much again for each thread."""
_LOOK_EVERY = 0.1
_GRACE = 30
"""Seconds beyond the limit of a run, which normally reports its own timeout first."""
_AT_ONCE = 2
"""Heavy runs at once, each of another account, so that no account blocks another."""


@dataclass(frozen=True)
class Observers:
    """The record of a run and the listeners to its events; `show_list` gets those of a list."""

    record: RunRecord
    emit: Callable[[Event], None] | None
    show_list: Callable[[Any], None] | None


class Children:
    """Runs orders in worker processes: at most two at a time and one per account.

    Between `start` and `close` one idle worker is kept for the next order; `tidy` ends it after a
    full interval without use.
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
        """Begins to keep an idle worker ready."""
        self._keeps = True

    def run(
        self, account: str, order: RunRequest, stage: Stage, folder: Path, observers: Observers
    ) -> bytes:
        """The answer as JSON. Raises RunCancelled, or Invalid for a plan over its limits."""
        with ExitStack() as left:
            left.enter_context(self.turn(account, stage))
            left.callback(remove_collection, folder)
            require_headroom()
            with translate_disk_faults():
                folder.mkdir(parents=True, exist_ok=True)
                about = write_collection(stage.collection, order.plan, folder)
            data = self._data(order, stage, about, folder, observers)
            answering = Answering(stage, observers)
            message = self._in_worker(data, answering, stage)
        if faults := message.data.get("faults"):
            raise Invalid([FieldFault(**fault) for fault in faults])
        return bytes(message.blobs[0])

    @contextmanager
    def turn(self, account: str, stage: Stage) -> Iterator[None]:
        """Waits until the account may run, or until the stage ends the wait."""
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
        """Ends the spare worker if nothing has used it since the last call."""
        with self._lock:
            spare = None if self._is_used else self._spare
            self._is_used = False
            if spare is not None:
                self._spare = None
        if spare is not None:
            spare.close()

    def close(self) -> None:
        """Ends all workers; active runs raise Unavailable."""
        with self._lock:
            self._closed, self._keeps = True, False
            spare, self._spare = self._spare, None
            busy = list(self._busy)
        if spare is not None:
            spare.close()
        for worker in busy:  # closed by the thread that waits for it
            worker.kill()

    def _data(
        self,
        order: RunRequest,
        stage: Stage,
        about: dict[str, Any],
        folder: Path,
        observers: Observers,
    ) -> dict[str, Any]:
        embedder = stage.embedder()
        return {
            "order": order_fields(order),
            "collection": about,
            "folder": str(folder),
            "include": stage.include,
            "exclude": stage.exclude,
            "embedding": embedder.identity.wire() if is_costly(embedder) else None,
            "limits": limit_fields(self._limits),
            "listens": observers.emit is not None,
            "shows_lists": observers.show_list is not None,
        }

    def _in_worker(self, data: dict[str, Any], answering: "Answering", stage: Stage) -> Message:
        size = int(stage.collection.table.estimated_size())
        memory = _BASE + _MEMORY * self._limits.memory + size
        limits = Limits(memory, None, int(self._limits.seconds) + _GRACE, _RESERVED * memory)
        with ExitStack() as left, _machine_faults_as_unavailable():
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
                " use: filter the documents before it. The setting run_memory allows more.",
                "too_large",
            ) from error
        except WorkerStopped as error:
            if stage.cancelled():
                raise RunCancelled from error
            raise Unavailable("The backend is stopping.") from error
        except LimitReached as error:
            raise Unavailable(f"The run was stopped: {error.detail}") from error
        except WorkerDied as error:
            raise Unavailable(f"The worker of the run ended: {error}. Try again.") from error

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
    """Answers the requests of a worker."""

    def __init__(self, stage: Stage, observers: Observers) -> None:
        self._stage = stage
        self._observers = observers

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
        if self._observers.emit is not None:
            self._observers.emit(
                Event(
                    data["name"],
                    data["data"],
                    None if progress is None else NodeProgress.model_validate(progress),
                    None if account is None else AnswerAccount.model_validate(account),
                )
            )

    def _list(self, data: dict[str, Any]) -> None:
        if self._observers.show_list is not None:
            collection = self._stage.collection
            self._observers.show_list(listed_events(data["about"], Path(data["file"]), collection))

    def _advance(self, data: dict[str, Any]) -> None:
        self._observers.record.advance(NodeProgress.model_validate(data))

    def _add(self, data: dict[str, Any]) -> None:
        self._observers.record.add_trace(NodeTrace.model_validate(data))

    def _finished(self, data: dict[str, Any]) -> None:
        self._observers.record.succeed(AnswerAccount.model_validate(data))

    def _texts_of(self, data: list[str]) -> dict[str, list[Any]]:
        texts = self._stage.texts.of(data)
        return {key: [list(vars(item).values()) for item in items] for key, items in texts.items()}

    def _texts_at(self, data: list[list[Any]]) -> list[Any]:
        passages = self._stage.texts.at([(content_id, ordinal) for content_id, ordinal in data])
        return [list(vars(item).values()) for item in passages.values()]

    def _candidates(self, data: dict[str, Any]) -> list[Any]:
        candidates = self._stage.retrieval.candidates(self._stage.collection.docset_id, **data)
        return [candidate_fields(candidate) for candidate in candidates]

    def _fulfilling(self, data: dict[str, Any]) -> list[str]:
        return list(self._stage.retrieval.fulfilling(self._stage.collection.docset_id, **data))

    def _embed(self, data: list[str]) -> list[Any]:
        made: list[Any] = self._stage.embedder().embed(data).tolist()
        return made


@contextmanager
def _machine_faults_as_unavailable() -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError) as error:
        if is_of_machine(error):
            raise Unavailable("The server cannot start a process for this run.") from error
        raise


def _watch(worker: Worker, cancelled: Callable[[], bool], done: threading.Event) -> None:
    """Kills the worker when the caller has disconnected."""
    while not done.wait(_LOOK_EVERY):
        if cancelled():
            worker.kill()
            return


def _no_progress(_done: int, _total: int, _unit: str) -> None:
    return None
