"""What the app loads, and when: no data frame library ever, no network before the first paint."""

import subprocess
import sys

import pytest

FRAMES = {"pandas", "polars", "pyarrow", "numpy"}

_WALK = """
import asyncio, sys
from pathlib import Path
from tests.tui.fake_client import NOW, FakeClient
from workbench.tui.app import WorkbenchApp
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace

async def main():
    async def connect():
        return Workspace(FakeClient(), SessionFile(Path(sys.argv[1]) / "s.sqlite"))
    app = WorkbenchApp(connect, settings_file=Path(sys.argv[1]) / "settings.toml")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        for key in "1234567":
            await pilot.press(key)
            await pilot.pause(0.05)
        assert app.screen.place == "settings"

asyncio.run(main())
"""


def loaded(code: str, *arguments: str) -> set[str]:
    """Top-level packages in `sys.modules` after `code`, in an interpreter of its own."""
    code += "\nimport sys\nprint(*sorted({n.partition('.')[0] for n in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_walking_through_every_screen_loads_no_data_frame_library(tmp_path):
    assert loaded(_WALK, str(tmp_path)) & FRAMES == set()


@pytest.mark.parametrize(
    "module", ["workbench.tui.app", "workbench.tui.screens.docsets", "workbench.tui.dialogs.help"]
)
def test_the_first_paint_waits_for_neither_network_nor_wire_types(module):
    assert loaded(f"import {module}") & ({"httpx", "pydantic", "PIL", "sqlite3"} | FRAMES) == set()


def test_pictures_of_pages_need_no_data_frame_library():
    code = "import workbench.pages.raster, workbench.pages.halfblock, workbench.pages.boxmap"
    assert loaded(code) & FRAMES == set()
