"""Values with confidence and source, and corrections that survive later extractions."""

from collections.abc import Iterator
from datetime import date

import polars as pl
import pytest

from workbench import Workbench
from workbench.client import Mistake, UnknownName
from workbench.objects import DocSet

SCHEMA = {
    "state": str, "day": date, "year": int, "tags": list[str], "phase": ["landing", "climb"],
    "cost": float,
}  # fmt: skip


@pytest.fixture
def docset(client: Workbench, request: pytest.FixtureRequest) -> Iterator[DocSet]:
    made = client.docsets.create(request.node.name, schema=SCHEMA)
    made.add(b"State: Alaska\nDay: 2023-04-05\n\nYear: 2023", name="one.txt", progress=False)
    made.add(b"State: Texas\nDay: 2022-04-05\n\nYear: 2022", name="two.txt", progress=False)
    yield made
    made.delete()


def test_every_value_has_its_confidence_and_source(docset):
    values = docset.evidence(properties=["state", "year"]).to_polars()
    assert values["name"].to_list() == ["one.txt"] * 2 + ["two.txt"] * 2
    assert values["property"].to_list() == ["state", "year"] * 2
    assert values["value"].to_list() == ["Alaska", "2023", "Texas", "2022"]
    assert values["confidence"].min() > 0 and values["page"].to_list() == [1] * 4
    assert "Alaska" in values["text"][0] and not values["corrected"].any()


def test_the_values_of_one_document_are_looked_up_by_its_name(docset):
    values = docset.evidence("two.txt")
    assert set(values["name"]) == {"two.txt"}
    assert set(values["property"]) == set(SCHEMA)
    with pytest.raises(UnknownName, match="Did you mean 'state'"):
        docset.evidence(properties=["sate"])


def test_a_correction_is_recorded_and_survives_an_extraction(docset):
    docset.set_property("one.txt", "state", "Nevada")
    (value,) = docset.evidence("one.txt", properties=["state"]).to_polars().to_dicts()
    assert (value["value"], value["corrected"]) == ("Nevada", True)
    docset.extract({"state": str})
    assert docset.documents()["state"].to_list() == ["Nevada", "Texas"]
    docset.extract({"state": str}, overwrite_corrections=True)
    assert docset.documents()["state"].to_list() == ["Alaska", "Texas"]


def test_python_values_are_stored_with_their_types(docset):
    docset.set_property("one.txt", "day", date(2024, 1, 2))
    docset.set_property("one.txt", "tags", ("a", "b"))
    docset.set_property("one.txt", "year", pl.Series([1999])[0])
    docset.set_property("two.txt", "year", None)
    frame = docset.documents().to_polars()
    assert frame["day"][0] == date(2024, 1, 2) and frame["tags"][0].to_list() == ["a", "b"]
    assert frame["year"].to_list() == [1999, None]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("year", "2020", "'year' is of type int, and '2020' is not"),
        ("year", True, "'year' is of type int"),
        ("cost", float("nan"), "'cost' is of type float, and nan is not"),
        ("cost", float("-inf"), "'cost' is of type float, and -inf is not"),
        ("day", "spring", "'day' is of type date"),
        ("tags", "a", "'tags' is of type array"),
        ("state", 3, "'state' is of type text"),
        ("phase", "landin", "Did you mean 'landing'"),
        ("yaer", 2020, "Did you mean 'year'"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(docset, name, value, sentence):
    with pytest.raises(Mistake, match=sentence):
        docset.set_property("one.txt", name, value)
    assert not docset.evidence("one.txt")["corrected"].any()


def test_a_wrong_document_is_refused_with_the_nearest_name(docset):
    with pytest.raises(UnknownName, match=r"Did you mean 'one\.txt'"):
        docset.set_property("on.txt", "year", 2020)


def test_the_latest_of_a_date_is_a_date_in_frames(docset):
    latest = docset.ask("select max(day), min(year), count(state) from t")
    types = {"max_day": pl.Date, "min_year": pl.Int64}
    assert {name: latest.to_polars().schema[name] for name in types} == types
    assert latest.to_polars()["max_day"].to_list() == [date(2023, 4, 5)]
    rows = latest[latest.plan.result_node].to_polars()
    assert rows["max_day"].to_list() == [date(2023, 4, 5)]
    assert docset.ask("select max(year) from t").to_polars().to_dicts() == [{"result": 2023}]
    by_state = docset.ask("select state, min(day) from t group by state order by state")
    assert by_state.to_polars()["min_day"].to_list() == [date(2023, 4, 5), date(2022, 4, 5)]
