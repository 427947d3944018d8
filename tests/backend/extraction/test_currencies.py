"""A property that asks for a currency gets the code of the document's amounts."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.extraction.currency_marks import mark_of, marks
from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]
CODE = {"type": "string", "description": "Three-letter code", "examples": ["EUR"]}


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["Room hire £120.00", "Total £144.00"], "GBP"),
        (["Saal 1.200,00 €", "Gesamt 1.428,00 €"], "EUR"),
        (["Total 4,500.00 zł"], "PLN"),
        (["Fee: Fr. 250.00", "Balance: Fr. 50.00"], "CHF"),
        (["Labour R1,250.00", "Parts R 300.50"], "ZAR"),
        (["Total Rs. 12,500"], "INR"),
        (["Total $81.20", "Main Street 4, Carlton VIC 3053", "ABN 51 824 753 556"], "AUD"),
        (["Total $81.20", "12 Elm Street, Toronto, ON M5V 2T6", "HST $9.34"], "CAD"),
        (["Total $81.20", "All prices are in New Zealand dollars"], "NZD"),
        (["Total $81.20", "12 Elm Street, Austin, TX 78701"], "USD"),
        (["Totalt 1 250 kr", "Storgatan 4, Uppsala, Sverige"], "SEK"),
        (["Amount 900", "Currency: DKK"], "DKK"),
        (["Loan of OMR 92,500.00"], "OMR"),
        (["Stay: MAD 19 600", "Deposit: MAD 4 900"], "MAD"),
        (["Currency: CHF", "Total 900.00", "about € 950.00, € 960.00 or € 970.00"], "CHF"),
    ],
)
def test_signs_names_and_countries_tell_the_currency(
    document: Build, schema: MakeSchema, texts: list[str], code: str
) -> None:
    read = extract(document(*texts), schema(("currency", CODE)))["currency"]
    assert read.value == code
    assert read.confidence >= 0.9 or code in ("INR", "ZAR")
    assert read.element is not None


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["Totalt 1 250 kr"], None),
        (["Rent 900", "No amount here"], None),
        (["The team won 3 of 4 games", "a 12 Ft ladder, form R 25"], None),
        (["Offer one £120.00", "Offer two €130.00"], "GBP"),
    ],
)
def test_an_unclear_currency_is_not_given(
    document: Build, schema: MakeSchema, texts: list[str], first: str | None
) -> None:
    read = extract(document(*texts), schema(("currency", CODE)))["currency"]
    assert read.value is None
    assert (read.alternatives[0].value if read.alternatives else None) == first


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        ({"type": "choice", "choices": ["euro", "pounds sterling"]}, "pounds sterling"),
        ({"type": "choice", "choices": ["€", "£"]}, "£"),
        ({"type": "choice", "choices": ["Euro", "Pound sterling"]}, "Pound sterling"),
        ({"type": "string", "examples": ["eur", "usd"]}, "gbp"),
        ({"type": "string"}, "GBP"),
    ],
)
def test_the_currency_is_written_as_choices_and_examples_are(
    document: Build, schema: MakeSchema, shape: dict[str, Any], value: str
) -> None:
    wanted = schema(("invoice_currency_code", shape))
    assert extract(document("Total £144.00"), wanted)["invoice_currency_code"].value == value


def test_labels_distinguish_two_currencies_of_one_document(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("billing_currency", CODE), ("payment_currency", CODE))
    read = extract(document("Billing currency: GBP", "Payment currency: USD", "£ 12.00"), wanted)
    assert [read[name].value for name in ("billing_currency", "payment_currency")] == ["GBP", "USD"]


def test_a_currency_beside_no_amount_is_less_certain(document: Build, schema: MakeSchema) -> None:
    read = extract(document("All figures are in SEK", "Rent 900"), schema(("currency", CODE)))
    assert (read["currency"].value, read["currency"].confidence) == ("SEK", 0.7)


def test_of_two_currencies_that_of_the_amounts_asked_for_is_meant(
    document: Build, schema: MakeSchema
) -> None:
    texts = ("Duty AUD 410.00", "GST AUD 130.00", "Fee AUD 85.00", "Invoice total: TWD 1,204,500")
    both = schema(("invoice_total", "float"), ("currency", CODE))
    assert extract(document(*texts), both)["currency"].value == "TWD"
    assert extract(document(*texts), schema(("currency", CODE)))["currency"].value == "AUD"


def test_codes_that_are_words_too_are_currencies_only_beside_money() -> None:
    assert [marks(text) for text in ("ALL 12 rooms", "TOP 10", "the MAD one")] == [[]] * 3
    assert [mark.meant for mark in marks("ALL 12,500.00")] == ["ALL"]


def test_letters_of_other_words_and_codes_are_no_currency() -> None:
    for text in ("m2", "Row", "Free", "rs232", "won't"):
        assert mark_of(text) is None, text
