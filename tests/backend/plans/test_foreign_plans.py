"""Plans of other programs: OpenSearch queries in the source, and editing them."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import ACCOUNT, Desk
from tests.contract.plans import plan, source, step
from workbench.contract.errors import Invalid
from workbench.contract.plan import EditRequest, Plan, Query
from workbench.contract.plan_sources import moved_to

ORBIT = "properties.entity.orbit"
MASS = "properties.entity.mass_kg"
DAY = "properties.entity.launch_date"


@pytest.fixture
def desk(desks: Callable[[str], Desk]) -> Desk:
    return desks("satellites")


def matches(desk: Desk, query: dict[str, Any]) -> set[Any]:
    return set(desk.keys(plan(source() | {"query": query})))


@pytest.mark.parametrize(
    ("query", "test"),
    [
        ({"match_all": {}}, lambda r: True),
        ({"term": {ORBIT: "LEO"}}, lambda r: r["orbit"] == "LEO"),
        ({"term": {f"{ORBIT}.keyword": {"value": "LEO"}}}, lambda r: r["orbit"] == "LEO"),
        ({"terms": {ORBIT: ["LEO", "MEO"]}}, lambda r: r["orbit"] != "GEO"),
        ({"range": {MASS: {"gte": 1000, "lt": 3000}}}, lambda r: 1000 <= r["mass_kg"] < 3000),
        ({"range": {DAY: {"gt": "2020-12-31"}}}, lambda r: r["launch_date"] > "2020-12-31"),
        ({"exists": {"field": "properties.entity.cost_musd"}},
         lambda r: r["cost_musd"] is not None),
        ({"wildcard": {"properties.entity.operator": "*space*"}}, lambda r: "Sp" in r["operator"]),
        ({"match_phrase": {"properties.entity.purpose": "weather"}},
         lambda r: r["purpose"] == "Weather"),
        ({"bool": {"must": [{"term": {ORBIT: "GEO"}}], "must_not": {"term": {"active": True}}}},
         lambda r: r["orbit"] == "GEO" and not r["active"]),
        ({"bool": {"should": [{"term": {ORBIT: "GEO"}}, {"range": {MASS: {"lt": 500}}}]}},
         lambda r: r["orbit"] == "GEO" or r["mass_kg"] < 500),
        ({"match": {"properties.entity.operator": "SPACE cosmolink"}},
         lambda r: r["operator"] in ("Aurora Space", "Cosmolink")),
        ({"match": {ORBIT: {"query": "leo geo", "operator": "and"}}}, lambda r: False),
        ({"match": {"properties.entity.operator": "cosmo"}}, lambda r: False),
        ({"prefix": {"properties.entity.operator": "cosmo"}},
         lambda r: r["operator"].startswith("Cosmo")),
        ({"match_none": {}}, lambda r: False),
        ({"query": {"term": {ORBIT: "LEO"}}}, lambda r: r["orbit"] == "LEO"),
        ({"wildcard": {ORBIT: "?E*O"}}, lambda r: r["orbit"] in ("LEO", "MEO", "GEO")),
        ({"wildcard": {ORBIT: {"value": "*eo", "case_insensitive": True}}}, lambda r: True),
        ({"wildcard": {"properties.entity.operator": "*link"}},
         lambda r: r["operator"].endswith("link")),
        ({"regexp": {"properties.entity.operator": "(aurora|borea).*"}},
         lambda r: r["operator"] in ("Aurora Space", "Borealis")),
        ({"regexp": {ORBIT: {"value": "[LM]EO", "flags": "ALL"}}}, lambda r: r["orbit"] != "GEO"),
        ({"regexp": {ORBIT: "E"}}, lambda r: False),
        ({"regexp": {ORBIT: "[^\\-L$]{1}EO"}}, lambda r: r["orbit"] != "LEO"),
        ({"nested": {"path": "properties.entity", "query": {"term": {ORBIT: "GEO"}}}},
         lambda r: r["orbit"] == "GEO"),
        ({"constant_score": {"filter": {"term": {ORBIT: "GEO"}}, "boost": 2}},
         lambda r: r["orbit"] == "GEO"),
        ({"dis_max": {"queries": [{"term": {ORBIT: "GEO"}}, {"term": {ORBIT: "MEO"}}]}},
         lambda r: r["orbit"] != "LEO"),
        ({"multi_match": {"query": "geo", "fields": [f"{ORBIT}^3", "properties.entity.purpose"]}},
         lambda r: r["orbit"] == "GEO"),
        ({"bool": {"should": [{"term": {ORBIT: "GEO"}}, {"range": {MASS: {"lt": 500}}},
                              {"term": {"active": True}}], "minimum_should_match": 2}},
         lambda r: (r["orbit"] == "GEO") + (r["mass_kg"] < 500) + bool(r["active"]) >= 2),
        ({"match": {"text_representation": {"query": "battery zebra", "operator": "and"}}},
         lambda r: False),
        ({"range": {DAY: {"lt": "2016"}}}, lambda r: r["launch_date"] < "2016"),
        ({"range": {DAY: {"gt": "2016-05"}}}, lambda r: r["launch_date"] > "2016-05-31"),
        ({"bool": {"must_not": {"ids": {"values": ["unknown"]}}}}, lambda r: True),
        ({"match": {"text_representation": "battery"}},
         lambda r: int(r["satellite_id"][2:]) % 3 == 0),
    ],
)  # fmt: skip
def test_a_supported_query_matches_its_documents(
    desk: Desk, query: dict[str, Any], test: Callable[[dict[str, Any]], bool]
) -> None:
    assert matches(desk, query) == desk.expected(test)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"fuzzy": {ORBIT: "LEE"}}, "fuzzy"),
        ({"term": {"properties.entity.colour": "red"}}, "colour"),
        ({"wildcard": {MASS: "1*"}}, "float values"),
        ({"range": {DAY: {"gte": "now-1y/d"}}}, "now-1y/d"),
        ({"range": {MASS: {}}}, "no bound"),
        ({"term": {MASS: "heavy"}}, "cannot be read as a number"),
        ({"prefix": {MASS: "1"}}, "prefixes"),
        ({"match": {"text_representation": {"query": "debris", "fuzziness": "AUTO"}}}, "fuzziness"),
        ({"query_string": {"query": "LEO"}}, "query_string"),
        ({"knn": {"embedding": {"vector": [0.5], "k": 3}}}, "QueryVectorDatabase"),
        ({"function_score": {"query": {"match_all": {}}}}, "'function_score' is not supported"),
        ({"query": {"match_all": {}}, "size": 5}, "one clause, not query, size"),
        ({"regexp": {ORBIT: "<1-5>"}}, "operator '<'"),
        ({"regexp": {ORBIT: "(LEO"}}, "not a valid regular expression"),
        ({"regexp": {ORBIT: "((a{1000}){1000}){1000}"}}, "too large"),
        ({"regexp": {ORBIT: "(?i)leo"}}, "'(?'"),
        ({"regexp": {MASS: "1.*"}}, "float values"),
        ({"nested": {"path": "p", "query": {"term": {ORBIT: "LEO"}}, "inner_hits": {}}}, "nested"),
        ({"range": {MASS: {"near": 5}}}, "range"),
        ({"bool": {"perhaps": []}}, "perhaps"),
        (
            {"bool": {"should": [{"term": {ORBIT: "LEO"}}], "minimum_should_match": "1" * 5000}},
            "whole number",
        ),
        ({"match": {ORBIT: {"query": "LEE", "fuzziness": 1}}}, "fuzziness"),
        ({"match": {ORBIT: {"query": "LEE", "operator": "xor"}}}, "xor"),
        ({"ids": ["a"]}, "ids"),
        ({"term": {ORBIT: "LEO", MASS: 5}}, "one field"),
        ({"term": {ORBIT: "LEO"}, "range": {MASS: {"gt": 1}}}, "one clause"),
        ({"bool": {"should": [{"term": {ORBIT: "LEO"}}] * 1_024}}, "at most 1,024 clauses"),
        ({"multi_match": {"query": "LEO", "fields": [ORBIT] * 1_025}}, "at most 1,024 clauses"),
    ],
)
def test_anything_else_is_refused_with_its_reason(
    desk: Desk, query: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        matches(desk, query)
    assert reason in refusal.value.detail
    assert "supported are" in refusal.value.detail


def test_plain_conditions_become_filters_that_feedback_can_change(desk: Desk) -> None:
    query = {"bool": {"must": [{"term": {ORBIT: "LEO"}}, {"range": {MASS: {"gt": 1000}}}]}}
    foreign = plan(source() | {"query": query})
    edited = desk.edit(foreign, "use GEO instead of LEO")
    assert set(desk.keys(edited)) == desk.expected(
        lambda r: r["orbit"] == "GEO" and r["mass_kg"] > 1000
    )
    assert set(desk.keys(desk.edit(foreign, "remove the mass filter"))) == desk.expected(
        lambda r: r["orbit"] == "LEO"
    )


def test_other_queries_are_unchanged_when_the_plan_is_edited(desk: Desk) -> None:
    query = {"bool": {"should": [{"term": {ORBIT: "GEO"}}, {"term": {ORBIT: "MEO"}}]}}
    edited = desk.edit(plan(source() | {"query": query}), "only active ones")
    assert edited.node(0).extras["query"] == query
    assert set(desk.keys(edited)) == desk.expected(lambda r: r["orbit"] != "LEO" and r["active"])


def test_topk_is_edited_without_losing_its_meaning(desk: Desk) -> None:
    top = plan(source(), step("TopK", 1, 0, field="operator", K=2, descending=True))
    assert desk.edit(top, "top 3").node(1).extras["K"] == 3
    with_mass = desk.edit(top, "also show the average mass")
    rows = desk.result(with_mass)
    assert len(rows) == 2
    assert set(rows[0]["properties"]) == {"key", "count", "avg_mass_kg"}
    assert rows[0]["properties"]["count"] >= rows[1]["properties"]["count"]


def test_a_plan_with_unknown_fields_keeps_them_through_an_edit(desk: Desk) -> None:
    foreign = plan(source() | {"their_own": {"kept": True}})
    edited = desk.edit(foreign, "only LEO")
    assert edited.node(0).unchecked["their_own"] == {"kept": True}


def test_a_faulty_plan_is_refused_before_it_is_edited_or_run(desk: Desk) -> None:
    bad = plan(source(), step("Sort", 1, 0, field="colour"))
    for act in (lambda: desk.run(bad), lambda: desk.edit(bad, "only LEO")):
        with pytest.raises(Invalid) as refusal:
            act()
        assert refusal.value.faults[0].type == "unknown_field"


def test_fields_of_other_programs_survive_every_edit(desk: Desk) -> None:
    """Null ones too, in steps that the edit changes and in the plan itself."""
    asked = desk.ask("satellites in LEO with a mass above 500").model_dump(mode="json")
    for node in asked["nodes"].values():
        node |= {"x_note": "mine", "x_null": None}
    before = Plan.model_validate({**asked, "x_plan": "mine"})
    for feedback in ("GEO instead of LEO", "top 3 by mass", "LEO or GEO"):
        query = Query(docset_id=desk.docset_id, plan=before)
        after = desk.service.edit(EditRequest(query=query, feedback=feedback), ACCOUNT)
        written = after.model_dump(mode="json")
        old = [written["nodes"][key] for key in asked["nodes"]]
        assert written["x_plan"] == "mine"
        assert all(node["x_note"] == "mine" and "x_null" in node for node in old), feedback


def test_a_plan_that_names_another_docset_is_refused(desk: Desk) -> None:
    other = plan(source() | {"index": "wb:ds-another"})
    with pytest.raises(Invalid) as refusal:
        desk.run(other)
    assert refusal.value.faults[0].loc[-2:] == ["0", "index"]
    assert "wb:ds-another" in refusal.value.detail and desk.docset_id in refusal.value.detail
    assert [f.type for f in desk.service.validate(other, desk.docset_id, ACCOUNT)] == [
        "other_docset"
    ]
    moved = moved_to(other, desk.docset_id)
    assert len(desk.keys(moved)) == len(desk.records)
    assert moved_to(moved, desk.docset_id) == moved


def test_the_index_of_another_program_is_read_with_a_remark(desk: Desk) -> None:
    for index, remarked in (("aryn:ds-1", True), (desk.docset_id, False), (None, False)):
        answer = desk.run(plan(source() | {"index": index}, step("Count", 1, 0)))
        assert answer.result == len(desk.records)
        assert any(f"“{index}”" in warning for warning in answer.warnings or []) == remarked
