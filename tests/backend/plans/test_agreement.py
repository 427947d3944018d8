"""Networks that know meanings help to choose among plans, and only where they can see enough."""

from collections.abc import Sequence
from typing import Any

import pytest

from backend.plans.requests import agreement
from backend.plans.requests.outlook import columns_of
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.errors import Invalid

REPAIRS = [
    {"name": "boat", "type": {"type": "string", "description": "Name of the boat"}},
    {"name": "yard", "type": {"type": "string"}},
    {"name": "brought_in_on", "type": {"type": "date", "description": "Day the boat came"}},
    {"name": "handed_back_on", "type": {"type": "date", "description":
        "Day the owner took it home; empty if it is still here"}},
    {"name": "bill", "type": {"type": "float", "description": "What the owner was charged"}},
]  # fmt: skip
YARDS = ("Cove", "Eastpoint", "Slipway")


def boats() -> list[dict[str, Any]]:
    made = [
        {"boat": f"Boat {n}", "yard": YARDS[n % 3], "brought_in_on": f"2024-{n % 9 + 1:02}-05",
         "handed_back_on": f"2024-{n % 9 + 2:02}-17", "bill": 100.0 + 37 * n}
        for n in range(30)
    ]  # fmt: skip
    for record in made[::5]:
        del record["handed_back_on"]
    return made


@pytest.fixture(scope="module")
def repairs(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = boats()
    texts = [[record["boat"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("repairs"), "repairs", REPAIRS, records, texts)


def test_a_missing_date_can_be_paraphrased(repairs: Desk) -> None:
    plan = repairs.ask("Which boats are still waiting to be collected?")
    assert set(repairs.keys(plan)) == repairs.expected(lambda r: r.get("handed_back_on") is None)


@pytest.mark.parametrize(
    "question",
    ["Which boats came to the yard painted red?", "How many owners complained about the bill?"],
)
def test_questions_beyond_the_properties_stay_refused(repairs: Desk, question: str) -> None:
    with pytest.raises(Invalid):
        repairs.ask(question)


def test_the_only_word_that_could_narrow_is_never_passed_over(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("notes")
    schema = [{"name": "title", "type": {"type": "string"}}]
    notes = make_desk(folder, "notes", schema, [{"title": "a"}, {"title": "b"}], [["x"], ["y"]])
    with pytest.raises(Invalid, match="red"):
        notes.ask("how many notes are red?")


def test_a_confident_score_asks_no_network(repairs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[Any]] = []
    monkeypatch.setattr(agreement, "signs_of", lambda *of: asked.append(of))
    assert len(repairs.rows(repairs.ask("average bill per yard"))) == 3
    assert not asked


def test_the_networks_read_the_values_that_a_question_names(repairs: Desk) -> None:
    vocabulary = repairs.service._vocabulary(repairs.docset_id, ACCOUNT)
    columns = columns_of("How many came to Eastpoint?", vocabulary)
    yard = columns["properties.entity.yard"]
    assert yard.mentioned == ["Eastpoint"]
    assert sorted(yard.values) == sorted(YARDS)
    assert columns["properties.entity.bill"].values == []
