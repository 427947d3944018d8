"""Links numbers, amounts, units and dates of a request."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from backend.language.dates import Span, date_at, whole_year
from backend.language.nouns import singular
from backend.language.numerals import numeral_at
from backend.language.tokens import LETTER, Token
from backend.language.units import (
    SYMBOLS,
    currency_code,
    is_base,
    measure_of,
    square_unit,
    unit_word,
)
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.amounts import only_measured
from backend.plans.reading.chart import Chart
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary


def number_links(
    chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary, today: date
) -> None:
    """Adds the numbers of a request with their units, and its dates."""
    currency_named = _currency_named(tokens)
    for i, token in enumerate(tokens):
        if token.kind in ("sign", "quoted", LETTER):
            continue
        if token.kind == "word" and (named := unit_word(token.lower)) is not None:
            chart.add(i, i + 1, "Unit", named)
        number = numeral_at(tokens, i, metres=vocabulary.has_lengths)
        if number is not None:
            unit = number.unit or (SYMBOLS.get(token.text[0]) if token.text else None)
            start = i
            if unit is None and (currency := _currency_before(tokens, i)) is not None:
                start, unit = currency
            about = _about(tokens[number.end :], unit, vocabulary)
            if about is None and unit is None and currency_named is not None:
                about = _about(tokens[number.end :], currency_named, vocabulary)
            quantity = Quantity(
                number.value, unit, number.scaled, "." not in token.text, about=about
            )
            chart.add(start, number.end, "Num", quantity, (("number", 1.0),))
            if _is_minus(tokens, i):
                below = replace(quantity, value=-quantity.value)
                chart.add(i - 1, number.end, "Num", below, (("number", 1.0),))
            if token.kind == "number":
                chart.add(i, number.end, "Digits", token.text)
            _with_unit(chart, tokens, i, number.end, quantity, vocabulary)
        dated = date_at(tokens, i, today) or _early_year(token, vocabulary)
        if dated is not None:
            kind = "Year" if dated[0].year is not None else "Date"
            chart.add(i, i + dated[1], kind, dated[0], (("date", 1.0),))


def _currency_named(tokens: Sequence[Token]) -> str | None:
    """The currency somewhere in a request whose bare number is an amount: `euro bills over 200`."""
    return next(filter(None, (currency_code(token.text) for token in tokens)), None)


def _currency_before(tokens: Sequence[Token], i: int) -> tuple[int, str] | None:
    """The start and the name of a currency before a number: `EUR 500`, `Rs. 500`."""
    start = i - 2 if i > 1 and tokens[i - 1].text == "." else i - 1
    unit = unit_word(tokens[start].lower) if start >= 0 else None
    is_money = unit is not None and measure_of(unit) == "money"
    return (start, unit) if is_money and unit is not None else None


def _early_year(token: Token, vocabulary: Vocabulary) -> tuple[Span, int] | None:
    """A year such as 1845, which is a number unless a property contains such years or dates."""
    if not (len(token.text) == 4 and token.text.isdecimal() and "1000" <= token.text < "1900"):
        return None
    year = int(token.text)
    early = any(p.dated and p.low is not None and p.low.year <= year for p in vocabulary.properties)
    if not early and not any(prop.is_year for prop in vocabulary.properties):
        return None
    return replace(whole_year(year), year=year), 1


def _about(behind: Sequence[Token], unit: str | None, vocabulary: Vocabulary) -> Property | None:
    """The only property that a number can refer to. Before a plural or a word for the documents it
    is a count.
    """
    word = behind[0].lower if behind and behind[0].kind == "word" else ""
    counted = word in vocabulary.noun_words or (bool(word) and behind[0].stem in vocabulary.nouns)
    plural = word not in FUNCTION_WORDS and singular(word) != word
    return None if counted or plural else only_measured(vocabulary, unit)


def _is_minus(tokens: Sequence[Token], i: int) -> bool:
    """Whether a minus sign belongs to the number: `-50`, but not in `5-10`."""
    if not i or tokens[i - 1].text not in ("-", "–") or not tokens[i].joined:
        return False
    return i == 1 or not tokens[i - 1].joined


def _with_unit(
    chart: Chart,
    tokens: Sequence[Token],
    start: int,
    end: int,
    number: Quantity,
    vocabulary: Vocabulary,
) -> None:
    if end >= len(tokens):
        return
    square = square_unit([token.lower for token in tokens[end : end + 2]])
    unit = square or unit_word(tokens[end].lower) or SYMBOLS.get(tokens[end].text)
    if unit is not None:
        behind = end + (2 if square else 1)
        quantity = replace(number, unit=unit, about=_about(tokens[behind:], unit, vocabulary))
        chart.add(start, behind, "Num", quantity, (("number", 1.0), ("number: unit", 1.0)))
        rate = [token.lower for token in tokens[behind : behind + 2]]
        if len(rate) == 2 and rate[0] in ("per", "/") and is_base(rate[1]):
            chart.add(start, behind + 2, "Num", quantity, (("number", 1.0), ("number: unit", 1.0)))
