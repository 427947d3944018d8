"""Charts of office documents (DrawingML): the fallback picture and the numbers behind it.

Office files store the values that a chart last showed, so no spreadsheet is needed.
"""

from lxml import etree

from backend.partition.archive import Archive
from backend.partition.flow import Flow, cells_of_rows
from workbench.contract.elements import TableCell

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MAX_POINTS = 20_000
"""The most points of one chart, over all its series; others are left out."""
_KINDS = {
    "barChart": "Bar chart",
    "bar3DChart": "Bar chart",
    "lineChart": "Line chart",
    "line3DChart": "Line chart",
    "pieChart": "Pie chart",
    "pie3DChart": "Pie chart",
    "ofPieChart": "Pie chart",
    "doughnutChart": "Doughnut chart",
    "areaChart": "Area chart",
    "area3DChart": "Area chart",
    "scatterChart": "Scatter chart",
    "bubbleChart": "Bubble chart",
    "radarChart": "Radar chart",
    "stockChart": "Stock chart",
    "surfaceChart": "Surface chart",
}


def read_into(flow: Flow, archive: Archive, part: str) -> None:
    """Adds the caption, the picture's kind and a table of the values; nothing without a chart."""
    if part not in archive:
        return
    chart = archive.xml(part).find(f"{_C}chart")
    plot = chart.find(f"{_C}plotArea") if chart is not None else None
    if chart is None or plot is None:
        return
    title = chart.find(f"{_C}title")
    if title is not None:
        flow.add("Caption", "".join(node.text or "" for node in title.iter(f"{_A}t", f"{_C}v")))
    kinds = [_KINDS[name] for node in plot if (name := etree.QName(node).localname) in _KINDS]
    flow.image(kinds[0] if kinds else "Chart")
    flow.table(_values(plot))


def _values(plot: etree._Element) -> list[TableCell]:
    """One row per category or x value, one column per series."""
    series = list(plot.iter(f"{_C}ser"))
    columns: list[dict[int, str]] = []
    labels: dict[int, str] = {}
    left = _MAX_POINTS
    for one in series:
        for key, label in {**_points(one, "xVal", left), **_points(one, "cat", left)}.items():
            labels.setdefault(key, label)
        columns.append(_points(one, "val", left) or _points(one, "yVal", left))
        left = max(0, left - len(columns[-1]))
    names = [" ".join(_points(one, "tx", 10).values()) for one in series]
    places = sorted(set(labels).union(*columns)) if columns else []
    rows = [
        [labels.get(place, str(place + 1)), *(column.get(place, "") for column in columns)]
        for place in places
    ]
    return cells_of_rows([["", *names], *rows]) if rows else []


def _points(series: etree._Element, name: str, most: int) -> dict[int, str]:
    """The stored values of one part of a series by their position."""
    out: dict[int, str] = {}
    node = series.find(f"{_C}{name}")
    for point in node.iter(f"{_C}pt") if node is not None else ():
        place = point.get("idx") or ""
        if place.isdecimal() and len(out) < most:
            out[int(place)] = " ".join((point.findtext(f"{_C}v") or "").split())
    return out
