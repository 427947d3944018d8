"""A real backend in its own process group and data folder, for tests over HTTP."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from backend.contract.location import read_run_file, read_token


class BackendProcess:
    """Start, stop and kill it as a person, an init system or a power cut would."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._settings = dict(settings or {})
        self._process: subprocess.Popen[bytes] | None = None

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
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "backend.main", "serve", *arguments],
                env=environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            run = read_run_file(self.folder)
            if run is not None and run.pid == self._process.pid:
                self.url = run.url
                self.token = read_token(self.folder) or ""
                return self
            if self._process.poll() is not None:
                break
            time.sleep(0.02)
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
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, **more)  # type: ignore[arg-type]

    def kill(self, *, server_only: bool = False) -> None:
        """Ends the whole process group at once, as a crash of the machine would."""
        assert self._process is not None
        (os.kill if server_only else os.killpg)(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def ended_by_itself(self, seconds: float = 10) -> bool:
        """Whether the server has ended, or does so before that time is up."""
        assert self._process is not None
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self, seconds: float = 15) -> int:
        """Ends it by SIGTERM and returns the exit code."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(seconds)
        return self._process.returncode
