"""Requests that ask for more than a plan may hold are refused with the limit, never an error of
the server.
"""

from pathlib import Path

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

_NAMES = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    properties = [
        {"name": "state", "type": {"type": "string"}},
        *({"name": name, "type": {"type": "int"}} for name in _NAMES),
    ]
    records = [
        {"state": state, **{name: i + n for n, name in enumerate(_NAMES)}}
        for i, state in enumerate(["Ohio", "Utah", "Iowa"])
    ]
    work: Path = tmp_path_factory.mktemp("limits")
    return make_desk(work, "report", properties, records, [["Report"]] * 3)


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("state is Ohio " + "or alpha above 3 " * 100, "at most 100 alternatives"),
        (f"group by {' and '.join(_NAMES)}", "at most 8 properties"),
        (f"sort by {', then by '.join(_NAMES)}", "at most 8 further sort keys"),
    ],
    ids=["alternatives", "group", "order"],
)
def test_a_question_for_more_than_a_plan_holds_is_refused_with_the_limit(
    desk: Desk, question: str, limit: str
) -> None:
    with pytest.raises(Invalid, match=limit):
        desk.ask(question)


def test_feedback_for_more_than_a_plan_holds_is_refused_with_the_limit(desk: Desk) -> None:
    plan = desk.ask("reports where state is Ohio")
    with pytest.raises(Invalid, match="at most 8 further sort keys"):
        desk.edit(plan, f"sort by {', then by '.join(_NAMES)}")
