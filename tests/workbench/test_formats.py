"""Numbers, shares and dates are written the same way in every interface."""

import json
from datetime import date, datetime

import pytest

from workbench.commands.common import print_rows, print_value
from workbench.contract.numbers import plain_number
from workbench.formats import column_words, passages_words, value_words


@pytest.mark.parametrize(
    ("value", "column", "words"),
    [
        (1204, "damage", "1,204"),
        (41.0, "engines", "41"),
        (41.666666, "speed", "41.67"),
        (1234.5, "total", "1,234.5"),
        (1234567.891, "total", "1,234,567.89"),
        (0.18772, "chance", "0.188"),
        (2018, "year", "2018"),
        (20180, "invoice_number", "20180"),
        (2018.0, "year_of_issue", "2018"),
        (True, "fatal", "yes"),
        (None, "state", ""),
        ("2018-03-01T00:00:00", "day", "2018-03-01"),
        ("2018-03-01T14:30:12+01:00", "day", "2018-03-01 14:30"),
        (date(2018, 3, 1), "day", "2018-03-01"),
        (datetime(2018, 3, 1, 14, 30), "day", "2018-03-01 14:30"),
        ([1000.0, 2], "amounts", "1,000, 2"),
        ({"year": 2018, "sum": 1000}, "", "year: 2018, sum: 1,000"),
        ('{"street": "Quay 4", "flat": null}', "address", "street: Quay 4"),
        (["Quay 4, Aldby", "Mill 2"], "places", "Quay 4, Aldby; Mill 2"),
        ("[sic] and so on", "text", "[sic] and so on"),
        ("{draft}", "text", "{draft}"),
    ],
)
def test_a_value_is_formatted_for_people(value, column, words):
    assert value_words(value, column) == words


def test_a_share_is_written_in_percent_with_one_decimal():
    assert value_words(0.1882, percent=100) == "18.8 %"
    write = column_words("part", [0.5, 0.125], percent=100)
    assert [write(0.5), write(0.125), write(None)] == ["50.0 %", "12.5 %", ""]


def test_decimals_of_a_column_are_aligned():
    values = [12.5, 3, 1204.127]
    write = column_words("cost", values)
    assert [write(value) for value in values] == ["12.50", "3.00", "1,204.13"]
    whole = column_words("count", [3.0, 1204])
    assert [whole(3.0), whole(1204)] == ["3", "1,204"]


def test_passages_behind_a_judgement_are_quoted_best_first():
    weak = json.dumps({"doc_id": "d", "page": 4, "text": "no ice", "score": 0.4})
    sure = {"doc_id": "d", "page": 2, "text": "ice  on\nthe wing", "score": 0.9312}
    assert passages_words([weak, sure]) == "0.93  p2 “ice on the wing” · 0.40  p4 “no ice”"
    assert value_words([weak]).startswith("0.40  p4")
    assert passages_words(["plain", "words"]) == ""


@pytest.mark.parametrize(
    ("number", "plain"),
    [(4.300000000000001, "4.3"), (0.1 + 0.2, "0.3"), (1204, "1204"), (2**60, str(2**60)),
     (-1234.56, "-1234.56"), (1 / 14, str(1 / 14)), (1e16, "1e+16"), (float("nan"), "nan")],
)  # fmt: skip
def test_a_bare_number_has_no_rounding_of_binary_fractions(number, plain):
    assert str(plain_number(number)) == plain


def test_an_answer_in_a_pipe_has_no_rounding_of_binary_fractions(capsys):
    print_value(4.300000000000001, "4.30")
    print_rows(["mean"], [{"mean": 4.300000000000001}])
    assert capsys.readouterr().out.split() == ["4.3", "mean", "4.3"]
