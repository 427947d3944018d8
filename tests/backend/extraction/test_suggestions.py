"""Properties suggested from documents."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.extraction.engine import extract
from backend.extraction.suggestions import suggest
from backend.partition import partition
from workbench.contract.elements import Element
from workbench.contract.partition_options import PartitionOptions
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


def test_names_with_a_number_are_texts(document: Build) -> None:
    def kinds(values: list[str]) -> set[str]:
        documents = [document([["Supplier", value]], "Nothing else.") for value in values]
        return {prop.kind for prop in suggest(documents).properties if prop.name == "supplier"}

    assert kinds([f"Acme {n} Ltd" for n in range(1, 9)]) == {"string"}
    assert kinds([f"about {n} km" for n in range(1, 9)]) == {"int"}


def test_recurring_labels_become_properties_with_a_type(reports: list[list[Element]]) -> None:
    kinds = {prop.name: prop.kind for prop in suggest(reports).properties}
    assert kinds["event_date"] == "date"
    assert kinds["phase"] == "choice"
    assert kinds["wind"] == "int"
    assert kinds["cost_of_damage"] == "float"
    assert kinds["insured"] == "bool"


def test_two_names_for_one_thing_become_one_property_that_lists_both(
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


def test_constant_properties_come_last(reports: list[list[Element]]) -> None:
    assert [prop.name for prop in suggest(reports).properties][-1] == "agency"


def test_properties_of_the_schema_are_not_suggested_again(
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


def test_items_of_a_list_are_not_labels_and_their_head_is_a_list(document: Build) -> None:
    people = ["Ada Lane", "Bo Finch", "Cleo Ward", "Dee Marsh"]
    minutes = []
    for at in range(6):
        present = people[at % 4 :] + people[: at % 4]
        items = [("List-item", name) for name in present]
        minutes.append(document(("Section-header", "Present"), *items, "We met."))
    kinds = {prop.name: prop.kind for prop in suggest(minutes).properties}
    assert kinds["present"] == "array"
    assert not {"ada_lane", "bo_finch", "cleo_ward", "dee_marsh"} & set(kinds)


def test_common_properties_are_suggested_without_a_label(document: Build) -> None:
    states = ["Oregon", "Florida", "Ohio", "Texas", "Utah", "Maine"]
    agreements = [
        document(
            f"This Agreement is made as of March {at + 3}, 2020, by and between Alder {at} Inc. "
            f"and Birch {at} LLC.",
            f"This Agreement is governed by the laws of the State of {state}.",
        )
        for at, state in enumerate(states)
    ]
    law = suggest(agreements).get("governing_law")
    assert law is not None and law.kind == "string" and law.examples == states[:3]
    assert (law.description or "").endswith("6 of 6 have it")


def test_mails_have_the_fields_of_their_header(tmp_path: Path) -> None:
    mails = []
    for at in range(3):
        path = tmp_path / f"{at}.eml"
        path.write_text(
            f"From: Ada <ada@example.org>\nTo: bo@example.org\nSubject: Boat {at}\n"
            f"Date: Mon, 2 Mar 2020 1{at}:00:00 +0000\n\nIt leaks.\n"
        )
        options = PartitionOptions()
        mails.append(
            partition(path, name=path.name, options=options, progress=lambda done, total: None)
        )
    suggested = suggest([mail.elements for mail in mails])
    kinds = {prop.name: prop.kind for prop in suggested.properties}
    assert kinds["sender"] == kinds["subject"] == "string"
    assert kinds["recipients"] == "array" and kinds["date"] == "datetime"
    assert [name for name in kinds if name in ("from", "to")] == []
