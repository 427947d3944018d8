"""Running: the order of events, stopping, and what is kept of a run."""

from collections.abc import Iterator
from typing import Any

import pytest

from backend.plans.running.relations import used_fields
from backend.plans.running.runs import KEPT_RUNS
from backend.plans.running.stage import RunCancelled
from tests.backend.plans.desk import ACCOUNT, Desk, add_document
from tests.contract.plans import plan, source, step
from workbench.contract.errors import Invalid, NotFound, ServiceError
from workbench.contract.plan import Query
from workbench.contract.query import Event

LEO = step("BasicFilter", 1, 0, field="orbit", query="LEO", match="exact")


def events_of(desk: Desk, *steps: dict[str, Any], **more: Any) -> list[Event]:
    events: list[Event] = []
    desk.run(plan(source(), *steps), events.append, **more)
    return events


def names(events: list[Event]) -> list[str]:
    """The names of events, each run of equal ones as one."""
    return [
        event.name for i, event in enumerate(events) if i == 0 or events[i - 1].name != event.name
    ]


def test_the_events_of_a_list_come_in_the_order_of_the_contract(fresh: Desk) -> None:
    events = events_of(fresh, LEO, summarize_result=True)
    assert names(events)[:2] == ["status", "plan"]
    assert names(events)[-3:] == ["result_doc", "result_summary", "complete"]
    assert [event.name for event in events].count("plan") == 1
    documents = [event.data for event in events if event.name == "result_doc"]
    assert documents == fresh.result(plan(source(), LEO))


def test_a_long_list_is_built_lazily(fresh: Desk) -> None:
    events: list[Event] = []
    lists: list[Iterator[list[Event]]] = []
    query = Query(docset_id=fresh.docset_id, plan=plan(source(), LEO))
    result = fresh.service.run(query, ACCOUNT, events.append, lambda: False, later=lists.append)
    assert result.result is None
    assert "result_doc" not in names(events)
    [windows] = lists
    documents = [event.data for window in windows for event in window]
    assert documents == fresh.result(plan(source(), LEO))


def test_the_plan_event_has_the_run_id_and_labels(fresh: Desk) -> None:
    grouped = step("GroupBy", 1, 0, field="orbit")
    events: list[Event] = []
    result = fresh.run(plan(source(), grouped, step("AggregateCount", 2, 1)), events.append)
    plan_event = next(event.data for event in events if event.name == "plan")
    assert isinstance(plan_event, dict)
    assert plan_event["query_id"] == result.query_id
    assert plan_event["labels"] == result.labels == {"key": "orbit"}


def test_a_number_is_one_result(fresh: Desk) -> None:
    events = events_of(fresh, step("Count", 1, 0))
    assert [event.data for event in events if event.name == "result"] == [len(fresh.records)]
    assert events[-1].name == "complete"


def test_documents_of_each_step_are_shown_while_it_runs(fresh: Desk) -> None:
    shown = [event.data for event in events_of(fresh, LEO) if event.name == "trace_doc"]
    assert {item["node_id"] for item in shown if isinstance(item, dict)} == {0, 1}
    assert all(isinstance(item, dict) and item["doc"]["doc_id"] for item in shown)


def test_an_empty_answer_ends_with_zero_results(fresh: Desk) -> None:
    events = events_of(fresh, step("BasicFilter", 1, 0, field="failures", query=999))
    assert (events[-1].name, events[-1].data) == ("complete", "0 results")


def test_a_failure_is_raised_and_emits_no_complete_event(fresh: Desk) -> None:
    events: list[Event] = []
    with pytest.raises(Invalid):
        fresh.run(plan(source(), step("Sort", 1, 0, field="colour")), events.append)
    assert "complete" not in names(events)


def test_a_direct_answer_emits_its_sources_and_citations(fresh: Desk) -> None:
    events: list[Event] = []
    query = Query(docset_id=fresh.docset_id, query="Which battery overheated?", rag_mode=True)
    result = fresh.service.run(query, ACCOUNT, events.append, lambda: False)
    assert [n for n in names(events) if n not in ("status", "trace_doc")] == [
        "plan", "rag_source", "rag_answer", "citations", "complete",
    ]  # fmt: skip
    assert "battery" in result.result
    assert result.citations[0].page == 1
    assert len(result.citations[0].bbox) == 4


def test_a_direct_answer_reads_only_the_documents_that_it_is_limited_to(fresh: Desk) -> None:
    asked = {"docset_id": fresh.docset_id, "query": "Which battery overheated?", "rag_mode": True}

    def cited(**limit: Any) -> set[str]:
        query = Query.model_validate({**asked, **limit})
        result = fresh.service.run(query, ACCOUNT, lambda e: None, lambda: False)
        return {item.doc_id for item in result.citations}

    best = cited()
    assert best
    everything = {doc["doc_id"] for doc in fresh.result(plan(source()))}
    others = sorted(everything - best)[:3]
    assert cited(doc_inclusion_list=others) <= set(others)


def test_the_trace_of_a_stored_run_has_labels_of_its_groups(fresh: Desk) -> None:
    grouped = plan(source(), step("GroupBy", 1, 0, field="orbit"), step("AggregateCount", 2, 1))
    result = fresh.run(grouped)
    assert fresh.service.trace(result.query_id, ACCOUNT).labels == result.labels == {"key": "orbit"}


def test_a_question_can_be_run_without_asking_for_its_plan_first(fresh: Desk) -> None:
    query = Query(docset_id=fresh.docset_id, query="How many satellites are in LEO?")
    result = fresh.service.run(query, ACCOUNT, lambda event: None, lambda: False)
    assert result.result == len(fresh.expected(lambda r: r["orbit"] == "LEO"))
    assert result.plan is not None


def test_a_run_may_end_at_a_step(fresh: Desk) -> None:
    query = Query(docset_id=fresh.docset_id, plan=plan(source(), LEO, step("Count", 2, 1)))
    result = fresh.service.run(query, ACCOUNT, lambda e: None, lambda: False, until_node=1)
    assert isinstance(result.result, list)
    assert result.plan is not None
    assert set(result.plan.nodes) == {"0", "1"}
    with pytest.raises(Invalid, match="no step 9"):
        fresh.service.run(query, ACCOUNT, lambda e: None, lambda: False, until_node=9)


def test_a_run_stops_when_its_caller_disconnects(fresh: Desk) -> None:
    events: list[Event] = []
    query = Query(docset_id=fresh.docset_id, plan=plan(source(), LEO, step("Count", 2, 1)))

    def gone() -> bool:
        return sum(event.name == "status" for event in events) > 2

    with pytest.raises(RunCancelled):
        fresh.service.run(query, ACCOUNT, events.append, gone)
    assert "complete" not in names(events)


def test_the_rows_of_each_step_are_stored_and_read_by_window(fresh: Desk) -> None:
    result = fresh.run(plan(source(), LEO, step("Sort", 2, 1, field="mass_kg")))
    window = fresh.service.node_output(result.query_id, 2, ACCOUNT, offset=2, limit=3)
    assert window.total == len(result.result)
    assert [row["doc_id"] for row in window.rows] == [d["doc_id"] for d in result.result[2:5]]
    assert "properties.entity.mass_kg" in window.columns


def test_the_file_name_can_be_queried_like_a_property(fresh: Desk) -> None:
    fields = ["properties.path", "properties.entity.mass_kg"]
    project = step("Project", 2, 1, fields=fields)
    result = fresh.run(plan(source(), LEO, project, step("Count", 3, 2)))
    window = fresh.service.node_output(result.query_id, 2, ACCOUNT)
    assert {"doc_id", *fields} <= set(window.columns)
    assert all(row["properties.path"] for row in window.rows)


def test_every_number_and_row_leads_to_its_documents(fresh: Desk) -> None:
    grouped = plan(source(), step("GroupBy", 1, 0, field="orbit"), step("AggregateCount", 2, 1))
    result = fresh.run(grouped)
    window = fresh.service.node_output(result.query_id, 2, ACCOUNT)
    every = {d["doc_id"]: d["properties"]["entity"] for d in fresh.result(plan(source()))}
    for row in window.rows:
        assert len(row["doc_ids"]) == row["properties.count"]
        assert {every[doc_id]["orbit"] for doc_id in row["doc_ids"]} == {row["properties.key"]}
    counted = fresh.run(plan(source(), LEO, step("Count", 2, 1)))
    [number] = fresh.service.node_output(counted.query_id, 2, ACCOUNT).rows
    assert len(number["doc_ids"]) == number["value"] == counted.result


def test_behind_a_number_are_only_the_documents_that_entered_it(fresh: Desk) -> None:
    with fresh.database.writing() as connection:
        record = {"orbit": "LEO"}
        fresh_id = add_document(connection, fresh.docset_id, "x.txt", record, ["New."])
    every = {d["doc_id"]: d["properties"]["entity"] for d in fresh.result(plan(source()))}
    mean = [{"func": "avg", "field": "mass_kg", "name": "mean"}]
    whole = fresh.run(plan(source(), step("Aggregate", 1, 0, aggregations=mean)))
    [number] = fresh.service.node_output(whole.query_id, 1, ACCOUNT).rows
    assert set(number["doc_ids"]) == every.keys() - {fresh_id}
    by_orbit = step("GroupBy", 1, 0, field="orbit")
    rows = fresh.run(plan(source(), by_orbit, step("Aggregate", 2, 1, aggregations=mean)))
    for row in fresh.service.node_output(rows.query_id, 2, ACCOUNT).rows:
        orbit = row["properties.key"]
        here = {doc_id for doc_id, entity in every.items() if entity["orbit"] == orbit}
        assert set(row["doc_ids"]) == here - {fresh_id}


def test_behind_an_unknown_number_are_the_documents_without_a_value(fresh: Desk) -> None:
    with fresh.database.writing() as connection:
        record = {"orbit": "HEO"}
        fresh_id = add_document(connection, fresh.docset_id, "x.txt", record, ["New."])
    mean = [{"func": "avg", "field": "mass_kg", "name": "mean"}]
    alone = step("BasicFilter", 1, 0, field="orbit", query="HEO", match="exact")
    result = fresh.run(plan(source(), alone, step("Aggregate", 2, 1, aggregations=mean)))
    assert result.result is None
    [number] = fresh.service.node_output(result.query_id, 2, ACCOUNT).rows
    assert number["doc_ids"] == [fresh_id]


def test_samples_have_the_beginning_of_long_texts() -> None:
    record = {"properties.entity.note": "a" * 10_000, "properties.entity.tags": ["b" * 3_000, "c"]}
    assert used_fields(record) == {"note": "a" * 2_000 + "…", "tags": ["b" * 2_000 + "…", "c"]}


def test_the_trace_has_rows_time_and_samples_of_each_step(fresh: Desk) -> None:
    result = fresh.run(plan(source(), LEO, step("Count", 2, 1)))
    trace = fresh.service.trace(result.query_id, ACCOUNT)
    assert trace.status == "done"
    assert [node.node_type for node in trace.nodes] == ["QueryDatabase", "BasicFilter", "Count"]
    assert all(node.ms >= 0 for node in trace.nodes)
    assert len(trace.nodes[0].samples) == 20
    assert trace.nodes[1].samples[0]["properties"] == {"orbit": "LEO"}


def test_runs_of_other_accounts_are_hidden(fresh: Desk) -> None:
    result = fresh.run(plan(source()))
    for act in (
        lambda: fresh.service.trace(result.query_id, "somebody else"),
        lambda: fresh.service.node_output(result.query_id, 0, "somebody else"),
        lambda: fresh.service.node_output(result.query_id, 99, ACCOUNT),
    ):
        with pytest.raises(NotFound):
            act()


def test_only_the_newest_runs_are_kept(fresh: Desk) -> None:
    first = fresh.run(plan(source()))
    for _ in range(KEPT_RUNS):
        fresh.run(plan(source(), step("Limit", 1, 0, num_records=1)))
    with pytest.raises(NotFound):
        fresh.service.trace(first.query_id, ACCOUNT)


def test_docsets_of_other_accounts_are_hidden(fresh: Desk) -> None:
    query = Query(docset_id=fresh.docset_id, plan=plan(source()))
    with pytest.raises(NotFound):
        fresh.service.run(query, "somebody else", lambda event: None, lambda: False)


def test_a_changed_property_is_seen_by_the_next_run(fresh: Desk) -> None:
    from sqlalchemy import select, update

    from backend.store.property_log import log_properties
    from backend.store.tables import documents

    count = plan(source(), LEO, step("Count", 2, 1))
    before = fresh.result(count)
    place = next(i for i, r in enumerate(fresh.records) if r["orbit"] == "LEO")
    with fresh.database.writing() as connection:
        rows = connection.execute(
            select(documents.c.doc_id, documents.c.properties).order_by(documents.c.sequence)
        ).all()
        changed = rows[place].properties
        changed["entity"]["orbit"] = "MEO"
        chosen = documents.c.doc_id == rows[place].doc_id
        connection.execute(update(documents).where(chosen).values(properties=changed))
        log_properties(connection, fresh.docset_id, [rows[place].doc_id])
    assert fresh.result(count) == before - 1


def test_errors_have_the_types_of_the_contract(fresh: Desk) -> None:
    with pytest.raises(ServiceError) as refusal:
        fresh.ask("delete all satellites")
    assert refusal.value.status == 422


def test_each_step_reports_its_start_progress_and_result(fresh: Desk) -> None:
    read = step(
        "LlmExtractEntity", 1, 0, question="Which part failed?", new_field="part",
        new_field_type="string", field="text_representation",
    )  # fmt: skip
    progress = [event.progress for event in events_of(fresh, read) if event.progress is not None]
    count = len(fresh.records)
    assert [(p.node_id, p.state, p.rows_in, p.rows_done, p.rows_out) for p in progress] == [
        (0, "running", 0, 0, None),
        (0, "done", 0, 0, count),
        (1, "running", count, 0, None),
        (1, "done", count, count, count),
    ]


def test_a_long_step_reports_its_progress(fresh: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.plans.running.text_steps._BATCH", 10)
    contains = step("BasicFilter", 1, 0, field="text_representation", query="battery")
    progress = [
        event.progress for event in events_of(fresh, contains) if event.progress is not None
    ]
    done = [p.rows_done for p in progress if p.node_id == 1 and p.state == "running"]
    assert done == list(range(0, len(fresh.records), 10))


def test_the_trace_of_an_unfinished_run_shows_its_progress(fresh: Desk) -> None:
    seen: list[Any] = []
    query_id = ""

    def look(event: Event) -> None:
        nonlocal query_id
        if event.name == "plan" and isinstance(event.data, dict):
            query_id = event.data["query_id"]
        if event.name == "status" and query_id:
            trace = fresh.service.trace(query_id, ACCOUNT)
            seen.append((trace.status, [n.node_id for n in trace.nodes], trace.progress))

    fresh.run(plan(source(), LEO), look)
    begun = [(done, now.node_id) for status, done, now in seen if now and status == "running"]
    assert ([], 0) in begun and ([0], 1) in begun
    assert fresh.service.trace(query_id, ACCOUNT).progress is None


def test_the_rows_of_a_step_can_be_read_while_later_steps_run(fresh: Desk) -> None:
    seen: list[int] = []
    query_id = ""

    def look(event: Event) -> None:
        nonlocal query_id
        if event.name == "plan" and isinstance(event.data, dict):
            query_id = event.data["query_id"]
        if event.progress is not None and event.progress.node_id == 2:
            seen.append(fresh.service.node_output(query_id, 1, ACCOUNT).total)

    result = fresh.run(plan(source(), LEO, step("Sort", 2, 1, field="mass_kg")), look)
    assert set(seen) == {len(result.result)}


def test_values_of_another_type_are_reported(fresh: Desk) -> None:
    with fresh.database.writing() as connection:
        add_document(connection, fresh.docset_id, "x.txt", {"mass_kg": "heavy"}, ["New."])
    result = fresh.run(plan(source(), step("BasicFilter", 1, 0, field="mass_kg", query=1)))
    assert "1 value of mass_kg is not of type float and counts as unknown" in result.warnings
    assert fresh.run(plan(source(), LEO)).warnings == []


@pytest.mark.parametrize(("func", "best"), [("max", max), ("min", min)])
def test_behind_the_highest_or_lowest_its_own_document_comes_first(
    fresh: Desk, func: str, best: Any
) -> None:
    every = {d["doc_id"]: d["properties"]["entity"] for d in fresh.result(plan(source()))}
    number = [{"func": func, "field": "mass_kg", "name": "number"}]
    run = fresh.run(plan(source(), step("Aggregate", 1, 0, aggregations=number)))
    [row] = fresh.service.node_output(run.query_id, 1, ACCOUNT).rows
    assert every[row["doc_ids"][0]]["mass_kg"] == run.result
    assert run.result == best(entity["mass_kg"] for entity in every.values())


def test_an_odd_extra_of_a_step_does_not_stop_the_run(fresh: Desk) -> None:
    limited = step("Limit", 1, 0, num_records=2, field=False)
    assert len(fresh.result(plan(source(), limited))) == 2
