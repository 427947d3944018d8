"""Amounts of a table are given in full where the document says that it counts in thousands."""

import pytest

from backend.extraction.engine import extract
from backend.extraction.stated_scales import stated_scale
from workbench.contract.elements import Element
from workbench.contract.schema import Schema


@pytest.mark.parametrize(
    ("note", "factor"),
    [
        ("(in thousands of US dollars)", 1e3),
        ("All figures in EUR million", 1e6),
        ("Amounts in thousands, except per share data", 1e3),
        ("$ millions", 1e6),
        ("£'000", 1e3),
        ("(000s)", 1e3),
        ("Year | 2023 (000) | 2022 (000)", 1e3),
        ("Amounts (000)", 1e3),
        ("Meter | Size | Gallons (000)", None),
        ("Statement of income (USD m)", 1e6),
        ("Revenue rose to record levels", None),
        ("The company serves a million customers", None),
    ],
)
def test_notes_state_a_factor(note: str, factor: float | None) -> None:
    assert stated_scale(note) == factor


def _table(*rows: tuple[str, str]) -> Element:
    return Element.model_validate(
        {
            "type": "table", "bbox": [0, 0.3, 1, 0.6],
            "properties": {"page_number": 1, "score": 1.0},
            "text_representation": "\n".join("\t".join(row) for row in rows),
            "table": {
                "cells": [
                    {"content": cell, "rows": [r], "cols": [c], "is_header": r == 0,
                     "bbox": {"x1": c / 2, "y1": r / 10, "x2": c / 2 + 0.4, "y2": r / 10 + 0.1},
                     "properties": {}}
                    for r, row in enumerate(rows) for c, cell in enumerate(row)
                ],
                "caption": None, "num_rows": len(rows), "num_cols": 2, "column_headers": [],
            },
        }
    )  # fmt: skip


def _text(text: str) -> Element:
    return Element.model_validate(
        {"type": "Text", "bbox": [0, 0.1, 1, 0.2], "text_representation": text,
         "properties": {"page_number": 1, "score": 1.0}}
    )  # fmt: skip


TABLE = _table(("Quarter ended", "31 March"), ("Revenue", "1,204"), ("Employees", "36"))


def _read(note: str, described: str = "Revenue of the quarter") -> dict[str, object]:
    schema = Schema.model_validate(
        {
            "properties": [
                {"name": "revenue", "type": {"type": "float", "description": described}},
                {
                    "name": "employees",
                    "type": {"type": "int", "description": "Number of employees"},
                },
            ]
        }
    )
    result = extract([_text(note), TABLE], schema)
    return {name: value.value for name, value in result.items()}


def test_amounts_are_multiplied_and_counts_are_not() -> None:
    assert _read("(in thousands of euros)") == {"revenue": 1_204_000.0, "employees": 36}


def test_amounts_without_a_stated_scale_are_unchanged() -> None:
    assert _read("Unaudited") == {"revenue": 1_204.0, "employees": 36}


def test_a_property_that_asks_for_thousands_gets_them() -> None:
    asked = "Revenue of the quarter in thousands of euros"
    assert _read("(in thousands of euros)", asked)["revenue"] == 1_204.0


def test_an_amount_with_cents_is_not_scaled_in_a_table_in_thousands() -> None:
    elements = [_table(("Figures (000)", ""), ("Revenue", "130.88"))]
    schema = Schema.model_validate({"properties": [{"name": "revenue", "type": "float"}]})
    assert extract(elements, schema)["revenue"].value == 130.88
