"""A value is seen in a text, however the text writes it."""

import pytest

from workbench.contract.written_values import find_value


@pytest.mark.parametrize(
    ("value", "text", "place"),
    [
        (36400.0, "Cost | $36,400 | Wind", "36,400"),
        (36400, "Kosten: 36.400,00 EUR", "36.400,00"),
        (36400, "36’400 francs", "36’400"),
        (1.5, "was 1,5 m", "1,5"),
        (-20, "minus 20 degrees", "20"),
        ("2020-01-11", "on January 11, 2020 at", "January 11, 2020"),
        ("2020-01-11", "am 11.01.2020 um", "11.01.2020"),
        ("2020-01-11", "on 11 Jan 2020", "11 Jan 2020"),
        ("Bird Strike", "cause: bird strike.", "bird strike"),
        (36400, "number 364,001 or 1,364", None),
        (True, "true", None),
        ("", "nothing", None),
    ],
)
def test_a_value_matches_its_spelling(value, text, place):
    span = find_value(text, value)
    assert (text[slice(*span)] if span else None) == place
