"""A value and its kin: other spellings of it, and kinds of it, are found with it and listed."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from backend.plans.tables.spellings import Spellings, kin_of
from backend.store.tables import docsets
from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.plan import Plan

SCHEMA: list[dict[str, Any]] = [
    {"name": "case_no", "type": {"type": "string"}},
    {"name": "state", "type": {"type": "string", "description": "State of the accident"}},
    {"name": "phase", "type": {"type": "string", "description": "Phase of flight"}},
    {"name": "handler", "type": {"type": "string", "description": "Who handles the file"}},
]
STATES = ["CA", "State of California", "California", "TX", "Texas", "Nevada", "NV", "New Mexico"]
PHASES = ["LANDING", "LANDING - ROLL", "Landing - flare", "CRUISE", "TAKEOFF", "CRUISE", "CRUISE"]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    records = [
        {"case_no": f"C{i}", "state": state, "phase": PHASES[i % len(PHASES)],
         "handler": "Accident" if i == 0 else "Mills"}
        for i, state in enumerate(STATES)
    ]  # fmt: skip
    return make_desk(tmp_path, "accident reports", SCHEMA, records, [["x"] for _ in records])


def _filter(plan: Plan) -> dict[str, Any]:
    (node,) = [n for n in plan.nodes.values() if n.node_type == "BasicFilter"]
    return node.extras


@pytest.mark.parametrize(
    ("asked", "values", "kin"),
    [
        ("LANDING", ["LANDING", "LANDING - ROLL", "Landing-flare", "TAKEOFF", "Not landing"],
         ["LANDING - ROLL", "Landing-flare"]),
        ("California", ["CA", "State of California", "Texas", "TX", "New Mexico"],
         ["CA", "State of California"]),
        ("Mexico", ["New Mexico", "Mexico", "MX"], ["MX"]),
        ("Virginia", ["West Virginia", "VA", "Virginia"], ["VA"]),
        ("Acme Inc.", ["ACME, Inc", "Acme Incorporated", "Acme Ltd", "Acmeco"],
         ["ACME, Inc", "Acme Incorporated"]),
        ("United States", ["U.S.A.", "USA", "Germany", "DE"], ["U.S.A.", "USA"]),
        ("CA", ["CA", "FR", "DE", "Canada"], ["Canada"]),
        ("Check-up", ["Checkup", "check up", "Checked"], ["Checkup", "check up"]),
        ("B-12", ["B12", "B 12"], ["B 12"]),
        ("no", ["no", "No tests"], ["No tests"]),
        ("Paid", ["Paid", "Paid not in full"], []),
        ("2 years", ["24 months", "Two (2) years", "2 years", "3 years", "2 years from signing"],
         ["24 months", "Two (2) years", "2 years from signing"]),
        ("14 days", ["2 weeks", "two weeks", "14 months"], ["2 weeks", "two weeks"]),
        ("EUR", ["EUR", "€", "Euro", "USD", "US dollar"], ["€", "Euro"]),
        ("€", ["EUR", "—", "USD"], ["EUR"]),
    ],
)  # fmt: skip
def test_kin_are_spellings_and_kinds_of_a_value(
    asked: str, values: list[str], kin: list[str]
) -> None:
    assert kin_of([asked], Spellings(values)) == kin


def test_a_state_matches_all_its_spellings_and_the_plan_lists_them(desk: Desk) -> None:
    plan = desk.ask("accident reports in California")
    assert sorted(desk.keys(plan)) == ["C0", "C1", "C2"]
    test = _filter(plan)
    assert set(test["values"]) == {"California", "CA", "State of California"}
    assert set(test["kin"]["added"]) == {"CA", "State of California"}
    assert plan.edit is not None
    assert any("also matches" in warning for warning in plan.edit.warnings)


def test_a_full_name_finds_documents_that_only_have_its_code(tmp_path: Path) -> None:
    records = [{"case_no": f"C{i}", "state": s} for i, s in enumerate(["CA", "CA", "TX", "NY"])]
    desk = make_desk(tmp_path, "accident reports", SCHEMA[:2], records, [["x"]] * 4)
    assert sorted(desk.keys(desk.ask("accident reports in California"))) == ["C0", "C1"]


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("accident reports in euros", ["C0", "C2"]),
        ("how many accident reports are in pounds sterling?", ["C3"]),
        ("accident reports in dollars", ["C1"]),
    ],
)
def test_a_currency_matches_by_name(tmp_path: Path, question: str, keys: list[str]) -> None:
    records = [
        {"case_no": f"C{i}", "currency": c} for i, c in enumerate(["EUR", "USD", "EUR", "GBP"])
    ]
    schema = [SCHEMA[0], {"name": "currency", "type": {"type": "string"}}]
    desk = make_desk(tmp_path, "accident reports", schema, records, [["x"]] * 4)
    plan = desk.ask(question)
    shown = plan.model_copy(update={"result_node": 1})
    shown = shown.model_copy(update={"nodes": {k: plan.nodes[k] for k in ("0", "1")}})
    assert sorted(desk.keys(shown)) == keys


def test_a_value_that_was_left_out_by_hand_stays_out(desk: Desk) -> None:
    plan = desk.ask("accident reports in California")
    key = next(k for k, n in plan.nodes.items() if n.node_type == "BasicFilter")
    node = plan.nodes[key].with_fields(values=["California", "CA"])
    plan = plan.model_copy(update={"nodes": {**plan.nodes, key: node}})
    plan = desk.edit(plan, "sort by phase")
    assert sorted(desk.keys(plan)) == ["C0", "C2"]


def test_a_filter_added_by_feedback_takes_its_kin_too(desk: Desk) -> None:
    plan = desk.edit(desk.everything(), "only those with phase LANDING")
    assert len(desk.keys(plan)) == 4


def test_the_noun_for_the_documents_alone_is_not_a_value(desk: Desk) -> None:
    assert len(desk.keys(desk.ask("all accident reports"))) == len(STATES)


def test_groups_in_two_spellings_are_proposed_for_merging(desk: Desk) -> None:
    answer = desk.run(desk.ask("number of accident reports per state"))
    merges = {merge.into: set(merge.values) for merge in answer.merges}
    assert {"CA", "California", "State of California"} in merges.values()
    assert {"TX", "Texas"} in merges.values()
    assert any("may mean the same" in warning for warning in answer.warnings)


def test_merged_values_count_as_one_and_a_merge_can_be_undone(desk: Desk) -> None:
    plan = desk.ask("number of accident reports per state")
    merge = {"field": "state", "values": ["CA", "California", "State of California"],
             "into": "California"}  # fmt: skip
    with desk.database.writing() as connection:
        connection.execute(update(docsets).values(properties={"merged_values": [merge]}))
    assert desk.rows(plan)["California"] == 3
    assert sorted(desk.keys(desk.ask("accident reports in California"))) == ["C0", "C1", "C2"]
    with desk.database.writing() as connection:
        connection.execute(update(docsets).values(properties={}))
    assert desk.rows(plan)["California"] == 1


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("select case_no from t where state = 'ca'", ["C0", "C1", "C2"]),
        ("select case_no from t where state in ('NV', 'CA')", ["C0", "C1", "C2", "C6"]),
        ("select case_no from t where state = 'TX' or state = 'CA'", ["C0", "C1", "C2", "C3"]),
        ("select case_no from t where state <> 'CA'", ["C3", "C4", "C5", "C6", "C7"]),
    ],
)
def test_a_spelling_that_was_merged_away_asks_for_what_it_counts_as(
    desk: Desk, question: str, found: list[str]
) -> None:
    earlier = desk.ask(question)
    merge = {"field": "state", "values": ["CA", "State of California"], "into": "California"}
    with desk.database.writing() as connection:
        connection.execute(update(docsets).values(properties={"merged_values": [merge]}))
    asked = desk.ask(question)
    assert asked.edit is not None
    remarks = [line.lower() for line in asked.edit.warnings if "counts as" in line]
    assert remarks == ["“ca” counts as “california”"]
    assert not any("no document has" in line for line in asked.edit.warnings)
    assert "counts as “California”" in (asked.llm_plan or "")
    for plan in (asked, earlier):
        answer = desk.run(plan)
        assert sorted(d["properties"]["entity"]["case_no"] for d in answer.result) == found
    assert any("counts as" in line for line in desk.run(earlier).warnings)
    assert not any("counts as" in line for line in desk.run(asked).warnings)


def test_a_share_of_a_spelling_that_was_merged_away_is_that_of_what_it_counts_as(
    desk: Desk,
) -> None:
    test = {"field": "state", "query": "CA", "match": "exact"}
    shares = [{"func": "share", "where": [test]}]
    step = {"node_type": "Aggregate", "node_id": 1, "inputs": [0], "aggregations": shares}
    plan = desk.everything()
    plan = Plan.model_validate(
        {**plan.model_dump(), "nodes": {**plan.model_dump()["nodes"], "1": step}, "result_node": 1}
    )
    merge = {"field": "state", "values": ["CA", "State of California"], "into": "California"}
    with desk.database.writing() as connection:
        connection.execute(update(docsets).values(properties={"merged_values": [merge]}))
    assert desk.result(plan) == 3 / 8


def test_the_most_common_spelling_leads_a_group() -> None:
    assert Spellings(["FL", "Florida", "GA"]).groups({"FL": 3, "Florida": 5}) == [["Florida", "FL"]]


def test_long_texts_are_nobodys_spelling() -> None:
    long = "check-up " * 100
    assert Spellings([long, long.upper(), "Check-up", "checkup"]).groups({}) == [
        ["Check-up", "checkup"]
    ]


@pytest.mark.parametrize(
    ("question", "stored"),
    [
        ("reports in Texas", ["TX", "NV", "CA"]),
        ("How many reports are in Kansas?", ["KS", "NV", "CA"]),
        ("reports in TX", ["Texas", "Nevada", "California"]),
        ("How many reports are in TX?", ["TX", "NV", "CA"]),
        ("reports in NY", ["New York", "Nevada", "California"]),
    ],
)
def test_a_state_of_two_words_or_that_ends_like_a_plural_is_known_by_code_and_name(
    tmp_path: Path, question: str, stored: list[str]
) -> None:
    records = [{"case_no": f"C{i}", "state": stored[i % 3]} for i in range(9)]
    schema = [prop for prop in SCHEMA if prop["name"] in ("case_no", "state")]
    desk = make_desk(tmp_path, "accident reports", schema, records, [["x"] for _ in records])
    plan = desk.ask(question)
    assert _filter(plan)["query"] == stored[0]
    assert plan.edit is not None and plan.edit.warnings == plan.edit.unused == []
