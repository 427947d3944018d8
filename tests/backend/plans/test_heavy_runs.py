"""Heavy runs have a process of their own: the same answers, nothing left behind, ended at once."""

import errno
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from backend.plans.running.allowance import RunLimits
from backend.plans.running.carried import (
    read_collection,
    remove_collection,
    write_collection,
)
from backend.plans.running.children import Children
from backend.plans.running.stage import RunCancelled
from backend.plans.running.weight import is_heavy
from backend.plans.service import PlanService
from backend.plans.tables.collections import Collections, ruled
from backend.plans.tables.value_rules import ValueRules
from tests.backend.plans.desk import ACCOUNT, Desk, WordSearch, make_desk
from tests.contract.plans import plan, source, step
from workbench.contract.errors import Invalid, Unavailable
from workbench.contract.plan import Plan, Query
from workbench.contract.query import Event

SCHEMA = [
    {"name": "id", "field_type": "string"},
    {"name": "city", "field_type": "string"},
    {"name": "sizes", "type": {"type": "array", "item_type": {"type": "int"}}},
    {"name": "price", "field_type": "float"},
    {"name": "currency", "field_type": "string"},
]
RECORDS = [
    {
        "id": f"a{n}",
        "city": "Bergen" if n % 3 else "Turku",
        "sizes": list(range(n)),
        "price": n * 2.5,
        "currency": "EUR" if n % 4 else "NOK",
    }
    for n in range(12)
]
TEXTS = [["The lamp of the tower is red.", f"It has {n} windows."] for n in range(12)]
PLANS = {
    "rows": plan(source(), step("Unroll", 1, 0, field="sizes"), step("TopK", 2, 1, field="city")),
    "documents": plan(
        step("QueryDatabase", 0, query_text="lamp"), step("Sort", 1, 0, field="id")
    ),
    "unrolled documents": plan(source(), step("Unroll", 1, 0, field="sizes")),
    "number": plan(
        source(), step("BasicFilter", 1, 0, field="city", query="bergen"), step("Count", 2, 1)
    ),
    "groups": plan(
        source(), step("GroupBy", 1, 0, field="city"),
        step("Aggregate", 2, 1, aggregations=[{"func": "distinct", "field": "id"}]),
    ),
    "money": plan(
        source(), step("GroupBy", 1, 0, field="city"),
        step("Aggregate", 2, 1, aggregations=[{"func": "sum", "field": "price"}]),
    ),
    "text": plan(source(), step("SummarizeData", 1, 0, question="What colour has the lamp?")),
    "value read": plan(
        source(),
        step("LlmExtractEntity", 1, 0, question="How many windows?", new_field="n",
             new_field_type="int"),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    made = make_desk(tmp_path_factory.mktemp("heavy"), "towers", SCHEMA, RECORDS, TEXTS)
    made.service.start()
    yield made
    made.service.close()
    made.database.close()


STORED = {"0.arrow", "identities.arrow"}

Answer = tuple[dict[str, Any], list[tuple[str, Any]], list[dict[str, Any]]]


def answered(desk: Desk, wanted: Plan, *, streamed: bool) -> Answer:
    """The result, the events and the rows that are kept, without times and names of the run."""
    events: list[Event] = []

    def read(windows: Iterator[list[Event]]) -> None:
        events.extend(event for window in windows for event in window)

    query = Query(docset_id=desk.docset_id, plan=wanted)
    later = read if streamed else None
    result = desk.service.run(query, ACCOUNT, events.append, lambda: False, later=later)
    kept = [
        desk.service.node_output(result.query_id, node.node_id, ACCOUNT).model_dump()
        for node in wanted.nodes.values()
    ]
    listed = [(event.name, event.data) for event in events if event.name not in ("plan", "status")]
    return result.model_dump(exclude={"query_id"}), listed, kept


@pytest.mark.parametrize("name", PLANS)
def test_a_heavy_run_answers_like_a_light_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for streamed in (False, True):
        here = answered(desk, PLANS[name], streamed=streamed)
        monkeypatch.setattr("backend.plans.service.is_heavy", lambda *_: True)
        apart = answered(desk, PLANS[name], streamed=streamed)
        monkeypatch.undo()
        assert apart == here
        assert here[1][-1][0] == "complete"


@pytest.mark.parametrize("name", PLANS)
def test_a_large_table_in_pieces_answers_like_one_in_one(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    whole = answered(desk, PLANS[name], streamed=False)
    monkeypatch.setattr("backend.plans.tables.following._AT_ONCE", 5)
    monkeypatch.setattr("backend.plans.tables.narrowing._JOINED", 0)
    service = PlanService(desk.database, desk.service._search, tmp_path / "r", tmp_path / "t")
    assert answered(replace(desk, service=service), PLANS[name], streamed=False) == whole


def test_a_saved_table_is_handed_over_without_a_copy(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.plans.tables.collections._WORTH_SAVING", 1)
    collections = Collections(desk.database, tmp_path / "tables")
    collections.open(desk.docset_id, ACCOUNT)
    collections._latest(desk.docset_id).save()
    merged = {"properties.entity.city": {"Turku": "Bergen"}}
    collection = ruled(collections.open(desk.docset_id, ACCOUNT), ValueRules(0.5, merged))
    (folder := tmp_path / "run").mkdir()
    about = json.loads(json.dumps(write_collection(collection, PLANS["number"], folder)))
    (file,) = folder.iterdir()
    assert file.samefile(next((tmp_path / "tables").glob("*.arrow")))
    read = read_collection(about, folder)
    assert read.table.equals(collection.table) and read.rules == collection.rules
    assert read.table.get_column("properties.entity.city").unique().to_list() == ["Bergen"]
    remove_collection(folder)
    assert list(folder.iterdir()) == []


def test_a_cancelled_heavy_run_ends_at_once_and_is_recorded(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.plans.service.is_heavy", lambda *_: True)
    begun: list[float] = []
    names: list[str] = []

    def emit(event: Event) -> None:
        if event.name == "plan":
            names.append(event.data["query_id"])  # type: ignore[index,call-overload,arg-type]
        if event.progress is not None:
            begun.append(time.monotonic())

    query = Query(docset_id=desk.docset_id, plan=PLANS["rows"])
    with pytest.raises(RunCancelled):
        desk.service.run(query, ACCOUNT, emit, lambda: bool(begun))
    assert time.monotonic() - begun[0] < 5
    assert desk.service.trace(names[0], ACCOUNT).status == "cancelled"
    assert answered(desk, PLANS["number"], streamed=False)[0]["result"] == 8


def test_a_refused_heavy_run_names_the_step(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.plans.service.is_heavy", lambda *_: True)
    service = PlanService(
        desk.database,
        WordSearch(desk.database),
        tmp_path / "runs",
        tmp_path / "tables",
        limits=RunLimits(rows=10),
    )
    query = Query(docset_id=desk.docset_id, plan=PLANS["rows"])
    with pytest.raises(Invalid, match="Expanding the arrays") as refused:
        service.run(query, ACCOUNT, lambda event: None, lambda: False)
    service.close()
    assert refused.value.faults[0].loc[:5] == ["body", "query", "plan", "nodes", "1"]
    # What the steps gave before is kept; the table of the collection is not.
    service._runs._writer.shutdown(wait=True)
    assert {file.name for file in tmp_path.rglob("*.arrow")} == STORED


def test_a_heavy_run_leaves_no_files_behind(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("backend.plans.service.is_heavy", lambda *_: True)
    service = PlanService(
        desk.database, WordSearch(desk.database), tmp_path / "runs", tmp_path / "tables"
    )
    query = Query(docset_id=desk.docset_id, plan=PLANS["unrolled documents"])
    unread: list[Iterator[list[Event]]] = []
    service.run(query, ACCOUNT, lambda event: None, lambda: False, later=unread.append)
    assert len(list(tmp_path.rglob("list.arrow"))) == 1
    unread.clear()  # whoever asked has gone
    service._runs._writer.shutdown(wait=True)
    assert {file.name for file in tmp_path.rglob("*.arrow")} == {*STORED, "1.arrow"}
    folder = next((tmp_path / "runs").iterdir())
    (folder / "collection-0.arrow").touch()  # as a crash leaves it
    service.recover(alone=True)
    assert {file.name for file in tmp_path.rglob("*.arrow")} == {*STORED, "1.arrow"}
    service.close()


def test_a_heavy_run_is_refused_when_no_process_can_start(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("backend.plans.service.is_heavy", lambda *_: True)
    monkeypatch.setattr("backend.plans.running.children.Worker", refuse)
    desk.service.tidy()
    desk.service.tidy()
    with pytest.raises(Unavailable, match="cannot start a process"):
        answered(desk, PLANS["number"], streamed=False)
    monkeypatch.undo()
    assert answered(desk, PLANS["number"], streamed=False)[0]["result"] == 8


def test_a_light_run_starts_no_process(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("backend.plans.running.children.Worker", refuse)
    desk.service.tidy()
    desk.service.tidy()
    assert answered(desk, PLANS["number"], streamed=False)[0]["result"] == 8


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    record = {"id": "a", "city": "Oslo", "sizes": list(range(400_000))}
    made = make_desk(tmp_path_factory.mktemp("large"), "large", SCHEMA, [record], [["text"]])
    yield made
    made.database.close()


@pytest.mark.parametrize(
    ("nodes", "heavy"),
    [
        ([step("Count", 1, 0)], False),
        ([step("Count", 1, 0, distinct_field="city")], False),
        ([step("Unroll", 1, 0, field="sizes"), step("Distinct", 2, 1, field="sizes")], True),
        ([step("GroupBy", 1, 0, field="sizes"), step("AggregateCount", 2, 1)], True),
    ],
)
def test_expanded_arrays_make_a_run_heavy(large: Desk, nodes: list[Any], heavy: bool) -> None:
    collection = large.service.collection(large.docset_id, ACCOUNT)
    assert is_heavy(plan(source(), *nodes), collection) is heavy


def test_a_heavy_run_waits_only_for_its_own_account() -> None:
    children = Children(RunLimits())
    order: list[str] = []
    waits, goes_on = threading.Event(), threading.Event()
    unhurried: Any = SimpleNamespace(go_on=lambda: None)

    def first() -> None:
        with children.turn("a", unhurried):
            order.append("first")
            assert goes_on.wait(60)
            order.append("first ended")

    def second() -> None:
        with children.turn("a", SimpleNamespace(go_on=waits.set)):
            order.append("second")

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    while "first" not in order:
        time.sleep(0.01)
    threads[1].start()
    assert waits.wait(60)
    with children.turn("b", unhurried):
        order.append("other")
    goes_on.set()
    for thread in threads:
        thread.join(60)
    assert order == ["first", "other", "first ended", "second"]


def test_the_worker_of_a_run_uses_little_more_memory_than_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.plans.service.is_heavy", lambda *_: True)
    items, city = 350_000, "Bergen by the sea " * 12
    record = {"id": "a", "city": city, "sizes": list(range(items))}
    made = make_desk(tmp_path, "wide", SCHEMA, [record], [["text"]])
    made.service.start()
    steps = [step("Unroll", 1, 0, field="sizes"), step("Sort", 2, 1, field="sizes")]
    peaks: list[int] = []

    def note(event: Event) -> None:
        for worker in made.service._children._busy:
            peaks.append(worker._process.memory().peak)

    query = Query(docset_id=made.docset_id, plan=plan(source(), *steps, step("Count", 3, 2)))
    made.service.run(query, ACCOUNT, note, lambda: False)
    made.service.close()
    made.database.close()
    tables = 2 * items * len(city)
    order = 48 * items  # of texts that are numbers
    assert 0 < max(peaks) < 100 * 2**20 + tables + order


def test_groups_of_many_documents_are_light(desk: Desk) -> None:
    few = desk.service.collection(desk.docset_id, ACCOUNT)
    many = replace(few, table=pl.concat([few.table] * 25_000))
    groups = plan(source(), step("GroupBy", 1, 0, field="city"), step("AggregateCount", 2, 1))
    assert many.table.height == 300_000 and not is_heavy(groups, many)


def test_long_texts_that_a_plan_reads_are_read_in_a_worker(tmp_path: Path) -> None:
    long = "word " * 2_000_000
    records = [{"id": f"a{n}", "city": long, "sizes": [n]} for n in range(8)]
    desk = make_desk(tmp_path, "long", SCHEMA, records, [["x"]] * 8)
    collection = desk.service.collection(desk.docset_id, ACCOUNT)
    count = step("Count", 2, 1)
    by_city = plan(source(), step("BasicFilter", 1, 0, field="city", query="word"), count)
    by_id = plan(source(), step("BasicFilter", 1, 0, field="id", query="a"), count)
    assert is_heavy(by_city, collection)
    assert not is_heavy(by_id, collection)
