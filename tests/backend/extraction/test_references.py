"""Numbers of pages, notes, clauses and lists are no values of a count."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("years", "How many years the survey covers"),
        ("schools", "Number of schools"),
        ("pupils", "Number of pupils"),
    ],
)
def test_references_and_numberings_are_not_values(
    document: Build, schema: MakeSchema, name: str, description: str
) -> None:
    elements = document(
        ("Title", "Schools in the county"),
        ("Section-header", "1. Introduction"),
        "The survey covers the whole county (15).",
        ("Section-header", "2. Methods"),
        "Forms were sent to all schools, see note 6 below.",
        ("Footnote", "15 Without nurseries."),
        ("Page-footer", "Page 6 of 45"),
    )
    wanted = schema((name, {"type": "int", "description": description}))
    assert extract(elements, wanted)[name].value is None


def test_a_number_repeated_in_brackets_and_a_page_that_is_asked_for_are_values(
    document: Build, schema: MakeSchema
) -> None:
    days = schema(("payment_days", {"type": "int", "description": "Days within which to pay"}))
    terms = document("Invoices are to be paid within thirty (30) days.")
    assert extract(terms, days)["payment_days"].value == 30
    page = schema(("page", {"type": "int", "description": "Page of the article"}))
    assert extract(document("The article begins on page 45."), page)["page"].value == 45


def test_numbers_of_notes_beside_the_figures_of_a_statement_are_not_values(
    document: Build, schema: MakeSchema
) -> None:
    elements = document(
        ("Title", "Holm Mills plc, accounts for 2021"),
        [
            ["", "Note", "2021", "2020"],
            ["Revenue", "3", "812", "790"],
            ["Earnings per share", "7", "37.2p", "50.1p"],
        ],
    )
    found = extract(elements, schema(("earnings_per_share", "float"), ("revenue", "int")))
    assert [found[name].value for name in ("earnings_per_share", "revenue")] == [37.2, 812]
