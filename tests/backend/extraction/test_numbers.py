"""Numbers, their separators, units and words."""

import pytest

from backend.extraction.numbers import counted, numbers, worded_numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", 1234),
        ("1,234.50", 1234.5),
        ("1.234,50", 1234.5),
        ("1'234'567", 1234567),
        ("12,5", 12.5),
        ("0,125", 0.125),
        ("12\u202f500", 12500),
        ("22 083", 22083),
        ("I got your first 4 000 with thanks", 4000),
        ("the bank could freeze R 11 300 at once", 11300),
        ("your price of P1,896,000.00 was", 1_896_000),
        ("lining bought for D3,500", 3500),
        ("7.5 per cent", 7.5),
        ("-3.5", -3.5),
        ("($1,200)", -1200),
        ("$1.2 million", 1_200_000),
        ("€ 1.500", 1500),
        ("3k", 3000),
        ("45%", 45),
        ("(175)", -175),
        ("$ (1,175.50)", -1175.5),
        ("(12)%", -12),
        ("Loss for the year (1,175)", -1175),
        ("a loss of $(5.2) million", -5_200_000),
        ("thirty (30) days", 30),
        ("Five Thousand Dollars ($5,000)", 5000),
        ("the borough (12,175) grew", 12175),
        ("see note (3)", 3),
        ("(2014)", 2014),
        ("1430 hours", 1430),
        ("Betrag 12 500,00", 12500),
        ("Rs. 1,25,000.50", 125_000.5),
        ("2.5 lakh", 250_000),
        ("4 1/2 turns", 4.5),
        ("1-1/2 cups", 1.5),
        ("3¾ pages", 3.75),
    ],
)
def test_a_number_has_the_value_its_writer_meant(text: str, value: float) -> None:
    assert [number.value for number in numbers(text)] == [value]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("14 kt", "knot"),
        ("USD 1,000.00", "USD"),
        ("7.5 hours", "hour"),
        ("21 °C", "celsius"),
        ("13 g/dL", "g/dl"),
    ],
)
def test_the_unit_beside_a_number_is_known(text: str, unit: str) -> None:
    (number,) = numbers(text)
    assert number.unit is not None and number.unit.name == unit


@pytest.mark.parametrize(
    "text",
    [
        "AFS-2021-0042",
        "at 10:30",
        "B12",
        "the 3rd",
        "1.2.3",
        "1100 MST",
        "14:30",
        "1430Z",
        "1105 local",
        "0915 mountain standard time",
        "at 1430 hours",
        "at 5 pm",
    ],
)
def test_codes_times_and_ordinals_are_not_numbers(text: str) -> None:
    assert numbers(text) == []


def test_brackets_in_a_line_of_an_account_make_each_number_negative() -> None:
    assert [n.value for n in numbers("Other items, net (175) (2,040) 31")] == [-175, -2040, 31]


def test_numbers_in_words_are_read_and_no_one_is_zero() -> None:
    assert [n.value for n in worded_numbers("Twenty-one people and two dogs")] == [21, 2]
    assert [n.value for n in worded_numbers("No one was hurt")] == [0]
    assert [n.value for n in worded_numbers("None")] == [0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(175)", -175),
        ("( 1,234 )", -1234),
        ("$ (27)", -27),
        ("(13.9)p", -13.9),
        ("(13.9p)", -13.9),
        ("a loss of (1,234) in all", -1234),
        ("Net result: (90)", -90),
        ("Net result: (9)\nTime: noon", -9),
    ],
)
def test_an_amount_in_parentheses_is_negative(text: str, value: float) -> None:
    assert [number.value for number in numbers(text)] == [value]


@pytest.mark.parametrize("text", ["as shown there (3) and below", "See note: (3)", "See: (3)"])
def test_a_reference_in_parentheses_is_not_negative(text: str) -> None:
    assert [number.value for number in numbers(text)] == [3]


def test_currencies_are_known_by_their_codes_and_signs() -> None:
    texts = ("RM 12.50", "SEK 100", "12.50 €", "R$ 7")
    units = [number.unit for text in texts for number in numbers(text)]
    assert [unit and unit.name for unit in units] == ["MYR", "SEK", "EUR", "BRL"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("870 000 kr", 870_000.0),
        ("1 240 000 GBP", 1_240_000.0),
        ("CHF 4 500.00", 4_500.0),
        ("R143 750.00", 143_750.0),
        ("R 1 250 000,50", 1_250_000.5),
        ("3.200 EUR", 3_200.0),
        ("3.200 USD", 3.2),
        ("3.200 kg", 3.2),
    ],
)
def test_thousands_of_an_amount_are_parted_by_blanks_or_dots(text: str, value: float) -> None:
    assert [number.value for number in numbers(f"A sum of {text} was paid")] == [value]


def test_a_count_before_a_price_is_a_number_of_its_own() -> None:
    assert [number.value for number in numbers("Seats at 12 400.00 each")] == [12, 400]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("five hours and 45 minutes", 5.75, "hour"),
        ("2 h 30 min", 2.5, "hour"),
        ("1 year, 6 months", 1.5, "year"),
        ("5 feet 6 inches", 5.5, "foot"),
    ],
)
def test_a_measure_in_two_parts_is_one_number(text: str, value: float, unit: str) -> None:
    (number,) = numbers(text)
    assert number.value == pytest.approx(value)
    assert number.unit is not None and number.unit.name == unit
    assert text[number.start : number.end] == text


@pytest.mark.parametrize(
    "text",
    ["10 kg, 500 g", "2 hours and 30 people", "30 minutes or 2 hours", "2 days and 48 hours"],
)
def test_two_measures_are_two_numbers(text: str) -> None:
    assert len(numbers(text)) == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [("two and a half years", 2.5), ("three years and nine months", 3.75)],
)
def test_a_measure_in_words_has_parts_as_well(text: str, value: float) -> None:
    assert [number.value for number in worded_numbers(text)] == [value]


@pytest.mark.parametrize("text", ["9" * 400, "$" + "9" * 309 + " million", "-" + "9" * 310 + " kg"])
def test_digits_beyond_every_amount_are_not_a_number(text: str) -> None:
    assert [number.value for number in numbers(f"{text} and 5")] == [5.0]


def test_columns_of_figures_and_codes_are_not_run_together() -> None:
    assert [number.value for number in numbers("Tel. 018 555 307")] == [18, 555, 307]
    assert [number.value for number in numbers("take 2 500 mg tablets")] == [2, 500]
    assert numbers("gate B4417, see RR12,") == []


def test_ordinals_and_denials_count_the_word_behind_them() -> None:
    text = "Our fifth performance, with no latecomers, was the 12th night."
    assert [(one.value, one.word) for one in counted(text)] == [
        (5, "performance"), (0, "latecomers"), (12, "night"),
    ]  # fmt: skip
