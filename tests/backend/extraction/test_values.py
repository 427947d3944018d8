"""From text to values of a type."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.extraction.targets import Target, targets
from backend.extraction.values import read_values
from workbench.contract.schema import Schema

MakeSchema = Callable[..., Schema]


@pytest.fixture
def target(schema: MakeSchema) -> Callable[[str, str | dict[str, Any]], Target]:
    return lambda name, definition: targets(schema((name, definition)).properties)[0]


MakeTarget = Callable[[str, str | dict[str, Any]], Target]


@pytest.mark.parametrize(
    ("name", "kind", "text", "value"),
    [
        ("event_date", "date", "Tuesday, 4 May 2021, 14:05", "2021-05-04"),
        ("collected", "datetime", "05/20/2021 08:15", "2021-05-20T08:15:00"),
        ("persons", "int", "3", 3),
        ("injuries", "int", "2 (1 fatal)", 2),
        ("injuries", "int", "1 fatal, 2 serious", 3),
        ("serious", "int", "1 fatal, 2 serious", 2),
        ("injuries", "int", "None", 0),
        ("cost", "float", "USD 1,250.50", 1250.5),
        ("insured", "bool", "Yes", True),
        ("insured", "bool", "not insured", False),
        ("fatal", "bool", "2 (0 fatal)", False),
        ("fatal", "bool", "Fatal", True),
        ("city", "string", " “Wrenfield” ", "Wrenfield"),
    ],
)
def test_a_labelled_text_becomes_a_value_of_the_type(
    target: MakeTarget, name: str, kind: str, text: str, value: Any
) -> None:
    assert read_values(target(name, kind), text, label=name)[0].value == value


def test_the_number_in_the_wanted_unit_comes_first(target: MakeTarget) -> None:
    wind = target("wind_speed", {"type": "int", "description": "Wind speed in knots"})
    assert read_values(wind, "240° at 14 kt", label="Wind")[0].value == 14


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Landing", "Landing"),
        ("landing", "Landing"),
        ("Landing (flare)", "Landing"),
        ("Lading", "Landing"),
        ("Touchdown", None),
    ],
)
def test_a_choice_matches_despite_case_remarks_and_a_typo(
    target: MakeTarget, text: str, value: str | None
) -> None:
    phase = target("phase", {"type": "choice", "choices": ["Taxi", "Takeoff", "Landing"]})
    values = read_values(phase, text, label="Phase")
    assert (values[0].value if values else None) == value


def test_the_longer_of_two_choices_wins_where_one_is_part_of_the_other(target: MakeTarget) -> None:
    state = target("state", {"type": "choice", "choices": ["Calder", "North Calder"]})
    assert [v.value for v in read_values(state, "near North Calder")] == ["North Calder"]


def test_a_value_of_the_example_s_shape_is_cut_out_of_its_surroundings(target: MakeTarget) -> None:
    number = target("number", {"type": "string", "examples": ["IR-2020-118"]})
    assert read_values(number, "IR-2023-004 (revised)", label="Number")[0].value == "IR-2023-004"


@pytest.mark.parametrize("text", ["1100 MST", "14:30", "0915 local", "5:15 pm"])
def test_a_time_of_day_is_not_a_number_of_hours(target: MakeTarget, text: str) -> None:
    hours = target("pilot_hours", {"type": "float", "description": "Flight time in hours"})
    assert read_values(hours, text, label="Hours") == []


@pytest.mark.parametrize("text", ["3 EUR", "15", "31200", "page 45"])
def test_a_property_that_asks_for_a_year_never_gets_another_number(
    target: MakeTarget, text: str
) -> None:
    assert read_values(target("fiscal_year", "int"), text, label="fiscal year") == []


def test_a_price_for_each_year_is_not_a_year(target: MakeTarget) -> None:
    price = target("price_per_year", "int")
    assert read_values(price, "3 EUR", label="price per year")[0].value == 3
