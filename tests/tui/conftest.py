"""The app over a client without a server, and pictures of it."""

import html
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tui.fake_client import NOW, FakeClient
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace
from workbench.tui.app import WorkbenchApp
from workbench.tui.preferences import Preferences

os.environ["TEXTUAL_ANIMATIONS"] = "none"
PICTURES = Path(__file__).parent / "pictures"


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same terminal everywhere."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


MakeApp = Callable[..., WorkbenchApp]


@pytest.fixture
def make_app(tmp_path: Path, client: FakeClient) -> MakeApp:
    """An app whose clock stands still; `workspace` may prepare the workspace before it opens."""

    def make(
        *,
        prepare: Callable[[Workspace], None] | None = None,
        preferences: Preferences | None = None,
        docset: str | None = None,
        failing: Exception | None = None,
    ) -> WorkbenchApp:
        async def connect() -> Workspace:
            if failing is not None:
                raise failing
            workspace = Workspace(
                client,  # type: ignore[arg-type]
                SessionFile(tmp_path / "sessions.sqlite"),
                clock=lambda: NOW,
                timer=lambda: 0.0,
            )
            if prepare is not None:
                prepare(workspace)
            return workspace

        return WorkbenchApp(
            connect,
            clock=lambda: NOW,
            preferences=preferences or Preferences(),
            settings_file=tmp_path / "settings.toml",
            docset=docset,
        )

    return make


# -- pictures -----------------------------------------------------------------------------------


@pytest.fixture
def looks_as_before(request: pytest.FixtureRequest) -> Callable[[WorkbenchApp, str], None]:
    """Compares the screen with the stored picture; WRITE_PICTURES=1 stores it anew."""

    def compare(app: WorkbenchApp, name: str) -> None:
        found = _steady(app.export_screenshot(simplify=True))
        stored = PICTURES / f"{name}.svg"
        if os.environ.get("WRITE_PICTURES"):
            PICTURES.mkdir(exist_ok=True)
            stored.write_text(found, "utf-8")
            return
        before = stored.read_text("utf-8") if stored.exists() else ""
        if found != before:
            report = Path(str(request.getfixturevalue("tmp_path"))) / f"{name}.html"
            report.write_text(_side_by_side(before, found), "utf-8")
            pytest.fail(f"{name} looks different; see {report}, then WRITE_PICTURES=1 to accept")

    return compare


def _steady(svg: str) -> str:
    """Without the names that change from run to run, one element per line."""
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    return svg.replace("><", ">\n<") + "\n"


def _side_by_side(before: str, after: str) -> str:
    frames = "".join(
        f'<figure style="width:49%;display:inline-block"><figcaption>{label}</figcaption>'
        f'<iframe srcdoc="{html.escape(svg)}" style="width:100%;height:80vh"></iframe></figure>'
        for label, svg in (("before", before), ("now", after))
    )
    return f"<!doctype html><title>Pictures</title>{frames}"
