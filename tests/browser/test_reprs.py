"""Frames as a notebook shows them, measured in a real browser, light and dark."""

import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("websocket", reason="websocket-client (it comes with JupyterLab) is missing")

from tests.browser.page import Page
from workbench.contract.search import Facet, FacetValue, SearchRequest
from workbench.frames import Facets, Hits, NodeOutput

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
PICTURES = os.environ.get("WORKBENCH_TEST_PICTURES")
"""A folder: pictures of the frames go there, to be looked at."""

LONG = "A twin-engine aircraft AFS-2020-0037 came to grief and/or burned at Elk-Hollow. " * 20
ITEM = {
    "doc_id": "wb:f-3v68jnjxamrk3sj18d8e282nge",
    "properties": {"path": "AFS-2020-0037-a-rather-long-name.docx", "page_count": 1,
                   "entity": {f"property_{n}": n for n in range(20)}},
    "text_representation": LONG,
    "_search": {"snippet": LONG, "positions": [[2, 6]], "page_number": 3, "score": 0.5},
}  # fmt: skip
FRAMES = {
    "hits": Hits([ITEM] * 100, SearchRequest(query="twin")),
    "filtered": Hits([ITEM] * 100, SearchRequest(properties_filter="property_1 = 1")),
    "rows": NodeOutput(
        ["id", "text", "url", "n"],
        [{"id": n, "text": LONG, "url": "https://example.org/" + "x" * 300, "n": 1.5}
         for n in range(40)],
    ),
    "facets": Facets([
        Facet(field=f"property_{n}", kind="string", missing=n, distinct=60,
              values=[FacetValue(value=LONG[: 20 * i], count=9 - i) for i in range(1, 6)])
        for n in range(20)
    ]),
}  # fmt: skip
# What JupyterLab and classic notebooks do to tables.
STYLE = """body { font: 13px/1.5 sans-serif; width: 900px }
table { table-layout: fixed; margin: 0 auto; font-size: 12px }
td, th { padding: .5em; white-space: normal; max-width: none; text-align: right }
"""
BROKEN = r"""[...document.querySelectorAll("td, th")].flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    for (const word of walker.currentNode.data.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((r) => r.top)).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize(("theme", "ground", "ink"), [("light", "#fff", "#111"),
                                                      ("dark", "#111", "#eee")])  # fmt: skip
def test_a_frame_is_low_scrolls_sideways_and_breaks_no_word(name, theme, ground, ink, tmp_path):
    file = tmp_path / "frame.html"
    colours = f"body {{ background: {ground}; color: {ink} }}"
    shown = f"<main>{FRAMES[name]._repr_html_()}</main>"
    file.write_text(f"<meta charset=utf-8><style>{STYLE}{colours}</style>{shown}", "utf-8")
    with Page(str(CHROMIUM), tmp_path / "profile") as page:
        page.open(file.as_uri())
        page.until("document.querySelector('main td')", 20)
        if PICTURES:
            page.picture(Path(PICTURES) / f"frame-{name}-{theme}.png")
        assert page.value("document.querySelector('main').offsetHeight") <= 400
        assert page.value("document.documentElement.scrollWidth <= innerWidth")
        assert page.value(BROKEN) == []
        cell = "getComputedStyle(document.querySelector('main td')).color"
        assert page.value(cell) == page.value("getComputedStyle(document.body).color")
        assert {request.split(":")[0] for request in page.requests} == {"file"}
