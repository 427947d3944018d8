"""JupyterLab in a process of its own, with its own settings, kernels and files."""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import httpx


class Lab:
    """Serves a folder on loopback; `address` opens a notebook in it with the token."""

    def __init__(self, folder: Path, environment: dict[str, str], *, theme: str) -> None:
        self.folder = folder
        self._token = secrets.token_hex(16)
        home = folder / "home"
        _settings(home / "settings", theme)
        kept = {"HOME": home, "IPYTHONDIR": home / "ipython", "JUPYTER_CONFIG_DIR": home / "config",
                "JUPYTER_DATA_DIR": home / "data", "JUPYTER_RUNTIME_DIR": home / "runtime",
                "JUPYTERLAB_SETTINGS_DIR": home / "settings",
                "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces"}  # fmt: skip
        with (folder / "lab.log").open("wb") as log:
            self._process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
             "--ServerApp.port=0", f"--ServerApp.root_dir={folder}",
             f"--IdentityProvider.token={self._token}"],
            env=os.environ | environment | {key: str(value) for key, value in kept.items()},
            stdout=log,
            stderr=log,
        )  # fmt: skip
        self._url = self._started(home / "runtime")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self._process.terminate()
        self._process.wait(20)

    def write(self, name: str, cells: Sequence[str]) -> None:
        """A notebook of code cells. Without a kernel's name Lab would ask for one."""
        import nbformat  # late: every collection of tests would pay its second and a half

        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(made, self.folder / name)

    def address(self, name: str) -> str:
        return f"{self._url}lab/tree/{name}?token={self._token}&reset"

    def end_kernels(self) -> None:
        for session in self._ask("GET", "sessions").json():
            self._ask("DELETE", f"sessions/{session['id']}")

    def _ask(self, method: str, path: str) -> httpx.Response:
        key = {"Authorization": f"token {self._token}"}
        return httpx.request(method, f"{self._url}api/{path}", headers=key, timeout=60)

    def _started(self, runtime: Path) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self._process.poll() is None, (self.folder / "lab.log").read_text()
            for published in runtime.glob("jpserver-*.json"):
                if not (text := published.read_text()):
                    continue  # it is being written
                url = str(json.loads(text)["url"])
                if httpx.get(f"{url}api/status?token={self._token}").is_success:
                    return url
            time.sleep(0.1)
        raise AssertionError(f"no JupyterLab:\n{(self.folder / 'lab.log').read_text()}")


def _settings(folder: Path, theme: str) -> None:
    """The theme, and no news: Lab's question about news would cover the page."""
    chosen = {
        "themes": {"theme": theme},
        "notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    for name, values in chosen.items():
        path = folder / "@jupyterlab" / "apputils-extension" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
