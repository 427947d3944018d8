"""The app over a client without a server, and pictures of it."""

import html
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.tui.app_over import app_over
from tests.tui.fake_client import FakeClient
from tests.tui.idleness import render_update, run_in_executor, wait_for_idle
from tests.tui.parsed_styles import parse_rules
from workbench.sessions.local_models import LocalModel
from workbench.tui.app import WorkbenchApp

PICTURES = Path(__file__).parent / "pictures"


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same terminal everywhere, which neither animates nor waits for the next frame, and is
    drawn when the app is idle.
    """
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", 1 / 500)
    monkeypatch.setattr("asyncio.BaseEventLoop.run_in_executor", run_in_executor)
    monkeypatch.setattr("textual._compositor.Compositor.render_update", render_update)
    monkeypatch.setattr("textual.pilot.wait_for_idle", wait_for_idle)
    monkeypatch.setattr("textual.app.wait_for_idle", wait_for_idle)
    monkeypatch.setattr("textual.css.stylesheet.Stylesheet._parse_rules", parse_rules)
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    async def no_models() -> list[LocalModel]:
        return []

    monkeypatch.setattr("workbench.tui.screens.settings.local_models", no_models)


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


MakeApp = Callable[..., WorkbenchApp]


@pytest.fixture
def make_app(tmp_path: Path, client: FakeClient) -> MakeApp:
    """Makes apps over `client`; those of one test share their files."""
    return partial(app_over, client, tmp_path)


# -- pictures -----------------------------------------------------------------------------------


@pytest.fixture
def matches_snapshot(request: pytest.FixtureRequest) -> Callable[[WorkbenchApp, str], None]:
    """Compares the screen with the stored picture; WRITE_PICTURES=1 stores it anew."""

    def compare(app: WorkbenchApp, name: str) -> None:
        screen = _steady(app.export_screenshot(simplify=True))
        stored = PICTURES / f"{name}.svg"
        if os.environ.get("WRITE_PICTURES"):
            PICTURES.mkdir(exist_ok=True)
            stored.write_text(screen, "utf-8")
            return
        before = stored.read_text("utf-8") if stored.exists() else ""
        if screen != before:
            report = Path(str(request.getfixturevalue("tmp_path"))) / f"{name}.html"
            report.write_text(_side_by_side(before, screen), "utf-8")
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
