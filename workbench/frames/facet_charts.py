"""Facets as charts: bars of the documents that have each value, histograms of numbers and dates."""

from collections.abc import Sequence
from typing import Any

from workbench.client.errors import Mistake
from workbench.contract.search import Facet
from workbench.formats import value_words
from workbench.frames.charts import SCHEMA, Plot, words_of

_WIDTH, _HEIGHT = 520, 160
_COUNT = "documents"


def plot_of_facets(facets: Sequence[Facet], *, log: bool = False) -> Plot:
    """One chart for each property that has values. Raises Mistake where none has."""
    charts = [_chart(facet, log) for facet in facets if facet.values or facet.histogram]
    if not charts:
        raise Mistake("There is nothing to draw: no document has a value of these properties.")
    names = ", ".join(facet.field for facet in facets if facet.values or facet.histogram)
    spec = charts[0] if len(charts) == 1 else {"vconcat": charts}
    return Plot({"$schema": SCHEMA} | spec, f"bar, documents by {names}")


def _chart(facet: Facet, log: bool) -> dict[str, Any]:
    chart = _histogram(facet) if facet.histogram else _bars(facet)
    chart |= {"width": _WIDTH, "mark": {"type": "bar", "tooltip": {"content": "data"}}}
    if log:
        counts = next(one for one in chart["encoding"].values() if one.get("field") == _COUNT)
        counts["scale"] = {"type": "log"}
    if beside := _beside(facet):
        chart["title"] = {"text": words_of(facet.field), "subtitle": beside, "anchor": "start"}
    return chart


def _bars(facet: Facet) -> dict[str, Any]:
    """Lying, the commonest on top, so that names can be read."""
    rows = [{"value": value_words(v.value, facet.field), _COUNT: v.count} for v in facet.values]
    return {
        "data": {"values": rows},
        "encoding": {
            "y": {
                "field": "value",
                "type": "nominal",
                "title": words_of(facet.field),
                "sort": None,
            },
            "x": _counts(),
        },
    }


def _histogram(facet: Facet) -> dict[str, Any]:
    bins = facet.histogram
    kind = "temporal" if isinstance(bins[0].start, str) else "quantitative"
    rows = [{"from": one.start, "to": one.end, _COUNT: one.count} for one in bins]
    title = words_of(facet.field)
    over: dict[str, Any] = {"field": "from", "type": kind, "title": title}
    if kind == "quantitative":
        over |= {"bin": "binned", "axis": {"grid": False}}
    return {
        "height": _HEIGHT,
        "data": {"values": rows},
        "encoding": {"x": over, "x2": {"field": "to"}, "y": _counts()},
    }


def _counts() -> dict[str, Any]:
    return {
        "field": _COUNT,
        "type": "quantitative",
        "title": _COUNT,
        "axis": {"tickMinStep": 1},
    }


def _beside(facet: Facet) -> str:
    """What the bars do not show."""
    more = 0 if facet.histogram else facet.distinct - len(facet.values)
    said = [
        f"{more:,} more values are not drawn" if more > 1 else "1 more value is not drawn",
        f"{facet.missing:,} documents have no value" if facet.missing > 1 else
        "1 document has no value",
    ]  # fmt: skip
    return "; ".join(
        words for words, count in zip(said, (more, facet.missing), strict=True) if count > 0
    )
