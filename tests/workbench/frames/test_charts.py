"""Charts of frames: the defaults, and what is refused."""

from datetime import date, timedelta

import polars as pl
import pytest

from workbench.client import Mistake, UnknownName
from workbench.frames.charts import plot_of

GROUPS = pl.DataFrame({"state": ["WA", "AK"], "count": [3, 5], "doc_ids": [["a"], ["b"]]})
DAY = date(2020, 1, 1)


def documents(days: int, count: int = 4) -> pl.DataFrame:
    """Documents whose dates are that many days apart."""
    return pl.DataFrame(
        {
            "doc_id": [f"d{n}" for n in range(count)],
            "name": [f"{n}.pdf" for n in range(count)],
            "seen": [DAY + timedelta(days=days * n) for n in range(count)],
            "cost": [10.5 * n for n in range(count)],
            "hours": list(range(count)),
        }
    )


def test_groups_are_bars_in_the_order_of_the_answer():
    spec = plot_of(GROUPS).spec
    assert spec["mark"]["type"] == "bar"
    assert spec["data"]["values"] == [{"state": "WA", "count": 3}, {"state": "AK", "count": 5}]
    assert (spec["encoding"]["y"]["field"], spec["encoding"]["y"]["sort"]) == ("state", None)
    assert spec["encoding"]["x"]["field"] == "count"


def test_groups_by_two_keys_have_colours():
    rows = pl.DataFrame({"a": ["x", "x", "y"], "b": ["p", "q", "p"], "count": [1, 2, 3]})
    assert plot_of(rows).spec["encoding"]["color"]["field"] == "b"


@pytest.mark.parametrize(("days", "unit"), [(400, "year"), (40, "yearmonth"), (2, "yearmonthdate")])
def test_documents_are_counted_over_time_by_the_span_of_their_dates(days, unit):
    spec = plot_of(documents(days), "seen").spec
    assert spec["encoding"]["x"]["timeUnit"] == unit
    assert [row["number"] for row in spec["data"]["values"]] == [1, 1, 1, 1]
    assert spec["data"]["values"][0]["seen"] == "2020-01-01"


def test_a_measure_over_time_is_a_line_and_two_numbers_are_points_with_their_names():
    assert plot_of(documents(400).drop(["doc_id"]), "seen").spec["mark"]["type"] == "line"
    spec = plot_of(documents(1), "hours", "cost", log=True).spec
    assert spec["mark"]["type"] == "point" and spec["data"]["values"][1]["name"] == "1.pdf"
    assert spec["encoding"]["y"]["scale"] == {"type": "log"}


def test_a_wrong_column_is_answered_with_the_nearest_and_one_number_cannot_be_drawn():
    with pytest.raises(UnknownName, match="Did you mean 'state'"):
        plot_of(GROUPS, "sate")
    with pytest.raises(Mistake, match="nothing to draw"):
        plot_of(pl.DataFrame({"result": [7]}))


def test_a_chart_of_many_rows_says_that_it_draws_only_the_first(monkeypatch):
    monkeypatch.setattr("workbench.frames.charts._MOST", 3)
    plot = plot_of(documents(1), "hours", "cost")
    assert len(plot.spec["data"]["values"]) == 3
    assert plot.spec["title"] == "the first 3 of 4 rows"


def test_a_notebook_draws_a_chart_and_a_terminal_describes_it():
    plot = plot_of(GROUPS)
    shown = plot._repr_mimebundle_()
    assert shown["application/vnd.vegalite.v5+json"] is plot.spec
    assert shown["text/plain"] == "Plot(bar, count by state, 2 rows)"
    odd = plot_of(pl.DataFrame({"a.b": ["x"], "c[0]": [1]})).spec["encoding"]
    assert (odd["y"]["field"], odd["x"]["field"]) == ("a\\.b", "c\\[0\\]")
