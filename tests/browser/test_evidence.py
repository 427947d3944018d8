"""From any number to its documents and from there to the place of a value, in a real JupyterLab."""

import re

import pytest

pytest.importorskip("websocket", reason="websocket-client (it comes with JupyterLab) is missing")

from tests.browser.lab import Lab
from tests.browser.notebook import open_notebook, run_all
from tests.browser.page import Page
from tests.browser.surroundings import IN_THE_LAB, NAME, Surroundings, look, settled

pytestmark = IN_THE_LAB

CELL = f"""import workbench as wb
from workbench.widgets import *
editor = PlanEditor(wb.connect().docsets[{NAME!r}], "How many reports are there?")
editor"""
NUMBER, ROW = ".wb-output .wb-answer button", ".wb-output tbody tr"
QUESTIONS = {
    "count": ("How many reports have a wind speed of at least 3?", NUMBER),
    "group": ("How many reports are there for each phase?", ROW),
    "distinct": ("How many different aircraft makes are there?", NUMBER),
    "top": ("Which report has the highest damage cost?", ROW),
    "median": ("What is the median wind speed?", NUMBER),
    "comparison": ("How many more reports have weather Visual than Instrument?", NUMBER),
    "share": ("What percentage of the reports have weather Visual?", NUMBER),
    "filter": ("Which reports have a wind speed of at least 3?", ROW),
}
ROWS = {"group": 1}  # several documents
SURE_AND_QUOTED = re.compile(r"\n[01]\.\d\d\np\d+ “.+”")
PDF = ".wb-places [role=group][aria-label$='.pdf'] .wb-item"
BOX, CHOSEN = ".wb-lineage .wb-page rect[aria-selected=true]", ".wb-reading [aria-selected=true]"
"""What is shown of a document with pages, and of one without."""
PLACES = "[...document.querySelectorAll('.wb-places .wb-item')].map((item) => item.innerText)"


def _ask(page: Page, question: str) -> None:
    page.click_into(".wb-plan [aria-label='New question']")
    page.type(question)
    page.press("Enter", 13)
    page.until(f"document.querySelector('.wb-plan .wb-head').innerText.includes({question!r})")
    settled(page, ".wb-plan")
    page.click(".wb-plan .wb-head button", "run")
    settled(page, ".wb-plan")


def _walk(page: Page, name: str, question: str, number: str) -> None:
    """One click on the number shows documents with values, a second one where a value was read."""
    _ask(page, question)
    page.click(number, nth=ROWS.get(name, 0))
    places = page.until(f"{PLACES}.length && {PLACES}")
    assert all(SURE_AND_QUOTED.search(place) for place in places), (question, places)
    page.value("document.querySelector('.wb-output').scrollIntoView()")
    look(page, f"evidence-{name}-1")
    drawn = page.value(f"document.querySelector({PDF!r})")
    page.click(PDF if drawn else ".wb-places .wb-item")
    page.until(f"document.querySelector({(BOX if drawn else CHOSEN)!r})")
    settled(page, ".wb-plan")
    look(page, f"evidence-{name}-2")


def test_a_number_leads_to_the_place_of_a_value_in_two_steps(
    page: Page, reports: Surroundings, tmp_path: object
) -> None:
    with Lab(tmp_path, reports.environment, theme="JupyterLab Light") as lab:  # type: ignore[arg-type]
        lab.write("evidence.ipynb", [CELL])
        open_notebook(page, lab, "evidence.ipynb")
        run_all(page)
        page.until("document.querySelector('.wb-plan .wb-step')")
        for name, (question, number) in QUESTIONS.items():
            _walk(page, name, question, number)
