"""Property tables: how they follow the record, and what views guarantee."""

from collections.abc import Iterator

import pytest

from backend.search.docset import read_docset
from backend.search.engine import SearchEngine
from backend.search.properties import following
from backend.search.properties.following import Follower, PropertyTables
from backend.search.properties.table import Table, TableView
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.search import FacetRequest


@pytest.fixture
def follower(shelf: Shelf) -> Iterator[Follower]:
    yield Follower(shelf.docset_id)


def _view(follower: Follower, database: Database) -> TableView:
    with database.reading() as connection:
        docset = read_docset(connection, follower.docset_id)
        if not follower.is_up_to(docset):
            assert follower.follow(connection, docset)
        return follower.last


def _states(follower: Follower, database: Database) -> list[str]:
    return _values(_view(follower, database), ("entity", "state"))


def _values(table: TableView, parts: tuple[str, ...]) -> list[str]:
    column = table.columns.get(parts)
    if column is None:
        return []
    alive = table.alive[column.rows]
    return sorted(str(column.value(fact)) for fact in column.facts[alive].tolist())


def test_added_deleted_and_changed_documents_are_followed(
    follower: Follower, shelf: Shelf, database: Database
) -> None:
    one, two = shelf.add([], {"state": "AL"}), shelf.add([], {"state": "TX"})
    assert _states(follower, database) == ["AL", "TX"]
    shelf.describe(one, {"state": "WA"})
    shelf.add([], {"state": "OH"})
    assert _states(follower, database) == ["OH", "TX", "WA"]
    shelf.remove(two)
    shelf.describe(two, {"state": "gone"})
    assert _states(follower, database) == ["OH", "WA"]


def test_a_table_of_mostly_dead_rows_is_rebuilt(
    follower: Follower, shelf: Shelf, database: Database
) -> None:
    doc_id = shelf.add([], {"state": "v0"})
    for turn in range(1, 9):
        shelf.describe(doc_id, {"state": f"v{turn}"})
        assert _states(follower, database) == [f"v{turn}"]
    assert len(_view(follower, database).numbers) <= 2


def test_a_view_never_changes(follower: Follower, shelf: Shelf, database: Database) -> None:
    doc_id = shelf.add([], {"state": "AL"})
    before = _view(follower, database)
    shelf.describe(doc_id, {"state": "TX"})
    shelf.add([], {"state": "TX", "new": 1})
    assert _states(follower, database) == ["TX", "TX"]
    assert _values(before, ("entity", "state")) == ["AL"]
    assert ("entity", "new") not in before.columns


def test_nothing_is_read_while_nothing_changes(
    follower: Follower, shelf: Shelf, database: Database
) -> None:
    shelf.add([], {"state": "AL"})
    assert _view(follower, database) is _view(follower, database)


def test_the_least_recently_used_tables_are_dropped(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_MOST_OPEN", 2)
    tables = PropertyTables()
    shelves = [Shelf(database, provider="none") for _ in range(3)]
    for shelf in shelves:
        shelf.add([], {"state": shelf.docset_id})
        with database.reading() as connection:
            view = tables.view(connection, read_docset(connection, shelf.docset_id))
        assert view is not None
        assert _values(view, ("entity", "state")) == [shelf.docset_id]
    assert len(tables._open) == 2
    tables.drop(shelves[-1].docset_id)
    assert len(tables._open) == 1


def test_objects_deeper_than_the_deepest_path_are_uncountable_values() -> None:
    deep: dict[str, object] = {"leaf": 1}
    for _ in range(20):
        deep = {"in": deep}
    table = Table()
    table.put([1], [deep])
    assert max(map(len, table.view().columns)) == 8


def test_very_long_texts_stay_in_the_database_which_judges_filters_on_them(
    engine: SearchEngine, shelf: Shelf, database: Database
) -> None:
    long = "long " * 10_000
    one = shelf.add([], {"note": long + "end", "parts": ["short", long]})
    two = shelf.add([], {"note": "short"})
    three = shelf.add([], {})
    follower = Follower(shelf.docset_id)
    note = _view(follower, database).columns["entity", "note"]
    assert note.is_cut and note.count == 1 and follower.size < len(long)
    for text, expected in (
        ("note like '%end'", [one]),
        ("note = 'short'", [two]),
        ("note is null", [three]),
        ("not (note like '%end')", [two]),
        ("parts = 'short'", [one]),
        (f"parts like '{'long ' * 20}%'", [one]),
    ):
        assert engine.fulfilling(shelf.docset_id, text) == expected, text[:40]
    notes, parts = engine.facets(shelf.docset_id, FacetRequest(fields=["note", "parts"]))
    assert [(one.value, one.count) for one in notes.values] == [("short", 1)]
    assert (notes.missing, parts.missing, parts.distinct) == (1, 2, 1)


def test_a_table_counts_the_characters_of_its_texts() -> None:
    table = Table()
    table.put(range(100), [{"note": f"{number} " * 2_000} for number in range(100)])
    assert table.size > 3 * 100 * 4_000
