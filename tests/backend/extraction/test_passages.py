"""Values in running text."""

from collections.abc import Callable

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_a_role_given_in_the_text_names_the_party(document: Build, schema: MakeSchema) -> None:
    text = 'Made between Alder Foods Ltd (the "Supplier") and Bluepeak Inc (the "Customer").'
    result = extract(document(text), schema(("supplier", "string"), ("customer", "string")))
    assert (result["supplier"].value, result["customer"].value) == (
        "Alder Foods Ltd",
        "Bluepeak Inc",
    )


def test_a_value_in_running_text_is_extracted(document: Build, schema: MakeSchema) -> None:
    results = extract(
        document("The sample was taken at noon. Hemoglobin was 13.1 g/dL and glucose 99 mg/dL."),
        schema(("glucose", {"type": "float", "description": "Glucose in mg/dL"})),
    )["glucose"]
    assert results.value == 99.0


def test_the_only_choice_in_the_document_is_the_value(document: Build, schema: MakeSchema) -> None:
    currency = schema(("currency", {"type": "choice", "choices": ["USD", "EUR"]}))
    assert extract(document("All amounts are in EUR."), currency)["currency"].value == "EUR"
    assert extract(document("EUR 3 are USD 4."), currency)["currency"].value is None


def test_a_value_of_the_example_s_shape_needs_no_label(document: Build, schema: MakeSchema) -> None:
    number = schema(("report_number", {"type": "string", "examples": ["IR-2020-118"]}))
    results = extract(document("Memo of the works council on IR-2021-007."), number)[
        "report_number"
    ]
    assert results.value == "IR-2021-007"


def test_a_known_example_is_recognised_in_the_text(document: Build, schema: MakeSchema) -> None:
    make = schema(("make", {"type": "string", "examples": ["Halberd", "Ostrel"]}))
    assert extract(document("They flew an Ostrel."), make)["make"].value == "Ostrel"


def test_the_figure_in_the_clause_of_the_word_is_the_value(
    document: Build, schema: MakeSchema
) -> None:
    text = (
        "In 2006, stroke was the cause of death for 137,119 persons; the rate was 43.6 per 100,000"
        " (Table 1)."
    )
    wanted = schema(("deaths", "int"), ("rate", "float"))
    result = extract(document(text), wanted)
    assert (result["deaths"].value, result["rate"].value) == (137119, 43.6)


def test_a_figure_without_the_unit_that_is_asked_for_is_passed_over(
    document: Build, schema: MakeSchema
) -> None:
    share = schema(("drug_use", {"type": "float", "description": "in percent"}))
    text = "3.1.3 Drug use by 20 students was asked. Drug use was common with 10.1% of them."
    assert extract(document(text), share)["drug_use"].value == 10.1


def test_words_of_the_description_decide_between_sentences(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("deaths", {"type": "int", "description": "Persons who died of the storm"}))
    text = "There were 12 deaths in traffic. The storm brought 7 deaths of persons."
    assert extract(document(text), wanted)["deaths"].value == 7


def test_a_figure_in_brackets_counts_when_it_has_a_unit_and_else_is_a_reference(
    document: Build, schema: MakeSchema
) -> None:
    share = schema(("positive_share", {"type": "float", "description": "in percent"}))
    text = "Only Calder found positive samples (3), a small share (2.4%)."
    assert extract(document(text), share)["positive_share"].value == 2.4
