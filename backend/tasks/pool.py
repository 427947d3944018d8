"""The server's side of the worker processes: start, lend, watch, kill.

What can go wrong with a job, as the caller sees it:

    ServiceError        the job itself refused (an unreadable file, say); the worker lives on
    WorkerStopped       the job was cancelled or the pool closed: nothing is wrong with the document
    WorkerDied          the process ended by itself: a crash in a parser, or the kernel killed it
    LimitReached  400   it took too much time or memory, or very likely would have; told to the
                        caller as it is
    WorkerFault   500   a fault of ours inside the job
"""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from backend.tasks.clocks import Clock, Still
from backend.tasks.memory import Grant, Reserve, Withdrawn
from backend.tasks.messages import BrokenPipe, Message, receive, send
from backend.tasks.process import Held, Process
from backend.tasks.waiting import few_held
from workbench.contract.errors import BadRequest, ServiceError
from workbench.contract.processes import importable, python_module

_log = logging.getLogger(__name__)
_MIB = 2**20
_AHEAD = 96 * _MIB
"""Memory that is borrowed before a job asks the kernel for it."""
_LAST_BREATH = 1.0  # seconds that a process may take to end after its pipe has closed
_GIVEN_UP = (-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL)
"""How libraries in other languages end the process when the kernel gives them no memory."""
_KILLED = (
    "it was killed from outside, as systems do that run out of memory: give them more, or have \
fewer workers or a smaller worker_memory"
)

OnProgress = Callable[[int, int, str], None]
OnQuestion = Callable[[str, Any, Sequence[bytes]], Any]
"""Answers what a job asks: a kind, data and blobs. What it raises ends the job."""


def no_answer(_kind: str, _data: Any, _blobs: Sequence[bytes]) -> None:
    """To jobs that nobody answers."""


class WorkerStopped(Exception):
    """The work was interrupted by us."""


class WorkerDied(Exception):
    """The process ended in the middle of a job; the text says how."""


class LimitReached(BadRequest):
    """The work on one document went over a limit of the settings."""


class MemoryReached(LimitReached):
    """It was memory."""


class WorkerFault(Exception):
    """The job raised what it should not have; the text is its traceback."""


class _Refusal(ServiceError):
    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


@dataclass(frozen=True)
class Limits:
    """What one job may take: bytes of memory, seconds of processor, seconds by the clock.

    `reserved` is how much it may ask of the kernel, for a library that keeps far more than it uses;
    None stands for no more than `memory`.
    """

    memory: int
    cpu_seconds: int | None
    wall_seconds: int
    reserved: int | None = None


_SECRETS = ("WORKBENCH_", "AWS_", "GOOGLE_", "AZURE_", "PG")
"""How the names of environment variables begin that hold keys of ours or of our stores."""


class Worker:
    """One worker process. Use by one thread at a time; `kill` may come from any."""

    def __init__(self) -> None:
        # Keys are of no use to a process that reads hostile files.
        environment = {
            key: value
            for key, value in os.environ.items()
            if key != "PYTHONDONTWRITEBYTECODE" and not key.startswith(_SECRETS)
        }
        # One thread per worker: parallelism comes from several workers.
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        # Libraries in Rust that get no memory have none for a trace either, and may hang over it.
        environment |= {"RUST_BACKTRACE": "0"}
        # The allocator of Polars gives back what is free at once: it kept as much as was in use.
        environment |= {"_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}
        self._process = Process(
            python_module("backend.tasks.worker", str(os.getpid())), importable(environment)
        )
        self._stopped_for: str | None = None
        self._still = Still(self._process.seconds)

    @property
    def alive(self) -> bool:
        return self._process.code is None

    def prepare(self, module: str) -> None:
        """Lets the worker import a module while nobody waits for it."""
        send(self._process.input, Message("prepare", module))

    def run(
        self,
        entry: str,
        data: Any,
        blobs: Sequence[bytes],
        limits: Limits,
        progress: OnProgress,
        answer: OnQuestion,
        grant: Grant | None = None,
    ) -> Message:
        """Runs one job and returns its result message; the errors are those of the module.

        It has the memory of the limits, or as much of it as `grant` gives. The clock stands while
        a question of the job is answered.
        """
        grant = grant or Reserve(limits.memory).begin_with_all()
        job = {
            "entry": entry,
            "data": data,
            "memory": limits.reserved or grant.memory,
            "most_memory": limits.reserved or limits.memory,
            "cpu_seconds": limits.cpu_seconds,
        }
        before = self._process.held()
        struck = Clock(limits.wall_seconds, lambda: self.kill("wall"))
        watched = self._process.watched(partial(self._follow, before, grant))
        self._still.begin()
        with struck as clock, watched:
            try:
                send(self._process.input, Message("job", job, blobs))
                while True:
                    message = self._received()
                    if message.kind == "progress":
                        progress(*message.data)
                    elif message.kind == "question":
                        with clock.standing():
                            self._answer(message, answer)
                    else:
                        return _result(message, limits)
            except BrokenPipe:
                if not self._process.ended(_LAST_BREATH):
                    self.kill("broken")
                raise self._ending(limits, before, grant) from None

    def _received(self) -> Message:
        try:
            return receive(self._process.output, few_held)
        except ServiceError:
            self.kill()  # it goes on sending what there is no room for
            raise

    def _follow(self, before: Held, grant: Grant, now: Held) -> None:
        """Borrows what the job is about to need, and ends it when it has taken what is not there.

        What it was given before and had not touched is not the kernel's to refuse.
        """
        taken = now.own - before.own
        if min(grant.memory - taken, self._process.limit() - now.data) < _AHEAD:
            self._process.raise_limit(grant.grow(_AHEAD))
        if taken > grant.memory:
            self.kill("memory")
        elif self._still.is_over():
            self.kill("memory" if taken > grant.memory / 2 else "still")

    def _answer(self, message: Message, answer: OnQuestion) -> None:
        try:
            with self._still.waiting():
                told = answer(str(message.data["kind"]), message.data["data"], message.blobs)
        except BaseException:
            self.kill()  # it waits for an answer that does not come
            raise
        send(self._process.input, Message("answer", told))

    def kill(self, reason: str = "stopped") -> None:
        """Ends the process at once; a job under way raises in the thread that runs it."""
        if self._stopped_for is None:
            self._stopped_for = reason
        self._process.kill()

    def close(self) -> None:
        self.kill()
        for stream in (self._process.input, self._process.output):
            with suppress(OSError):  # what was still to be written has no reader any more
                stream.close()

    def _ending(self, limits: Limits, before: Held, grant: Grant) -> Exception:
        """What the end of the process means for a job that began when it held so much memory."""
        code = self._process.code
        if self._stopped_for == "wall":
            return _over(f"took longer than {limits.wall_seconds} s", "worker_wall_seconds")
        if self._stopped_for == "still":
            return WorkerDied(f"it stood still for {Still.most:.0f} s")
        if self._stopped_for == "memory":
            return _too_large(limits)
        if code == -signal.SIGXCPU:
            took = f"took more than {limits.cpu_seconds} s of processor time"
            if limits.cpu_seconds is None:
                took = "took more processor time than its size and its pages account for"
            return _over(took, "worker_cpu_seconds")
        if self._stopped_for == "stopped":
            return WorkerStopped()
        if code == -signal.SIGKILL and self._stopped_for is None:
            return WorkerDied(_KILLED)
        peak = self._process.peak or 0
        if code in _GIVEN_UP and peak > before.most:
            # What was asked for last is not in the peak: often as much again as there was.
            taken = peak - before.now
            if taken > grant.memory / 2:
                return MemoryReached(
                    f"The reader of this document ended when it held {taken // _MIB} of the"
                    f" {limits.memory // _MIB} MiB of memory that it may take; most likely it"
                    " needs more. The setting worker_memory allows more."
                )
        return WorkerDied(f"it ended with code {code}")


def _result(message: Message, limits: Limits) -> Message:
    if message.kind == "result":
        return message
    if message.kind == "refused":
        raise _Refusal(int(message.data["status"]), str(message.data["detail"]))
    if message.kind == "limit":
        raise _too_large(limits)
    raise WorkerFault(str(message.data))


def _over(what: str, setting: str) -> LimitReached:
    return LimitReached(f"The work {what} and was stopped. The setting {setting} allows more.")


def _too_large(limits: Limits) -> LimitReached:
    needed = f"needed more than {limits.memory // _MIB} MiB of memory"
    return MemoryReached(_over(needed, "worker_memory").detail)


class WorkerPool:
    """Up to `size` workers, started when first needed and kept for the next job."""

    def __init__(self, size: int, limits: Limits) -> None:
        self._limits = limits
        self._reserve = Reserve(limits.memory)
        self._free: list[Worker] = []
        self._lent: set[Worker] = set()
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._closed = False
        self._module: str | None = None
        self.size = size

    def warm(self, module: str) -> None:
        """Starts the workers and lets them import `module`, so that no job need wait for it.

        A worker that was killed is replaced by a warm one, too.
        """
        self._module = module
        for worker in [self._new() for _ in range(self.size)]:
            self._put_back(worker)

    @contextmanager
    def lend(self) -> Iterator[Worker]:
        """A worker for the length of the block; waits for one when all are busy."""
        with self._slots:
            worker = self._take()
            try:
                yield worker
            finally:
                with self._lock:
                    self._lent.discard(worker)
                self._put_back(worker)

    def run(
        self,
        entry: str,
        data: Any,
        *,
        blobs: Sequence[bytes] = (),
        progress: OnProgress,
        started: Callable[[Worker], None],
        stopped: Callable[[], bool] = lambda: False,
        answer: OnQuestion = no_answer,
    ) -> Message:
        """Runs one job in the next free worker; `started` learns which, to be able to kill it.

        A job that the memory left by the others is too little for runs again with all of it, once
        that is free; `stopped` is asked then whether it still should.
        """

        def attempt(grant: Grant) -> Message:
            with self.lend() as worker:
                started(worker)
                return worker.run(entry, data, blobs, self._limits, progress, answer, grant)

        with self._reserve.begin() as grant:
            try:
                return attempt(grant)
            except MemoryReached:
                if grant.is_whole:
                    raise
        _log.info("a job needs more memory than others leave; it begins anew with all of it")
        try:
            all_of_it = self._reserve.begin_with_all(lambda: self._closed or stopped())
        except Withdrawn:
            raise WorkerStopped from None
        with all_of_it as grant:
            return attempt(grant)

    def close(self) -> None:
        """Kills all workers; jobs under way raise WorkerStopped."""
        with self._lock:
            self._closed = True
            free, lent = self._free[:], list(self._lent)
            self._free.clear()
        for worker in free:
            worker.close()
        for worker in lent:  # closed by the thread that runs the job, which now ends
            worker.kill()

    def _take(self) -> Worker:
        with self._lock:
            if self._closed:
                raise WorkerStopped
            while self._free:
                worker = self._free.pop()
                if worker.alive:
                    break
                worker.close()
            else:
                worker = Worker()
            self._lent.add(worker)
            return worker

    def _new(self) -> Worker:
        worker = Worker()
        if self._module is not None:
            worker.prepare(self._module)
        return worker

    def _put_back(self, worker: Worker) -> None:
        if not worker.alive and self._module is not None and not self._closed:
            worker.close()
            with suppress(OSError, BrokenPipe):  # then the next job starts one
                worker = self._new()
        with self._lock:
            if worker.alive and not self._closed:
                self._free.append(worker)
                return
        worker.close()
