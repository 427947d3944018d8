"""The server's side of the worker processes: start, lend, watch, kill.

What a job can raise, as its caller sees it:

    ServiceError        the job refused (an unreadable file, say); the worker goes on
    WorkerStopped       the job was cancelled or the pool closed; nothing is wrong with the document
    WorkerDied          the process ended by itself: a crash in a parser, or the kernel killed it
    LimitReached  400   it exceeded a limit on time or memory, or very likely would have
    WorkerFault   500   a bug of ours inside the job
"""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from backend.tasks.clocks import Clock, HangDetector
from backend.tasks.memory import Grant, Reserve, Withdrawn
from backend.tasks.messages import BrokenPipe, Message, receive, send
from backend.tasks.pool_port import (
    OnProgress,
    OnQuestion,
    PoolState,
    located,
    no_answer,
    no_files,
)
from backend.tasks.process import MemoryUse, Process
from backend.tasks.spooling import spooled
from workbench.contract.errors import BadRequest, ServiceError
from workbench.contract.processes import importable, python_module

_log = logging.getLogger(__name__)
_MIB = 2**20
_AHEAD = 96 * _MIB
"""Memory that is borrowed before a job needs it."""
_JOBS = 300
"""Jobs after which a worker is replaced."""
_EXIT_SECONDS = 1.0
"""How long a process may take to end after its pipe has closed."""
_GIVEN_UP = (-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL)
"""Signals by which native libraries end the process when an allocation fails."""
_KILLED = (
    "it was killed from outside, as systems do when they run out of memory: add memory, or set "
    "fewer workers or a smaller worker_memory"
)


class WorkerStopped(Exception):
    """We interrupted the work."""


class WorkerDied(Exception):
    """The process ended during a job; the text says how."""


class LimitReached(BadRequest):
    """The work on a document exceeded a limit of the settings."""


class MemoryReached(LimitReached):
    """It exceeded the limit on memory."""


class WorkerFault(Exception):
    """The job raised an unexpected error; the text is its traceback."""


class Refusal(ServiceError):
    """A refusal by a job, with its own status."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


@dataclass(frozen=True)
class Limits:
    """The limits of one job: bytes of memory, processor seconds, wall seconds.

    `reserved` limits its address space, for a library that maps far more than it uses; None means
    no more than `memory`.
    """

    memory: int
    cpu_seconds: int | None
    wall_seconds: int
    reserved: int | None = None


_SECRETS = ("WORKBENCH_", "AWS_", "GOOGLE_", "AZURE_", "PG", "RAY_")
"""Prefixes of environment variables with keys of ours or of our stores."""


class Worker:
    """One worker process, used by one thread at a time; any thread may call `kill`."""

    def __init__(self) -> None:
        # A process that reads hostile files must not have keys.
        environment = {
            key: value
            for key, value in os.environ.items()
            if key != "PYTHONDONTWRITEBYTECODE" and not key.startswith(_SECRETS)
        }
        # One thread per worker: parallelism comes from several workers.
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        # Rust libraries that run out of memory may hang while they write a backtrace.
        environment |= {"RUST_BACKTRACE": "0"}
        # Makes the allocator of Polars return free pages at once; it kept as many as were in use.
        environment |= {"_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}
        self._process = Process(
            python_module("backend.tasks.worker", str(os.getpid())), importable(environment)
        )
        self._stopped_for: str | None = None
        self._jobs = 0
        self._hang = HangDetector(self._process.seconds)

    @property
    def alive(self) -> bool:
        """Whether it can do another job."""
        return self._jobs < _JOBS and self._process.code is None

    def prepare(self, module: str) -> None:
        """Has the worker import a module while it is idle."""
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
        """Runs one job and returns its result message; the module's docstring lists the errors.

        The job gets the memory of the limits, or as much of it as `grant` allows. Time spent on
        answering its questions does not count.
        """
        self._jobs += 1
        grant = grant or Reserve(limits.memory).begin_with_all()
        job = {
            "entry": entry,
            "data": data,
            "memory": limits.reserved or grant.memory,
            "most_memory": limits.reserved or limits.memory,
            "cpu_seconds": limits.cpu_seconds,
        }
        before = self._process.memory()
        struck = Clock(limits.wall_seconds, lambda: self.kill("wall"))
        watched = self._process.watched(partial(self._follow, before, grant))
        self._hang.begin()
        with struck as clock, watched:
            try:
                send(self._process.input, Message("job", job, blobs))
                while True:
                    message = self._received()
                    if message.kind == "progress":
                        progress(*message.data)
                    elif message.kind == "log":
                        _log.warning("%s", message.data)
                    elif message.kind == "question":
                        with clock.paused():
                            self._answer(message, answer)
                    else:
                        return _result(message, limits)
            except BrokenPipe:
                if not self._process.ended(_EXIT_SECONDS):
                    self.kill("broken")
                raise self._ending(limits, before, grant) from None

    def _received(self) -> Message:
        try:
            return receive(self._process.output, spooled)
        except ServiceError:
            self.kill()  # it would keep sending data for which there is no space
            raise

    def _follow(self, before: MemoryUse, grant: Grant, now: MemoryUse) -> None:
        """Borrows memory ahead of the job's needs, and kills it when it exceeds its grant.

        The kernel does not refuse memory that was mapped earlier and first touched by this job.
        """
        used = now.private - before.private
        if min(grant.memory - used, self._process.limit() - now.data) < _AHEAD:
            self._process.raise_limit(grant.grow(_AHEAD))
        if used > grant.memory:
            self.kill("memory")
        elif self._hang.is_hung():
            self.kill("memory" if used > grant.memory / 2 else "hung")

    def _answer(self, message: Message, answer: OnQuestion) -> None:
        try:
            with self._hang.waiting():
                reply = answer(str(message.data["kind"]), message.data["data"], message.blobs)
        except BaseException:
            self.kill()  # it would wait for an answer forever
            raise
        send(self._process.input, Message("answer", reply))

    def kill(self, reason: str = "stopped") -> None:
        """Kills the process; a running job raises in the thread that runs it."""
        if self._stopped_for is None:
            self._stopped_for = reason
        self._process.kill()

    def close(self) -> None:
        self.kill()
        for stream in (self._process.input, self._process.output):
            with suppress(OSError):  # unwritten data has no reader any more
                stream.close()

    def _ending(self, limits: Limits, before: MemoryUse, grant: Grant) -> Exception:
        """The error that the process's end means for a job that began with the memory `before`."""
        code = self._process.code
        if self._stopped_for == "wall":
            return _over(f"took longer than {limits.wall_seconds} s", "worker_wall_seconds")
        if self._stopped_for == "hung":
            return WorkerDied(f"it hung for {HangDetector.most:.0f} s")
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
        if code in _GIVEN_UP and peak > before.peak:
            # The allocation that failed is not in the peak; it is often as large again.
            used = peak - before.resident
            if used > grant.memory / 2:
                return MemoryReached(
                    f"The reader of this document ended with {used // _MIB} of its"
                    f" {limits.memory // _MIB} MiB of memory in use; most likely it needs more."
                    " The setting worker_memory allows more."
                )
        return WorkerDied(f"it ended with code {code}")


def _result(message: Message, limits: Limits) -> Message:
    if message.kind == "result":
        return message
    if message.kind == "refused":
        raise Refusal(int(message.data["status"]), str(message.data["detail"]))
    if message.kind == "limit":
        raise _too_large(limits)
    raise WorkerFault(str(message.data))


def _over(what: str, setting: str) -> LimitReached:
    return LimitReached(f"The work {what} and was stopped. The setting {setting} allows more.")


def _too_large(limits: Limits) -> LimitReached:
    needed = f"needed more than {limits.memory // _MIB} MiB of memory"
    return MemoryReached(_over(needed, "worker_memory").detail)


class WorkerPool:
    """Up to `size` workers of this machine, started when first needed and kept for the next job.

    `files` gives the local path of a file by its digest.
    """

    def __init__(self, size: int, limits: Limits, files: Callable[[str], Path] = no_files) -> None:
        self._limits = limits
        self._files = files
        self._reserve = Reserve(limits.memory)
        self._free: list[Worker] = []
        self._lent: set[Worker] = set()
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._closed = False
        self._module: str | None = None
        self._size = size

    @property
    def size(self) -> int:
        """How many jobs can run at once."""
        return self._size

    def state(self) -> PoolState:
        """Its places and how many are busy."""
        with self._lock:
            return PoolState("local", places=self._size, busy=len(self._lent))

    def warm(self, module: str) -> None:
        """Starts the workers with `module` imported, and so replaces killed ones."""
        self._module = module
        for worker in [self._new() for _ in range(self.size)]:
            self._put_back(worker)

    @contextmanager
    def lend(self) -> Iterator[Worker]:
        """Lends a worker for the block; waits for one when all are busy."""
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
        """Runs one job in the next free worker; `started` gets that worker, to be able to kill it.

        A job that needs more memory than the others leave restarts with the whole reserve when that
        is free, unless `stopped` returns true meanwhile.
        """

        data = located(data, self._files)

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
        _log.info(
            "a job needs more memory than the others leave; it restarts with the whole reserve"
        )
        try:
            whole = self._reserve.begin_with_all(lambda: self._closed or stopped())
        except Withdrawn:
            raise WorkerStopped from None
        with whole as grant:
            return attempt(grant)

    def close(self) -> None:
        """Kills all workers; running jobs raise WorkerStopped."""
        with self._lock:
            self._closed = True
            free, lent = self._free[:], list(self._lent)
            self._free.clear()
        for worker in free:
            worker.close()
        for worker in lent:  # the thread that runs the job closes it
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
