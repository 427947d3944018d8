"""A person's way through the widgets, in a real JupyterLab in a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from workbench import connect
from workbench.demo.documents import DEMO_SCHEMA, write_documents

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
pytest.importorskip("websocket", reason="websocket-client (it comes with JupyterLab) is missing")

from tests.browser.lab import Lab
from tests.browser.page import Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

ROOT = Path(__file__).parent.parent.parent
PICTURES = os.environ.get("WORKBENCH_TEST_PICTURES")
"""A folder: pictures of every step go there, to be looked at."""
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
CONTROL, SHIFT = 2, 8
NAME = "Reports of the journey"

CELLS = [
    """import workbench as wb
from workbench.widgets import DocSetPicker, ElementViewer, PlanEditor, SearchBox
client = wb.connect()
picker = DocSetPicker(client)
picker""",
    f"""docset = client.docsets[{NAME!r}]
box = SearchBox(docset)
box""",
    """viewer = ElementViewer(docset).follow(box)
viewer""",
    """editor = PlanEditor(docset, "How many reports are there for each state?")
editor""",
]
READ_BACK = """same = box.chosen.element_id == viewer.chosen.id
run = editor.run
told = [same, editor.draft.number, len(run), *run.to_polars().columns]
print("read back:", picker.docset.name, told)"""


CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (...colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) =>
      v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const ground = (e) => getComputedStyle(e).backgroundColor;
  const grounds = (e) => (e ? [...grounds(e.parentElement), ground(e)] : []);
  const words = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const weak = (e) => {
    const under = ["white", ...grounds(e)];
    const pair = [light(over(...under)), light(over(...under, getComputedStyle(e).color))];
    return Math.max(...pair) / Math.min(...pair) < 4.5;
  };
  return [...document.querySelectorAll(".wb *")]
    .filter((e) => words(e) && e.getClientRects().length && !e.disabled && weak(e))
    .map((e) => `${e.className} ${e.textContent}`);
})()"""


@pytest.fixture(scope="module")
def environment(
    backend: BackendProcess, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """What makes a kernel find the backend of the tests, which has a few reports."""
    folder = tmp_path_factory.mktemp("reports")
    write_documents(folder, count=8)
    with connect(backend.url, backend.token) as client:
        docset = client.docsets.create(NAME, schema=DEMO_SCHEMA)
        assert not docset.add(folder, progress=False).failed
    known = os.environ.get("PYTHONPATH")
    path = f"{ROOT}{os.pathsep}{known}" if known else str(ROOT)
    return {"PYTHONPATH": path, "WORKBENCH_DATA_DIR": str(backend.folder)}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with Page(str(CHROMIUM), tmp_path / "profile") as opened:
        yield opened


def look(page: Page, name: str) -> None:
    if PICTURES:
        page.picture(Path(PICTURES) / f"{name}.png")


def settled(page: Page, widget: str) -> None:
    """Waits until a widget is there and its work has ended, without trouble."""
    page.until(f"""document.querySelector("{widget} .wb-status")?.textContent === "" """)


def run_all(page: Page, lab: Lab, name: str) -> None:
    """Opens a notebook and runs it by the menu."""
    page.open(lab.address(name))
    page.until(
        "document.querySelector('.jp-CodeCell') && !document.querySelector('#jupyterlab-splash')",
        60,
    )
    page.click(".jp-CodeCell .cm-content")  # the status bar tells of what has the focus
    page.until("document.body.innerText.includes('(ipykernel) | Idle')", 60)
    page.click(".lm-MenuBar-item", "Run")
    page.click(".lm-Menu-item", "Run All Cells")
    page.until("document.querySelector('.wb-plan .wb-step')", 60)


def faint(page: Page) -> list[str]:
    """The texts of the widgets that stand out too little: below 4.5 to 1, the measure of WCAG."""
    found: list[str] = page.value(CONTRAST)
    return found


def test_from_a_question_to_a_corrected_answer_in_python(page, environment, tmp_path):
    with Lab(tmp_path, environment, theme=LIGHT) as lab:
        lab.write("journey.ipynb", [*CELLS, ""])
        run_all(page, lab, "journey.ipynb")

        page.click(".wb-docsets .wb-item", NAME)
        look(page, "1-docsets")

        page.click(".wb-search input[type=search]")
        page.type("ice on the wing")
        page.press("Enter", 13)
        page.click(".wb-search .wb-item", nth=1)
        look(page, "2-search")

        page.until("document.querySelector('.wb-viewer rect[aria-selected=true]')")
        page.until("document.querySelector('.wb-viewer img').naturalWidth > 500")
        settled(page, ".wb-viewer")
        page.value("document.querySelector('.wb-viewer').scrollIntoView()")
        look(page, "3-page")

        page.click(".wb-plan input")
        page.type("only those with a wind speed of at least 10, and only the first three")
        page.press("Enter", 13)
        page.until("document.querySelectorAll('.wb-plan .wb-change').length > 1")
        look(page, "4-changes")
        page.click(".wb-plan .wb-change button", "refuse")
        page.until("document.querySelector('.wb-plan .wb-change s')")
        look(page, "5-refused")
        page.click(".wb-plan button", "undo")
        page.until("!document.querySelector('.wb-plan .wb-change s')")
        settled(page, ".wb-plan")
        page.click(".wb-plan button", "run")
        page.until("document.querySelector('.wb-plan .wb-grid')")
        look(page, "6-run")

        page.click(".jp-CodeCell .cm-content", nth=-1)
        page.type(READ_BACK)
        page.press("Enter", 13, modifiers=SHIFT)
        page.until(
            "document.body.innerText.includes('read back: ' + NAME)".replace("NAME", repr(NAME))
        )
        look(page, "7-read")
        assert faint(page) == []

        page.press("C", 67, modifiers=CONTROL + SHIFT)
        page.until("document.querySelector('.lm-CommandPalette-input') === document.activeElement")
        page.type(f"Use Theme: {DARK}")
        look(page, "8-palette")
        page.click(".lm-CommandPalette-item", f"Use Theme: {DARK}")
        page.until(f"document.body.dataset.jpThemeName === '{DARK}'")
        page.until("getComputedStyle(document.querySelector('.wb')).color.includes('255')")
        assert faint(page) == []
        for number, widget in enumerate(("wb-docsets", "wb-search", "wb-viewer", "wb-plan")):
            page.value(f"document.querySelector('.{widget}').scrollIntoView()")
            look(page, f"8-dark-{number}")
        print(page.text()[-500:])
    assert page.hosts() <= {"127.0.0.1"}
