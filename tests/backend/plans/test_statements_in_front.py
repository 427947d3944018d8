"""Statements in front of a question, who asks it, and the best of what has no order."""

from datetime import date
from typing import Any

import pytest

from backend.plans.reading.antecedents import in_context
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash

_RIDES: list[dict[str, Any]] = [
    {"name": "ride", "type": {"type": "string", "description": "Name of the ride"}},
    {"name": "park", "type": {"type": "string", "description": "Park where it is"}},
    {"name": "builder", "type": {"type": "string", "description": "Company that built it"}},
    {"name": "opened_on", "type": {"type": "date", "description": "Day it was opened"}},
    {"name": "height_m", "type": {"type": "float", "description": "Height in metres"}},
    {"name": "minutes", "type": {"type": "float", "description": "Duration of a ride in minutes"}},
    {"name": "price", "type": {"type": "float", "description": "Price of a ticket in euros"}},
    {"name": "track_km", "type": {"type": "float", "description": "Laid rails in kilometres"}},
    {"name": "closed", "type": {"type": "bool", "description": "Whether it is closed"}},
]
_NAMES = ["Comet", "Whirl", "Falcon", "Tumbler", "Cascade", "Orbit", "Pendulum", "Vortex"]
_TODAY = date(2026, 5, 28)


@pytest.fixture(scope="module")
def rides(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = [
        {
            "ride": name,
            "park": ["Fenwick Gardens", "Lido", "Osier Park"][i % 3],
            "builder": ["Halden & Voss", "Brightrail"][i % 2],
            "opened_on": f"{2015 + i}-04-0{1 + i}",
            "height_m": 12.0 + 3 * i,
            "minutes": 2.0 + i / 2,
            "price": 9.0 - i / 4,
            "track_km": 0.4 + i / 10,
            "closed": i % 4 == 0,
        }
        for i, name in enumerate(_NAMES)
    ]
    texts = [["A ride"]] * len(records)
    return make_desk(tmp_path_factory.mktemp("rides"), "rides", _RIDES, records, texts)


def _steps(plan: Plan) -> list[str | None]:
    return [node.description for node in plan.nodes.values() if node.inputs]


@pytest.mark.parametrize(
    ("text", "plainly"),
    [
        ("The Lido complained again. Which rides are closed there?",
         "Which rides are closed at Lido?"),
        ("The gardens are lovely. Which rides are there?", "Which rides are at Fenwick Gardens?"),
        ("Halden & Voss went bankrupt. Which rides did they build?",
         "Which rides did Halden & Voss build?"),
        ("Brightrail has new owners. How many of their rides are closed?",
         "How many of the Brightrail rides are closed?"),
        ("My niece is 18 m up already. Which rides are higher than that?",
         "Which rides are higher than 18 m?"),
        ("I am writing about the years 2017 to 2019. Which rides were opened then?",
         "Which rides were opened from 2017 to 2019?"),
        ("New leaflets came in last week. How many rides are closed?",
         "How many rides are closed?"),
        ("A neighbour asks which rides are closed", "which rides are closed"),
        ("Somebody asked me how many rides are closed", "how many rides are closed"),
        ("Which park has the most rides at the moment?", "Which park has the most rides?"),
        ("the three highest rides", "the 3 rides with the highest height"),
        ("Which builder got the most laid rails?",
         "Which builder has the highest total track km?"),
    ],
)  # fmt: skip
def test_a_question_behind_a_statement_is_read_as_if_it_were_asked_plainly(
    rides: Desk, text: str, plainly: str
) -> None:
    assert plan_hash(rides.ask(text)) == plan_hash(rides.ask(plainly))


@pytest.mark.parametrize(
    "text",
    [
        "Which rides are closed? The Lido asked.",
        "Only closed ones count. How many rides are there?",
        "The rides in Lido are old. Which are closed?",
        "I want rides in Lido. Which are closed?",
        "Lido and Osier Park called. How many rides are there?",
    ],
)
def test_what_may_choose_documents_stays_in_the_question(rides: Desk, text: str) -> None:
    vocabulary = rides.service._vocabulary(rides.docset_id, ACCOUNT)
    assert in_context(text, vocabulary, _TODAY) is None


def test_what_was_left_out_is_reported(rides: Desk) -> None:
    plan = rides.ask("New leaflets came in last week. How many rides are closed?")
    assert plan.edit is not None
    assert plan.edit.warnings == ["ignored: “New leaflets came in last week”"]


@pytest.mark.parametrize("text", ["top 5 rides", "the best 3 rides", "top 3 spinners"])
def test_the_best_without_an_order_are_asked_back(rides: Desk, text: str) -> None:
    with pytest.raises(Invalid, match="by what"):
        rides.ask(text)


def test_how_many_is_no_talk_whoever_has_the_things(rides: Desk) -> None:
    plan = rides.ask("How many of our, hmm, rides are closed?")
    assert _steps(plan)[-1] == "Count the documents"


def test_which_took_longest_is_one_document(rides: Desk) -> None:
    plan = rides.edit(rides.ask("closed rides"), "which took longest?")
    assert [node.node_type for node in plan.nodes.values()][-2:] == ["Sort", "Limit"]
