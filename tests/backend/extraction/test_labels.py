"""Values behind labels, and whose they are."""

from collections.abc import Callable

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_a_town_and_its_state_in_one_value_serve_two_properties(
    document: Build, schema: MakeSchema
) -> None:
    result = extract(
        document([["Location", "Vessing, Sorrel"], ["Make", "Ostrel"]]),
        schema(("city", "string"), ("state", "string")),
    )
    assert (result["city"].value, result["state"].value) == ("Vessing", "Sorrel")


def test_two_labels_and_two_values_in_one_row_are_separated(
    document: Build, schema: MakeSchema
) -> None:
    result = extract(
        document("Fatal / total injuries: 1 / 3"), schema(("fatal", "bool"), ("injuries", "int"))
    )
    assert (result["fatal"].value, result["injuries"].value) == (True, 3)


def test_one_date_does_not_serve_two_dates(document: Build, schema: MakeSchema) -> None:
    result = extract(
        document("Dated: 2020-01-02", "Payable until: 2020-02-03"),
        schema(("invoice_date", "date"), ("due_date", "date")),
    )
    assert result["invoice_date"].value == "2020-01-02"
    assert result["due_date"].value == "2020-02-03"
