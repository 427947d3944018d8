"""Questions about times: which of several dates is meant, deadlines, what still goes on, years in
words, and the first and last.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

LOANS: list[dict[str, Any]] = [
    {"name": "slip", "type": {"type": "string", "description": "Number of the slip"}},
    {"name": "reader", "type": {"type": "string", "description": "Who borrowed the book"}},
    {"name": "lent_on", "type": {"type": "date", "description": "Day the book was lent"}},
    {"name": "due", "type": {"type": "date", "description": "Day the book is due back"}},
    {
        "name": "back",
        "type": {
            "type": "date",
            "description": "Day the book came back; empty while it is still out",
        },
    },
    {"name": "fee", "type": {"type": "float", "description": "Final fee in euros"}},
]
_READERS = ["Ida Holm", "Jens Vik", "Mona Dahl"]
_BACK = ["2024-09-20", "2024-10-30", None, "2024-11-02", "2025-01-15", "2025-03-01"]


def _loans() -> list[dict[str, Any]]:
    lent = [f"2024-{month:02d}-{day:02d}" for month in range(7, 13) for day in (3, 17, 28)]
    return [
        {
            "slip": f"L{i:02d}",
            "reader": _READERS[i % 3 if i % 5 else 0],
            "lent_on": day,
            "due": f"{2024 + (int(day[5:7]) > 10)}-{(int(day[5:7]) + 1) % 12 + 1:02d}-05",
            "back": _BACK[i % 6],
            "fee": 2.5 * (i % 4),
        }
        for i, day in enumerate(lent)
    ]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = _loans()
    folder: Path = tmp_path_factory.mktemp("loans")
    return make_desk(folder, "loans", LOANS, records, [["A slip"]] * len(records))


Record = dict[str, Any]
_DOCUMENTS: list[tuple[str, Callable[[Record], bool]]] = [
    ("Which loans are still out?", lambda r: r["back"] is None),
    ("List the late loans", lambda r: bool(r["back"]) and r["back"] > r["due"]),
    ("loans lent in September and October of twenty twenty four",
     lambda r: "2024-09" <= r["lent_on"] < "2024-11"),
    ("loans that came back more than 60 days before the day they were due",
     lambda r: bool(r["back"]) and _days(r["back"], r["due"]) > 60),
    ("loans that were late by more than 2 months (60 days)",
     lambda r: bool(r["back"]) and _days(r["due"], r["back"]) > 60),
]  # fmt: skip


def _days(start: str, end: str) -> int:
    return (date.fromisoformat(end) - date.fromisoformat(start)).days


@pytest.mark.parametrize(("question", "wanted"), _DOCUMENTS)
def test_documents_are_selected_by_time(
    desk: Desk, question: str, wanted: Callable[[Record], bool]
) -> None:
    expected = {record["slip"] for record in _loans() if wanted(record)}
    assert expected
    assert set(desk.keys(desk.ask(question))) == expected


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("number of loans lent, by month", "lent_on"),
        ("2025: how many loans came back each month?", "back"),
        ("How many loans were lent per month?", "lent_on"),
    ],
)
def test_groups_are_those_of_the_date_that_is_spoken_of(
    desk: Desk, question: str, field: str
) -> None:
    year = question[:4] if question[0].isdigit() else ""
    expected: dict[str, int] = {}
    for record in _loans():
        if record[field] is not None and record[field].startswith(year):
            expected[record[field][:7]] = expected.get(record[field][:7], 0) + 1
    assert desk.rows(desk.ask(question)) == expected


def test_days_late_are_counted_from_the_day_it_was_due(desk: Desk) -> None:
    plan = desk.ask("average days late per reader")
    assert any("days_since" in str(node.extras) for node in plan.nodes.values())


def test_a_number_apart_from_the_superlative_says_how_many_come_first(desk: Desk) -> None:
    plan = desk.ask("the two loans of Ida Holm with the latest due date")
    due = sorted((r["due"], r["slip"]) for r in _loans() if r["reader"] == "Ida Holm")
    assert set(desk.keys(plan)) == {slip for _, slip in due[-2:]}


TREES: list[dict[str, Any]] = [
    {"name": "tag", "type": {"type": "string"}},
    {"name": "gardener", "type": {"type": "string"}},
    {"name": "planted", "type": {"type": "date"}},
    {
        "name": "pruned_on",
        "type": {"type": "date", "description": "Empty if the tree is still wild"},
    },
]


_TREES = [
    {"tag": f"T{i}", "gardener": ["Finn Moe", "Liv Aas"][i % 2], "planted": f"2020-03-{i + 1:02d}",
     "pruned_on": f"2020-{6 + i // 2:02d}-20" if i % 3 else None}
    for i in range(12)
]  # fmt: skip


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("trees"), "trees", TREES, _TREES, [["A tree"]] * 12)


def _time_to_pruning(record: Record) -> int:
    return _days(record["planted"], record["pruned_on"]) if record["pruned_on"] else 0


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("wild trees of Finn Moe", lambda r: not r["pruned_on"] and r["gardener"] == "Finn Moe"),
        ("the pruned trees of Finn Moe",
         lambda r: r["pruned_on"] and r["gardener"] == "Finn Moe"),
        ("trees that took more than 150 days to be pruned", lambda r: _time_to_pruning(r) > 150),
        ("pruned trees that took us over half a year, say 183 days, from planting to pruning",
         lambda r: _time_to_pruning(r) > 183),
    ],
)  # fmt: skip
def test_stages_are_identified_by_participles_and_durations(
    orchard: Desk, question: str, wanted: Callable[[Record], bool]
) -> None:
    expected = {record["tag"] for record in _TREES if wanted(record)}
    assert expected
    assert set(orchard.keys(orchard.ask(question))) == expected


def test_the_mean_time_to_an_event_begins_with_the_date_before_it(orchard: Desk) -> None:
    days = [_time_to_pruning(record) for record in _TREES if record["pruned_on"]]
    plan = orchard.ask("On average, how many days does it take until they are pruned?")
    assert orchard.result(plan) == pytest.approx(sum(days) / len(days))


def test_when_asks_for_a_date(desk: Desk) -> None:
    shown = str(desk.result(desk.ask("When was the first loan of Mona Dahl?")))
    first = min(r["lent_on"] for r in _loans() if r["reader"] == "Mona Dahl")
    assert first in shown


def test_income_is_a_total(desk: Desk) -> None:
    expected: dict[str, float] = {}
    for record in _loans():
        expected[record["reader"]] = expected.get(record["reader"], 0.0) + record["fee"]
    assert desk.rows(desk.ask("fee income by reader")) == expected


def test_days_between_a_date_and_a_time_of_day_are_computed(tmp_path: Path) -> None:
    kinds = [
        {"name": "closed", "type": {"type": "date"}},
        {"name": "opened_at", "type": {"type": "datetime"}},
    ]
    records = [
        {"closed": "2020-01-04", "opened_at": "2020-01-01T10:30:00Z"},
        {"closed": "2020-02-06", "opened_at": "2020-02-01T08:00:00Z"},
    ]
    desk = make_desk(tmp_path, "cases", kinds, records, [["A case"]] * 2)
    plan = desk.ask("average number of days between opened at and closed")
    assert desk.run(plan).result == pytest.approx((2.5625 + 4.6667) / 2, abs=0.001)


def test_moments_at_the_ends_of_the_calendar_stop_no_question(tmp_path: Path) -> None:
    kinds = [{"name": "opened_at", "type": {"type": "datetime"}}]
    texts = ["0001-01-01T00:00:00+14:00", "2020-01-01T10:00:00Z", "9999-12-31T23:59:59-12:00"]
    records = [{"opened_at": text} for text in texts]
    desk = make_desk(tmp_path, "cases", kinds, records, [["A case"]] * 3)
    assert desk.result(desk.ask("how many cases are there?")) == 3
    assert desk.result(desk.ask("how many cases were opened after 2021?")) == 1
