"""Values in running text."""

from collections.abc import Callable

from backend.contract.elements import Element
from backend.contract.schema import Schema
from backend.extraction.engine import extract

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_a_role_given_in_the_text_names_the_party(document: Build, schema: MakeSchema) -> None:
    text = 'Made between Alder Foods Ltd (the "Supplier") and Bluepeak Inc (the "Customer").'
    found = extract(document(text), schema(("supplier", "string"), ("customer", "string")))
    assert (found["supplier"].value, found["customer"].value) == ("Alder Foods Ltd", "Bluepeak Inc")


def test_a_value_in_running_text_is_found_but_never_sure(
    document: Build, schema: MakeSchema
) -> None:
    found = extract(
        document("The sample was taken at noon. Hemoglobin was 13.1 g/dL and glucose 99 mg/dL."),
        schema(("glucose", {"type": "float", "description": "Glucose in mg/dL"})),
    )["glucose"]
    assert found.value == 99.0
    assert found.confidence < 0.8


def test_a_choice_is_taken_when_the_document_mentions_no_other(
    document: Build, schema: MakeSchema
) -> None:
    currency = schema(("currency", {"type": "choice", "choices": ["USD", "EUR"]}))
    assert extract(document("All amounts are in EUR."), currency)["currency"].value == "EUR"
    assert extract(document("EUR 3 are USD 4."), currency)["currency"].value is None


def test_a_value_of_the_example_s_shape_needs_no_label(document: Build, schema: MakeSchema) -> None:
    number = schema(("report_number", {"type": "string", "examples": ["IR-2020-118"]}))
    found = extract(document("Memo of the works council on IR-2021-007."), number)["report_number"]
    assert found.value == "IR-2021-007"


def test_a_known_example_is_recognised_in_the_text(document: Build, schema: MakeSchema) -> None:
    make = schema(("make", {"type": "string", "examples": ["Halberd", "Ostrel"]}))
    assert extract(document("They flew an Ostrel."), make)["make"].value == "Ostrel"
