"""Facets as charts: bars of the documents per value, histograms of numbers and dates."""

from collections.abc import Sequence
from typing import Any

from workbench.client.errors import Mistake
from workbench.contract.plan_nodes import bare_field
from workbench.contract.search import Facet
from workbench.formats import value_words
from workbench.frames.charts import SCHEMA, Plot, words_of

_WIDTH, _HEIGHT = 520, 160
_COUNT = "documents"
_TICKS = 5


def plot_of_facets(facets: Sequence[Facet]) -> Plot:
    """One chart per property with values. Raises Mistake if there is none."""
    drawn = [facet for facet in facets if facet.values or facet.histogram]
    if not drawn:
        raise Mistake("There is nothing to draw: no document has a value of these properties.")
    charts = [_chart(facet) for facet in drawn]
    names = ", ".join(bare_field(facet.field) for facet in drawn)
    spec = charts[0] if len(charts) == 1 else {"vconcat": charts}
    return Plot({"$schema": SCHEMA} | spec, f"bar, documents by {names}")


def _chart(facet: Facet) -> dict[str, Any]:
    chart = _histogram(facet) if facet.histogram else _bars(facet)
    if beside := _beside(facet):
        name = words_of(bare_field(facet.field))
        chart["title"] = {"text": name, "subtitle": beside, "anchor": "start"}
    return {"width": _WIDTH} | chart


def _bars(facet: Facet) -> dict[str, Any]:
    """Horizontal, the most frequent on top, so that names are readable."""
    rows = [{"value": value_words(v.value, facet.field), _COUNT: v.count} for v in facet.values]
    name = words_of(bare_field(facet.field))
    return {
        "data": {"values": rows},
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "encoding": {
            "y": {"field": "value", "type": "nominal", "title": name, "sort": None},
            "x": _counts([v.count for v in facet.values]),
        },
    }


def _histogram(facet: Facet) -> dict[str, Any]:
    """Rectangles from one limit to the next: bars over time would be drawn sideways."""
    bins = facet.histogram
    kind = "temporal" if isinstance(bins[0].start, str) else "quantitative"
    rows = [{"from": one.start, "to": one.end, _COUNT: one.count} for one in bins]
    over = {
        "field": "from",
        "type": kind,
        "title": words_of(bare_field(facet.field)),
        "scale": {"zero": False, "nice": False},
        "axis": {"grid": False},
    }
    return {
        "height": _HEIGHT,
        "data": {"values": rows},
        "mark": {"type": "rect", "tooltip": {"content": "data"}, "stroke": "white"},
        "encoding": {
            "x": over,
            "x2": {"field": "to"},
            "y": _counts([one.count for one in bins]),
            "y2": {"datum": 0},
        },
    }


def _counts(counts: Sequence[int]) -> dict[str, Any]:
    """An axis of documents, without parts of one."""
    axis = {"tickCount": min(_TICKS, max(counts))}
    return {"field": _COUNT, "type": "quantitative", "title": _COUNT, "axis": axis}


def _beside(facet: Facet) -> str:
    """The information that the bars do not show."""
    more = 0 if facet.histogram else facet.distinct - len(facet.values)
    remarks = [
        f"{more:,} more values are not drawn" if more > 1 else "1 more value is not drawn",
        f"{facet.missing:,} documents have no value" if facet.missing > 1 else
        "1 document has no value",
    ]  # fmt: skip
    return "; ".join(
        words for words, count in zip(remarks, (more, facet.missing), strict=True) if count > 0
    )
