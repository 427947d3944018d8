"""Every way to write a schema, and misspellings that are refused."""

import enum
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from workbench.client import Mistake
from workbench.contract.schema import Schema
from workbench.demo.documents import DEMO_SCHEMA
from workbench.objects.schemas import schema_of


class Phase(enum.Enum):
    LANDING = "landing"
    CLIMB = "climb"


class Place(BaseModel):
    city: str
    height: float | None = None


class Report(BaseModel):
    year: int = Field(description="Year of the event")
    cost: float | None = None
    seen: datetime
    crew: list[str] = []
    state: Literal["WA", "AK"]
    phase: Phase
    place: Place


@dataclass
class Invoice:
    day: date
    total: Annotated[float, "Sum with taxes"]
    paid: bool = field(default=False, metadata={"description": "Whether it was paid"})


def kinds(schema: Schema) -> dict[str, str]:
    return {prop.name: prop.kind for prop in schema.properties}


def test_a_dictionary_accepts_words_types_and_lists_of_choices():
    schema = schema_of(
        {"year": int, "cost": "number", "day": date, "state": ["WA", "AK"], "crew": list[str],
         "place": {"city": str}, "note": {"type": "string", "description": "In a few words"}}
    )  # fmt: skip
    assert kinds(schema) == {
        "year": "int", "cost": "float", "day": "date", "state": "choice", "crew": "array",
        "place": "object", "note": "string",
    }  # fmt: skip
    assert schema.get("state").choices == ["WA", "AK"]
    assert schema.get("place").properties[0].name == "city"
    assert schema.get("note").description == "In a few words"


def test_a_pydantic_class_and_a_dataclass_are_schemas():
    report = schema_of(Report)
    assert kinds(report) == {
        "year": "int", "cost": "float", "seen": "datetime", "crew": "array", "state": "choice",
        "phase": "choice", "place": "object",
    }  # fmt: skip
    assert report.get("year").description == "Year of the event"
    assert report.get("phase").choices == ["landing", "climb"]
    invoice = schema_of(Invoice)
    assert kinds(invoice) == {"day": "date", "total": "float", "paid": "bool"}
    assert invoice.get("total").description == "Sum with taxes"
    assert invoice.get("paid").description == "Whether it was paid"


def test_the_forms_of_the_service_stay_unchanged():
    demo = Schema.model_validate(DEMO_SCHEMA)
    assert schema_of(DEMO_SCHEMA) == schema_of(demo.model_dump(mode="json")) == demo
    assert schema_of(demo) is demo
    assert kinds(schema_of({"fields": [{"name": "a", "field_type": "int"}]})) == {"a": "int"}
    assert schema_of(DEMO_SCHEMA["properties"]) == demo, "the list of properties is enough"
    own = schema_of({"properties": [{"name": "a", "type": "polygon"}]}).get("a")
    assert (own.kind, own.custom_type) == ("custom", "polygon")


def test_a_schema_is_displayed_without_the_fields_that_are_not_set():
    assert repr(schema_of({"year": int, "state": ["WA", "AK"]})) == (
        "Schema(properties=[SchemaProperty(name='year', kind='int'), "
        "SchemaProperty(name='state', kind='choice', choices=['WA', 'AK'])])"
    )


def test_a_property_may_be_called_properties_or_type():
    assert kinds(schema_of({"properties": "string", "type": int})) == {
        "properties": "string",
        "type": "int",
    }


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({"year": "integr"}, r"'integr' is not a type of a property \('year'\). Did you mean 'int"),
        ({"day": "dat"}, "Did you mean 'date'"),
        ({"place": "geo"}, "There are: bool, int, float"),
        ({"properties": [{"name": "a", "field_type": "strng"}]}, "Did you mean 'string'"),
        ({"properties": [{"name": "a", "type": {"type": "flaot"}}]}, "Did you mean 'float'"),
        ({"a": int | str}, "is not a type of a property"),
        ([{"name": "a", "type": "strng"}], "Did you mean 'string'"),
        ([("a", "int")], "A schema is a dictionary of names and types"),
        (Phase, "A schema is a dictionary of names and types"),
        (3, "3 is not a schema"),
        ({"state": []}, "a choice needs a list of choices"),
    ],
)
def test_an_invalid_schema_is_refused_in_a_sentence(schema: Any, sentence: str):
    with pytest.raises(Mistake, match=sentence) as refused:
        schema_of(schema)
    assert "\n" not in str(refused.value)
