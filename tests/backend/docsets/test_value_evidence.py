"""What is quoted beside a value."""

from typing import Any

import pytest

from backend.docsets.value_evidence import quote

TABLE = "Electronic invoice\nInvoice number | 47110818\nInvoice date | 2018-10-31\nNet | 2,000.00"


@pytest.mark.parametrize(
    ("value", "row"),
    [
        ("2018-10-31", "Invoice date | 2018-10-31"),
        (2000.0, "Net | 2,000.00"),
        ("Electronic invoice", "Electronic invoice Invoice number | 47110818 Invoice date |"
         " 2018-10-31 Net | 2,000.00"),
    ],
)  # fmt: skip
def test_a_value_in_a_table_is_quoted_with_its_row(value: Any, row: str) -> None:
    assert quote(TABLE, value, "field") == row


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("wind_speed", "Wind speed | 9 kt"),
        ("visibility", "Visibility in miles | 9"),
        ("place", "Visibility in miles | 9"),
    ],
)
def test_of_several_rows_with_a_value_the_one_that_names_its_property_is_quoted(
    name: str, row: str
) -> None:
    table = "Local time | 09:56\nVisibility in miles | 9\nWind speed | 9 kt"
    assert quote(table, 9, name) == row


def test_a_value_in_prose_is_quoted_with_the_words_around_it() -> None:
    text = f"{'before ' * 20}It took\nplace in Lyon.{' behind' * 20}"
    shown = quote(text, "Lyon", "field")
    assert "It took place in Lyon. behind" in shown
    assert shown.startswith("…") and shown.endswith("…")


def test_a_text_that_does_not_show_its_value_is_quoted_from_its_beginning() -> None:
    assert quote("No recording was made.", False, "field") == "No recording was made."
