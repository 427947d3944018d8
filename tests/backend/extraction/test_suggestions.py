"""Properties suggested from documents."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from backend.extraction.suggestions import suggest
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.fixture
def reports(document: Build) -> list[list[Element]]:
    """Eight reports in two wordings."""
    out = []
    for at in range(8):
        other = at % 2
        rows = [
            ["Date of event" if other else "Event date", f"2021-0{at + 1}-11"],
            ["Phase", ("Taxi", "Climb")[at // 4]],
            ["Wind (knots)", str(3 + at)],
            ["Cost of damage", f"${1000 + at}.50"],
            ["Insured", ("Yes", "No")[other]],
            ["Agency", "Safety office"],
        ]
        out.append(document(rows, "Nothing else happened."))
    return out


def test_recurring_labels_become_properties_with_a_type(reports: list[list[Element]]) -> None:
    kinds = {prop.name: prop.kind for prop in suggest(reports).properties}
    assert kinds["event_date"] == "date"
    assert kinds["phase"] == "choice"
    assert kinds["wind"] == "int"
    assert kinds["cost_of_damage"] == "float"
    assert kinds["insured"] == "bool"


def test_two_names_for_one_thing_become_one_property_that_tells_both(
    reports: list[list[Element]],
) -> None:
    (date,) = [prop for prop in suggest(reports).properties if prop.kind == "date"]
    assert "Event date" in (date.description or "") and "Date of event" in (date.description or "")


def test_choices_examples_and_units_are_given(reports: list[list[Element]]) -> None:
    suggested = suggest(reports)
    phase, wind = suggested.get("phase"), suggested.get("wind")
    assert phase is not None and sorted(phase.choices or []) == ["Climb", "Taxi"]
    assert wind is not None and wind.examples == [3, 4, 5]
    assert "knot" in (wind.description or "")


def test_what_is_the_same_everywhere_comes_last(reports: list[list[Element]]) -> None:
    assert [prop.name for prop in suggest(reports).properties][-1] == "agency"


def test_what_the_schema_has_is_not_suggested_again(
    reports: list[list[Element]], schema: MakeSchema
) -> None:
    names = {
        prop.name for prop in suggest(reports, existing=schema(("phase", "string"))).properties
    }
    assert "phase" not in names and "wind" in names


@pytest.mark.parametrize(
    ("instructions", "names"),
    [
        ("only the wind and the phase", {"wind", "phase"}),
        ("only dates", {"event_date"}),
        ("at most 2 properties", {"event_date", "phase"}),
    ],
)
def test_instructions_choose(
    reports: list[list[Element]], instructions: str, names: set[str]
) -> None:
    suggested = {prop.name for prop in suggest(reports, instructions=instructions).properties}
    assert suggested == names


def test_instructions_move_forward_and_drop(reports: list[list[Element]]) -> None:
    names = [p.name for p in suggest(reports, instructions="agency first, ignore wind").properties]
    assert names[0] == "agency" and "wind" not in names


def test_a_single_document_is_enough(document: Build) -> None:
    suggested = suggest([document("City: Wrenfield", "Cost: $12.00")])
    assert [prop.name for prop in suggested.properties] == ["cost", "city"]


def test_extraction_with_a_suggested_schema_finds_the_values(
    reports: list[list[Element]],
) -> None:
    suggested = suggest(reports)
    assert extract(reports[1], suggested)["event_date"].value == "2021-02-11"
    assert extract(reports[6], suggested)["phase"].value == "Climb"
