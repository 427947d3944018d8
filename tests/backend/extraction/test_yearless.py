"""Which year a date has that is written without one."""

from collections.abc import Callable
from datetime import date

import pytest

from backend.extraction.document import Document
from backend.extraction.yearless import year_near, yearless
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


def days(text: str, near: date) -> list[date]:
    return [moment.day for moment in yearless(text, near)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("He came to see you on 19 August", date(2021, 8, 19)),
        ("the 3rd of December", date(2021, 12, 3)),
        ("Reply by 11 February", date(2022, 2, 11)),
        ("due on March 4, at noon", date(2022, 3, 4)),
        ("due on Tuesday, 4 March", date(2022, 3, 4)),
    ],
)
def test_the_nearest_year_is_meant(text: str, day: date) -> None:
    assert days(text, date(2021, 11, 2)) == [day]


def test_a_weekday_determines_the_year() -> None:
    assert days("Sunday, 24 September", date(2024, 1, 10)) == [date(2023, 9, 24)]
    assert days("Tuesday, 24 September", date(2024, 1, 10)) == [date(2024, 9, 24)]


@pytest.mark.parametrize(
    "text",
    [
        "signed on 19 August 2019",
        "July 4, 2019",
        "you may 10 times ask",
        "31 February",
        "3 Mayfair",
    ],
)
def test_other_days_and_full_dates_are_none_of_these(text: str) -> None:
    assert days(text, date(2021, 11, 2)) == []


def test_the_year_is_that_of_most_full_dates_or_the_only_one_that_is_named() -> None:
    full = [date(1958, 11, 2), date(2024, 3, 14), date(2024, 5, 1)]
    assert year_near([], full) == date(2024, 3, 14)
    assert year_near(["Season 2019", "up to 2019 in all"], []) == date(2019, 7, 1)
    assert year_near(["between 2018 and 2019"], []) is None


def test_a_letter_gives_its_year_to_the_dates_in_it(document: Build) -> None:
    letter = document("Kelso, 2 September 2021", "Send it back by 15 October at the latest.")
    assert [moment.iso[:10] for _, moment in Document(letter).moments] == [
        "2021-09-02",
        "2021-10-15",
    ]


def test_without_any_year_there_is_no_date(document: Build) -> None:
    assert Document(document("Send it back by 15 October.")).moments == []
