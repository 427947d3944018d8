"""A plan may begin with a filter in the language of search."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.plans.service import PlanService
from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.tables import metadata
from tests.backend.plans.desk import ACCOUNT, Desk
from tests.backend.search.shelf import Shelf
from tests.contract.plans import plan, source, step
from workbench.contract.errors import Invalid


@pytest.fixture
def shelf_desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk whose service asks the real search engine."""
    database = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    metadata.create_all(database.engine)
    shelf = Shelf(database, provider="none")
    records = [{"name": f"r{year}", "year": year, "tags": ["x"][: year % 2]} for year in range(6)]
    for record in records:
        shelf.add([], record)
    engine = SearchEngine(database, tmp_path / "indexes")
    service = PlanService(database, engine, tmp_path / "runs", tmp_path / "tables")
    yield Desk(service, database, shelf.docset_id, records, "name")
    engine.close()
    database.close()


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("year >= 4", ["r4", "r5"]),
        ("tags = 'x' and not year = 1", ["r3", "r5"]),
        ("properties.entity.name like 'R0' or year in (2, 9)", ["r0", "r2"]),
        ("year > 99", []),
    ],
)
def test_only_documents_that_pass_the_filter_remain(
    shelf_desk: Desk, text: str, keys: list[str]
) -> None:
    assert shelf_desk.keys(plan(source() | {"properties_filter": text})) == keys
    counted = plan(source() | {"properties_filter": text}, step("Count", 1, 0))
    assert shelf_desk.result(counted) == len(keys)


@pytest.mark.parametrize(
    ("text", "most"),
    [("tags = 'x'", 6), ("not tags = 'x'", 3), ("tags = 'x' and year < 2", 2), ("tags is null", 3)],
)
def test_documents_that_lack_a_value_of_the_filter_could_belong_to_the_answer(
    shelf_desk: Desk, text: str, most: int
) -> None:
    counted = plan(source() | {"properties_filter": text}, step("Count", 1, 0))
    answer = shelf_desk.run(counted)
    assert (answer.bounds.high if answer.bounds else answer.result) == most


def test_a_wrong_filter_stops_the_run_with_its_column_and_the_nearest_name(
    shelf_desk: Desk,
) -> None:
    with pytest.raises(Invalid, match=r"column 1: .*yaer.* did you mean properties\.entity\.year"):
        shelf_desk.run(plan(source() | {"properties_filter": "yaer = 1"}))


def test_steps_behind_the_filter_and_the_trace_use_its_result(
    desks: Callable[[str], Desk],
) -> None:
    desk = desks("satellites")
    leo = source() | {"properties_filter": "entity.orbit = 'LEO'"}
    result = desk.run(plan(leo))
    kept = desk.expected(lambda r: r["orbit"] == "LEO")
    assert {item["properties"]["entity"][desk.key] for item in result.result} == kept
    (trace,) = desk.service.trace(result.query_id, ACCOUNT).nodes
    assert trace.dropped == {"does not pass the filter": len(desk.records) - len(kept)}
