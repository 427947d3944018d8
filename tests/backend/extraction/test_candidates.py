"""Where the candidates of a property come from, and whose they are."""

from collections.abc import Callable

from backend.contract.elements import Element
from backend.contract.schema import Schema
from backend.extraction import extract
from backend.extraction.candidates import Rivals, candidates
from backend.extraction.reading import read
from backend.extraction.targets import targets

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_each_extractor_says_where_it_looked(document: Build, schema: MakeSchema) -> None:
    compiled = targets(
        schema(("report", {"type": "string", "examples": ["IR-2020-118"]})).properties
    )
    reading = read(document("Report: IR-2021-007", "The report IR-2021-007 is final."))
    found = candidates(compiled[0], reading, Rivals(compiled))
    assert {candidate.source for candidate in found} == {"line", "shape"}
    assert {candidate.value for candidate in found} == {"IR-2021-007"}


def test_a_role_given_in_the_text_names_the_party(document: Build, schema: MakeSchema) -> None:
    text = 'Made between Alder Foods Ltd (the "Supplier") and Bluepeak Inc (the "Customer").'
    found = extract(document(text), schema(("supplier", "string"), ("customer", "string")))
    assert (found["supplier"].value, found["customer"].value) == ("Alder Foods Ltd", "Bluepeak Inc")


def test_a_town_and_its_state_in_one_value_serve_two_properties(
    document: Build, schema: MakeSchema
) -> None:
    found = extract(
        document([["Location", "Vessing, Sorrel"], ["Make", "Ostrel"]]),
        schema(("city", "string"), ("state", "string")),
    )
    assert (found["city"].value, found["state"].value) == ("Vessing", "Sorrel")


def test_two_labels_and_two_values_in_one_row_are_taken_apart(
    document: Build, schema: MakeSchema
) -> None:
    found = extract(
        document("Fatal / total injuries: 1 / 3"), schema(("fatal", "bool"), ("injuries", "int"))
    )
    assert (found["fatal"].value, found["injuries"].value) == (True, 3)


def test_one_date_does_not_serve_two_dates(document: Build, schema: MakeSchema) -> None:
    found = extract(
        document("Dated: 2020-01-02", "Payable until: 2020-02-03"),
        schema(("invoice_date", "date"), ("due_date", "date")),
    )
    assert found["invoice_date"].value == "2020-01-02"
    assert found["due_date"].value == "2020-02-03"


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
