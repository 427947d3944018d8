"""Finds, starts and stops the bundled backend, a separate process that serves one data folder.

A backend publishes its address in the run file of its data folder. A run file may be stale, so it
is trusted only if the process is alive and the server at that address reports the same process; the
token is never sent to anything else.
"""

import asyncio
import atexit
import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import cache_from_source
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from workbench.client.errors import WorkbenchError
from workbench.contract.location import (
    RunFile,
    data_dir,
    make_private,
    open_private,
    read_run_file,
    read_token,
    unusable,
)
from workbench.contract.processes import PACKAGE_ROOT, importable, python_module

HEALTH = "/v1/workbench/health"
STOP = "/v1/workbench/stop"
_POLL = 0.03  # seconds
_LOG_LINES = 15
_children: dict[int, "subprocess.Popen[bytes]"] = {}


class LaunchFailed(WorkbenchError):
    """The backend did not start or stop. The message says where to look."""


@dataclass(frozen=True)
class Backend:
    """A running backend that answers."""

    url: str
    token: str = field(repr=False)
    pid: int
    version: str


def log_path(folder: Path) -> Path:
    """The log of a backend that this module starts."""
    return folder / "backend.log"


def find(folder: Path | None = None) -> Backend | None:
    """The running backend of the data folder, or None."""
    folder = folder or data_dir()
    run = read_run_file(folder)
    if run is None or not alive(run.pid) or not _answers(run):
        return None
    token = read_token(folder)
    return Backend(run.url, token, run.pid, run.version) if token else None


def ensure_backend(
    folder: Path | None = None,
    *,
    timeout: float = 60.0,
    on_start: Callable[[], None] | None = None,
) -> Backend:
    """The backend of the data folder, started if necessary; it exits by itself when idle for long.

    Safe to call from several programs at once: one starts it, the others wait. `on_start` is called
    before a start. Raises LaunchFailed after `timeout` seconds, if the process exits, or if the
    folder cannot be used.
    """
    folder = folder or data_dir()
    if (backend := find(folder)) is not None:
        return backend
    try:
        make_private(folder)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        lock = os.fdopen(open_private(str(folder / "launch.lock"), flags), "ab")
    except OSError as error:
        raise LaunchFailed(unusable(folder, error)) from error
    with _locked(lock):
        if (backend := find(folder)) is not None:
            return backend
        if on_start is not None:
            on_start()
        return _start(folder, timeout)


async def relocate() -> tuple[str, str]:
    """Address and token of the bundled backend, started if necessary; for `AsyncClient`."""
    backend = await asyncio.to_thread(ensure_backend)
    return backend.url, backend.token


def stop(folder: Path | None = None, *, timeout: float = 30.0) -> bool:
    """Stops the backend and waits for it; False if none ran. Open tasks resume at its start."""
    folder = folder or data_dir()
    run = read_run_file(folder)
    if run is None or not alive(run.pid):
        return False
    backend = find(folder)
    if backend is None:
        raise LaunchFailed(
            f"Process {run.pid} is named in {folder} but does not answer at {run.url}. "
            "If it is a hung backend, kill it; documents and tasks are safe."
        )
    status, _ = _request(backend.url, "POST", STOP, token=backend.token)
    if status >= 300:
        raise LaunchFailed(f"The backend at {backend.url} refused to stop (status {status}).")
    if not _wait(lambda: not alive(backend.pid), timeout):
        raise LaunchFailed(
            f"The backend (process {backend.pid}) is still running after {timeout:.0f} s."
        )
    return True


@atexit.register
def _let_go() -> None:
    """Lets started processes outlive this one without a warning of Popen."""
    for child in _children.values():
        if child.poll() is None:
            child.returncode = 0


def alive(pid: int) -> bool:
    """Whether a process with that id is running."""
    if (child := _children.get(pid)) is not None:
        return child.poll() is None  # an exited child keeps its id until polled
    if sys.platform == "win32":
        return True  # signal 0 would kill it there; callers check its answer anyway
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


# -- starting -------------------------------------------------------------------------------------


def _start(folder: Path, timeout: float) -> Backend:
    log = log_path(folder)
    command = python_module("backend.main", "serve", "--idle-exit")
    with open(log, "ab", opener=open_private) as output:
        begin = output.tell()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,  # ctrl+c in the terminal must not reach it
        )
    _children[process.pid] = process
    ended = _wait(lambda: process.poll() is not None or find(folder) is not None, timeout)
    backend = find(folder)
    if backend is None:
        why = f"ended with code {process.poll()}" if ended else f"was not ready in {timeout:.0f} s"
        process.terminate()
        process.wait()
        raise LaunchFailed(f"The backend {why}. {_last_lines(log, begin)}")
    _compile(folder)
    return backend


def _environment(folder: Path) -> dict[str, str]:
    """The child's environment: same data folder, bytecode enabled, our packages importable."""
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
    environment["WORKBENCH_DATA_DIR"] = str(folder)
    environment["PYTHONUNBUFFERED"] = "1"
    return importable(environment)


_NOT_INHERITED = ("PYTHONDONTWRITEBYTECODE",)
"""Without bytecode, every start would compile every module again."""


def _compile(folder: Path) -> None:
    """Compiles the remaining modules in the background, for checkouts and lazy installers."""
    targets = [PACKAGE_ROOT / package for package in ("backend", "workbench")]
    sources = (source for target in targets for source in target.rglob("*.py"))
    if all(Path(cache_from_source(str(source))).exists() for source in sources):
        return
    lowered = ["nice", "-n", "10"] if sys.platform != "win32" else []
    with contextlib.suppress(OSError):
        compiler = subprocess.Popen(
            [*lowered, *python_module("compileall", "-q", *map(str, targets))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(folder),
            start_new_session=True,
        )
        _children[compiler.pid] = compiler


def _last_lines(log: Path, begin: int) -> str:
    """The end of the log after position `begin`."""
    with log.open("rb") as file:
        file.seek(begin)
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    if not lines:
        return f"It wrote nothing to {log}."
    return f"Last lines of {log}:\n" + "\n".join(f"  {line}" for line in lines[-_LOG_LINES:])


# -- asking ---------------------------------------------------------------------------------------


def _answers(run: RunFile) -> bool:
    try:
        status, body = _request(run.url, "GET", HEALTH)
        health = json.loads(body)
    except (OSError, http.client.HTTPException, ValueError):
        return False
    return status == 200 and isinstance(health, dict) and health.get("pid") == run.pid


def _request(url: str, method: str, path: str, *, token: str | None = None) -> tuple[int, bytes]:
    """Status and body. Uses http.client, because larger libraries would slow the start."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port, timeout=5)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def _wait(done: Callable[[], bool], timeout: float) -> bool:
    deadline = time.monotonic() + timeout
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


@contextlib.contextmanager
def _locked(lock: IO[bytes]) -> Iterator[None]:
    """Locks an open file; the system releases the lock even if this process dies."""
    with lock as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
