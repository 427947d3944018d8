"""A person's way through the widgets, in a real JupyterLab in a real browser."""

import os
from pathlib import Path

import pytest

from workbench import connect
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile

pytest.importorskip("websocket", reason="websocket-client (it comes with JupyterLab) is missing")

from tests.browser.contrast import faint
from tests.browser.lab import Lab
from tests.browser.notebook import open_notebook, restart, run_all
from tests.browser.page import Page
from tests.browser.surroundings import IN_THE_LAB, NAME, ROOT, Surroundings, look, settled

pytestmark = IN_THE_LAB

AXE = Path(os.environ.get("WORKBENCH_TEST_AXE", ROOT / "node_modules/axe-core/axe.min.js"))
"""axe-core, where `npm install axe-core` has put it; without it the widgets are not looked at."""
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
CONTROL, SHIFT = 2, 8
SNAPSHOT = ".wb-snapshot"
SEEN = "[...document.querySelectorAll('{}')].filter((e) => e.getClientRects().length).length"
QUESTION = "How many reports are there for each state?"
PARTIAL = "How many reports have a wind speed of at least 10?"

CELLS = [
    """import workbench as wb
from workbench.widgets import *
client = wb.connect()
picker = DocSetPicker(client)
picker""",
    f"""docset = client.docsets[{NAME!r}]
Uploader(docset)""",
    """TaskMonitor(client)""",
    """box = SearchBox(docset)
box""",
    """viewer = ElementViewer(docset).follow(box)
viewer""",
    f"""editor = PlanEditor(docset, {QUESTION!r})
editor""",
]
READ_BACK = """same = box.chosen.element_id == viewer.chosen.id
run = editor.run
shown = [same, editor.draft.number, editor.place["page"], *run.to_polars().columns]
print("read back:", picker.docset.name, shown)
run.plot()"""
CHART = "document.querySelector('.vega-embed canvas, .vega-embed svg')"


AXE_RUN = """{
window.wrong = null;
const node = ({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`;
const line = ({ id, nodes }) => `${id}: ${nodes.map(node).join(" | ")}`;
axe.run([...document.querySelectorAll(".wb")])
  .then(({ violations }) => { window.wrong = violations.map(line); });
}"""


def inaccessible(page: Page) -> list[str]:
    """What axe-core finds wrong with the widgets."""
    page.load(AXE.read_text("utf-8"))
    page.load(AXE_RUN)
    violations: list[str] = page.until("window.wrong && [window.wrong]")[0]
    return violations


def settle_and_look(page: Page, widget: str, name: str) -> None:
    settled(page, widget)
    page.value(f"document.querySelector('{widget}').scrollIntoView()")
    look(page, name)


def upload(page: Page, files: list[Path]) -> None:
    """One file through the browser, one by its path; the task monitor shows the work."""
    page.choose_files(".wb-upload input[type=file]", files[:1])
    page.click_into(".wb-upload input[type=text]")
    page.type(str(files[1]))
    page.press("Enter", 13)
    page.until("document.querySelector('.wb-upload .wb-foot').textContent.includes('2 done')", 60)
    page.until("document.querySelectorAll('.wb-tasks .wb-row').length > 1")
    settle_and_look(page, ".wb-upload", "2-uploads")


def search(page: Page) -> None:
    """A query with a condition that is completed by keyboard; a hit is shown on its page."""
    settled(page, ".wb-search")
    page.click_into(".wb-search [role=combobox]")
    page.type("wea")
    page.until("document.querySelector('.wb-proposal')")
    look(page, "3-completion")
    page.press("ArrowDown", 40)
    page.press("Enter", 13)
    page.until("document.querySelector('.wb-search [role=combobox]').value.endsWith('weather ')")
    page.type('= "Visual"')
    page.click_into(".wb-search input[type=search]")
    page.type("ice on the wing")
    page.press("Enter", 13)
    filtered = "document.querySelector('.wb-search [role=combobox]').value"
    page.until(f"{filtered} === 'weather = \"Visual\"'")
    page.click(".wb-search .wb-item", nth=1)
    settle_and_look(page, ".wb-search", "3-search")
    page.until("document.querySelector('.wb-viewer rect[aria-selected=true]')")
    page.until("document.querySelector('.wb-viewer img').naturalWidth > 500")
    settle_and_look(page, ".wb-viewer", "4-page")


def correct(page: Page) -> None:
    """Feedback, one change refused and taken back by the keys, a step changed in its form."""
    page.click_into(".wb-plan [aria-label=Feedback]")
    page.type("only those with a wind speed of at least 3, and only the first three")
    page.press("Enter", 13)
    page.until("document.querySelectorAll('.wb-plan .wb-change s, .wb-code.wb-added').length > 1")
    settle_and_look(page, ".wb-plan", "5-changes")
    page.click(".wb-plan .wb-change button", "refuse")
    page.until("document.querySelector('.wb-plan .wb-change s')")
    look(page, "5-refused")
    page.press("z", 90, modifiers=CONTROL)
    page.until("!document.querySelector('.wb-plan .wb-change s')")
    page.click(".wb-plan .wb-name", "Take the first")
    page.until("document.querySelector('.wb-form input') === document.activeElement")
    page.press("A", 65, modifiers=CONTROL)
    page.type("0")
    page.until("document.querySelector('.wb-field .wb-problem').textContent")
    look(page, "5-form")
    page.press("A", 65, modifiers=CONTROL)
    page.type("2")
    page.press("Enter", 13)
    page.until("document.querySelector('.wb-form').hidden")
    page.click(".wb-versions summary")
    page.click(".wb-versions button", "compare", nth=1)
    settled(page, ".wb-plan")
    page.value("document.querySelector('.wb-versions').scrollIntoView()")
    look(page, "5-versions")


def run_and_trace(page: Page) -> None:
    """The plan runs; a row of its result leads to a page with a box on it."""
    page.click(".wb-plan .wb-head button", "run")
    page.click(".wb-plan tbody tr")
    page.click(".wb-places .wb-item")
    page.until("document.querySelector('.wb-lineage .wb-page rect')")
    settled(page, ".wb-plan")
    page.value("document.querySelector('.wb-plan .wb-graph').scrollIntoView()")
    look(page, "6-run")
    page.value("document.querySelector('.wb-lineage').scrollIntoView()")
    look(page, "6-lineage")


def edit_elsewhere(page: Page, reports: Surroundings) -> None:
    """What another program does with the session is shown without a reload."""
    backend = reports.backend
    file = SessionFile(backend.folder / "sessions.sqlite")
    with connect(backend.url, backend.token) as client:
        session = PlanSessions(client.engine.client, reports.docset_id, file).latest()
        assert session is not None and session.question == QUESTION
        former = session.undo()
        assert former is not None
        head = "document.querySelector('.wb-plan .wb-head').innerText"
        page.until(f"{head}.includes('version {former.number} of')")
        session.redo()
    file.close()


def review(page: Page) -> None:
    """A remark about missing values opens their review inside the plan editor, and ends it."""
    page.click_into(".wb-plan [aria-label='New question']")
    page.type(PARTIAL)
    page.press("Enter", 13)
    page.until("document.querySelector('.wb-plan .wb-graph').innerText.includes('≥ 10')")
    settled(page, ".wb-plan")
    page.click(".wb-plan .wb-head button", "run")
    page.click(".wb-plan .wb-left-out button", "review")
    page.until("document.querySelector('.wb-plan .wb-reviewer .wb-item')")
    settle_and_look(page, ".wb-review", "7-review")
    if AXE.exists():
        assert inaccessible(page) == []
    page.click(".wb-review button", "done")
    page.until("!document.querySelector('.wb-plan .wb-reviewer')")
    settled(page, ".wb-plan")


def outlive_the_kernel(page: Page) -> None:
    """Every widget says that its kernel was restarted, and offers the way back."""
    restart(page)
    page.until(f"{SEEN.format('.wb-gone')} === document.querySelectorAll('.wb').length")
    settle_and_look(page, ".wb-search", "9-restarted")
    assert faint(page, ".wb") == []
    page.click(".wb-plan .wb-gone button")
    page.until(f"!{SEEN.format('.wb-gone')}")
    page.until("document.querySelector('.wb-plan .wb-step')")
    page.click_into(".wb-search input[type=search]")
    page.type("propeller")
    page.press("Enter", 13)
    preview = f"document.querySelector('{SNAPSHOT}[data-of=SearchBox]').innerText"
    page.until(f"{preview}.includes('Search: propeller ·')")
    assert page.value(SEEN.format(SNAPSHOT)) == 0, "a snapshot is hidden while its widget lives"
    page.click(".jp-CodeCell .jp-InputPrompt")
    page.press("s", 83, modifiers=CONTROL)
    page.until("!document.querySelector('.jp-mod-dirty')")


def read_without_a_kernel(page: Page, lab: Lab) -> None:
    """Opened again, and exported, the notebook shows the last state of every widget."""
    import nbformat  # late: every collection of tests would pay its second and a half
    from nbconvert import HTMLExporter

    lab.end_kernels()
    page.open("about:blank")
    open_notebook(page, lab, "journey.ipynb")
    page.until(f"{SEEN.format(SNAPSHOT)} === {len(CELLS)}")
    page.value(f"document.querySelector('{SNAPSHOT}[data-of=SearchBox]').scrollIntoView()")
    look(page, "9-reopened")
    words = page.value("document.querySelector('.jp-Notebook').innerText")
    assert "Search: propeller" in words and "model not found" not in words
    exported, _ = HTMLExporter().from_notebook_node(nbformat.read(lab.folder / "journey.ipynb", 4))
    assert "Search: propeller" in exported


def test_from_a_file_to_a_corrected_answer_in_python(page, reports, tmp_path):
    with Lab(tmp_path, reports.environment, theme=LIGHT) as lab:
        lab.write("journey.ipynb", [*CELLS, ""])
        open_notebook(page, lab, "journey.ipynb")
        run_all(page)
        page.until("document.querySelector('.wb-plan .wb-step')")
        page.click(".wb-docsets .wb-item", NAME)
        look(page, "1-docsets")
        upload(page, reports.files)
        search(page)
        correct(page)
        run_and_trace(page)
        edit_elsewhere(page, reports)
        # What stood behind the answer was closed when the plan became another one.
        run_and_trace(page)

        page.click(".jp-CodeCell .cm-content", nth=-1)
        page.type(READ_BACK)
        page.press("Enter", 13, modifiers=SHIFT)
        page.until(f"document.body.innerText.includes('read back: {NAME} [True, ')")
        page.until(CHART)
        look(page, "7-read")
        assert faint(page, ".wb") == []
        if AXE.exists():
            assert inaccessible(page) == []

        page.press("C", 67, modifiers=CONTROL + SHIFT)
        page.until("document.querySelector('.lm-CommandPalette-input') === document.activeElement")
        page.type(f"Use Theme: {DARK}")
        page.click(".lm-CommandPalette-item", f"Use Theme: {DARK}")
        page.until(f"document.body.dataset.jpThemeName === '{DARK}'")
        page.until("getComputedStyle(document.querySelector('.wb')).color.includes('255')")
        assert faint(page, ".wb") == []
        if AXE.exists():
            assert inaccessible(page) == []
        widgets = (
            "wb-docsets",
            "wb-upload",
            "wb-tasks",
            "wb-search",
            "wb-viewer",
            "wb-plan",
            "wb-lineage",
            "vega-embed",
        )
        for number, widget in enumerate(widgets):
            page.value(f"document.querySelector('.{widget}').scrollIntoView()")
            look(page, f"8-dark-{number}")
        review(page)
        outlive_the_kernel(page)
        read_without_a_kernel(page, lab)
    assert page.hosts() <= {"127.0.0.1"}
