import pytest

from workbench.contract.search import Facet, FacetValue, HistogramBin
from workbench.sessions.facet_choices import (
    Choice,
    Range,
    choices,
    condition,
    literal,
    range_words,
    read_literal,
)


def _facet(**fields):
    rest = {"field": "f", "kind": "string", "values": [], "missing": 0}
    return Facet.model_validate(rest | fields)


def test_few_values_are_chosen_one_by_one_and_many_by_ranges():
    values = [FacetValue(value=n, count=9 - n) for n in range(3)]
    bins = [HistogramBin(start=0, end=5, count=3), HistogramBin(start=5, end=10, count=0)]
    few = _facet(values=values, distinct=3, histogram=bins, unit="number")
    assert choices(few, (), 8) == [Choice(0, 9), Choice(1, 8), Choice(2, 7)]
    many = few.model_copy(update={"distinct": 70})
    assert choices(many, (), 8) == [Choice(Range(0, 5), 3, "0 – 5")]


def test_a_property_with_only_distinct_values_offers_nothing():
    unique = _facet(values=[FacetValue(value=f"n{i}", count=1) for i in range(20)], distinct=40)
    assert choices(unique, (), 8) == []


def test_picked_values_stay_visible_without_a_count():
    facet = _facet(values=[FacetValue(value="a", count=2)], distinct=1)
    assert choices(facet, ("a", "z"), 8) == [Choice("a", 2), Choice("z", None)]


@pytest.mark.parametrize(
    ("unit", "start", "end", "words"),
    [
        ("year", "1999-01-01", "2000-01-01", "1999"),
        ("year", "1990-01-01", "2000-01-01", "1990 – 1999"),
        ("month", "2024-02-01", "2024-03-01", "2024-02"),
        ("day", "2024-02-28", "2024-02-29", "2024-02-28"),
        ("day", "2024-02-20", "2024-03-01", "2024-02-20 – 2024-02-29"),
        ("number", 0.5, 1500, "0.5 – 1,500"),
        ("number", 0, 25_000_000, "0 – 25M"),
    ],
)
def test_a_range_reads_as_people_say_it(unit, start, end, words):
    bins = [HistogramBin(start=start, end=end, count=1)]
    (choice,) = choices(_facet(distinct=99, unit=unit, histogram=bins), (), 8)
    assert choice.words == words


def test_a_range_is_written_as_a_condition():
    assert condition("day", Range("2024-01-01", "2025-01-01")) == (
        '(day >= "2024-01-01" and day < "2025-01-01")'
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [('a "b"', '"a \\"b\\""'), (3, "3"), (2.5, "2.5"), (True, "true"), ("Ö", '"Ö"'),
     ("C:\\new\n", '"C:\\\\new\n"')],
)  # fmt: skip
def test_values_are_written_as_the_filter_language_reads_them(value, written):
    assert literal(value) == written
    assert read_literal(written) == value


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2019-01-01", "2020-01-01", "2019"),
        ("2019-01-01", "2021-01-01", "2019 – 2020"),
        ("2019-12-01", "2020-01-01", "2019-12"),
        ("2019-12-03", "2019-12-05", "2019-12-03 – 2019-12-04"),
        (1000, 2000, "1,000 – 2,000"),
    ],
)
def test_a_chosen_range_of_whole_years_or_months_is_called_by_them(start, end, words):
    assert range_words(Range(start, end)) == words
