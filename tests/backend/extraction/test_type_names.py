"""Misspelt types are refused with the type that was meant; types of one's own are welcome."""

import pytest

from backend.extraction.schema_faults import schema_faults
from backend.extraction.type_names import meant_type
from workbench.contract.schema import Schema


@pytest.mark.parametrize(
    ("word", "meant"),
    [("strng", "string"), ("Flaot", "float"), ("interger", "integer"), ("bolean", "boolean")],
)
def test_a_slip_names_the_type_that_was_meant(word: str, meant: str) -> None:
    assert meant_type(word) == meant


@pytest.mark.parametrize("word", ["registration_mark", "money", "string", "data", "test", None])
def test_a_custom_type_is_not_a_slip(word: str | None) -> None:
    assert meant_type(word) is None


def test_the_refusal_gives_place_and_reason() -> None:
    schema = Schema.model_validate({"properties": [{"name": "city", "field_type": "strng"}]})
    (fault,) = schema_faults(schema)
    assert fault.loc == ["body", "schema", "properties", 0, "type"]
    assert fault.msg == "there is no type 'strng': did you mean 'string'?"
