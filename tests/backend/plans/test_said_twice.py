"""What a question says in other words, and how it says that there is none of something."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

Test = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def sailings(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    properties = [
        {"name": "code", "type": {"type": "string"}},
        {"name": "vessel", "type": {"type": "string"}},
        {"name": "passengers", "type": {"type": "int"}},
        {"name": "cars", "type": {"type": "int"}},
        {"name": "booked_on", "type": {"type": "date"}},
        {"name": "sailed_on", "type": {"type": "date"}},
        {"name": "wave_height_m", "type": {"type": "float"}},
        {"name": "repaired_on", "type": {"type": "date"}},
    ]
    records: list[dict[str, Any]] = []
    for i in range(24):
        record: dict[str, Any] = {
            "code": f"S{i:02d}",
            "vessel": ("Kittiwake", "Puffin", "Solan")[i % 3],
            "passengers": (0, 40, 120)[i % 3] + (i > 12),
            "cars": (0, 7)[i % 2],
            "booked_on": f"2024-01-{i + 1:02d}",
            "sailed_on": f"2024-{1 + i % 6:02d}-25",
            "wave_height_m": i / 4,
        }
        records.append(record | ({"repaired_on": "2024-09-01"} if i % 4 else {}))
    texts = [[record["code"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("sailings"), "sailing", properties, records, texts)


@pytest.mark.parametrize(
    ("question", "test"),
    [
        (
            "sailings that went empty, i.e. no passengers and no cars",
            lambda r: r["passengers"] == 0 and r["cars"] == 0,
        ),
        ("rough sailings, meaning waves over 3 m", lambda r: r["wave_height_m"] > 3),
        (
            "Which sailings are still waiting? I mean those without a repair date",
            lambda r: "repaired_on" not in r,
        ),
    ],
)
def test_other_words_explain_what_is_not_understood(
    sailings: Desk, question: str, test: Test
) -> None:
    assert set(sailings.keys(sailings.ask(question))) == sailings.expected(test)


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("sailings with no cars", lambda r: r["cars"] == 0),
        ("sailings where not one car was carried", lambda r: r["cars"] == 0),
        ("sailings with not a single passenger", lambda r: r["passengers"] == 0),
        (
            "sailings without passengers or cars",
            lambda r: r["passengers"] == 0 and r["cars"] == 0,
        ),
    ],
)
def test_none_of_something_counted_is_zero(sailings: Desk, question: str, test: Test) -> None:
    assert set(sailings.keys(sailings.ask(question))) == sailings.expected(test)


def test_by_kind_is_no_order_by_the_number_before(sailings: Desk) -> None:
    plan = sailings.begin("average wave height by vessel")
    with pytest.raises(Invalid, match="kind"):
        sailings.edit(plan, "by kind")


@pytest.mark.parametrize("words", ["and the same for the Solan", "same for Solan, please"])
def test_the_same_for_another_value_leaves_the_first_out(sailings: Desk, words: str) -> None:
    plan = sailings.edit(sailings.begin("sailings of the Puffin", "with waves over 2 m"), words)
    assert set(sailings.keys(plan)) == sailings.expected(
        lambda r: r["vessel"] == "Solan" and r["wave_height_m"] > 2
    )


def test_three_denials_in_a_row_are_refused(sailings: Desk) -> None:
    with pytest.raises(Invalid, match="not not not"):
        sailings.ask("count not not not repaired")


@pytest.mark.parametrize("words", ["under 5m", "under 5 m", "below 5m"])
def test_a_height_of_5m_is_in_metres(sailings: Desk, words: str) -> None:
    plan = sailings.ask(f"sailings with a wave height {words}")
    assert set(sailings.keys(plan)) == sailings.expected(lambda r: r["wave_height_m"] < 5)


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("sailings that took more than two months from booked to sailed", 60.87),
        ("sailings that took more than six weeks from booked to sailed", 42),
    ],
)
def test_a_time_between_two_dates_keeps_its_unit(
    sailings: Desk, question: str, days: float
) -> None:
    plan = sailings.ask(question)
    low = next(n for n in plan.nodes.values() if n.node_type == "BasicFilter").extras
    assert low["start"] == pytest.approx(days, abs=0.01)
