"""Suggestions of what has no label: tables of rows, and codes of one shape."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from backend.extraction.suggestions import suggest
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


@pytest.fixture
def invoices(document: Build) -> list[list[Element]]:
    """Six invoices with a code in a sentence and a table of items."""
    out = []
    for at in range(6):
        rows = [
            ["Item", "Quantity", "Price (€)"],
            ["Kite", str(2 + at), "20.00"],
            ["Flyer", "5", f"{40 + at}.50"],
        ]
        out.append(document(f"We refer to your order AB-10{at}7 with thanks.", rows))
    return out


def test_tables_of_the_same_columns_become_a_list_of_typed_rows(
    invoices: list[list[Element]],
) -> None:
    (rows,) = [prop for prop in suggest(invoices).properties if prop.kind == "array"]
    assert rows.item_type is not None
    inner = {prop.name: prop.kind for prop in rows.item_type.properties or []}
    assert inner == {"item": "string", "quantity": "int", "price": "float"}
    assert rows.description is not None and '"Quantity"' in rows.description


def test_codes_of_one_shape_become_a_property_with_examples(
    invoices: list[list[Element]],
) -> None:
    result = suggest(invoices).get("ab_code")
    assert result is not None
    assert result.examples == ["AB-1007", "AB-1017", "AB-1027"]


def test_suggestions_can_be_extracted(invoices: list[list[Element]], document: Build) -> None:
    rows = [["Item", "Quantity", "Price (€)"], ["Lamp", "3", "9.00"], ["Bulb", "4", "2.50"]]
    result = extract(document("Concerning AB-2222 we write.", rows), suggest(invoices))
    assert result["ab_code"].value == "AB-2222"
    assert result["item_rows"].value == [
        {"item": "Lamp", "quantity": 3, "price": 9.0},
        {"item": "Bulb", "quantity": 4, "price": 2.5},
    ]


def test_descriptions_state_how_many_documents_have_a_property(
    invoices: list[list[Element]], document: Build
) -> None:
    some = [*invoices, *(document(f"Only text {at}.") for at in "ab")]
    assert all("6 of 8 have it" in (p.description or "") for p in suggest(some).properties)


def test_rare_properties_are_not_suggested(invoices: list[list[Element]], document: Build) -> None:
    many = [invoices[0], *(document(f"Only text {at}.") for at in "abcdefgh")]
    assert suggest(many).properties == []
