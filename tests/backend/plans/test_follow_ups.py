"""Follow-ups change the present plan, or start over where they are a new question."""

import time

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.test_constructions import BOATS, _boats
from workbench.contract.errors import Invalid


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("boats"), "boats", BOATS, _boats(), [["A boat"]] * 12)


@pytest.mark.parametrize(
    ("question", "feedback", "names"),
    [
        ("sloops", "which is the biggest by price?", ["Skua"]),
        ("sloops", "the lowest of them by price", ["Plover"]),
        ("sloops", "which is the smallest by length?", ["Plover"]),
        ("sloops", "rank them by price, starting with the highest",
         ["Skua", "Fulmar", "Godwit", "Avocet", "Teal", "Plover"]),
    ],
)  # fmt: skip
def test_the_first_of_them_and_other_orders(
    boats: Desk, question: str, feedback: str, names: list[str]
) -> None:
    plan = boats.edit(boats.ask(question), feedback)
    assert boats.keys(plan) == names


def test_a_new_question_starts_over_and_says_so(boats: Desk) -> None:
    sloops = boats.ask("sloops")
    plan = boats.edit(sloops, "What is the average price of the boats for each type?")
    assert boats.rows(plan) == {"ketch": 650.0, "sloop": 700.0}
    assert plan.edit is not None and plan.edit.applied[0].op == "start_over"
    assert "new question" in (plan.llm_plan or "")
    assert boats.keys(boats.edit(plan, "undo that")) == boats.keys(sloops)


def test_feedback_that_is_too_long_is_refused_at_once(boats: Desk) -> None:
    started = time.perf_counter()
    with pytest.raises(Invalid, match="200 words"):
        boats.edit(boats.ask("sloops"), "1,000," * 330)
    assert time.perf_counter() - started < 5
