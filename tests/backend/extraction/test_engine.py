"""Extraction as callers see it: values, places, confidence, defaults, validators, voting."""

import time
from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_every_property_is_a_key_and_a_missing_one_has_its_default_and_no_source(
    document: Build, schema: MakeSchema
) -> None:
    result = extract(
        document("City: Wrenfield"),
        schema(("city", "string"), ("rank", {"type": "int", "default": 7}), ("cost", "float")),
    )
    assert list(result) == ["city", "rank", "cost"]
    assert (result["rank"].value, result["cost"].value) == (7, None)
    assert (result["rank"].confidence, result["rank"].page, result["rank"].element) == (
        0.0,
        None,
        None,
    )


def test_a_value_knows_its_page_its_box_and_its_element(
    document: Build, schema: MakeSchema
) -> None:
    parts = ["Filler text that says nothing."] * 11
    results = extract(document(*parts, [["City", "Wrenfield"]]), schema(("city", "string")))["city"]
    assert (results.value, results.page, results.element) == ("Wrenfield", 2, 11)
    assert results.bbox == [0.1, 0.0, 0.2, 0.1], "the box of the cell"


def test_an_exact_label_makes_surer_than_a_distant_one(document: Build, schema: MakeSchema) -> None:
    exact = extract(document("Wind speed: 12 kt"), schema(("wind_speed", "int")))["wind_speed"]
    distant = extract(document("Gusts: 12 kt"), schema(("wind_speed", "int")))["wind_speed"]
    assert exact.confidence >= 0.8
    assert exact.confidence > distant.confidence


def test_contradicting_values_make_unsure(document: Build, schema: MakeSchema) -> None:
    one = extract(document("City: Wrenfield"), schema(("city", "string")))["city"]
    two = extract(document("City: Wrenfield", "City: Larkham"), schema(("city", "string")))["city"]
    assert two.confidence < one.confidence


def test_a_stated_absence_beats_a_number_in_the_text(document: Build, schema: MakeSchema) -> None:
    result = extract(
        document("Wind speed: not recorded", "The wind speed was perhaps 30 knots."),
        schema(("wind_speed", "int")),
    )
    assert result["wind_speed"].value is None


def test_the_order_of_day_and_month_follows_the_rest_of_the_document(
    document: Build, schema: MakeSchema
) -> None:
    dates = schema(("start_date", "date"), ("end_date", "date"))
    result = extract(document("Start date: 03/04/2021", "End date: 25/04/2021"), dates)
    assert result["start_date"].value == "2021-04-03"
    result = extract(document("Start date: 03/04/2021", "End date: 04/25/2021"), dates)
    assert result["start_date"].value == "2021-03-04"


@pytest.mark.parametrize(("retries", "value"), [(0, None), (1, "B-2")])
def test_a_value_that_fails_its_validator_gives_way_to_the_next_one_as_often_as_allowed(
    document: Build, schema: MakeSchema, retries: int, value: str | None
) -> None:
    regex = {"type": "regex", "regex": r"B-\d", "n_retries": retries}
    result = extract(
        document("Order number: A-1", "Order: B-2"),
        schema(("order_number", {"type": "string", "validators": [regex]})),
    )
    assert result["order_number"].value == value


def test_a_failed_validator_leaves_the_default(document: Build, schema: MakeSchema) -> None:
    positive = {"type": "boolean_exp", "expression": "x > 0"}
    definition = {"type": "int", "default": 1, "validators": [positive]}
    assert extract(document("Count: -4"), schema(("count", definition)))["count"].value == 1


def test_extractors_that_agree_outvote_a_single_better_label(
    document: Build, schema: MakeSchema
) -> None:
    state = schema(("state", {"type": "string", "examples": ["Osmund"]}))
    elements = document(
        [["Province", "Larkham"], ["Cost", "$5"]],
        "The state is Osmund.",
        ("Section-header", "State"),
        "Osmund",
    )
    plain, voted = extract(elements, state), extract(elements, state, voting=True)
    assert plain["state"].others == []
    assert voted["state"].value == "Osmund"
    assert "Larkham" in [guess.value for guess in voted["state"].others]


def test_a_document_without_elements_gives_defaults(schema: MakeSchema) -> None:
    assert extract([], schema(("city", "string")))["city"].value is None


def test_the_same_document_always_gives_the_same_answer(
    document: Build, schema: MakeSchema
) -> None:
    elements = document("City: Wrenfield", "Total: $4.00 for 3 hours")
    wanted = schema(("city", "string"), ("total", "float"), ("hours", "int"))
    assert extract(elements, wanted, voting=True) == extract(elements, wanted, voting=True)


def test_a_figure_behind_the_label_of_one_property_belongs_to_no_other(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("units_recalled", "int"), ("unit_price", "float"), ("illnesses", "int"))
    result = extract(document("Units recalled: 29232", "Illnesses: 4"), wanted)
    assert {name: one.value for name, one in result.items()} == {
        "units_recalled": 29232,
        "unit_price": None,
        "illnesses": 4,
    }
    result = extract(document("Unit price: 3.50", "Illnesses: 4"), wanted)
    assert (result["units_recalled"].value, result["unit_price"].value) == (None, 3.5)


def test_the_unit_a_number_was_read_with_is_kept(document: Build, schema: MakeSchema) -> None:
    result = extract(
        document("Fee: EUR 12.50", "Distance: 12 km", "Passengers: 4 persons"),
        schema(("fee", "float"), ("distance", "float"), ("passengers", "int")),
    )
    units = {name: item.unit for name, item in result.items()}
    assert units == {"fee": "EUR", "distance": "kilometer", "passengers": None}


def test_a_choice_matches_whole_words_only(document: Build, schema: MakeSchema) -> None:
    kinds = schema(("kind", {"type": "choice", "choices": ["tug", "barge"]}))
    assert extract(document("Kind: tugboat_tug and a tug"), kinds)["kind"].value == "tug"
    assert extract(document("Kind: tugboat"), kinds)["kind"].value != "barge"


def test_thousands_of_choices_cost_no_more_than_their_number(
    document: Build, schema: MakeSchema
) -> None:
    parts = [f"The cargo of hold {number} was steel coils." for number in range(40)]

    def seconds(count: int) -> float:
        choices = [f"cargo number {number}" for number in range(count)]
        asked = schema(("cargo", {"type": "choice", "choices": choices}))
        began = time.process_time()
        extract(document(*parts), asked)
        return time.process_time() - began

    seconds(500)
    assert seconds(4_000) < 8 * 3 * max(seconds(500), 0.02)
