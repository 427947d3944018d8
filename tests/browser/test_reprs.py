"""Frames as a notebook shows them, measured in a real browser, light and dark."""

import pytest

pytest.importorskip("websocket", reason="websocket-client (it comes with JupyterLab) is missing")

from tests.browser.drawn_reprs import CHROMIUM, check_drawn
from workbench.contract.search import Facet, FacetValue, SearchRequest
from workbench.frames import Facets, Hits, NodeOutput

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
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


def test_frames_with_extreme_content_are_low_scroll_sideways_and_break_no_word(tmp_path):
    check_drawn({name: frame._repr_html_() for name, frame in FRAMES.items()}, tmp_path)
