"""A session file, a clock that stands still, and a client without a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.fake_client import NOW, FakeClient
from workbench.sessions.session_file import SessionFile


class Clock:
    """Tells the same time until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


@pytest.fixture
def file(path: Path) -> Iterator[SessionFile]:
    opened = SessionFile(path)
    yield opened
    opened.close()


@pytest.fixture
def papers(tmp_path: Path) -> list[Path]:
    """Three files with different content."""
    made = []
    for number in range(3):
        paper = tmp_path / f"paper {number}.txt"
        paper.write_text(f"content {number}")
        made.append(paper)
    return made
