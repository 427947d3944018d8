"""Properties take the terms that an electronic invoice declares under their standard names."""

from typing import Any

import pytest

from backend.extraction.declared_terms import declared_term
from backend.extraction.engine import extract
from workbench.contract.elements import Element, Table, TableCell
from workbench.contract.schema import Schema, SchemaProperty

TERMS = {
    "Invoice number": "H-77",
    "Invoice date": "2024-01-31",
    "Payment due date": "2024-02-29",
    "Seller name": "Harbour Supplies",
    "Seller VAT id": "DK12345678",
    "Seller tax number": "22/815",
    "Buyer name": "Lane Boats",
    "Buyer VAT id": "DK87654321",
    "Net total (without tax)": "100.00 DKK",
    "Tax total": "25.000 DKK",
    "Gross total (including tax)": "125.00",
}


def table(marked: bool = True) -> Element:
    cells = [
        TableCell(content=text, rows=[row], cols=[col])
        for row, pair in enumerate(TERMS.items())
        for col, text in enumerate(pair)
    ]
    properties: dict[str, Any] = {"score": 1.0, "page_number": 1}
    if marked:
        properties["declares_terms"] = True
    grid = Table(cells=cells, caption=None, num_rows=len(TERMS), num_cols=2)
    return Element(type="table", bbox=[0, 0, 1, 1], properties=properties, table=grid)


def asked(name: str, kind: str) -> SchemaProperty:
    return SchemaProperty.model_validate({"name": name, "type": {"type": kind}})


@pytest.mark.parametrize(
    ("name", "kind", "value", "unit"),
    [
        ("invoice_number", "string", "H-77", None),
        ("invoiceId", "string", "H-77", None),
        ("due_date", "date", "2024-02-29", None),
        ("invoice_date", "datetime", "2024-01-31T00:00:00", None),
        ("vendor", "string", "Harbour Supplies", None),
        ("customer_name", "string", "Lane Boats", None),
        ("seller_vat_id", "string", "DK12345678", None),
        ("net_total", "float", 100.0, "DKK"),
        ("tax_total", "float", 25.0, "DKK"),
        ("gross_total", "int", 125, None),
    ],
)
def test_a_name_whose_words_are_those_of_a_term_takes_its_value(
    name: str, kind: str, value: Any, unit: str | None
) -> None:
    declared = declared_term(asked(name, kind), [table()])
    assert declared is not None
    assert (declared.value, declared.unit, declared.element) == (value, unit, 0)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("total", "float"), ("date", "date"), ("vat_id", "string"), ("seller_city", "string"),
     ("seller", "float"), ("gross_total", "string"), ("delivery_date", "date")],
)  # fmt: skip
def test_a_name_that_several_terms_or_none_would_fit_takes_nothing(name: str, kind: str) -> None:
    assert declared_term(asked(name, kind), [table()]) is None


def test_a_table_that_declares_nothing_is_read_like_any_other() -> None:
    assert declared_term(asked("invoice_number", "string"), [table(marked=False)]) is None


def test_declared_values_precede_those_on_the_pages() -> None:
    text = Element(
        type="Text", bbox=[0, 0, 1, 1], properties={"score": 1.0, "page_number": 1},
        text_representation="Gross total: 1,999.00 EUR",
    )  # fmt: skip
    schema = Schema.model_validate(
        {"properties": [{"name": "gross_total", "type": {"type": "float"}}]}
    )
    read = extract([text, table()], schema)["gross_total"]
    assert (read.value, read.element) == (125.0, 1)
    assert read.confidence > 0.9
