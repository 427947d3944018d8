"""Every answer says what it rests on: what was missing or doubtful, how far it could move."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from backend.docsets.value_evidence import value_evidence
from backend.plans.running.behind import Asked
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.bench.coverage import times
from workbench.contract.coverage import coverage_words
from workbench.contract.plan import Plan
from workbench.contract.query import QueryResult

SCHEMA: list[dict[str, Any]] = [
    {"name": "number", "type": {"type": "string"}},
    {"name": "seller", "type": {"type": "string"}},
    {"name": "issued_on", "type": {"type": "date", "description": "Day of the invoice"}},
    {"name": "total", "type": {"type": "float", "description": "Amount to be paid"}},
]
PLACE = {"page": 1, "bbox": [0, 0, 1, 1], "element": 0, "source": "rules"}


def _records() -> list[dict[str, Any]]:
    """Twenty invoices: 4 from 2018, 6 from 2019, 10 without a date."""
    days = ["2018-03-01"] * 4 + ["2019-05-01"] * 6 + [None] * 10
    return [
        {"number": f"N{i}", "seller": "Acme" if i % 2 else "Birch", "issued_on": day,
         "total": 10.0 * (i + 1)}
        for i, day in enumerate(days)
    ]  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    records = _records()
    return make_desk(tmp_path, "invoices", SCHEMA, records, [[r["number"]] for r in records])


def _set_evidence(desk: Desk, number: str, **evidence: Any) -> None:
    """Gives a document evidence as extraction leaves it."""
    with desk.database.writing() as connection:
        for row in connection.execute(select(documents).where(documents.c.properties.isnot(None))):
            if row.properties["entity"]["number"] == number:
                changed = {**row.evidence, **evidence}
                of_row = documents.c.doc_id == row.doc_id
                connection.execute(update(documents).where(of_row).values(evidence=changed))
                log_properties(connection, desk.docset_id, [row.doc_id])


def _plan(desk: Desk, *steps: dict[str, Any]) -> Plan:
    """Steps in a row behind all documents."""
    nodes = dict(desk.everything().model_dump(mode="json")["nodes"])
    for i, step in enumerate(steps, 1):
        nodes[str(i)] = {"node_id": i, "inputs": [i - 1], **step}
    return Plan.model_validate({"query": "", "nodes": nodes, "result_node": len(steps)})


IN_2018 = {"node_type": "BasicFilter", "field": "issued_on", "range_filter": True, "is_date": True,
           "start": "2018-01-01", "end": "2018-12-31"}  # fmt: skip
COUNT = {"node_type": "Count"}


def _run(desk: Desk, *steps: dict[str, Any], **more: Any) -> QueryResult:
    return desk.run(_plan(desk, *steps), **more)


def test_a_count_reports_documents_without_a_date_and_its_bounds(desk: Desk) -> None:
    answer = _run(desk, IN_2018, COUNT)
    assert answer.result == 4
    assert [coverage_words(item) for item in answer.coverage if not item.complete] == [
        "10 of 20 documents have no issued on"
    ]
    assert answer.bounds is not None and answer.bounds.marked
    assert answer.bounds.words() == "4 to 14"


def test_later_filters_narrow_the_documents_that_could_join(desk: Desk) -> None:
    acme = {"node_type": "BasicFilter", "field": "seller", "query": "Acme", "match": "exact"}
    for steps in ((IN_2018, acme), (acme, IN_2018)):
        answer = _run(desk, *steps, COUNT)
        assert answer.result == 2
        assert answer.bounds is not None
        assert (answer.bounds.low, answer.bounds.high) == (2, 7)


def test_a_negation_includes_unknown_documents_and_could_lose_them(desk: Desk) -> None:
    answer = _run(desk, {**IN_2018, "negate": True}, COUNT)
    assert answer.result == 16
    assert answer.bounds is not None
    assert (answer.bounds.low, answer.bounds.high) == (6, 16)


def test_a_complete_answer_is_not_marked(desk: Desk) -> None:
    answer = _run(desk, {"node_type": "BasicFilter", "field": "total", "range_filter": True,
                         "start": 50}, COUNT)  # fmt: skip
    assert answer.result == 16
    assert answer.bounds is None
    assert all(item.complete for item in answer.coverage)


@pytest.mark.parametrize(
    "step",
    [
        {"node_type": "Sort", "field": "issued_on"},
        {"node_type": "GroupBy", "field": "issued_on", "bucket": "year"},
        {"node_type": "TopK", "field": "issued_on"},
        {"node_type": "Distinct", "field": "issued_on"},
        {"node_type": "Count", "distinct_field": "issued_on"},
        {"node_type": "Aggregate", "aggregations": [{"func": "max", "field": "issued_on"}]},
    ],
)
def test_every_step_that_reads_a_property_reports_its_coverage(
    desk: Desk, step: dict[str, Any]
) -> None:
    answer = _run(desk, step)
    (item,) = answer.coverage
    assert (item.field, item.documents, item.missing, item.used) == ("issued_on", 20, 10, 10)
    assert answer.bounds is not None and answer.bounds.marked


def test_a_bound_without_a_range_is_put_into_words(desk: Desk) -> None:
    bound = {"node_type": "BasicFilter", "field": "total", "start": 50}
    assert _run(desk, bound, COUNT).sentences[1] == "total is at least 50: 16 of 20"


def test_a_doubtful_value_stays_out_and_is_counted_as_doubtful(desk: Desk) -> None:
    _set_evidence(desk, "N0", issued_on={**PLACE, "confidence": 0.3})
    answer = _run(desk, IN_2018, COUNT)
    assert answer.result == 3
    (item,) = answer.coverage
    assert (item.missing, item.doubtful, item.used) == (10, 1, 9)
    assert [(left.value, left.confidence) for left in item.left_out] == [("2018-03-01", 0.3)]
    assert answer.bounds is not None and answer.bounds.words() == "3 to 14"


def test_a_doubtful_list_is_shown_as_a_list(tmp_path: Path) -> None:
    schema = [
        {"name": "number", "type": {"type": "string"}},
        {"name": "seals", "type": {"type": "array", "item_type": {"type": "string"}}},
    ]
    records = [{"number": f"N{at}", "seals": [f"QX-{at}", "AB-7"]} for at in range(3)]
    desk = make_desk(tmp_path, "notes", schema, records, [[r["number"]] for r in records])
    _set_evidence(desk, "N0", seals={**PLACE, "confidence": 0.3})
    holds = {"node_type": "BasicFilter", "field": "seals", "query": "AB-7"}
    answer = _run(desk, holds, COUNT)
    (item,) = answer.coverage
    assert [left.value for left in item.left_out] == [["QX-0", "AB-7"]]
    assert answer.model_dump(mode="json")["coverage"]


def test_a_list_that_was_not_read_has_no_known_length(tmp_path: Path) -> None:
    schema = [
        {"name": "number", "type": {"type": "string"}},
        {"name": "seals", "type": {"type": "array", "item_type": {"type": "string"}}},
    ]
    lists: list[Any] = [["QX-1", "QX-2"], ["QX-3"], [], None, ["QX-4", "QX-5"]]
    records = [{"number": f"N{at}", "seals": seals} for at, seals in enumerate(lists)]
    desk = make_desk(tmp_path, "notes", schema, records, [[r["number"]] for r in records])
    _set_evidence(desk, "N4", seals={**PLACE, "confidence": 0.3})
    answer = _run(desk, {"node_type": "BasicFilter", "field": "seals.count",
                         "range_filter": True, "end": 1}, COUNT)  # fmt: skip
    assert answer.result == 2
    (item,) = answer.coverage
    assert coverage_words(item) == "1 of 5 documents has no seals, 1 is doubtful"
    assert [left.value for left in item.left_out] == [["QX-4", "QX-5"]]
    assert answer.bounds is not None and answer.bounds.words() == "2 to 4"
    mean = _run(desk, {"node_type": "Aggregate",
                       "aggregations": [{"func": "avg", "field": "seals.count"}]})  # fmt: skip
    assert mean.result == 1


def test_doubtful_values_are_used_when_a_request_asks_for_them(desk: Desk) -> None:
    _set_evidence(desk, "N0", issued_on={**PLACE, "confidence": 0.3})
    assert _run(desk, IN_2018, COUNT, confidence_limit=0.2).result == 4


@pytest.mark.parametrize(
    "question",
    ["Acme invoices", "How many invoices are from Acme?", "how many Acme invoices are there",
     "total of the Acme invoices", "invoices whose seller is Acme"],
)  # fmt: skip
def test_a_word_that_was_only_read_with_doubt_is_never_left_out(desk: Desk, question: str) -> None:
    for i in range(1, 20, 2):
        _set_evidence(desk, f"N{i}", seller={**PLACE, "confidence": 0.3})
    plan = desk.ask(question)
    assert "Keep where seller is Acme" in [node.description for node in plan.nodes.values()]
    assert plan.edit is not None
    assert any("only with doubt" in remark for remark in plan.edit.warnings)


def test_a_withheld_value_is_doubtful_and_can_be_asked_for(desk: Desk) -> None:
    guess = {**PLACE, "value": "2018-07-01", "confidence": 0.4}
    _set_evidence(desk, "N19", issued_on={"confidence": 0.0, "alternatives": [guess]})
    answer = _run(desk, IN_2018, COUNT)
    assert answer.result == 4
    (item,) = answer.coverage
    assert (item.missing, item.doubtful) == (9, 1)
    assert _run(desk, IN_2018, COUNT, confidence_limit=0.4).result == 5


def test_a_docset_has_its_own_limit(desk: Desk) -> None:
    _set_evidence(desk, "N0", issued_on={**PLACE, "confidence": 0.8})
    assert _run(desk, IN_2018, COUNT).result == 4
    with desk.database.writing() as connection:
        connection.execute(update(docsets).values(properties={"confidence_limit": 0.9}))
    assert _run(desk, IN_2018, COUNT).result == 3


def test_values_set_by_a_person_are_never_doubted(desk: Desk) -> None:
    _set_evidence(desk, "N0", issued_on={"corrected": True, "confidence": 1.0})
    assert _run(desk, IN_2018, COUNT).result == 4


def test_a_plan_may_ask_for_the_values_that_a_person_set(desk: Desk) -> None:
    _set_evidence(desk, "N0", issued_on={"corrected": True, "confidence": 1.0})
    _set_evidence(desk, "N1", issued_on={**PLACE, "confidence": 0.8})
    sure = {**IN_2018, "field": "issued_on.confidence", "is_date": False, "start": 1, "end": 1}
    assert _run(desk, sure, COUNT).result == 1
    assert _run(desk, {**sure, "start": 0.7}, COUNT).result == 2


@pytest.mark.parametrize(
    "steps",
    [
        (IN_2018, COUNT),
        ({**IN_2018, "negate": True}, COUNT),
        (IN_2018, {"node_type": "BasicFilter", "field": "seller", "query": "Acme"}, COUNT),
        ({"node_type": "Sort", "field": "issued_on"}, {"node_type": "Limit", "num_records": 2}),
        ({"node_type": "GroupBy", "field": "issued_on", "bucket": "year"},
         {"node_type": "AggregateCount"}),
        ({"node_type": "Count", "distinct_field": "issued_on"},),
        ({"node_type": "Aggregate", "aggregations": [{"func": "max", "field": "issued_on"}]},),
    ],
)  # fmt: skip
def test_a_document_confirmed_to_have_no_value_changes_nothing(
    desk: Desk, steps: tuple[dict[str, Any], ...]
) -> None:
    for at in range(10, 19):
        _set_evidence(desk, f"N{at}", issued_on={"corrected": True, "confidence": 1.0})
    bounds = _run(desk, *steps).bounds
    assert bounds is not None and bounds.changeable == 1
    _set_evidence(desk, "N19", issued_on={"corrected": True, "confidence": 1.0})
    answer = _run(desk, *steps)
    assert answer.bounds is None
    assert answer.coverage[0].missing == 10  # they still have no date, as coverage says


def test_uncertain_values_are_used_and_mentioned_once(desk: Desk) -> None:
    _set_evidence(desk, "N0", issued_on={**PLACE, "confidence": 0.7})
    answer = _run(desk, IN_2018, {"node_type": "GroupBy", "field": "issued_on", "bucket": "year"},
                  {"node_type": "AggregateCount"})  # fmt: skip
    assert answer.result[0]["properties"]["count"] == 4
    assert answer.warnings == ["1 of 10 values of issued on is uncertain (confidence below 0.8)"]


def test_a_filter_may_name_the_confidence_of_a_value(desk: Desk) -> None:
    _set_evidence(desk, "N0", total={**PLACE, "confidence": 0.6})
    sure = {"node_type": "BasicFilter", "field": "total.confidence", "range_filter": True,
            "end": 0.7}  # fmt: skip
    assert [d["properties"]["entity"]["number"] for d in _run(desk, sure).result] == ["N0"]


SUM = {"node_type": "Aggregate", "aggregations": [{"func": "sum", "field": "total"}]}


def test_a_sum_over_two_currencies_is_split_with_a_warning(desk: Desk) -> None:
    for i in range(20):
        _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9,
                                            "unit": "EUR" if i < 5 else "USD"})  # fmt: skip
    answer = _run(desk, SUM)
    sums = {row["properties"]["unit"]: row["properties"]["sum_total"] for row in answer.result}
    assert sums == {"EUR": 150.0, "USD": 1950.0}
    assert answer.warnings == ["total is in EUR and USD, so each unit has its own number"]


def test_a_ratio_of_totals_never_mixes_currencies(desk: Desk) -> None:
    for i in range(20):
        _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9,
                                            "unit": "EUR" if i < 5 else "USD"})  # fmt: skip
    ratio = {"func": "ratio", "field": "total.share_of.total", "name": "ratio"}
    answer = _run(desk, {"node_type": "Aggregate", "aggregations": [ratio]})
    ratios = {row["properties"]["unit"]: row["properties"]["ratio"] for row in answer.result}
    assert ratios == {"EUR": 1.0, "USD": 1.0}


def test_a_unit_that_is_not_a_currency_splits_no_amounts_and_is_reported(desk: Desk) -> None:
    units = ["percent", "percent", *["EUR"] * 8, *[None] * 10]
    for i, unit in enumerate(units):
        _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9, "unit": unit})
    answer = _run(desk, SUM)
    assert answer.result == 2100.0
    assert answer.warnings == ["2 values of total had a unit of another kind: percent"]


def test_groups_are_split_by_currency_too(desk: Desk) -> None:
    for i in range(20):
        _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9,
                                            "unit": "EUR" if i < 5 else "USD"})  # fmt: skip
    rows = _run(desk, {"node_type": "GroupBy", "field": "seller"}, SUM).result
    assert [(r["properties"]["key"], r["properties"]["unit"]) for r in rows] == [
        ("Acme", "EUR"), ("Acme", "USD"), ("Birch", "EUR"), ("Birch", "USD"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "step",
    [
        {"node_type": "BasicFilter", "field": "total", "range_filter": True, "start": 50},
        {"node_type": "Sort", "field": "total", "descending": True},
    ],
)
def test_comparing_amounts_in_two_currencies_gives_a_warning(
    desk: Desk, step: dict[str, Any]
) -> None:
    for i in range(20):
        _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9,
                                            "unit": "EUR" if i < 5 else "USD"})  # fmt: skip
    assert _run(desk, step).warnings == ["total is in EUR and USD, compared as plain numbers"]


@pytest.mark.parametrize(("reported", "units"), [(20, {"sum_total": "EUR"}), (4, {})])
def test_amounts_of_one_known_currency_stay_one_number_with_it(
    desk: Desk, reported: int, units: dict[str, str]
) -> None:
    for i in range(reported):
        _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9, "unit": "EUR"})
    answer = _run(desk, SUM)
    assert answer.result == 2100.0
    assert desk.service.trace(answer.query_id, ACCOUNT).nodes[1].units == units


@pytest.mark.parametrize(
    ("steps", "fields"),
    [
        ([{"node_type": "BasicFilter", "field": "seller", "query": "Acme"}, SUM],
         ["total", "seller"]),
        ([{"node_type": "GroupBy", "field": "seller"}, SUM], ["total", "seller"]),
        ([IN_2018, {"node_type": "Sort", "field": "total"}, {"node_type": "Limit",
          "num_records": 3}], ["total", "issued_on"]),
        ([IN_2018, COUNT], ["issued_on"]),
    ],
)  # fmt: skip
def test_the_values_that_a_number_was_computed_from_come_first(
    desk: Desk, steps: list[dict[str, Any]], fields: list[str]
) -> None:
    answer = _run(desk, *steps)
    behind = desk.service.documents_behind(answer.query_id, len(steps), ACCOUNT, Asked(row=0))
    assert behind.fields == fields


def test_values_behind_a_number_have_the_currency_that_they_were_read_with(desk: Desk) -> None:
    _set_evidence(desk, "N0", total={**PLACE, "confidence": 0.9, "unit": "EUR"})
    answer = _run(desk, SUM)
    behind = desk.service.documents_behind(answer.query_id, 1, ACCOUNT, Asked(limit=2))
    shown = value_evidence(desk.database, behind.doc_ids, behind.fields, behind.confidence_limit)
    assert [(v.value, v.unit) for document in shown for v in document.values] == [
        (10.0, "EUR"), (20.0, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "step",
    [{"node_type": "Sort", "field": "total"}, {"node_type": "Project", "fields": ["total"]}],
)
def test_amounts_that_are_listed_have_their_currency_where_all_have_one(
    desk: Desk, step: dict[str, Any]
) -> None:
    for unit, units in (("EUR", {"total": "EUR"}), ("USD", {})):
        for i in range(20 if unit == "EUR" else 5):
            _set_evidence(desk, f"N{i}", total={**PLACE, "confidence": 0.9, "unit": unit})
        answer = _run(desk, step, {"node_type": "Limit", "num_records": 3})
        assert desk.service.trace(answer.query_id, ACCOUNT).nodes[1].units == units


def test_a_property_of_currencies_gives_amounts_their_currency(tmp_path: Path) -> None:
    records = [
        {"number": "A", "total": 5.0, "currency": "EUR"},
        {"number": "B", "total": 7.0, "currency": "USD"},
        {"number": "C", "total": 6.0, "currency": "EUR"},
    ]
    schema = [SCHEMA[0], SCHEMA[3], {"name": "currency", "type": {"type": "string"}}]
    desk = make_desk(tmp_path, "bills", schema, records, [["x"]] * 3)
    sums = {r["properties"]["unit"]: r["properties"]["sum_total"] for r in _run(desk, SUM).result}
    assert sums == {"EUR": 11.0, "USD": 7.0}


def test_an_amount_without_its_own_currency_takes_that_of_its_document(tmp_path: Path) -> None:
    records = [
        {"number": "A", "total": 5.0, "currency": "Euro"},
        {"number": "B", "total": 7.0, "currency": "USD"},
        {"number": "C", "total": 6.0, "currency": "EUR"},
        {"number": "D", "total": 9.0},
    ]
    schema = [SCHEMA[0], SCHEMA[3], {"name": "currency", "type": {"type": "string"}}]
    desk = make_desk(tmp_path, "bills", schema, records, [["x"]] * 4)
    for number, unit in (("B", "USD"), ("C", "EUR")):
        _set_evidence(desk, number, total={**PLACE, "confidence": 0.9, "unit": unit})
    sums = {r["properties"]["unit"]: r["properties"]["sum_total"] for r in _run(desk, SUM).result}
    assert sums == {"EUR": 11.0, "USD": 7.0, None: 9.0}


def test_every_step_has_a_sentence_about_its_effect(desk: Desk) -> None:
    answer = _run(desk, IN_2018, COUNT)
    assert answer.sentences == [
        "20 documents",
        "issued on is from 2018-01-01 to 2018-12-31: 4 of 20",
        "counted: 4",
    ]


def test_a_stored_run_has_the_account_of_its_answer(desk: Desk) -> None:
    answer = _run(desk, IN_2018, COUNT)
    trace = desk.service.trace(answer.query_id, "wb:a-test")
    assert trace.bounds == answer.bounds
    assert [node.sentence for node in trace.nodes] == answer.sentences
    assert [item for node in trace.nodes for item in node.coverage] == answer.coverage


def test_coverage_costs_little_beside_the_steps_themselves() -> None:
    """`python -m tests.bench.coverage` is the exact form; here a busy machine has room."""
    for name, (ours, without) in times(20_000, 9).items():
        assert ours < 2 * without, name


def test_a_sum_of_cents_shows_cents(tmp_path: Path) -> None:
    totals = (0.1, 0.2, 33.07)
    records = [{"number": f"N{at}", "seller": "Acme", "total": t} for at, t in enumerate(totals)]
    desk = make_desk(tmp_path, "bills", SCHEMA, records, [[r["number"]] for r in records])
    total = {"node_type": "Aggregate", "aggregations": [{"func": "sum", "field": "total"}]}
    assert str(_run(desk, total).result) == "33.37"
    grouped = _run(desk, {"node_type": "GroupBy", "field": "seller"}, total)
    assert str(grouped.result[0]["properties"]["sum_total"]) == "33.37"


def test_texts_are_sorted_from_a_to_z_and_different_values_are_counted(desk: Desk) -> None:
    by_seller = {"node_type": "Sort", "field": "seller", "then": [{"field": "issued_on"}]}
    assert _run(desk, by_seller).sentences[-1] == (
        "sorted by seller, from A to Z, then by issued on, earliest first"
    )
    by_days = {"node_type": "Sort", "field": "issued_on.days_since.issued_on"}
    assert _run(desk, by_days).sentences[-1] == (
        "sorted by days from issued on to issued on, lowest first"
    )
    different = {"node_type": "Count", "distinct_field": "seller"}
    assert _run(desk, different).sentences[-1] == "2 different values of seller"
