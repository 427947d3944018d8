"""The app in a true terminal against a true backend: painted, connected, and left again."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from workbench.contract.location import read_run_file

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

    def wait(self, condition: Callable[[str], bool], seconds: float = 120) -> str:
        """The screen once it fulfils the condition."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            screen = self.screen()
            if condition(screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"the screen never showed what was awaited:\n{self.screen()}")

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
    end = time.monotonic() + 120
    while not terminal.ended() and time.monotonic() < end:
        time.sleep(0.1)
    assert terminal.ended()


def test_from_an_empty_workbench_to_an_exported_answer_with_the_backend_killed_on_the_way(
    terminal: Terminal, tmp_path: Path
) -> None:
    data, papers, answer = tmp_path / "data", tmp_path / "papers", tmp_path / "answer.csv"
    papers.mkdir()
    for number, place in enumerate(("Oslo", "Bergen", "Narvik")):
        (papers / f"report-{number}.txt").write_text(f"A crane failed in {place}.\n")
    terminal.start(
        [sys.executable, "-m", "workbench.cli"],
        {
            "WORKBENCH_DATA_DIR": str(data),
            "WORKBENCH_SETTINGS": str(tmp_path / "settings.toml"),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "PYTHONPATH": str(ROOT),
        },
    )
    try:
        terminal.wait(lambda screen: "No DocSets yet." in screen)
        terminal.press("n")
        terminal.wait(lambda screen: "New DocSet" in screen)
        terminal.press("-l", "cranes")
        terminal.press("Enter")
        terminal.wait(lambda screen: "This DocSet has no documents yet." in screen)
        terminal.press("a")
        terminal.wait(lambda screen: "Add to cranes" in screen)
        terminal.press("-l", str(papers))
        terminal.press("Enter")
        terminal.wait(lambda screen: "3 of 3 done" in screen)

        before = running(data)
        os.kill(before, signal.SIGKILL)
        terminal.wait(lambda screen: "starting again" in screen or "no answer" in screen)
        terminal.wait(lambda screen: "● local" in screen and running(data) != before)

        terminal.press("6")
        terminal.wait(lambda screen: "Ask something about the documents." in screen)
        terminal.press("-l", "how many documents are there?")
        terminal.press("Enter")
        terminal.wait(lambda screen: "Count" in screen)
        terminal.press("r")
        terminal.wait(lambda screen: "documents behind it" in screen)
        terminal.press("C-e")
        terminal.wait(lambda screen: "Copy as curl" in screen)
        terminal.press("-l", "csv")
        terminal.press("Enter")
        terminal.wait(lambda screen: "Where to?" in screen)
        terminal.press("C-u")
        terminal.wait(lambda screen: "result.csv" not in screen)
        terminal.press("-l", str(answer))
        terminal.press("Enter")
        notes = answer.with_name("answer.csv.notes")
        terminal.wait(lambda _: notes.exists())
        assert notes.read_text().startswith("3 documents")
        [row] = csv.DictReader(answer.read_text().splitlines())
        assert row["value"] == "3"
        terminal.press("C-q")
    finally:
        if (last := running(data)) is not None:
            os.kill(last, signal.SIGKILL)


def running(data: Path) -> int | None:
    """The process of the backend over that folder."""
    run = read_run_file(data)
    return run.pid if run is not None else None
