"""Words that the rules leave over, with a language model behind a scripted endpoint."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from backend.inference.language_line import language_model
from backend.plans.service import PlanService
from backend.settings import LanguageEndpoint
from tests.backend.plans.desk import NOW, Desk, WordSearch
from tests.scripted_model import Script, ScriptedModel, broken, data_of, good, malformed, slow
from workbench.contract.errors import Invalid

Desks = Callable[[str], Desk]
SHOWY = {"kind": "filter", "field": "cost_musd", "test": "above", "values": [300]}


def proposal(*operations: dict[str, Any], wish: int = 0) -> dict[str, Any]:
    return {"proposals": [{"wish": wish, "operations": list(operations)}]}


@contextmanager
def helped(desk: Desk, folder: Path, *script: Script, **more: Any) -> Iterator[Any]:
    """The desk with a model that answers from a script, and what the model was sent."""
    with ScriptedModel(*script) as endpoint:
        model = language_model(
            LanguageEndpoint(url=endpoint.url, model="m", key=SecretStr("k"), **more)
        )
        assert model is not None
        search = WordSearch(desk.database)
        service = PlanService(
            desk.database, search, folder, folder / "tables", lambda: NOW, model=model
        )
        try:
            yield Desk(service, desk.database, desk.docset_id, desk.records, desk.key), endpoint
        finally:
            model.close()


def test_a_clause_that_rules_cannot_read_becomes_a_typed_edit(desks: Desks, tmp_path: Path) -> None:
    plain = desks("satellites")
    with helped(plain, tmp_path, good(proposal(SHOWY))) as (desk, endpoint):
        plan = desk.edit(desk.ask("active satellites"), "only the extravagant ones; newest first")
        assert plan.edit is not None and plan.edit.diff is not None
        assert {item.op for item in plan.edit.applied} == {"add_filter", "set_sort"}
        assert any("cost musd" in line for line in plan.edit.diff.lines)
        assert any("with the help of m" in warning for warning in plan.edit.warnings)
        wanted = desk.expected(lambda r: r["active"] and r["cost_musd"] > 300)
        assert set(desk.keys(plan)) == wanted
        assert [w["words"] for w in data_of(endpoint.requests[0])["wishes"]] == [
            "only the extravagant ones"
        ]


def test_a_question_may_be_read_by_the_model_too(desks: Desks, tmp_path: Path) -> None:
    with helped(desks("satellites"), tmp_path, good(proposal(SHOWY))) as (desk, _):
        plan = desk.ask("extravagant satellites")
        assert set(desk.keys(plan)) == desk.expected(lambda r: r["cost_musd"] > 300)


def test_requests_that_the_rules_understand_never_reach_the_model(
    desks: Desks, tmp_path: Path
) -> None:
    with helped(desks("satellites"), tmp_path, good(proposal(SHOWY))) as (desk, endpoint):
        desk.edit(desk.ask("active satellites"), "only LEO")
        assert not endpoint.requests


@pytest.mark.parametrize(
    "script",
    [
        malformed(),
        broken(),
        slow(proposal(SHOWY), 30.0),
        good(proposal({"kind": "filter", "field": "secret", "test": "is", "values": ["x"]})),
        good(proposal({"kind": "filter", "field": "cost_musd", "test": "is", "values": ["dear"]})),
        good(proposal({"kind": "load", "path": "/etc/passwd"})),
        good(proposal({"kind": "group", "fields": ["cost_musd"], "bucket": "month"})),
        good(proposal(SHOWY, wish=7)),
        good({"proposals": []}),
    ],
    ids=["words", "cut off", "slow", "field", "value", "node", "type", "other wish", "nothing"],
)
def test_an_unfit_answer_changes_nothing_and_is_reported(
    desks: Desks, tmp_path: Path, script: Script
) -> None:
    with helped(desks("satellites"), tmp_path, script, seconds=0.5, task_seconds=2.0) as (desk, _):
        before = desk.ask("active satellites")
        with pytest.raises(Invalid) as refusal:
            desk.edit(before, "only the extravagant ones")
        assert "extravagant" in refusal.value.detail
        partly = desk.edit(before, "only the extravagant ones; only LEO")
        assert partly.edit is not None
        assert [item.clause for item in partly.edit.not_applied] == ["only the extravagant ones"]
        wanted = desk.expected(lambda r: r["active"] and r["orbit"] == "LEO")
        assert set(desk.keys(partly)) == wanted


@pytest.mark.parametrize(
    ("item", "op", "node_type"),
    [
        ({"kind": "extract", "question": "Which part failed?", "name": "part"},
         "extract_field", "LlmExtractEntity"),
        ({"kind": "summarise", "question": "What went wrong?"}, "summarise", "SummarizeData"),
        ({"kind": "remove_sort"}, "remove_sort", None),
    ],
    ids=["extract", "summarise", "remove"],
)  # fmt: skip
def test_a_model_may_propose_steps_over_texts_and_take_steps_away(
    desks: Desks, tmp_path: Path, item: dict[str, Any], op: str, node_type: str | None
) -> None:
    with helped(desks("satellites"), tmp_path, good(proposal(item))) as (desk, _):
        before = desk.ask("active satellites sorted by mass")
        plan = desk.edit(before, "frobnicate the gizmos")
        assert plan.edit is not None and plan.edit.diff is not None and plan.edit.diff.changes
        assert [done.op for done in plan.edit.applied] == [op]
        types = {node.node_type for node in plan.nodes.values()}
        assert node_type in types if node_type else "Sort" not in types
        desk.run(plan)


@pytest.mark.parametrize("name", ["", "../x", "properties.entity.mass_kg", "a" * 41])
def test_a_property_with_an_invalid_name_is_not_read(
    desks: Desks, tmp_path: Path, name: str
) -> None:
    item = {"kind": "extract", "question": "Which part failed?", "name": name}
    with (
        helped(desks("satellites"), tmp_path, good(proposal(item))) as (desk, _),
        pytest.raises(Invalid),
    ):
        desk.edit(desk.ask("active satellites"), "frobnicate the gizmos")


def test_texts_of_documents_are_never_sent(desks: Desks, tmp_path: Path) -> None:
    with helped(desks("satellites"), tmp_path, good(proposal(SHOWY))) as (desk, endpoint):
        desk.edit(desk.ask("active satellites"), "only the extravagant ones")
        sent = str(data_of(endpoint.requests[0]))
        assert set(data_of(endpoint.requests[0])) == {"wishes", "properties", "plan"}
        assert not any(str(record["satellite_id"]) in sent for record in desk.records)


def when(field: str, test: str, *values: Any) -> dict[str, Any]:
    return {"kind": "filter", "field": field, "test": test, "values": list(values)}


PER_OPERATOR = [{"kind": "group", "fields": ["operator"]}, {"kind": "compute", "func": "count"}]
DEAREST = {"kind": "sort", "field": "cost_musd", "descending": True}


@pytest.mark.parametrize(
    ("question", "operations", "last"),
    [
        ("active extravagant satellites", [when("active", "is", True), SHOWY], "BasicFilter"),
        ("how many extravagant satellites are there?", [SHOWY, {"kind": "count"}], "Count"),
        ("extravagant satellites per operator", [SHOWY, *PER_OPERATOR], "Aggregate"),
        ("the 3 most pompous satellites", [DEAREST, {"kind": "limit", "count": 3}], "Limit"),
        ("satellites over 500", [when("mass_kg", "above", 500)], "BasicFilter"),
    ],
    ids=["what is known too", "count", "groups", "most", "number"],
)  # fmt: skip
def test_a_model_reading_that_covers_the_question_is_accepted(
    desks: Desks, tmp_path: Path, question: str, operations: list[dict[str, Any]], last: str
) -> None:
    with helped(desks("satellites"), tmp_path, good(proposal(*operations))) as (desk, _):
        plan = desk.ask(question)
        assert plan.node(plan.result_node).node_type == last and plan.edit is not None
        assert any("with the help of m" in warning for warning in plan.edit.warnings)
        desk.run(plan)


@pytest.mark.parametrize(
    ("question", "operations"),
    [
        ("active extravagant satellites", [SHOWY]),
        ("how many extravagant satellites are there?", [SHOWY]),
        ("extravagant satellites per operator", [SHOWY]),
        ("the 3 most pompous satellites", [DEAREST]),
        ("satellites over 500", [when("mass_kg", "above", 50)]),
        ("extravagant satellites", [when("cost_musd", "above", 900_000)]),
        ("extravagant satellites", [when("mass_kg", "above", 0)]),
        ("birds of Norway", [when("mass_kg", "above", 500)]),
    ],
    ids=["condition lost", "count lost", "groups lost", "number lost", "another number",
         "nothing left", "nothing filtered", "another subject"],
)  # fmt: skip
def test_an_incomplete_reading_is_refused_as_without_the_model(
    desks: Desks, tmp_path: Path, question: str, operations: list[dict[str, Any]]
) -> None:
    plain = desks("satellites")
    with pytest.raises(Invalid) as without:
        plain.ask(question)
    with (
        helped(plain, tmp_path, good(proposal(*operations))) as (desk, endpoint),
        pytest.raises(Invalid) as refusal,
    ):
        desk.ask(question)
    assert endpoint.requests and refusal.value.detail == without.value.detail


def test_two_readings_of_the_model_are_offered(desks: Desks, tmp_path: Path) -> None:
    plain = desks("satellites")
    several = {
        "proposals": [
            {"wish": 0, "operations": [SHOWY]},
            {"wish": 0, "operations": [when("mass_kg", "above", 500)]},
        ]
    }
    with (
        helped(plain, tmp_path, good(several)) as (desk, _),
        pytest.raises(Invalid) as refusal,
    ):
        desk.ask("extravagant satellites")
    choices = refusal.value.faults[0].choices or []
    assert {choice.words for choice in choices} == {
        "Keep where cost musd is more than 300", "Keep where mass kg is more than 500"
    }  # fmt: skip
    assert all("with the help of m" in str(choice.edit["warnings"]) for choice in choices)


def test_choices_for_people_are_not_sent_to_the_model(desks: Desks, tmp_path: Path) -> None:
    guess = good(proposal(when("supplier_country", "is", "Germany")))
    with (
        helped(desks("invoices"), tmp_path, guess) as (desk, endpoint),
        pytest.raises(Invalid) as refusal,
    ):
        desk.ask("invoices from Germany")
    assert len(refusal.value.faults[0].choices or []) == 2 and not endpoint.requests


def test_a_model_that_cannot_help_is_named_beside_the_refusal(desks: Desks, tmp_path: Path) -> None:
    with (
        helped(desks("satellites"), tmp_path, malformed()) as (desk, _),
        pytest.raises(Invalid, match="The language model could not help"),
    ):
        desk.ask("extravagant satellites")


def test_a_question_that_is_understood_is_answered_as_without_the_model(
    desks: Desks, tmp_path: Path
) -> None:
    plain = desks("satellites")
    questions = ["active satellites", "how many satellites per orbit", "the 3 heaviest satellites"]
    with helped(plain, tmp_path, good(proposal(SHOWY))) as (desk, endpoint):
        for question in questions:
            assert desk.ask(question).nodes == plain.ask(question).nodes
        assert not endpoint.requests
