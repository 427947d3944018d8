"""What a language model says of a document counts only where the document says it."""

from typing import Any

from pydantic import BaseModel

from backend.extraction.citing import INFERRED, READ, question
from backend.extraction.windows import Passage
from workbench.contract.schema import Schema

REPORT = [
    Passage(id=0, page=1, text="Accident report"),
    Passage(id=1, page=1, text="On 12 March 2021 a Piper PA-28 struck a fence near Marfa, Texas."),
    Passage(id=2, page=2, text="The wind was 20 knots; nobody on board was hurt."),
    Passage(id=3, page=2, text="Parts replaced: propeller, left wing tip, nose wheel."),
]


def asked(prop: dict[str, Any], *answers: Any) -> tuple[dict[str, Any], list[str]]:
    """What is held of the last of the answers for one property, and the complaints on the way."""
    schema = Schema.model_validate({"properties": [prop]})
    asking, read = question(schema, REPORT)
    assert asking.check is not None
    given: BaseModel | None = None
    complaints = []
    for answer in answers:
        given = asking.output_type.model_validate({"p0": answer})
        complaint = asking.check(given)
        if complaint is not None:
            complaints.append(complaint)
    assert given is not None
    return dict(read(given)), complaints


def cited(value: Any, element: int, quote: str) -> dict[str, Any]:
    return {"value": value, "element": element, "quote": quote}


DATE = {"name": "date", "property_type": "date"}
MODEL = {"name": "aircraft", "property_type": "string"}


def test_a_value_that_its_quote_supports_is_kept() -> None:
    values, complaints = asked(DATE, cited("2021-03-12", 1, "12 March 2021"))
    assert values == {"date": {"value": "2021-03-12", "element": 1, "confidence": READ}}
    assert complaints == []


def test_a_quote_may_differ_in_case_blanks_and_quotes() -> None:
    cited_values, _ = asked(MODEL, cited("Piper PA-28", 1, "a  piper PA–28 Struck"))
    assert cited_values["aircraft"]["value"] == "Piper PA-28"


def test_an_element_that_does_not_exist_is_refused_and_the_model_hears_of_it() -> None:
    cited_values, complaints = asked(DATE, cited("2021-03-12", 9, "12 March 2021"))
    assert cited_values == {}
    assert "no element 9" in complaints[0]


def test_words_that_the_element_does_not_hold_are_refused() -> None:
    cited_values, complaints = asked(MODEL, cited("Cessna 172", 1, "a Cessna 172 struck"))
    assert cited_values == {}
    assert "does not contain the words 'a Cessna 172 struck'" in complaints[0]


def test_a_quote_that_does_not_say_the_value_is_refused() -> None:
    for prop, lie in ((DATE, "2022-03-12"), (MODEL, "Piper PA-32")):
        cited_values, complaints = asked(
            prop, cited(lie, 1, "On 12 March 2021 a Piper PA-28 struck")
        )
        assert cited_values == {}
        assert f"does not say '{lie}'" in complaints[0]


def test_a_second_answer_may_set_it_right() -> None:
    good = cited("2021-03-12", 1, "12 March 2021")
    cited_values, complaints = asked(DATE, cited("2021-03-13", 1, "12 March 2021"), good)
    assert cited_values["date"]["value"] == "2021-03-12"
    assert len(complaints) == 1


def test_retries_end_and_values_without_support_are_dropped() -> None:
    lie = cited("2021-03-13", 1, "12 March 2021")
    values, complaints = asked(DATE, lie, lie, lie)
    assert values == {} and len(complaints) == 1


def test_numbers_are_converted_to_the_unit_of_the_property() -> None:
    wind = {"name": "wind speed mph", "property_type": "float"}
    cited_values, _ = asked(wind, cited(23.0, 2, "wind was 20 knots"))
    assert cited_values["wind speed mph"]["value"] == 23.0
    assert asked(wind, cited(20.0, 2, "wind was 20 knots"))[0] == {}


def test_a_value_inferred_from_a_quote_has_less_confidence() -> None:
    values, _ = asked(
        {"name": "injuries", "property_type": "bool"}, cited(False, 2, "nobody on board was hurt")
    )
    assert values["injuries"]["value"] is False
    assert values["injuries"]["confidence"] <= READ
    damage = {"name": "damage", "type": {"type": "choice", "choices": ["minor", "substantial"]}}
    values, _ = asked(damage, cited("substantial", 3, "propeller, left wing tip"))
    assert values["damage"] == {"value": "substantial", "element": 3, "confidence": INFERRED}


def test_a_list_keeps_the_items_that_the_document_contains() -> None:
    parts = {"name": "parts", "type": {"type": "array", "item_type": {"type": "string"}}}
    items = [cited("propeller", 3, "propeller"), cited("rudder", 3, "rudder")]
    values, complaints = asked(parts, items)
    assert values["parts"]["value"] == ["propeller"]
    assert "p0[1]" in complaints[0]


def test_each_part_of_an_object_is_checked_on_its_own() -> None:
    place = {
        "name": "place",
        "type": {
            "type": "object",
            "properties": [
                {"name": "town", "type": {"type": "string"}},
                {"name": "state", "type": {"type": "string"}},
            ],
        },
    }
    parts = {"p0": cited("Marfa", 1, "near Marfa"), "p1": cited("Utah", 1, "Marfa, Utah")}
    values, _ = asked(place, parts)
    assert values["place"]["value"] == {"town": "Marfa", "state": None}


def test_validators_hold_for_a_model_as_well() -> None:
    rule = {"type": "regex", "regex": "[A-Z][a-z]+", "n_retries": 1}
    town = {"name": "town", "type": {"type": "string", "validators": [rule]}}
    bad = cited("Marfa, Texas", 1, "Marfa, Texas")
    cited_values, complaints = asked(town, bad, bad, cited("Marfa", 1, "near Marfa"))
    assert cited_values["town"]["value"] == "Marfa"
    assert len(complaints) == 2 and "validators" in complaints[0]


def test_an_empty_answer_gives_no_values() -> None:
    assert asked(DATE, None) == ({}, [])


def test_the_model_receives_types_units_choices_and_descriptions_as_data() -> None:
    schema = Schema.model_validate(
        {
            "properties": [
                {
                    "name": "wind speed mph",
                    "type": {"type": "float", "extraction_instructions": "the strongest gust"},
                }
            ]
        }
    )
    asking, _ = question(schema, REPORT)
    (reported,) = asking.data["properties"]
    assert reported["unit"] and reported["instructions"] == "the strongest gust"
    assert "strongest gust" not in asking.instructions
    assert asking.data["elements"] == REPORT
