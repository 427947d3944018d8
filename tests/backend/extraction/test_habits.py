"""A document's own dates and amounts tell how its others are to be read."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from backend.extraction.habits import habits_of
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("texts", "comma"),
    [
        (["Umsatz 7.061", "Quote 12,4", "je Aktie 0,55"], True),
        (["Sales 7,061", "Share 12.4", "per share 0.55"], False),
        (["see pages 10,12", "price 4.50", "price 3.20"], False),
        (["am 31.03.2022", "um 10.30 Uhr", "Anteil 3,5", "Anteil 4,5"], True),
        (["one amount: 0,55"], False),
    ],
)
def test_decimals_are_behind_a_comma_where_most_amounts_have_one(
    texts: list[str], comma: bool
) -> None:
    assert habits_of(texts, None).decimal_comma is comma


def test_a_dot_separates_thousands_in_a_document_with_decimal_commas(
    document: Build, schema: MakeSchema
) -> None:
    figures = [["in TEUR", "2022"], ["Net profit", "7.061"], ["Earnings per share", "0,55"]]
    wanted = schema(("net_profit", "float"), ("earnings_per_share", "float"))
    found = extract(document("Margin of 12,4 (before: 11,9)", figures), wanted)
    assert [found[name].value for name in ("net_profit", "earnings_per_share")] == [7061, 0.55]


def test_a_dot_is_decimal_where_nothing_says_otherwise(document: Build, schema: MakeSchema) -> None:
    wanted = schema(("drying_loss", "float"))
    found = extract(document([["Test", "Result"], ["Drying loss", "7.061"]]), wanted)
    assert found["drying_loss"].value == 7.061
