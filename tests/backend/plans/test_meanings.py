"""Words that are in no name, description or value, and what they are likely to mean."""

from pathlib import Path
from typing import Any

import pytest

from backend.plans.reading.meanings import Described, meaning_texts
from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

_PROPERTIES: list[dict[str, Any]] = [
    {"name": "loan_no", "type": {"type": "string", "description": "Number of the loan"}},
    {"name": "tool", "type": {"type": "choice", "description": "Kind of tool lent",
                              "choices": ["Drill", "Ladder", "Lawnmower"]}},
    {"name": "member", "type": {"type": "string", "description": "Who took it home"}},
    {"name": "lent_on", "type": {"type": "date", "description": ""}},
    {"name": "returned_on", "type": {"type": "date", "description": "Empty while it is away"}},
    {"name": "deposit_eur", "type": {"type": "float", "description": ""}},
    {"name": "damaged", "type": {"type": "bool", "description": "Whether it came back damaged"}},
]  # fmt: skip


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    tools, members = ["Drill", "Ladder", "Lawnmower"], ["Ada Moss", "Ben Frith", "Cy Holt"]
    records = [
        {
            "loan_no": f"L{n:03}", "tool": tools[n % 3], "member": members[n // 3 % 3],
            "lent_on": f"2024-{1 + n % 9:02}-1{n % 9}",
            "returned_on": None if n % 4 == 0 else f"2024-{2 + n % 9:02}-0{1 + n % 9}",
            "deposit_eur": 20.0 + 5 * n, "damaged": n % 5 == 0,
        }
        for n in range(24)
    ]  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("loans")
    return make_desk(folder, "loans", _PROPERTIES, records, [["Loan"] for _ in records])


def test_all_that_may_be_meant_of_a_property_has_a_text() -> None:
    texts = meaning_texts([Described("paid_on", "date", "Empty while open."),
                           Described("settled", "bool"),
                           Described("payer", "choice", "", ("Town", "State"))])  # fmt: skip
    assert [text.text for text in texts] == [
        "paid on: Empty while open", "most, paid on: Empty while open",
        "least, paid on: Empty while open", "without paid on: Empty while open",
        "settled", "yes, settled", "no, settled", "payer", "without payer", "town, payer",
        "state, payer",
    ]  # fmt: skip


def test_two_dates_may_be_compared_in_both_directions() -> None:
    texts = {t.text for t in meaning_texts([Described("due", "date"), Described("paid", "date")])}
    assert {"late, due beside paid", "late, paid beside due", "early, paid beside due",
            "days between due and paid"} <= texts  # fmt: skip


def test_the_reading_of_a_phrase_is_reported(loans: Desk) -> None:
    plan = loans.ask("number of loans of mowers")
    assert plan.edit is not None
    assert any(remark.startswith("read “") for remark in plan.edit.warnings), plan.edit.warnings
    assert not plan.edit.unused


@pytest.mark.parametrize(
    ("question", "count"),
    [("how many loans are still away", 6), ("number of loans of mowers", 8)],
)
def test_words_for_values_and_states_are_understood(loans: Desk, question: str, count: int) -> None:
    assert loans.result(loans.ask(question)) == count


@pytest.mark.parametrize("question", ["how many call-outs", "number of callouts"])
def test_a_compound_may_be_written_with_a_hyphen(tmp_path: Path, question: str) -> None:
    properties = [{"name": "part", "type": {"type": "string"}}]
    records = [{"part": part} for part in ["call buttons", "door", "door", "drive"]]
    desk = make_desk(tmp_path, "callouts", properties, records, [["A"] for _ in records])
    assert desk.result(desk.ask(question)) == 4


@pytest.mark.parametrize("question", ["loans with a yellow handle", "what did the neighbours say"])
def test_a_question_that_no_column_answers_is_refused(loans: Desk, question: str) -> None:
    with pytest.raises(Invalid):
        loans.ask(question)
