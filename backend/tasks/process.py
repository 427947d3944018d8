"""A child process of which it is known, when it has ended, how much memory it took."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

_LOOK_EVERY = 0.01
_WATCH_EVERY = 0.02
_LATE = 2**24
_UNTIL_IT_ENDS = 0  # of os.wait4


@dataclass(frozen=True)
class Held:
    """Bytes of memory of a process, as the kernel counts them."""

    now: int = 0
    most: int = 0
    """It held at once so far."""
    own: int = 0
    """Of those that it holds now, what is no file's."""
    data: int = 0
    """What it was given to write to, touched or not."""


def _started(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts it from a thread that lives as long as this process: children end with theirs."""
    with _starting:
        if os.getpid() not in _starters:
            _starters.clear()  # those of the process that this one was forked from
            _starters[os.getpid()] = ThreadPoolExecutor(1, "starting")
        starter = _starters[os.getpid()]
    return starter.submit(
        subprocess.Popen,
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ).result()


_starters: dict[int, ThreadPoolExecutor] = {}
_starting = threading.Lock()


class Process:
    """A command with its standard input and output. All calls may come from any thread.

    It is waited for here alone: whoever else did so would take away what the kernel tells once.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._seen = 0
        self._process = _started(command, environment)
        # The kernel counts what this process held, when the child began, to what the child held at
        # most, and its counters are some pages late.
        self._inherited = _held("self").most + _LATE
        self.pid = self._process.pid
        self.input = cast(BinaryIO, self._process.stdin)
        self.output = cast(BinaryIO, self._process.stdout)
        self.peak: int | None = None
        """Bytes of memory that it held at most, once it has ended; None where that is not told."""
        self._lock = threading.Lock()

    @property
    def code(self) -> int | None:
        """What it ended with, minus the signal that killed it; None while it lives."""
        with self._lock:
            self._look()
            return self._process.returncode

    def ended(self, seconds: float) -> bool:
        """Whether it has ended, or does so within that time."""
        deadline = time.monotonic() + seconds
        while self.code is None:
            if time.monotonic() > deadline:
                return False
            time.sleep(_LOOK_EVERY)
        return True

    def kill(self) -> None:
        """Ends it at once; returns when it has ended."""
        with self._lock:
            self._look()
            if self._process.returncode is None:
                os.kill(self.pid, signal.SIGKILL)
                self._look(_UNTIL_IT_ENDS)

    def held(self) -> Held:
        """The memory that it holds now; zeros where that is not told."""
        return _held(str(self.pid))

    def seconds(self) -> float:
        """Processor time that it has used; the time of day where that is not told."""
        try:
            told = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii", errors="replace")
        except OSError:  # not Linux, or it has just ended
            return time.monotonic()
        user, system = told.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def limit(self) -> int:
        """Bytes to write to that the kernel gives it; more than there are where it has no limit."""
        try:
            limit, _ = resource.prlimit(self.pid, resource.RLIMIT_DATA)
        except (AttributeError, OSError):  # not Linux, or it has just ended
            return sys.maxsize
        return sys.maxsize if limit == resource.RLIM_INFINITY else limit

    def raise_limit(self, more: int) -> None:
        """Has the kernel give it so many bytes more."""
        with self._lock:  # as long as it lives nobody else has its number
            self._look()
            if self._process.returncode is None and (limit := self.limit()) < sys.maxsize:
                most = resource.RLIM_INFINITY
                resource.prlimit(self.pid, resource.RLIMIT_DATA, (limit + more, most))

    @contextmanager
    def watched(self, looked: Callable[[Held], None]) -> Iterator[None]:
        """Looks again and again how much memory it holds, for `peak` and for who wants to know."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(_WATCH_EVERY) and self._process.returncode is None:
                held = self.held()
                self._seen = max(self._seen, held.most)
                looked(held)

        threading.Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _look(self, options: int = os.WNOHANG) -> None:
        if self._process.returncode is not None:
            return
        pid, status, usage = os.wait4(self.pid, options)
        if pid:
            self._process.returncode = os.waitstatus_to_exitcode(status)
            told = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            self.peak = max(self._seen, told if told > self._inherited else 0) or None


def _held(pid: str) -> Held:
    """As `Process.held`, of any process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:  # not Linux, or it has just ended
        return Held()
    sizes = dict(line.split(":", 1) for line in lines)
    return Held(*(_bytes(sizes.get(name)) for name in ("VmRSS", "VmHWM", "RssAnon", "VmData")))


def _bytes(told: str | None) -> int:
    """Of a line of the kernel such as `  123 kB`."""
    return int(told.split()[0]) * 1024 if told else 0
