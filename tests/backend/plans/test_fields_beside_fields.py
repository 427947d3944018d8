"""Steps that look at several properties of a document at once: compared, worked out, ordered."""

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.shipments import SHIPMENTS, shipments
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.query import QueryResult


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("shipments")
    records = shipments()
    texts = [[f"Shipment {record['shipment_no']}"] for record in records]
    return make_desk(folder, "shipments", SHIPMENTS, records, texts)


def _plan(desk: Desk, *steps: dict[str, Any]) -> Plan:
    nodes = [{"node_type": "QueryDatabase", "index": desk.docset_id}, *steps]
    made = [
        {"description": "", **node, "node_id": place, "inputs": [place - 1] if place else []}
        for place, node in enumerate(nodes)
    ]
    return Plan.model_validate(
        {"nodes": {str(n["node_id"]): n for n in made}, "result_node": len(made) - 1}
    )


def _run(desk: Desk, *steps: dict[str, Any]) -> QueryResult:
    return desk.run(_plan(desk, *steps))


def _below(field: str, other: str, **more: Any) -> dict[str, Any]:
    bounds = {"range_filter": True, "end_field": other, "end_exclusive": True}
    return {"node_type": "BasicFilter", "field": field, **bounds, **more}


def _numbers(result: QueryResult) -> set[str]:
    return {item["properties"]["entity"]["shipment_no"] for item in result.result}


def test_one_amount_below_another(desk: Desk) -> None:
    answer = _run(desk, _below("paid_amount", "total_amount"))
    assert _numbers(answer) == desk.expected(lambda r: r["paid_amount"] < r["total_amount"])
    assert answer.sentences[1].startswith("paid amount is less than total amount: ")


def test_documents_without_a_value_to_compare_are_reported(desk: Desk) -> None:
    answer = _run(desk, _below("paid_amount", "total_amount"), {"node_type": "Count"})
    unknown = len(desk.expected(lambda r: r["paid_amount"] is None))
    missing = {item.field: item.missing for item in answer.coverage}
    assert missing == {"paid_amount": unknown, "total_amount": 0}
    assert answer.bounds is not None
    assert answer.bounds.high == answer.result + unknown


def test_texts_are_compared_ignoring_case(desk: Desk) -> None:
    same = {"start_field": "target_town", "end_field": "target_town", "range_filter": True}
    answer = _run(desk, {"node_type": "BasicFilter", "field": "origin_town", **same})
    assert _numbers(answer) == desk.expected(lambda r: r["origin_town"] == r["target_town"])
    assert "origin town is the same as target town" in answer.sentences[1]


def test_days_between_two_dates(desk: Desk) -> None:
    span = "shipped_on.days_since.ordered_on"
    asked = {"node_type": "BasicFilter", "field": span, "range_filter": True, "start": 30}
    answer = _run(desk, {**asked, "start_exclusive": True})
    assert _numbers(answer) == desk.expected(lambda r: _days(r) > 30)
    assert answer.sentences[1].startswith("days from ordered on to shipped on is more than 30")
    assert {c.field for c in answer.coverage} == {"ordered_on", "shipped_on"}
    average = {"node_type": "Aggregate", "aggregations": [{"func": "avg", "field": span}]}
    days = [_days(r) for r in desk.records if r["shipped_on"]]
    assert _run(desk, average).result == pytest.approx(sum(days) / len(days))


def _days(record: dict[str, Any]) -> int:
    return (
        date.fromisoformat(record["shipped_on"]) - date.fromisoformat(record["ordered_on"])
    ).days


def test_groups_by_weekday_come_in_the_order_of_the_week(desk: Desk) -> None:
    by_day = {"node_type": "GroupBy", "field": "ordered_on.weekday"}
    answer = _run(desk, by_day, {"node_type": "AggregateCount"})
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    counted = Counter(names[date.fromisoformat(r["ordered_on"]).weekday()] for r in desk.records)
    rows = [(i["properties"]["key"], i["properties"]["count"]) for i in answer.result]
    assert rows == [(name, counted[name]) for name in names if counted[name]]
    assert answer.labels == {"key": "weekday of ordered on"}


def test_two_orders(desk: Desk) -> None:
    then = [{"field": "total_amount", "descending": True}, {"field": "shipment_no"}]
    answer = _run(desk, {"node_type": "Sort", "field": "country", "then": then})
    wanted = sorted(
        desk.records, key=lambda r: (r["country"], -r["total_amount"], r["shipment_no"])
    )
    numbers = [item["properties"]["entity"]["shipment_no"] for item in answer.result]
    assert numbers == [record["shipment_no"] for record in wanted]
    assert answer.sentences[1] == (
        "sorted by country, from A to Z, then by total amount, highest first, then by shipment no,"
        " from A to Z"
    )


def test_the_first_with_its_ties(desk: Desk) -> None:
    sort = {"node_type": "Sort", "field": "pallets", "descending": True}
    most = desk.expected(lambda r: r["pallets"] == 5)
    one = _run(desk, sort, {"node_type": "Limit", "num_records": 1})
    assert len(one.result) == 1
    assert f"{len(most) - 1} more have the same pallets as the last one shown" in one.warnings
    all_of_them = _run(desk, sort, {"node_type": "Limit", "num_records": 1, "with_ties": True})
    assert _numbers(all_of_them) == most
    assert not [w for w in all_of_them.warnings if "more" in w]


def test_derived_values_are_shown_where_they_are_requested(desk: Desk) -> None:
    left = "total_amount.minus.paid_amount"
    shown = {"node_type": "Project", "fields": ["shipment_no", left]}
    for item in _run(desk, shown).result:
        record = next(
            r
            for r in desk.records
            if r["shipment_no"] == item["properties"]["entity"]["shipment_no"]
        )
        paid = record["paid_amount"]
        assert item["properties"]["entity"][left] == (
            None if paid is None else record["total_amount"] - paid
        )


def test_a_part_of_nothing_is_unknown(tmp_path: Path) -> None:
    schema = [{"name": n, "type": {"type": "float"}} for n in ("part", "whole")]
    records = [{"part": 1.0, "whole": 0.0}, {"part": 1.0, "whole": 4.0}]
    desk = make_desk(tmp_path, "parts", schema, records, [["one"], ["two"]])
    average = {"func": "avg", "field": "part.share_of.whole"}
    answer = _run(desk, {"node_type": "Aggregate", "aggregations": [average]})
    assert answer.result == 0.25
    assert any("1 document has no part as a share of whole" in w for w in answer.warnings)


@pytest.mark.parametrize(
    ("step", "where"),
    [
        (_below("paid_amount", "ordered_on"), "end_field"),
        (_below("paid_amount", "paid_amnt"), "end_field"),
        ({"node_type": "GroupBy", "field": "country.weekday"}, "field"),
        ({"node_type": "Sort", "field": "country.minus.customer"}, "field"),
        ({"node_type": "Sort", "field": "country", "then": [{"field": "nowhere"}]}, "then"),
        ({"node_type": "Limit", "num_records": 1, "with_ties": True, "per": ["country"]},
         "with_ties"),
    ],
)  # fmt: skip
def test_incomparable_or_underivable_fields_are_refused(
    desk: Desk, step: dict[str, Any], where: str
) -> None:
    with pytest.raises(Invalid) as refused:
        _run(desk, step)
    assert [fault.loc[4] for fault in refused.value.faults] == [where]


def test_a_property_named_like_a_derived_one_takes_precedence(tmp_path: Path) -> None:
    schema = [{"name": "sent", "type": {"type": "date"}},
              {"name": "sent.weekday", "type": {"type": "string"}}]  # fmt: skip
    record = {"sent": "2024-01-01", "sent.weekday": "Sunday"}
    desk = make_desk(tmp_path, "letters", schema, [record], [["a letter"]])
    monday = {"node_type": "BasicFilter", "field": "sent.weekday", "query": "Sunday"}
    assert len(_run(desk, monday).result) == 1


def test_documents_behind_a_derived_number_show_its_source_values(desk: Desk) -> None:
    from backend.plans.running.behind import Asked
    from tests.backend.plans.desk import ACCOUNT

    span = "shipped_on.days_since.ordered_on"
    step = {"node_type": "Aggregate", "aggregations": [{"func": "max", "field": span}]}
    run = _run(desk, step)
    behind = desk.service.documents_behind(run.query_id, 1, ACCOUNT, Asked())
    assert behind.fields == ["shipped_on", "ordered_on"]
    assert behind.total == len([r for r in desk.records if r["shipped_on"]])
