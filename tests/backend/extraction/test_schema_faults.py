"""A schema that cannot be used is refused with the place of each fault."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.extraction.schema_faults import MOST_LEVELS, schema_faults
from workbench.contract.schema import Schema, SchemaProperty

MakeSchema = Callable[..., Schema]


def test_all_faults_of_a_schema_are_reported_with_their_place(schema: MakeSchema) -> None:
    bad_regex = {"type": "regex", "regex": "("}
    bad_expression = {"type": "boolean_exp", "expression": "x >> 2"}
    faulty = schema(
        ("fine", {"type": "int", "validators": [{"type": "boolean_exp", "expression": "x > 0"}]}),
        ("first", {"type": "string", "validators": [bad_regex]}),
        ("list", {"type": "array", "item_type": {"type": "int", "validators": [bad_expression]}}),
    )
    faults = schema_faults(faulty)
    assert [fault.loc for fault in faults] == [
        ["body", "schema", "properties", 1, "validators", 0, "regex"],
        ["body", "schema", "properties", 2, "item_type", "validators", 0, "expression"],
    ]
    assert [fault.type for fault in faults] == ["regex_syntax", "boolean_exp_syntax"]
    assert "x >> 2" in faults[1].msg and "x > 0" in faults[1].msg


def test_a_faultless_schema_has_no_faults(schema: MakeSchema) -> None:
    assert schema_faults(schema(("a", "string"))) == []


def test_an_object_cannot_have_two_properties_of_one_name(schema: MakeSchema) -> None:
    part = {"name": "k", "type": {"type": "int"}}
    whole = {"type": "object", "properties": [part, {"name": "n", "type": {"type": "int"}}, part]}
    (fault,) = schema_faults(schema(("list", {"type": "array", "item_type": whole})))
    assert fault.loc == ["body", "schema", "properties", 0, "item_type", "properties"]
    assert fault.msg == "property named twice: k"


def test_names_that_mean_something_about_other_properties_are_reserved(schema: MakeSchema) -> None:
    part = {"name": "confidence", "type": {"type": "float"}}
    whole = {"type": "object", "properties": [part, {"name": "unit", "type": {"type": "string"}}]}
    faulty = schema(
        ("total", "float"), ("total.confidence", "float"), ("total.unit", "string"),
        ("place", whole), ("doubted", "string"), ("doubted.doubted", "string"),
        ("day", "date"), ("day.year", "int"), ("town.year", "int"), ("cost", "int"),
        ("total.minus.cost", "float"),
    )  # fmt: skip
    assert [fault.msg for fault in schema_faults(faulty)] == [
        "'day.year' is reserved for year of day; choose another name",
        "'doubted.doubted' is reserved for doubtful values of 'doubted'; choose another name",
        "'place.confidence' is reserved for the confidence of 'place'; choose another name",
        "'total.confidence' is reserved for the confidence of 'total'; choose another name",
        "'total.minus.cost' is reserved for total minus cost; choose another name",
        "'total.unit' is reserved for the units of 'total'; choose another name",
    ]
    assert schema_faults(schema(("confidence", "float"), ("town.unit", "string"))) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("doc_id", "'doc_id' is reserved for the id of a document; choose another name"),
        (
            "entity.q",
            "'entity.q' is reserved for the full names of properties; choose another name",
        ),
        ("a\u200bb", "'a\\u200bb' has a character that does not show (U+200B)"),
        ("a\u00a0b", "'a\\xa0b' has a character that does not show (U+00A0)"),
        ("a\nb", "'a\\nb' has a character that does not show (U+000A)"),
        (" a", "' a' has a blank at its beginning or end, or several in a row"),
        ("a  b", "'a  b' has a blank at its beginning or end, or several in a row"),
    ],
)
def test_a_name_that_is_confused_with_others_is_refused(
    schema: MakeSchema, name: str, fault: str
) -> None:
    assert [one.msg for one in schema_faults(schema((name, "int")))] == [fault]
    part = {"type": "object", "properties": [{"name": name, "field_type": "int"}]}
    inside = {"type": "array", "item_type": part}
    wanted = [] if "reserved" in fault else [fault]
    for kind in (part, inside):
        assert [one.msg for one in schema_faults(schema(("lines", kind)))] == wanted


@pytest.mark.parametrize("name", ["می\u200cخواهم", "क\u094d\u200dष", "😀", "a b", "x,y", "path"])
def test_other_names_are_accepted(schema: MakeSchema, name: str) -> None:
    assert schema_faults(schema((name, "int"))) == []


def test_two_names_that_look_alike_are_one_name(schema: MakeSchema) -> None:
    with pytest.raises(ValueError, match="property named twice: k\u00f6ln"):
        schema(("k\u00f6ln", "int"), ("ko\u0308ln", "int"))


def test_a_property_has_one_type() -> None:
    both = {"name": "size", "kind": "float", "field_type": "int"}
    with pytest.raises(ValueError, match="several types are given, kind 'float', field_type 'int'"):
        SchemaProperty.model_validate(both)
    with pytest.raises(ValueError, match="several types are given"):
        SchemaProperty.model_validate({**both, "kind": "int", "type": {"type": "date"}})
    same = {"name": "size", "field_type": "number", "type": "float"}
    assert SchemaProperty.model_validate(same).kind == "float"


def test_types_are_nested_to_a_limit(schema: MakeSchema) -> None:
    kind: dict[str, Any] = {"type": "int"}
    for _ in range(MOST_LEVELS - 1):
        kind = {"type": "array", "item_type": kind}
    assert schema_faults(schema(("deep", kind))) == []
    (fault,) = schema_faults(schema(("deep", {"type": "array", "item_type": kind})))
    assert fault.msg == "types are nested deeper than 16 levels"
