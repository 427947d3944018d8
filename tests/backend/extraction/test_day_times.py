"""Dates with the times of day that are stated apart from them."""

from collections.abc import Callable

import pytest

from backend.extraction.day_times import times, with_times
from backend.extraction.document import Document
from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("Kick-off 19:30", "19:30:00"),
        ("doors at 7.30 pm", "19:30:00"),
        ("à 14h30 précises", "14:30:00"),
        ("um 9 Uhr", "09:00:00"),
        ("18.15 uur", "18:15:00"),
        ("we meet at 10.45 by the gate", "10:45:00"),
        ("until noon", "12:00:00"),
        ("closes at midnight", "00:00:00"),
    ],
)
def test_a_time_of_day_is_read_as_people_write_it(text: str, clock: str) -> None:
    assert [found.isoformat() for found, _, _ in times(text)] == [clock]


@pytest.mark.parametrize(
    "text", ["a 24h service", "a 48h service", "at 10.45 %", "€ 14.30", "room 1430", "v2.14h"]
)
def test_a_number_that_resembles_a_time_is_none(text: str) -> None:
    assert times(text) == []


@pytest.mark.parametrize(
    ("texts", "moment"),
    [
        (("At 02:20 on 4 October 2025 the bells rang.",), "2025-10-04T02:20:00"),
        (("Friday 6 September 2024. Doors open late.", "Start 19:30"), "2024-09-06T19:30:00"),
        (("Service on 14 October 2023, in the chapel, at noon.",), "2023-10-14T12:00:00"),
    ],
)
def test_a_date_gets_the_time_that_stands_near(
    document: Build, texts: tuple[str, ...], moment: str
) -> None:
    read = Document(document(*texts))
    assert next(with_times(read.segments, read.moments)).moment.iso == moment


def test_a_date_gets_the_nearest_time_but_no_far_one(document: Build) -> None:
    far = ["Nothing of the kind."] * 3
    texts = ["3 May 2021, from the pier, 14:00 to 16:00", *far, "4 May 2021", *far, "Tea at 17:00"]
    read = Document(document(*texts))
    moments = [one.moment.iso for one in with_times(read.segments, read.moments)]
    assert moments == ["2021-05-03T14:00:00", "2021-05-04T00:00:00"]


def test_a_time_that_follows_a_date_at_once_stays(document: Build) -> None:
    read = Document(document("Doors 18:30, start 3 May 2021 at 19:30"))
    assert next(with_times(read.segments, read.moments)).moment.iso == "2021-05-03T19:30:00"


def test_a_date_and_its_time_in_two_cells_are_one_value(
    document: Build, schema: MakeSchema
) -> None:
    table = [["Sample", "W-12"], ["Sampling date", "3 May 2021"], ["Sampling time", "14:20"]]
    read = extract(document("Report on water", table), schema(("sampled_at", "datetime")))
    assert read["sampled_at"].value == "2021-05-03T14:20:00"
