"""A real backend in its own process group and data folder, for tests over HTTP.

Importing the backend takes ten times as long as all else of its start, and the tests start some
hundred of them. They are therefore forked from one process that has imported it and done nothing
else; who names a `module` has that run as a command, as everybody else does.
"""

import multiprocessing
import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import httpx

from workbench.contract.location import read_run_file, read_token

COMMAND = "backend.main"
"""The module that the command runs."""

WITHOUT_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of plain HTTP: reading the certificates of the system takes each client 27 ms."""

_forks = multiprocessing.get_context("forkserver")
# pytest, because the main module of whoever forks is imported again.
_forks.set_forkserver_preload(
    ["tests.backend_process", "tests.forked_workers", "backend.main", "alembic.context", "pytest"]
)


class BackendProcess:
    """Start, stop and kill it as a person, an init system or a power cut would."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        module: str | None = None,
        inside: Sequence[str] = (),
    ) -> None:
        """`inside` are words before the command of `module`, which must become that command."""
        self.folder = folder
        self._settings = dict(settings or {})
        self._module = module
        self._inside = inside
        self._process: _Forked | _Run | None = None

    def start(self, *arguments: str) -> "BackendProcess":
        """Returns when the backend answers; AssertionError with its log when it does not."""
        self.folder.mkdir(parents=True, exist_ok=True)
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("WORKBENCH_") and key != "PYTHONDONTWRITEBYTECODE"
        }
        environment |= {"WORKBENCH_DATA_DIR": str(self.folder)}
        environment |= {"WORKBENCH_SETTINGS": str(self.folder / "settings.toml")}
        environment |= {f"WORKBENCH_{key.upper()}": v for key, v in self._settings.items()}
        arguments = ("serve", *arguments)
        if self._module is None:
            self._process = _Forked(arguments, environment, self.log)
        else:
            command = [*self._inside, sys.executable, "-m", self._module, *arguments]
            self._process = _Run(command, environment, self.log)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            run = read_run_file(self.folder)
            if run is not None and run.pid == self._process.pid:
                self.url = run.url
                self.token = read_token(self.folder) or ""
                return self
            if self._process.ended(0.01):
                break
        raise AssertionError(f"the backend did not start:\n{self.log.read_text()[-3000:]}")

    @property
    def log(self) -> Path:
        return self.folder / "backend.log"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def client(self, **more: object) -> httpx.Client:
        """An HTTP client that carries the token."""
        headers = {"Authorization": f"Bearer {self.token}"}
        options = {"headers": headers, "timeout": 60, "verify": WITHOUT_TLS} | more
        return httpx.Client(base_url=self.url, **options)  # type: ignore[arg-type]

    def kill(self, *, server_only: bool = False) -> None:
        """Ends the whole process group at once, as a crash of the machine would."""
        assert self._process is not None
        (os.kill if server_only else os.killpg)(self._process.pid, signal.SIGKILL)
        self._process.ended(None)

    def ended_by_itself(self, seconds: float = 60) -> bool:
        """Whether the server has ended, or does so before that time is up."""
        assert self._process is not None
        return self._process.ended(seconds)

    def stop(self, seconds: float = 60) -> int:
        """Ends it by SIGTERM and returns the exit code."""
        assert self._process is not None
        if not self._process.ended(0):
            os.kill(self._process.pid, signal.SIGTERM)
            assert self._process.ended(seconds), "it does not stop"
        return self._process.code


class _Run:
    """A process that was started as a command."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], log: Path) -> None:
        with log.open("ab") as file:
            self._process = subprocess.Popen(
                command,
                env=environment,
                stdout=file,
                stderr=file,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self.pid = self._process.pid

    def ended(self, seconds: float | None) -> bool:
        """Whether it has ended, or does so within that time; None waits for ever."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def code(self) -> int:
        """What it ended with; minus the signal that killed it."""
        return self._process.wait()


class _Forked:
    """The same, forked from a process that has imported the backend."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
        self._process: ForkServerProcess = _forks.Process(
            target=_serve, args=(arguments, environment, log), daemon=True
        )
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def ended(self, seconds: float | None) -> bool:
        self._process.join(seconds)
        return self._process.exitcode is not None

    @property
    def code(self) -> int:
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def _serve(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    # Only in the fork: tests of the terminal import this module too.
    from backend.main import main
    from tests.forked_workers import fork_workers

    os.setsid()
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for stream in (1, 2):
        os.dup2(output, stream)
    os.close(output)
    os.environ.clear()
    os.environ.update(environment)
    fork_workers()
    sys.exit(main(list(arguments)))
