"""Numbers beside what they should have been: planned, scheduled, targeted or asked for."""

from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

TRIPS: list[dict[str, Any]] = [
    {"name": "trip_no", "property_type": "string"},
    {"name": "scheduled_minutes", "property_type": "int"},
    {"name": "actual_minutes", "property_type": "int"},
    {"name": "target_load_t", "property_type": "float"},
    {"name": "measured_load_t", "property_type": "float"},
    {"name": "claimed_eur", "property_type": "float"},
    {"name": "awarded_eur", "property_type": "float"},
]
RECORDS = [
    {"trip_no": f"T{i}", "scheduled_minutes": a, "actual_minutes": b, "target_load_t": c,
     "measured_load_t": d, "claimed_eur": e, "awarded_eur": f}
    for i, (a, b, c, d, e, f) in enumerate(
        [(60, 70, 5.0, 4.0, 900, 900), (60, 60, 4.0, 6.0, 500, 700), (45, 40, 3.0, 3.0, 800, 100)]
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    texts = [[f"Trip {record['trip_no']}"] for record in RECORDS]
    return make_desk(tmp_path_factory.mktemp("trips"), "trips", TRIPS, RECORDS, texts)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which trips took longer than scheduled?", {"T0"}),
        ("trips that lasted longer than it was scheduled", {"T0"}),
        ("trips that beat their scheduled time", {"T2"}),
        ("which trips were faster than scheduled", {"T2"}),
        ("trips below their target load", {"T0"}),
        ("which trips came out heavier than they were targeted?", {"T1"}),
        ("trips that were awarded more than they had asked for", {"T1"}),
        ("in how many trips did they get less than they claimed?", 1),
    ],
)
def test_a_number_is_compared_with_what_it_should_have_been(desk, question, wanted):
    plan = desk.ask(question)
    assert (set(desk.keys(plan)) if isinstance(wanted, set) else desk.result(plan)) == wanted


def test_a_follow_up_compares_alike(desk):
    plan = desk.begin("trips with a claimed sum over 600", "which of those came out below target?")
    assert set(desk.keys(plan)) == {"T0"}


def test_a_target_that_no_property_records_is_refused(desk):
    with pytest.raises(Invalid):
        desk.ask("which trips were later than planned?")


@pytest.mark.parametrize(
    "question", ["complaints per trip number", "how many complaints are there?"]
)
def test_what_is_counted_must_be_something_that_the_documents_say(desk, question):
    with pytest.raises(Invalid):
        desk.ask(question)
