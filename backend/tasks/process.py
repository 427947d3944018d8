"""A child process that reports its memory and processor use, and its peak memory at the end."""

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

from backend.tasks.kernel_limits import lesser

_POLL_EVERY = 0.01
_SAMPLE_EVERY = 0.02
_LATE = 2**24
_UNTIL_IT_ENDS = 0  # of os.wait4


@dataclass(frozen=True)
class MemoryUse:
    """The memory of a process in bytes, as the kernel counts it."""

    resident: int = 0
    peak: int = 0
    """Peak of `resident` so far."""
    private: int = 0
    """The part of `resident` that is not backed by a file."""
    data: int = 0
    """Writable memory, touched or not: what RLIMIT_DATA limits."""


def _started(
    command: Sequence[str], environment: Mapping[str, str], descriptors: Sequence[int]
) -> subprocess.Popen[bytes]:
    """Starts a child from a thread that never ends: the kernel kills children with that thread.

    Children inherit the signals that it blocks: ctrl+c in a terminal is for the server alone, which
    ends its children.
    """
    with _starting:
        if os.getpid() not in _starters:
            _starters.clear()  # inherited by a fork
            _starters[os.getpid()] = ThreadPoolExecutor(
                1, "starting", signal.pthread_sigmask, (signal.SIG_BLOCK, {signal.SIGINT})
            )
        starter = _starters[os.getpid()]
    return starter.submit(
        subprocess.Popen,
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        pass_fds=descriptors,
    ).result()


_starters: dict[int, ThreadPoolExecutor] = {}
_starting = threading.Lock()


class Process:
    """A command with its standard input and output, and more open files by their `descriptors`. All
    calls may come from any thread.

    Nothing else may wait for the child: the kernel reports its resource usage only once.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        descriptors: Sequence[int] = (),
    ) -> None:
        self._seen = 0
        self._process = _started(command, environment, descriptors)
        # The peak of a child includes what this process used when it was forked, and the counters
        # of the kernel lag by some pages.
        self._inherited = _memory("self").peak + _LATE
        self.pid = self._process.pid
        self.input = cast(BinaryIO, self._process.stdin)
        self.output = cast(BinaryIO, self._process.stdout)
        self.peak: int | None = None
        """Peak memory in bytes, once it has ended; None where the system does not report it."""
        self._lock = threading.Lock()

    @property
    def code(self) -> int | None:
        """The exit code, or minus the signal that killed it; None while it runs."""
        with self._lock:
            self._poll()
            return self._process.returncode

    def ended(self, seconds: float) -> bool:
        """Whether it ends within that time."""
        deadline = time.monotonic() + seconds
        while self.code is None:
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_EVERY)
        return True

    def kill(self) -> None:
        """Kills it and waits for its end."""
        with self._lock:
            self._poll()
            if self._process.returncode is None:
                os.kill(self.pid, signal.SIGKILL)
                self._poll(_UNTIL_IT_ENDS)

    def memory(self) -> MemoryUse:
        """Its memory now; zeros where the system does not report it."""
        return _memory(str(self.pid))

    def seconds(self) -> float:
        """Processor seconds used so far; the clock where the system does not report them."""
        try:
            line = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii", errors="replace")
        except OSError:  # not Linux, or it has just ended
            return time.monotonic()
        user, system = line.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def limit(self) -> int:
        """Its RLIMIT_DATA in bytes; `sys.maxsize` if it has none."""
        try:
            limit, _ = resource.prlimit(self.pid, resource.RLIMIT_DATA)
        except (AttributeError, OSError):  # not Linux, or it has just ended
            return sys.maxsize
        return sys.maxsize if limit == resource.RLIM_INFINITY else limit

    def raise_limit(self, more: int) -> None:
        """Raises its RLIMIT_DATA by `more` bytes, at most to that of this process."""
        with self._lock:  # its pid is not reused before we have waited for it
            self._poll()
            if self._process.returncode is None and (limit := self.limit()) < sys.maxsize:
                most, hard = resource.getrlimit(resource.RLIMIT_DATA)
                resource.prlimit(self.pid, resource.RLIMIT_DATA, (lesser(limit + more, most), hard))

    @contextmanager
    def watched(self, sampled: Callable[[MemoryUse], None]) -> Iterator[None]:
        """Samples its memory during the block, for `peak` and for `sampled`."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(_SAMPLE_EVERY) and self._process.returncode is None:
                memory = self.memory()
                self._seen = max(self._seen, memory.peak)
                sampled(memory)

        threading.Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _poll(self, options: int = os.WNOHANG) -> None:
        if self._process.returncode is not None:
            return
        pid, status, usage = os.wait4(self.pid, options)
        if pid:
            self._process.returncode = os.waitstatus_to_exitcode(status)
            peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            self.peak = max(self._seen, peak if peak > self._inherited else 0) or None


def _memory(pid: str) -> MemoryUse:
    """As `Process.memory`, of any process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:  # not Linux, or it has just ended
        return MemoryUse()
    sizes = dict(line.split(":", 1) for line in lines)
    return MemoryUse(*(_bytes(sizes.get(name)) for name in ("VmRSS", "VmHWM", "RssAnon", "VmData")))


def _bytes(line: str | None) -> int:
    """The bytes of a value such as `  123 kB`; 0 without one."""
    return int(line.split()[0]) * 1024 if line else 0
