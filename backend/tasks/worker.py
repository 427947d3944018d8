"""The worker process: takes one job after the other from its standard input, within limits.

Started as `python -m backend.tasks.worker`. A job names a function as `package.module:function`;
it is called with the job's data, its blobs and a function to report progress, and returns a
message's data and blobs. The limits are the kernel's, set anew for each job: a document that
wants more memory fails inside, one that wants more processor time ends the process, which the
server notices.
"""

import ctypes
import gc
import importlib
import logging
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, Protocol

from backend.tasks.heap import give_back
from backend.tasks.kernel_limits import limit, limit_for_good
from backend.tasks.memory_errors import is_of_machine, is_out_of_memory
from backend.tasks.messages import BrokenPipe, Message, receive, send
from workbench.contract.errors import ServiceError, Unavailable


class Report(Protocol):
    """A job's connection to its caller: reports and requests."""

    def __call__(self, done: int, total: int, unit: str) -> None:
        """Reports progress: how much is done, of how much, in which unit."""
        ...

    def ask(self, kind: str, data: Any, blobs: Sequence[bytes] = ()) -> Any:
        """Asks the server for something a worker without network cannot do; None if it declines."""
        ...


Job = Callable[[Any, Sequence[bytes], Report], tuple[Any, Sequence[bytes]]]

_MAX_FILE = 2 * 2**30
_MOST_SECONDS = 3_600
_SET_PARENT_DEATH_SIGNAL = 1
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_LONGEST_LINE = 10_000
"""Characters of a log entry with its traceback."""
_AT_REST = 128 * 2**20
"""Private bytes up to which a worker does not return freed memory between jobs."""


def main() -> None:
    """Serves jobs until the pipe closes."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of a library must not look like a message
    os.nice(5)
    limit_for_good(resource.RLIMIT_CORE, 0)
    limit_for_good(resource.RLIMIT_FSIZE, _MAX_FILE)
    _leave_network()
    _end_with_parent(int(sys.argv[1]) if len(sys.argv) > 1 else os.getppid())
    while True:
        try:
            _serve_one(incoming, outgoing)
        except BrokenPipe:
            return
        _tidy()


def _tidy() -> None:
    """Frees leftovers of a job.

    Modules and caches that remain are frozen: collecting through all of them after each job would
    take forty milliseconds, thirty times the time of a short text.
    """
    gc.collect()
    gc.freeze()
    if _memory_used()[1] > _AT_REST:
        give_back()


def _serve_one(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    request = receive(incoming)
    job = request.data
    if request.kind == "prepare":
        importlib.import_module(job)
        return

    report = _Report(incoming, outgoing)
    lines = _ToServer(report)
    logging.getLogger().addHandler(lines)
    try:
        allowance = _Processor(job["cpu_seconds"], job["data"])
        report.pages = allowance.pages
        with allowance, _Limits(job["memory"], job["most_memory"]):
            data, blobs = _function(job["entry"])(job["data"], request.blobs, report)
        answer = Message("result", data, blobs)
    except ServiceError as error:
        answer = Message("refused", {"status": error.status, "detail": error.detail})
    except BrokenPipe:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            answer = Message("limit", "memory")
        elif is_of_machine(error):
            detail = f"The server could not read this at the moment ({error}). Send it again."
            answer = Message("refused", {"status": Unavailable.status, "detail": detail})
        else:
            answer = Message("fault", traceback.format_exc(limit=30))
    finally:
        logging.getLogger().removeHandler(lines)
    report.send(answer)


class _Report:
    """Report over the pipe."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._sending = threading.Lock()
        self.pages: Callable[[int], None] = lambda count: None

    def __call__(self, done: int, total: int, unit: str) -> None:
        if unit == "pages":
            self.pages(total)
        self.send(Message("progress", [done, total, unit]))

    def ask(self, kind: str, data: Any, blobs: Sequence[bytes] = ()) -> Any:
        self.send(Message("question", {"kind": kind, "data": data}, blobs))
        return receive(self._incoming).data

    def send(self, message: Message) -> None:
        """Writes a whole message; threads of a library may log at the same time."""
        with self._sending:
            send(self._outgoing, message)


class _ToServer(logging.Handler):
    """Sends the warnings of a job to the server, whose log has their time and their task."""

    def __init__(self, report: _Report) -> None:
        super().__init__(logging.WARNING)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)[:_LONGEST_LINE]
        self._report.send(Message("log", text))


def _function(entry: str) -> Job:
    module, _, name = entry.partition(":")
    function: Job = getattr(importlib.import_module(module), name)
    return function


class _Limits:
    """The limits of one job, on top of what the process already uses."""

    def __init__(self, memory: int, most_memory: int) -> None:
        self._memory = memory
        self._most_memory = most_memory

    def __enter__(self) -> None:
        space, private, data = _memory_used()
        # A third of the address space is libraries that are mapped and never touched, so the tight
        # limit is on writable memory. The server raises it while its reserve lasts, judging by the
        # pages that are touched: an idle reader of scans has touched less than half of its own.
        limit(resource.RLIMIT_DATA, min(data + self._memory, private + self._most_memory))
        limit(resource.RLIMIT_AS, space + 2 * self._most_memory)

    def __exit__(self, *_exception: object) -> None:
        limit(resource.RLIMIT_DATA)
        limit(resource.RLIMIT_AS)


class _Processor:
    """The limit on processor time of one job: the setting, otherwise a time that depends on the
    size of its file and the number of its pages. A job without a file has the maximum.
    """

    def __init__(self, seconds: int | None, data: Any) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        self._before = int(used.ru_utime + used.ru_stime) + 1
        self._pages = 0
        self._fixed = seconds
        self._size = _size_of(data)

    def __enter__(self) -> None:
        self._set()

    def __exit__(self, *_exception: object) -> None:
        limit(resource.RLIMIT_CPU)

    def pages(self, count: int) -> None:
        """Allows time for `count` pages."""
        if count > self._pages:
            self._pages = count
            self._set()

    def _set(self) -> None:
        seconds = self._fixed
        if seconds is None:
            by_file = 60 + 60 * (self._size or 0) // 2**20 + 16 * self._pages
            seconds = _MOST_SECONDS if self._size is None else min(by_file, _MOST_SECONDS)
        limit(resource.RLIMIT_CPU, self._before + seconds)


def _size_of(data: Any) -> int | None:
    """The size in bytes of the file that a job reads; None without one."""
    path = data.get("path") if isinstance(data, dict) else None
    try:
        return os.path.getsize(path) if isinstance(path, str) else None
    except OSError:
        return None


def _memory_used() -> tuple[int, int, int]:
    """Bytes of address space, of private memory, and of writable memory of this process."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = [int(field) for field in file.read().split()]
    except OSError:  # not Linux
        return 2**30, 2**30, 2**30
    size = resource.getpagesize()
    return pages[0] * size, (pages[1] - pages[2]) * size, pages[5] * size


def _leave_network() -> None:
    """Gives up the network, which parsing does not need; some systems forbid that."""
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (AttributeError, OSError):
        return
    if unshare(_CLONE_NEWNET) != 0:
        unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _end_with_parent(parent: int) -> None:
    """Ends this process with its parent, by the kernel and by polling.

    The kernel acts when the *thread* that started us ends, so that thread must be the last to end.
    """
    with suppress(AttributeError, OSError):  # not Linux
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
