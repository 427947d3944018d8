"""Facets as frames and as charts."""

from datetime import date

import pytest

from workbench.client import Mistake, UnknownName
from workbench.contract.search import Facet, FacetValue, HistogramBin
from workbench.frames import Facets

STATES = Facet(
    field="properties.entity.state", kind="string", missing=2, distinct=7, other=5,
    values=[FacetValue(value="WA", count=4), FacetValue(value="AK", count=1)],
)  # fmt: skip
DAYS = Facet(
    field="seen_on", kind="date", missing=0, distinct=2, minimum="2020-01-05", maximum="2021-02-01",
    values=[FacetValue(value="2020-01-05", count=2), FacetValue(value="2021-02-01", count=1)],
    unit="year", histogram=[HistogramBin(start="2020-01-01", end="2021-01-01", count=2),
                            HistogramBin(start="2021-01-01", end="2022-01-01", count=1)],
)  # fmt: skip
EMPTY = Facet(field="crew", kind="string", missing=9, values=[])


def test_each_property_is_a_row_with_its_most_frequent_values():
    frame = Facets([STATES, DAYS, EMPTY])
    assert frame["property"].to_list() == ["state", "seen_on", "crew"]
    assert frame["values"].to_list()[0] == "WA (4), AK (1), 5 more"
    assert frame["different"].to_list() == [7, 2, 0]
    assert "Facets(3 properties)" in repr(frame)


def test_each_value_is_a_row_with_its_own_type_where_possible():
    assert Facets([DAYS]).rows().to_polars().to_dicts()[0] == {
        "property": "seen_on", "value": date(2020, 1, 5), "count": 2,
    }  # fmt: skip
    both = Facets([STATES, DAYS]).rows()
    assert both["value"].to_list() == ["WA", "AK", "2020-01-05", "2021-02-01"]
    assert both[1:].to_polars()["count"].to_list() == [1, 2, 1]


def test_values_are_bars_dates_a_histogram_and_the_rest_is_mentioned():
    spec = Facets([STATES]).plot().spec
    assert spec["data"]["values"] == [{"value": "WA", "documents": 4},
                                      {"value": "AK", "documents": 1}]  # fmt: skip
    assert spec["title"]["subtitle"] == "5 more values are not drawn; 2 documents have no value"
    spec = Facets([STATES, DAYS]).plot("seen_on").spec
    assert spec["encoding"]["x"]["type"] == "temporal"
    assert spec["mark"]["type"] == "rect" and spec["encoding"]["y"]["axis"] == {"tickCount": 2}
    assert len(Facets([STATES, DAYS, EMPTY]).plot().spec["vconcat"]) == 2


def test_an_impossible_chart_is_refused():
    with pytest.raises(UnknownName, match="Did you mean 'state'"):
        Facets([STATES]).plot("sate")
    with pytest.raises(Mistake, match="nothing to draw"):
        Facets([EMPTY]).plot()
    with pytest.raises(Mistake, match="drawn as bars"):
        Facets([STATES]).plot("state", kind="line")
