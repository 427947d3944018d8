"""Properties inside objects and lists of objects: conditions, groups, columns, questions."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from backend.plans.running.behind import Asked
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.derived_fields import MONTHS
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_validation import validate
from workbench.contract.schema import Schema
from workbench.sessions.node_form import form

SCHEMA: list[dict[str, Any]] = [
    {"name": "permit_no", "type": {"type": "string"}},
    {"name": "site", "type": {"type": "object", "properties": [
        {"name": "borough", "type": {"type": "string", "description": "Part of the city"}},
        {"name": "floor_area", "type": {"type": "float"}},
        {"name": "surveyed", "type": {"type": "date"}},
    ]}},
    {"name": "works", "type": {"type": "array", "item_type": {"type": "object", "properties": [
        {"name": "trade", "type": {"type": "string"}},
        {"name": "firm", "type": {"type": "string"}},
    ]}}},
]  # fmt: skip
_BOROUGHS = ["Altona", "Harburg", "Wandsbek"]
_TRADES = ["roofing", "glazing", "masonry"]


def _records() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {
            "permit_no": f"P{i}",
            "site": {"borough": _BOROUGHS[i % 3], "floor_area": 50.0 + 10 * i,
                     "surveyed": f"2023-0{1 + i % 6}-11"},
            "works": [{"trade": _TRADES[k % 3], "firm": f"Firm {k}"} for k in range(i % 4)],
        }
        for i in range(12)
    ]  # fmt: skip
    made[5]["site"] = None
    made[7]["site"] = {"borough": "Altona"}
    return made


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    records = _records()
    return make_desk(tmp_path, "permits", SCHEMA, records, [["A permit."]] * len(records))


def _plan(desk: Desk, *steps: dict[str, Any]) -> Plan:
    nodes = [{"node_type": "QueryDatabase", "index": desk.docset_id}, *steps]
    made = [
        {"description": "", **node, "node_id": place, "inputs": [place - 1] if place else []}
        for place, node in enumerate(nodes)
    ]
    return Plan.model_validate(
        {"nodes": {str(n["node_id"]): n for n in made}, "result_node": len(made) - 1}
    )


def _site(record: dict[str, Any], part: str) -> Any:
    return (record["site"] or {}).get(part)


def test_a_condition_on_a_part_of_an_object(desk: Desk) -> None:
    large = {"node_type": "BasicFilter", "field": "site.floor_area", "range_filter": True,
             "start": 100}  # fmt: skip
    result = desk.run(_plan(desk, large))
    numbers = {item["properties"]["entity"]["permit_no"] for item in result.result}
    assert numbers == desk.expected(lambda r: _site(r, "floor_area") >= 100)
    assert result.sentences[1].startswith("site floor area is at least 100")
    assert [(c.field, c.missing) for c in result.coverage] == [("site.floor_area", 2)]


def test_a_condition_on_the_parts_of_a_list_of_objects(desk: Desk) -> None:
    glazed = {"node_type": "BasicFilter", "field": "works.trade", "query": "glazing",
              "match": "exact"}  # fmt: skip
    assert set(desk.keys(_plan(desk, glazed))) == desk.expected(
        lambda r: any(work["trade"] == "glazing" for work in r["works"])
    )


def test_only_a_part_is_shown(desk: Desk) -> None:
    fields = ["permit_no", "site.borough", "works.firm"]
    shown = desk.result(_plan(desk, {"node_type": "Project", "fields": fields}))
    for item, record in zip(shown, desk.records, strict=True):
        entity = item["properties"]["entity"]
        assert (entity.get("site") or {}).get("borough") == _site(record, "borough")
        assert [work["firm"] for work in entity["works"]] == [w["firm"] for w in record["works"]]
        assert "floor_area" not in (entity.get("site") or {})


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("average floor area by borough", {"Altona": 95, "Harburg": 100, "Wandsbek": 120}),
        ("number of permits by borough", {"Altona": 5, "Harburg": 3, "Wandsbek": 3}),
    ],
)
def test_questions_name_parts_by_their_own_name(
    desk: Desk, question: str, wanted: dict[str, float]
) -> None:
    assert desk.rows(desk.ask(question)) == pytest.approx(wanted)


def test_values_inside_objects_are_known(desk: Desk) -> None:
    assert set(desk.keys(desk.ask("permits in Harburg"))) == desk.expected(
        lambda r: _site(r, "borough") == "Harburg"
    )


def test_a_date_inside_an_object_has_a_weekday(desk: Desk) -> None:
    by_day = {"node_type": "GroupBy", "field": "site.surveyed.month_of_year"}
    rows = desk.rows(_plan(desk, by_day, {"node_type": "AggregateCount"}))
    assert list(rows) == list(MONTHS[:6])


def test_parts_follow_a_change_of_a_document_and_of_the_schema(desk: Desk) -> None:
    count = _plan(
        desk,
        {"node_type": "BasicFilter", "field": "site.borough", "query": "Altona", "match": "exact"},
        {"node_type": "Count"},
    )
    assert desk.result(count) == 5
    with desk.database.writing() as connection:
        first = connection.execute(select(documents.c.doc_id, documents.c.properties)).first()
        assert first is not None
        properties = {**first.properties, "entity": {**first.properties["entity"], "site": None}}
        changed = update(documents).where(documents.c.doc_id == first.doc_id)
        connection.execute(changed.values(properties=properties))
        log_properties(connection, desk.docset_id, [first.doc_id])
    assert desk.result(count) == 4
    with desk.database.writing() as connection:
        more = [*SCHEMA, {"name": "fee", "type": {"type": "float"}}]
        more[1] = {"name": "site", "type": {"type": "object", "properties": [
            *SCHEMA[1]["type"]["properties"], {"name": "owner", "type": {"type": "string"}},
        ]}}  # fmt: skip
        schema = Schema.model_validate({"properties": more}).model_dump(mode="json")
        connection.execute(update(docsets).values(schema=schema))
    unknown = {"node_type": "BasicFilter", "field": "site.owner", "exists": False}
    assert len(desk.result(_plan(desk, unknown))) == len(desk.records)


def test_evidence_of_a_part_is_that_of_its_object(desk: Desk) -> None:
    average = {"node_type": "Aggregate",
               "aggregations": [{"func": "avg", "field": "site.floor_area"}]}  # fmt: skip
    run = desk.run(_plan(desk, average))
    assert desk.service.documents_behind(run.query_id, 1, ACCOUNT, Asked()).fields == ["site"]


def test_a_form_proposes_parts_and_the_check_knows_them(desk: Desk) -> None:
    schema = Schema.model_validate({"properties": SCHEMA})
    plan = _plan(desk, {"node_type": "Sort", "field": "site.floor_area"})
    field = next(f for f in form(plan, 1, schema) if f.name == "field")
    assert {"site.borough", "works.trade", "site.surveyed.weekday"} <= set(field.choices)
    columns: Columns = {"properties.entity.site.floor_area": "float"}
    assert validate(plan, columns).faults == []
