"""What the tests in a browser have in common: where they are, and how they look."""

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from tests.browser.page import Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
ROOT = Path(__file__).parent.parent.parent
PICTURES = os.environ.get("WORKBENCH_TEST_PICTURES")
"""A folder: pictures of every step go there, to be looked at."""
NAME = "Reports of the journey"
IN_THE_LAB = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    # Not `importorskip`: importing it would take every collection of tests a second.
    pytest.mark.skipif(find_spec("jupyterlab") is None, reason="JupyterLab is not installed"),
]


@dataclass(frozen=True)
class Surroundings:
    """A DocSet with a few reports, two more as files, and what makes a kernel find the backend."""

    backend: BackendProcess
    docset_id: str
    files: list[Path]
    environment: dict[str, str]


def look(page: Page, name: str) -> None:
    if PICTURES:
        page.picture(Path(PICTURES) / f"{name}.png")


def settled(page: Page, widget: str) -> None:
    """Waits until a widget is there and its work has ended, without trouble."""
    page.until(f"""document.querySelector("{widget} .wb-status")?.textContent === "" """)
