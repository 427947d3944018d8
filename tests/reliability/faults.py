"""Faults that are put upon a running server, and taken away again.

Each is a block: inside it the fault is there. A machine that cannot make one raises Impossible
with the reason.
"""

import itertools
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.backend_process import BackendProcess

Fault = Callable[[BackendProcess], AbstractContextManager[None]]


class Impossible(Exception):
    """This machine or this user cannot have that fault."""


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A folder on a disk of its own."""
    folder.mkdir()
    with _mounted(folder, f"size={megabytes}m"):
        yield folder


@contextmanager
def full_disk(backend: BackendProcess) -> Iterator[None]:
    """Not a byte is left; the data folder must be a `small_disk`."""
    filler = backend.folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while file.write(bytes(size)) == size:
                    continue
            except OSError:
                continue
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def over_quota(backend: BackendProcess) -> Iterator[None]:
    """The database may not grow by a byte, as where a user has no more of the disk's space."""
    calls = "pwrite64,fallocate"
    with traced(backend.pid, "-e", f"trace={calls}", "-e", f"inject={calls}:error=EDQUOT"):
        yield


def almost_full_disk(kilobytes: int) -> Fault:
    """So much is left; the data folder must be a `small_disk`. Keep to less than the largest file
    of the test, or nothing may fail."""

    @contextmanager
    def fault(backend: BackendProcess) -> Iterator[None]:
        with full_disk(backend):
            filler = backend.folder / "filler"
            os.truncate(filler, filler.stat().st_size - 1024 * kilobytes)
            yield

    fault.__name__ = f"almost_full_disk_{kilobytes}"
    return fault


@contextmanager
def broken_disk(backend: BackendProcess) -> Iterator[None]:
    """Whatever is to be forced to disk fails with EIO."""
    failing = "inject=fsync,fdatasync:error=EIO"
    with traced(backend.pid, "-e", "trace=fsync,fdatasync", "-e", failing):
        yield


@contextmanager
def traced(pid: int, *options: str) -> Iterator[None]:
    """strace attached to all threads of a process."""
    if shutil.which("strace") is None:
        raise Impossible("strace is not installed")
    command = ["strace", "-f", "-q", "-p", str(pid), *options]
    tracer = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not all(_is_traced(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")):
            if tracer.poll() is not None or time.monotonic() > deadline:
                raise Impossible("a process of ours may not be traced")
            time.sleep(0.01)
        yield
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait()


def _is_traced(pid: int, thread: str) -> bool:
    try:
        status = Path(f"/proc/{pid}/task/{thread}/status").read_text()
    except OSError:  # it has ended
        return True
    return "TracerPid:\t0\n" not in status


@contextmanager
def small_files(backend: BackendProcess) -> Iterator[None]:
    """No file may grow beyond some kilobytes."""
    with _limited(backend.pid, resource.RLIMIT_FSIZE, 20_000):
        yield


@contextmanager
def no_descriptors(backend: BackendProcess) -> Iterator[None]:
    """Not one more file or connection can be opened."""
    with _limited(backend.pid, resource.RLIMIT_NOFILE, _least_free(backend.pid)):
        yield


def _least_free(pid: int) -> int:
    """The lowest number that a file could get, once what is open for a moment only is closed."""

    def free() -> int:
        used = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
        return next(number for number in itertools.count() if number not in used)

    samples = []
    for _ in range(20):
        samples.append(free())
        time.sleep(0.05)
    return min(samples)


@contextmanager
def read_only_folder(backend: BackendProcess) -> Iterator[None]:
    """Where uploads arrive nothing can be written."""
    with _mounted(backend.folder / "blobs" / "incoming", "ro"):
        yield


@contextmanager
def _limited(pid: int, limit: int, value: int) -> Iterator[None]:
    soft, hard = resource.prlimit(pid, limit)
    resource.prlimit(pid, limit, (value, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, limit, (soft, hard))


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        raise Impossible("only root may mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
