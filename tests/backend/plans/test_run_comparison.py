"""Two runs compared: what the later answer has and the earlier one has not."""

import pytest

from backend.plans.running.stage import RunCancelled
from tests.backend.plans.desk import ACCOUNT, Desk, add_document
from tests.contract.plans import plan, source, step
from workbench.contract.errors import NotFound
from workbench.contract.plan import Plan, Query
from workbench.contract.query import RunComparison


def compared(desk: Desk, before: Plan, after: Plan, **window: int) -> RunComparison:
    first, second = (desk.run(one).query_id for one in (before, after))
    return desk.service.compare_runs(first, second, ACCOUNT, **window)


def only(orbit: str) -> Plan:
    return plan(source(), step("BasicFilter", 1, 0, field="orbit", query=orbit, match="exact"))


def test_gained_and_lost_documents_are_listed_by_id(fresh: Desk) -> None:
    comparison = compared(fresh, fresh.everything(), only("LEO"))
    leo = len(fresh.expected(lambda r: r["orbit"] == "LEO"))
    assert comparison.documents.gained_total == 0
    assert comparison.documents.lost_total == len(fresh.records) - leo
    assert all(row["doc_id"] for row in comparison.documents.lost)
    assert comparison.rows is None


def test_rows_of_tables_are_compared_by_their_key(fresh: Desk) -> None:
    grouped = plan(source(), step("GroupBy", 1, 0, field="orbit"), step("AggregateCount", 2, 1))
    first = fresh.run(grouped).query_id
    with fresh.database.writing() as connection:
        add_document(connection, fresh.docset_id, "a.txt", {"orbit": "LEO"}, ["New."])
        add_document(connection, fresh.docset_id, "b.txt", {"orbit": "SSO"}, ["New."])
    second = fresh.run(grouped).query_id
    comparison = fresh.service.compare_runs(first, second, ACCOUNT)
    assert comparison.rows is not None
    assert [row["properties.key"] for row in comparison.rows.gained] == ["SSO"]
    assert [change.after["properties.key"] for change in comparison.rows.changed] == ["LEO"]
    before, after = (comparison.rows.changed[0].before, comparison.rows.changed[0].after)
    assert after["properties.count"] == before["properties.count"] + 1
    assert comparison.documents.gained_total == 2 and comparison.documents.lost_total == 0


def test_numbers_are_compared_with_the_documents_behind_the_difference(fresh: Desk) -> None:
    counted = plan(
        source(),
        step("BasicFilter", 1, 0, field="orbit", query="LEO", match="exact"),
        step("Count", 2, 1),
    )
    comparison = compared(fresh, plan(source(), step("Count", 1, 0)), counted, limit=3)
    assert comparison.value_before == len(fresh.records)
    lost = len(fresh.expected(lambda r: r["orbit"] != "LEO"))
    assert comparison.value_after == len(fresh.records) - lost
    assert comparison.documents.lost_total == lost and len(comparison.documents.lost) == 3


def test_answers_of_different_kinds_are_compared_by_their_documents(fresh: Desk) -> None:
    comparison = compared(fresh, only("LEO"), plan(source(), step("Count", 1, 0)))
    assert (comparison.flow_before, comparison.flow_after) == ("docs", "number")
    assert comparison.documents.gained_total > 0 and comparison.documents.lost_total == 0


def test_a_run_without_an_answer_cannot_be_compared(fresh: Desk) -> None:
    done = fresh.run(fresh.everything()).query_id
    events: list[str] = []
    query = Query(docset_id=fresh.docset_id, plan=only("LEO"))
    with pytest.raises(RunCancelled):
        fresh.service.run(query, ACCOUNT, lambda e: events.append(str(e.data)), lambda: True)
    stopped = events[1].split("'query_id': '")[1].split("'")[0]
    with pytest.raises(NotFound, match="it is cancelled"):
        fresh.service.compare_runs(done, stopped, ACCOUNT)
    with pytest.raises(NotFound):
        fresh.service.compare_runs(done, done, "wb:a-other")
