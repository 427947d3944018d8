"""Arrays and objects."""

from collections.abc import Callable
from typing import Any

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]

ITEMS: dict[str, Any] = {
    "type": "array",
    "item_type": {
        "type": "object",
        "properties": [
            {"name": "description", "type": {"type": "string"}},
            {"name": "quantity", "type": {"type": "int"}},
            {"name": "price", "type": {"type": "float"}},
        ],
    },
}


def test_a_list_behind_a_label_becomes_an_array(document: Build, schema: MakeSchema) -> None:
    result = extract(
        document("Crew: A. Smith, B. Jones and C. Doe"), schema(("crew", {"type": "array"}))
    )
    assert result["crew"].value == ["A. Smith", "B. Jones", "C. Doe"]


def test_no_list_is_read_for_a_list_of_lists(document: Build, schema: MakeSchema) -> None:
    pairs = {"type": "array", "item_type": {"type": "array", "item_type": {"type": "int"}}}
    result = extract(document("Pairs: a, b"), schema(("pairs", pairs)))
    assert result["pairs"].value is None


def test_list_items_below_a_heading_become_an_array(document: Build, schema: MakeSchema) -> None:
    result = extract(
        document(
            ("Section-header", "Corrective actions"),
            ("List-item", "• Replace the pump"),
            ("List-item", "• Train the crew"),
        ),
        schema(("corrective_actions", {"type": "array"})),
    )
    assert result["corrective_actions"].value == ["Replace the pump", "Train the crew"]


def test_a_table_column_becomes_an_array_of_its_type_without_the_total(
    document: Build, schema: MakeSchema
) -> None:
    table = [["Month", "Rainfall"], ["May", "12.5"], ["June", "3"], ["Total", "15.5"]]
    result = extract(
        document(table), schema(("rainfall", {"type": "array", "item_type": {"type": "float"}}))
    )
    assert result["rainfall"].value == [12.5, 3.0]


def test_rows_of_a_table_become_objects(document: Build, schema: MakeSchema) -> None:
    table = [
        ["Item description", "Qty", "Unit price"],
        ["Bolts", "3", "1.50"],
        ["Nuts", "40", "0.20"],
        ["Total", "", "12.50"],
    ]
    results = extract(document("Invoice", table), schema(("items", ITEMS)))["items"]
    assert results.value == [
        {"description": "Bolts", "quantity": 3, "price": 1.5},
        {"description": "Nuts", "quantity": 40, "price": 0.2},
    ]
    assert results.element == 1


def test_an_object_is_read_below_the_heading_that_names_it(
    document: Build, schema: MakeSchema
) -> None:
    address = {
        "type": "object",
        "properties": [
            {"name": "city", "type": {"type": "string"}},
            {"name": "zip", "type": {"type": "int"}},
        ],
    }
    result = extract(
        document(
            ("Section-header", "Seller"),
            "City: Larkham",
            "Zip: 1111",
            ("Section-header", "Buyer"),
            "City: Redgate",
            "Zip: 2222",
        ),
        schema(("buyer", address), ("seller", address)),
    )
    assert result["buyer"].value == {"city": "Redgate", "zip": 2222}
    assert result["seller"].value == {"city": "Larkham", "zip": 1111}


def test_an_object_without_any_value_is_null(document: Build, schema: MakeSchema) -> None:
    reported = {"type": "object", "properties": [{"name": "city", "type": {"type": "string"}}]}
    assert extract(document("Nothing here."), schema(("buyer", reported)))["buyer"].value is None


def test_objects_nested_without_end_stop_being_read_instead_of_taking_forever(
    document: Build, schema: MakeSchema
) -> None:
    definition: dict[str, Any] = {"type": "string"}
    for _ in range(30):
        definition = {"type": "object", "properties": [{"name": "city", "type": definition}]}
    elements = document(("Section-header", "City"), "City: Brisa", ("Section-header", "City"))
    assert extract(elements, schema(("city", definition)))["city"].value is None
