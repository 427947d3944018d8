"""Values known by their form: addresses, and a date that stands alone."""

from collections.abc import Callable

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_addresses_need_no_label_and_exclude_the_full_stop(
    document: Build, schema: MakeSchema
) -> None:
    result = extract(
        document("Offers to Alder Foods Ltd.", "sales@alder.example www.alder.example/shop."),
        schema(("contact_email", "string"), ("website", "string")),
    )
    assert result["contact_email"].value == "sales@alder.example"
    assert result["website"].value == "www.alder.example/shop"


def test_other_properties_do_not_take_an_address(document: Build, schema: MakeSchema) -> None:
    result = extract(document("ann@alder.example"), schema(("name", "string")))
    assert result["name"].value is None


def test_the_only_date_on_its_own_line_dates_the_document(
    document: Build, schema: MakeSchema
) -> None:
    letter = schema(("letter_date", "date"))
    result = extract(document("To Ann Holloway", "8 January 2020", "Thank you."), letter)
    assert result["letter_date"].value == "2020-01-08"
    two = document("8 January 2020", "Thank you.", "9 January 2020")
    assert extract(two, letter)["letter_date"].confidence < result["letter_date"].confidence
