"""The `properties` and `property_metadata` of a partition result."""

from collections.abc import Callable

from backend.extraction.engine import extract
from backend.extraction.results import property_values
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_values_carry_name_type_and_pages_and_metadata_carry_the_attribution(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("city", "string"), ("cost", "float"))
    values, metadata = property_values(extract(document("City: Wrenfield"), wanted), wanted)
    assert values["city"] == {"name": "city", "type": "string", "value": "Wrenfield", "pages": [1]}
    assert values["cost"] == {"name": "cost", "type": "float", "value": None, "pages": []}
    assert metadata["city"]["attribution"] == {
        "element_indices": [0],
        "page": 1,
        "bbox": [0.1, 0.0, 0.9, 0.01],
    }
    assert metadata["cost"]["attribution"] is None
    assert "other_guesses" not in metadata["city"]


def test_items_of_arrays_and_parts_of_objects_are_entries_again(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(
        ("crew", {"type": "array"}),
        (
            "seller",
            {"type": "object", "properties": [{"name": "city", "type": {"type": "string"}}]},
        ),
    )
    values, _ = property_values(extract(document("Crew: Ann, Bob", "City: Brisa"), wanted), wanted)
    assert [entry["value"] for entry in values["crew"]["value"]] == ["Ann", "Bob"]
    assert values["seller"]["value"]["city"] == {
        "name": "city",
        "type": "string",
        "value": "Brisa",
        "pages": [1],
    }


def test_voting_reports_the_guesses_that_lost(document: Build, schema: MakeSchema) -> None:
    wanted = schema(("city", "string"))
    result = extract(document("City: Brisa", "City: Larkham"), wanted, voting=True)
    _, metadata = property_values(result, wanted)
    other = metadata["city"]["other_guesses"][0]
    places = {"Brisa": [0], "Larkham": [1]}
    assert {metadata["city"]["value"], other["value"]} == places.keys()
    assert other["attribution"]["element_indices"] == places[other["value"]]


def test_a_custom_type_comes_back_under_its_own_name(document: Build, schema: MakeSchema) -> None:
    wanted = schema(("tail", "registration_mark"))
    values, _ = property_values(extract(document("Tail: AL-ABC"), wanted), wanted)
    assert values["tail"]["type"] == "registration_mark"
