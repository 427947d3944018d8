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


def test_documents_gained_and_lost_are_told_by_their_ids(fresh: Desk) -> None:
    found = compared(fresh, fresh.everything(), only("LEO"))
    leo = len(fresh.expected(lambda r: r["orbit"] == "LEO"))
    assert found.documents.gained_total == 0
    assert found.documents.lost_total == len(fresh.records) - leo
    assert all(row["doc_id"] for row in found.documents.lost)
    assert found.rows is None


def test_rows_of_tables_are_compared_by_their_key(fresh: Desk) -> None:
    grouped = plan(source(), step("GroupBy", 1, 0, field="orbit"), step("AggregateCount", 2, 1))
    first = fresh.run(grouped).query_id
    with fresh.database.writing() as connection:
        add_document(connection, fresh.docset_id, "a.txt", {"orbit": "LEO"}, ["New."])
        add_document(connection, fresh.docset_id, "b.txt", {"orbit": "SSO"}, ["New."])
    second = fresh.run(grouped).query_id
    found = fresh.service.compare_runs(first, second, ACCOUNT)
    assert found.rows is not None
    assert [row["properties.key"] for row in found.rows.gained] == ["SSO"]
    assert [change.after["properties.key"] for change in found.rows.changed] == ["LEO"]
    before, after = (found.rows.changed[0].before, found.rows.changed[0].after)
    assert after["properties.count"] == before["properties.count"] + 1
    assert found.documents.gained_total == 2 and found.documents.lost_total == 0


def test_numbers_tell_both_values_and_the_documents_behind_the_difference(fresh: Desk) -> None:
    counted = plan(
        source(),
        step("BasicFilter", 1, 0, field="orbit", query="LEO", match="exact"),
        step("Count", 2, 1),
    )
    found = compared(fresh, plan(source(), step("Count", 1, 0)), counted, limit=3)
    assert found.value_before == len(fresh.records)
    lost = len(fresh.expected(lambda r: r["orbit"] != "LEO"))
    assert found.value_after == len(fresh.records) - lost
    assert found.documents.lost_total == lost and len(found.documents.lost) == 3


def test_answers_of_different_kinds_are_compared_by_their_documents(fresh: Desk) -> None:
    found = compared(fresh, only("LEO"), plan(source(), step("Count", 1, 0)))
    assert (found.flow_before, found.flow_after) == ("docs", "number")
    assert found.documents.gained_total > 0 and found.documents.lost_total == 0


def test_a_run_without_an_answer_cannot_be_compared(fresh: Desk) -> None:
    done = fresh.run(fresh.everything()).query_id
    heard: list[str] = []
    query = Query(docset_id=fresh.docset_id, plan=only("LEO"))
    with pytest.raises(RunCancelled):
        fresh.service.run(query, ACCOUNT, lambda e: heard.append(str(e.data)), lambda: True)
    stopped = heard[1].split("'query_id': '")[1].split("'")[0]
    with pytest.raises(NotFound, match="it is cancelled"):
        fresh.service.compare_runs(done, stopped, ACCOUNT)
    with pytest.raises(NotFound):
        fresh.service.compare_runs(done, done, "wb:a-other")
