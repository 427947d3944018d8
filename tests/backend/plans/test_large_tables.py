"""What is put off, or done once, so that millions of rows are answered soon changes no answer."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import delete

from backend.plans.running import choosing, grouping, measuring
from backend.plans.running.stored_steps import IDENTITIES
from backend.plans.running.weight import is_heavy
from backend.plans.service import PlanService
from backend.store.tables import documents
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.contract.plans import plan, source, step

SCHEMA = [
    {"name": "city", "field_type": "string"},
    {"name": "code", "field_type": "string"},
    {"name": "size", "field_type": "int"},
]
CITIES = ["Bergen", "BERGEN", "Turku", None, "Åbo", "Oslo by the sea"]
RECORDS = [{"city": CITIES[n % 6], "code": f"c{n}", "size": n % 5} for n in range(24)]
GROUPED = (
    step("GroupBy", 1, 0, field="city"),
    step("Aggregate", 2, 1, aggregations=[{"func": "sum", "field": "size"}]),
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = make_desk(tmp_path / "desk", "towns", SCHEMA, RECORDS, [["text"]] * len(RECORDS))
    yield made
    made.service.close()
    made.database.close()


def test_an_answer_does_not_wait_for_the_documents_behind_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("lineage was computed before the answer")

    monkeypatch.setattr("backend.plans.running.runs.Runs._write", lambda *_: None)
    for module in (grouping, measuring):
        monkeypatch.setattr(module, "lines_behind", refuse)
    assert len(desk.run(plan(source(), *GROUPED)).result) == 5


def test_groups_are_counted_by_the_step_that_forms_them(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> int:
        raise AssertionError("groups were formed twice")

    with monkeypatch.context() as patched:
        patched.setattr(pl.DataFrame, "n_unique", refuse)
        run = desk.run(plan(source(), *GROUPED)).query_id
    alone = desk.run(plan(source(), GROUPED[0])).query_id
    for query_id in (run, alone):
        grouping_step = desk.service.trace(query_id, ACCOUNT).nodes[1]
        assert (grouping_step.node_type, grouping_step.rows_out) == ("GroupBy", 5)


def test_documents_behind_a_row_are_known_after_they_are_deleted(desk: Desk) -> None:
    run = desk.run(plan(source(), *GROUPED)).query_id
    before = [desk.service._runs.documents_behind(run, 2, row).to_list() for row in range(5)]
    assert sorted(map(len, before)) == [4] * 5
    with desk.database.writing() as connection:
        connection.execute(delete(documents).where(documents.c.doc_id.in_(before[0])))
    again = PlanService(desk.database, desk.service._search, desk.service._runs_dir, Path("none"))
    assert [again._runs.documents_behind(run, 2, row).to_list() for row in range(5)] == before


def test_runs_over_the_same_documents_store_their_ids_once(desk: Desk) -> None:
    runs = desk.service._runs
    first, second = (desk.run(plan(source(), *GROUPED)).query_id for _ in range(2))
    runs._writer.submit(lambda: None).result()
    files = [runs.folder_of(run) / IDENTITIES for run in (first, second)]
    assert files[0].samefile(files[1])
    files[0].unlink()
    ids = desk.service.collection(desk.docset_id, ACCOUNT).table.get_column("doc_id")
    shown = desk.service.node_output(second, 0, ACCOUNT).rows
    assert [row["doc_id"] for row in shown] == ids.to_list()


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize(
    "test",
    [
        {"query": "bergen"}, {"query": "sea"}, {"query": "åbo", "match": "exact"},
        {"query": "t", "match": "prefix"}, {"values": ["oslo", "turku"]}, {"exists": True},
        {"range_filter": True, "start": "c", "end": "u"},
    ],
)  # fmt: skip
def test_few_texts_are_filtered_as_many_are(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, test: dict[str, Any], negate: bool
) -> None:
    wanted = plan(source(), step("BasicFilter", 1, 0, field="city", negate=negate, **test))
    one_by_one = desk.run(wanted)
    monkeypatch.setattr(choosing, "_SHARED", 1)
    monkeypatch.setattr(choosing, "_has_few_texts", lambda column: column.dtype == pl.String)
    by_value = desk.run(wanted)
    hidden = {"query_id"}
    assert by_value.model_dump(exclude=hidden) == one_by_one.model_dump(exclude=hidden)


def test_a_text_that_mostly_differs_is_compared_row_by_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choosing, "_SHARED", 20)
    assert choosing._has_few_texts(pl.Series(["a", "b"] * 20))
    assert not choosing._has_few_texts(pl.Series(map(str, range(40))))
    assert not choosing._has_few_texts(pl.Series(["a", "b"] * 9))
    assert not choosing._has_few_texts(pl.Series([1, 2] * 20))


@pytest.mark.parametrize(("field", "heavy"), [("city", False), ("code", True)])
def test_groups_of_millions_are_light_where_they_are_few(
    desk: Desk, field: str, heavy: bool
) -> None:
    collection = desk.service.collection(desk.docset_id, ACCOUNT)
    height = 2_000_000
    city, code = "properties.entity.city", "properties.entity.code"
    cities = pl.Series(city, ["Bergen", "Turku"]).new_from_index(0, height)
    codes = pl.int_range(height, eager=True).cast(pl.String).alias(code)
    many = replace(collection, table=pl.DataFrame([cities, codes]), memo={})
    count = step("AggregateCount", 2, 1)
    wanted = plan(source(), step("GroupBy", 1, 0, field=field), count)
    assert is_heavy(wanted, many) is heavy
