"""The app in a true terminal against a true backend: painted, connected, and left again."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A tmux server of its own with one window of 100 x 30."""

    def __init__(self, socket: Path) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", os.devnull]

    def start(self, command: list[str], environment: dict[str, str]) -> None:
        size = ["-x", "100", "-y", "30"]
        subprocess.run(
            [*self._tmux, "new-session", "-d", *size, *command],
            env={**os.environ, **environment},
            cwd=ROOT,
            check=True,
        )

    def press(self, *keys: str) -> None:
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

    def screen(self) -> str:
        shown = subprocess.run([*self._tmux, "capture-pane", "-p"], capture_output=True, text=True)
        return shown.stdout

    def wait(self, condition: Callable[[str], bool], seconds: float = 30) -> str:
        """The screen once it fulfils the condition."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            screen = self.screen()
            if condition(screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"it did not come to that:\n{self.screen()}")

    def ended(self) -> bool:
        return subprocess.run([*self._tmux, "has-session"], capture_output=True).returncode != 0

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path / "tmux")
    yield opened
    opened.close()


def test_a_docset_made_in_the_terminal_is_there_for_everyone(
    terminal: Terminal, backend: BackendProcess, tmp_path: Path
) -> None:
    terminal.start(
        [sys.executable, "-c", "from workbench.tui.app import run; run()"],
        {
            "WORKBENCH_DATA_DIR": str(backend.folder),
            "WORKBENCH_SETTINGS": str(tmp_path / "settings.toml"),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "PYTHONPATH": str(ROOT),
        },
    )
    terminal.wait(lambda screen: "● local" in screen)
    terminal.press("n")
    terminal.wait(lambda screen: "New DocSet" in screen)
    terminal.press("-l", "harbour reports")
    terminal.press("Enter")
    terminal.wait(lambda screen: "This DocSet has no documents yet." in screen)
    with backend.client() as http:
        names = [item["name"] for item in http.get("/v1/storage/docsets").json()["items"]]
    assert "harbour reports" in names
    terminal.press("q")
    end = time.monotonic() + 20
    while not terminal.ended() and time.monotonic() < end:
        time.sleep(0.1)
    assert terminal.ended()
