"""Times of day, hours between two times, and when most happened."""

from pathlib import Path

import pytest

from tests.backend.plans.desk import Desk, make_desk

_JOBS = [
    ("Burke", "Ennis", "2024-03-04T08:30:00", "2024-03-04T10:00:00", 120.0),
    ("Burke", "Trim", "2024-03-11T09:00:00", "2024-03-11T11:30:00", 90.0),
    ("Daly", "Ennis", "2024-03-12T12:00:00", "2024-03-12T14:00:00", 150.0),
    ("Daly", "Sligo", "2024-04-02T14:15:00", "2024-04-02T19:15:00", 200.0),
    ("Daly", "Ennis", "2024-05-20T18:00:00", "2024-05-20T19:30:00", 80.0),
    ("Quill", "Trim", "2024-05-22T18:30:00", None, 60.0),
    ("Quill", "Ennis", "2024-05-23T23:00:00", "2024-05-24T01:30:00", 310.0),
]
_TYPES = {
    "job": "string", "tuner": "string", "town": "string", "started_at": "datetime",
    "finished_at": "datetime", "fee": "float",
}  # fmt: skip


@pytest.fixture(scope="module")
def tunings(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("tunings")
    records = [dict(zip(_TYPES, (f"J{i}", *job), strict=True)) for i, job in enumerate(_JOBS, 1)]
    properties = [{"name": name, "type": kind} for name, kind in _TYPES.items()]
    return make_desk(folder, "tunings", properties, records, [[r["job"]] for r in records])


@pytest.mark.parametrize(
    "question, count",
    [
        ("how many tunings began before 9 in the morning?", 1),
        ("how many tunings started after 6 pm?", 2),
        ("how many tunings were not started before noon?", 5),
        ("how many tunings started between 9 am and 2 pm?", 2),
        ("how many tunings started between 9 and 11 am?", 1),
        ("how many tunings started before 9:15 am?", 2),
        ("how many tunings finished by 11:30?", 3),
        ("how many tunings started in the afternoon?", 2),
        ("how many tunings started at 9 o'clock?", 1),
        ("how many tunings started at night?", 1),
    ],
)
def test_a_time_of_day_narrows_by_the_time_of_every_day(
    tunings: Desk, question: str, count: int
) -> None:
    assert tunings.result(tunings.ask(question)) == count


def test_a_follow_up_narrows_by_the_time_of_day(tunings: Desk) -> None:
    listed = tunings.ask("list the tunings in Ennis")
    later = tunings.result(tunings.edit(listed, "only those that started after 5 pm"))
    assert [d["properties"]["entity"]["job"] for d in later] == ["J5", "J7"]


def test_how_a_part_of_the_day_was_read_is_reported(tunings: Desk) -> None:
    plan = tunings.ask("how many tunings started in the evening?")
    assert plan.edit is not None
    assert "read “evening” as from 18 to 23 o’clock" in plan.edit.warnings


@pytest.mark.parametrize(
    "question, number",
    [
        ("how many hours does a tuning take on average?", 15 / 6),
        ("what is the average time between start and finish, in hours?", 15 / 6),
        ("how many minutes pass on average from the start to the finish?", 150.0),
        ("how many tunings took more than 2 hours from start to finish?", 3),
        ("how many tunings took less than 100 minutes from start to finish?", 2),
    ],
)
def test_the_time_between_two_times_is_counted_in_hours_or_minutes(
    tunings: Desk, question: str, number: float
) -> None:
    found = tunings.result(tunings.ask(question))
    if isinstance(found, list):
        found = next(v for k, v in found[0]["properties"].items() if k.startswith("avg"))
    assert found == pytest.approx(number)


@pytest.mark.parametrize(
    "question, key",
    [
        ("who is the busiest tuner?", "Daly"),
        ("which town was the busiest?", "Ennis"),
    ],
)
def test_the_busiest_has_the_most_documents_and_the_report_says_so(
    tunings: Desk, question: str, key: str
) -> None:
    plan = tunings.ask(question)
    assert [g["properties"]["key"] for g in tunings.result(plan)] == [key]
    assert plan.edit is not None
    assert "took “busiest” as with the most documents" in plan.edit.warnings


def test_the_busiest_first_is_an_order_and_no_limit(tunings: Desk) -> None:
    groups = tunings.result(tunings.edit(tunings.ask("tunings by tuner"), "busiest first"))
    assert [g["properties"]["count"] for g in groups] == [3, 2, 2]


def test_the_busiest_month_is_one_of_the_months(tunings: Desk) -> None:
    only_date = tunings.ask("which was the busiest month by the day on which tunings started?")
    assert [g["properties"]["count"] for g in tunings.result(only_date)] == [3]


def test_a_total_beside_a_median_does_not_fail(tunings: Desk) -> None:
    plan = tunings.ask("what is the total fee and what is the median fee?")
    properties = tunings.result(plan)[0]["properties"]
    assert properties["sum_fee"] == pytest.approx(1010.0)
    assert properties["median_fee"] == pytest.approx(120.0)
