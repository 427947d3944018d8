"""Dates and times as people write them."""

import pytest

from backend.extraction.dates import moments, written_day_first


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2023-03-14", "2023-03-14"),
        ("2023/3/4", "2023-03-04"),
        ("March 14, 2023", "2023-03-14"),
        ("Mar. 4 2023", "2023-03-04"),
        ("14 March 2023", "2023-03-14"),
        ("the 3rd of May, 2021", "2021-05-03"),
        ("14-Mar-23", "2023-03-14"),
        ("31.12.1999", "1999-12-31"),
        ("12/31/1999", "1999-12-31"),
        ("31/12/1999", "1999-12-31"),
        ("1 Sept 70", "1970-09-01"),
        ("August 3 , 2014", "2014-08-03"),
        ("3 August , 2014", "2014-08-03"),
    ],
)
def test_a_date_is_read_in_the_way_it_was_written(text: str, day: str) -> None:
    assert [moment.day.isoformat() for moment in moments(f"on {text}.")] == [day]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("July 1 - July 31 , 2014", "2014-07-01", "2014-07-31"),
        ("July 1-31, 2014", "2014-07-01", "2014-07-31"),
        ("1 to 31 July 2014", "2014-07-01", "2014-07-31"),
        ("from December 20 through January 3, 2015", "2014-12-20", "2015-01-03"),
    ],
)
def test_a_period_has_two_days_and_gives_its_year_once(text: str, first: str, last: str) -> None:
    assert [moment.day.isoformat() for moment in moments(text)] == [first, last]


def test_a_period_without_a_year_is_not_a_date() -> None:
    assert moments("July 1 - July 31") == []


def test_an_ambiguous_order_follows_the_caller_and_says_that_it_is_uncertain() -> None:
    (us,) = moments("03/04/2021")
    (other,) = moments("03/04/2021", day_first=True)
    assert (us.day.month, other.day.month) == (3, 4)
    assert not us.certain and not other.certain
    assert moments("13/04/2021")[0].certain


def test_the_dates_of_a_document_give_away_their_order() -> None:
    assert written_day_first("from 01/02/2020 to 25/02/2020") is True
    assert written_day_first("from 01/02/2020 to 02/25/2020") is False
    assert written_day_first("01/02/2020") is None


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2023-03-14T08:05:00Z", "2023-03-14T08:05:00+00:00"),
        ("March 14, 2023 at 8:05 pm", "2023-03-14T20:05:00"),
        ("14 March 2023, 12:30 a.m.", "2023-03-14T00:30:00"),
        ("2023-03-14", "2023-03-14T00:00:00"),
        ("March 14, 2023, 1105 MST", "2023-03-14T11:05:00"),
        ("March 14, 2023 at 5 pm", "2023-03-14T17:00:00"),
    ],
)
def test_a_time_beside_a_date_belongs_to_it(text: str, iso: str) -> None:
    assert moments(text)[0].iso == iso


@pytest.mark.parametrize(
    "text", ["31 February 2020", "version 1.2.3", "2020-13-40", "tel 555-01-2345"]
)
def test_text_that_resembles_a_date_is_not_one(text: str) -> None:
    assert moments(text) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("27 / 10 / 2024", "2024-10-27"),
        ("30. 6. 2020", "2020-06-30"),
        ("23 IX 2020", "2020-09-23"),
        ("3-IV-2021", "2021-04-03"),
        ("Lisboa, 27 de setembro de 2024", "2024-09-27"),
        ("le 1er mai 2020", "2020-05-01"),
        ("16. März 2024", "2024-03-16"),
        ("30SEP18 / 2305", "2018-09-30"),
        ("13 September, 14.", "2014-09-13"),
    ],
)
def test_dates_are_read_as_other_countries_and_forms_write_them(text: str, day: str) -> None:
    assert [moment.day.isoformat() for moment in moments(text, day_first=True)] == [day]


@pytest.mark.parametrize(
    "text",
    ["11 October, 13:00", "13 September, 14–22h", "15 March, 95 euro", "01OCT 0640: traced"],
)
def test_a_time_or_an_amount_behind_a_day_is_not_a_year(text: str) -> None:
    assert moments(text) == []


def test_a_weekday_proves_the_order_of_day_and_month() -> None:
    assert written_day_first("Sat 7/10/23") is True
    assert written_day_first("Tue 7/10/23") is None
    assert written_day_first("Mon 7/10/23") is False
