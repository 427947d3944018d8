"""Which day is meant by a date without a year or month, or in words."""

from collections.abc import Callable
from datetime import date

import pytest

from backend.extraction.dates import moments
from backend.extraction.document import Document
from backend.extraction.leaning_dates import Anchors, leaning, year_near
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


def days(text: str, near: date) -> list[date]:
    """The days of a text near a date, besides those in full."""
    full = moments(text, day_first=True)
    known = leaning(text, full, Anchors(near, near, near), day_first=True)
    return [moment.day for moment in known if moment not in full]


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we need it back on Saturday the 22nd before noon", ["2025-02-22"]),
        ("the vet comes Wed 5th, shall he do it?", ["2025-02-05"]),
        ("ready by 9 March; orders on the 12th.", ["2025-03-09", "2025-03-12"]),
        ("at home until the 30th of this month", ["2025-01-30"]),
        ("filming on 15, 16 and 17 November", ["2024-11-15", "2024-11-16", "2024-11-17"]),
        ("Mon 3, Wed 5 and Fri 7 March", ["2025-03-03", "2025-03-05", "2025-03-07"]),
        ("the show, 25–26 May", ["2025-05-25", "2025-05-26"]),
        ("28–2 March", ["2025-02-28", "2025-03-02"]),
        ("debt cleared 24/6 if", ["2025-06-24"]),
        ("rec'd 13/3", ["2025-03-13"]),
        ("share (paid 02.03.)", ["2025-03-02"]),
        ("till 04MAR, then", ["2025-03-04"]),
        ("from the first of March this year", ["2025-03-01"]),
        ("due by the end of February", ["2025-02-28"]),
        ("due at the end of this month", ["2025-02-28"]),
        ("notes from yesterday's round", ["2025-02-10"]),
        ("on 3 March, and home the next morning", ["2025-03-03", "2025-03-04"]),
        ("closed on New Year’s Eve", ["2024-12-31"]),
        ("signed 1 May 2024, runs out on 3 June", ["2024-06-03"]),
        ("born on 2 August 1951, she came on 5 March", ["2025-03-05"]),
    ],
)
def test_a_date_leans_on_the_one_in_front_of_it_or_on_that_of_the_document(
    text: str, expected: list[str]
) -> None:
    assert [day.isoformat() for day in days(text, date(2025, 2, 11))] == expected


@pytest.mark.parametrize(
    "text",
    [
        "open 24/7",
        "add 3/4 cup",
        "the 2nd floor",
        "1st 900, 2nd 500",
        "2.3. Terms",
    ],
)
def test_floors_fractions_ranks_and_sections_are_not_dates(text: str) -> None:
    assert days(text, date(2025, 2, 11)) == []


def test_the_year_is_that_of_most_full_dates_or_the_latest_one_that_is_named() -> None:
    full = [date(1958, 11, 2), date(2024, 3, 14), date(2024, 5, 1)]
    assert year_near([], full) == date(2024, 3, 14)
    assert year_near(["Season 2019", "up to 2019 in all"], []) == date(2019, 7, 1)
    assert year_near(["between 2018 and 2019"], []) == date(2019, 7, 1)
    assert year_near(["at noon"], []) is None


def test_a_letter_gives_its_year_to_the_dates_in_it(document: Build) -> None:
    letter = document("Kelso, 2 September 2021", "Send it back by 15 October at the latest.")
    assert [moment.iso[:10] for _, moment in Document(letter).moments] == [
        "2021-09-02",
        "2021-10-15",
    ]


def test_without_any_year_there_is_no_date(document: Build) -> None:
    assert Document(document("Send it back by 15 October.")).moments == []


def test_a_day_leans_on_a_date_in_an_earlier_paragraph(document: Build) -> None:
    letter = document("Kelso, 2 September 2021", "They sailed on 4 October.", "Back on the 9th.")
    assert [moment.iso[:10] for _, moment in Document(letter).moments] == [
        "2021-09-02",
        "2021-10-04",
        "2021-10-09",
    ]
