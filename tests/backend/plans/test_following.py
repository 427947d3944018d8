"""A collection follows the record: whatever happens, it is as if it had just been read."""

import errno
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from backend.plans.tables.collection import Collection
from backend.plans.tables.collections import Collections
from backend.plans.tables.value_index import ValueIndex
from backend.store.operation_log import log_change
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents
from tests.backend.plans.desk import ACCOUNT, Desk, add_document
from workbench.contract.errors import Invalid
from workbench.contract.plan import Query

WORDS = ["Northwind", "Blue Heron", "Ostrava", "Quill", "None", "of Ostrava", "22 Acacia"]
SOME: dict[str, list[Any]] = {
    "orbit": [*WORDS, None],
    "mass_kg": [1, 2.5, 99, None, "heavy"],
    "failures": [0, 1, 2, 2, 3, "4", None, 2.5],
    "launched": ["2021-05-05", "2022-01-01", None, "soon"],
    "partners": [["Blue Heron", "Quill"], ["Ostrava"], None],
    "mass_kg.confidence": [0.5, "high", None],
    "mass_kg.unit": ["kg", None],
    "novel": ["2020-01-01", 3, 4.5, True, None, "Quill", "2020-13-40"],
}


def opened(collections: Collections, desk: Desk) -> tuple[Collection, ValueIndex]:
    return collections.open_with_values(desk.docset_id, ACCOUNT)


def assert_as_read_anew(collections: Collections, desk: Desk, folder: Path) -> None:
    (ours, values), (fresh, anew) = (
        opened(collections, desk),
        opened(Collections(desk.database, folder), desk),
    )
    assert ours.state == fresh.state
    assert dict(ours.fields) == dict(fresh.fields)
    assert ours.unreadable == fresh.unreadable
    assert ours.table.select(sorted(ours.table.columns)).equals(
        fresh.table.select(sorted(fresh.table.columns))
    )
    assert values.counts == anew.counts
    assert {k: set(v) for k, v in values.phrases.items()} == {
        k: set(v) for k, v in anew.phrases.items()
    }
    assert {k: set(v) for k, v in values.parts.items()} == {
        k: set(v) for k, v in anew.parts.items()
    }
    assert values.part_words == anew.part_words
    assert values.spellings.keys() == anew.spellings.keys()
    assert {k: v for k, v in values.singles.items() if v} == {
        k: v for k, v in anew.singles.items() if v
    }
    assert {k: v for k, v in values.nothings.items() if v} == anew.nothings


class Record:
    """Changes of the record as they come from users and tasks."""

    def __init__(self, desk: Desk, dice: random.Random) -> None:
        self._desk = desk
        self._dice = dice

    def add(self) -> None:
        with self._desk.database.writing() as connection:
            record = self._some()
            add_document(connection, self._desk.docset_id, "new.txt", record, ["Some text."])

    def change(self) -> None:
        with self._desk.database.writing() as connection:
            for doc_id in self._dice.sample(self.ids(connection), self._dice.choice([1, 2, 20])):
                body = {"entity": self._some(), "path": "changed.txt"}
                chosen = documents.c.doc_id == doc_id
                connection.execute(update(documents).where(chosen).values(properties=body))
                log_properties(connection, self._desk.docset_id, [doc_id])

    def change_one(self, place: int) -> None:
        """Changes the document at that place in the order of arrival."""
        with self._desk.database.writing() as connection:
            doc_id = self.ids(connection)[place]
            body = {"entity": {"orbit": f"changed {place}"}, "path": "changed.txt"}
            chosen = documents.c.doc_id == doc_id
            connection.execute(update(documents).where(chosen).values(properties=body))
            log_properties(connection, self._desk.docset_id, [doc_id])

    def remove(self) -> None:
        with self._desk.database.writing() as connection:
            for doc_id in self._dice.sample(self.ids(connection), 2):
                log_change(connection, "delete", doc_id)
                connection.execute(delete(documents).where(documents.c.doc_id == doc_id))

    def _some(self) -> dict[str, Any]:
        names = self._dice.sample(sorted(SOME), self._dice.randrange(1, len(SOME)))
        return {name: self._dice.choice(SOME[name]) for name in names}

    def ids(self, connection: Any) -> list[str]:
        ours = documents.c.docset_id == self._desk.docset_id
        listed = select(documents.c.doc_id).where(ours).order_by(documents.c.sequence)
        return list(connection.scalars(listed))


@pytest.mark.parametrize("seed", range(6))
def test_after_any_changes_a_collection_is_as_if_it_had_just_been_read(
    fresh: Desk, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    record = Record(fresh, dice)
    collections = Collections(fresh.database, tmp_path / "held")
    assert opened(collections, fresh)[1].spellings
    for _ in range(12):
        dice.choice([record.add, record.change, record.change, record.remove])()
        assert_as_read_anew(collections, fresh, tmp_path / "anew")


@pytest.mark.parametrize(
    "late", [{"novel": "no date", "failures": 2.5}, {"only_here": 3}], ids=["kind", "name"]
)
@pytest.mark.parametrize(
    "limits",
    [{"_AT_ONCE": 7}, {"_AT_ONCE_BYTES": 2_000, "_IN_MEMORY": 1_000}],
    ids=["documents", "bytes"],
)
def test_a_table_read_in_pieces_is_the_same(
    fresh: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    late: dict[str, Any],
    limits: dict[str, int],
) -> None:
    """Where only a late document decides the kind of a property, or has a value of it at all; in
    memory, or in files.
    """
    guess = {"only_here": {"alternatives": [{"value": 4, "confidence": 0.2}]}}
    with fresh.database.writing() as connection:
        chosen = documents.c.doc_id == Record(fresh, random.Random()).ids(connection)[0]
        connection.execute(update(documents).where(chosen).values(evidence=guess))
        add_document(connection, fresh.docset_id, "late.txt", late, ["Some text."])
    collections = Collections(fresh.database, tmp_path / "pieces")
    with monkeypatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(f"backend.plans.tables.following.{name}", value)
        collection = opened(collections, fresh)[0]
        assert collection.table.n_chunks("all")[0] > 3
    assert not list((tmp_path / "pieces").glob("*"))
    assert_as_read_anew(collections, fresh, tmp_path / "anew")


def test_a_changed_description_is_followed_without_reading_the_documents_again(
    fresh: Desk, tmp_path: Path
) -> None:
    collections = Collections(fresh.database, tmp_path)
    before, _ = opened(collections, fresh)
    with fresh.database.writing() as connection:
        schema = before.schema.model_dump(mode="json")
        schema["properties"][1]["description"] = "Where it flies: LEO (low) or GEO (high)"
        schema["properties"].append({"name": "cost", "field_type": "float", "description": "Cost"})
        connection.execute(update(docsets).values(schema=schema))
    after, values = opened(collections, fresh)
    assert after.fields["properties.entity.cost"] == "float"
    assert after.table.get_column("doc_id") is not None
    assert ("low",) in {phrase for phrase, _ in values.phrases["low"]}
    assert_as_read_anew(collections, fresh, tmp_path / "anew")


def test_an_answer_includes_everything_committed_before_it(fresh: Desk) -> None:
    fresh.ask("satellites per orbit")
    with pytest.raises(Invalid):
        fresh.ask("satellites in orbit Zanzibar")
    with fresh.database.writing() as connection:
        add_document(connection, fresh.docset_id, "z.txt", {"orbit": "Zanzibar"}, ["New."])
    plan = fresh.ask("how many satellites are in orbit Zanzibar?")
    assert fresh.result(plan) == 1


def saved(desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Collections:
    """A process that has saved its table into the folder, and ended."""
    monkeypatch.setattr("backend.plans.tables.collections._WORTH_SAVING", 10)
    collections = Collections(desk.database, folder, seconds=0.01)
    opened(collections, desk)
    collections.start()
    wait_for(lambda: list(folder.glob("*.json")))
    collections.close()
    return collections


@pytest.fixture(params=["with pyarrow", "without pyarrow"])
def mapping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """pyarrow maps saved tables into memory; without it they are read."""
    if request.param == "without pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow", None)


@pytest.mark.usefixtures("mapping")
def test_the_next_process_updates_the_saved_table(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(fresh, tmp_path, monkeypatch)
    Record(fresh, random.Random(3)).change()
    read: list[int] = []
    monkeypatch.setattr("backend.plans.tables.collections.read", lambda *a: read.append(1))
    second = Collections(fresh.database, tmp_path)
    loaded, _ = opened(second, fresh)
    assert read == [] and loaded.table.height == len(fresh.records)
    monkeypatch.undo()
    assert_as_read_anew(second, fresh, tmp_path / "anew")


def test_a_change_rewrites_only_the_file_of_its_documents(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.plans.tables.segments._DOCUMENTS", 10)
    monkeypatch.setattr("backend.plans.tables.collections._CHANGED_MUCH", 0)
    saved(fresh, tmp_path, monkeypatch)
    before = {file.name for file in tmp_path.glob("*.arrow")}
    assert len(before) > 3
    collections = Collections(fresh.database, tmp_path)
    for place in (0, 15, -1):
        Record(fresh, random.Random()).change_one(place)
        opened(collections, fresh)
        collections._latest(fresh.docset_id).save()
        after = {file.name for file in tmp_path.glob("*.arrow")}
        assert (len(before - after), len(after)) == (1, len(before)), f"change at {place}"
        before = after
    assert_as_read_anew(collections, fresh, tmp_path / "anew")
    assert_as_read_anew(Collections(fresh.database, tmp_path), fresh, tmp_path / "anew")


def test_after_a_full_disk_the_whole_table_is_saved(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changed before the failure must not be missing from the files."""
    monkeypatch.setattr("backend.plans.tables.segments._DOCUMENTS", 10)
    monkeypatch.setattr("backend.plans.tables.collections._CHANGED_MUCH", 0)
    saved(fresh, tmp_path, monkeypatch)
    collections = Collections(fresh.database, tmp_path)
    for place, is_full in ((0, True), (-1, False)):
        Record(fresh, random.Random()).change_one(place)
        opened(collections, fresh)
        with monkeypatch.context() as patch:
            if is_full:
                full = OSError(errno.ENOSPC, "No space left on device")
                patch.setattr("backend.plans.tables.segments.write_arrow", refusing(full))
            collections._latest(fresh.docset_id).save()
    assert list(tmp_path.glob("*.part")) == []
    assert_as_read_anew(Collections(fresh.database, tmp_path), fresh, tmp_path / "anew")


def refusing(error: Exception) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise error

    return refuse


@pytest.mark.usefixtures("mapping")
@pytest.mark.parametrize("harm", ["cut", "gone", "nonsense"])
def test_a_broken_saved_table_is_ignored(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    saved(fresh, tmp_path, monkeypatch)
    file = next(tmp_path.glob("*.json" if harm == "nonsense" else "*.arrow"))
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:100])
    assert_as_read_anew(Collections(fresh.database, tmp_path), fresh, tmp_path / "anew")


def test_the_table_of_a_deleted_docset_leaves_nothing_behind(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections = saved(fresh, tmp_path, monkeypatch)
    collections.drop(fresh.docset_id)
    assert list(tmp_path.iterdir()) == []


def test_the_database_is_followed_between_questions(fresh: Desk, tmp_path: Path) -> None:
    collections = Collections(fresh.database, tmp_path, seconds=0.01)
    before, _ = opened(collections, fresh)
    collections.start()
    Record(fresh, random.Random(1)).change()
    try:
        follower = collections._entries[fresh.docset_id]
        wait_for(lambda: follower.state != before.state)
    finally:
        collections.close()


def test_questions_are_answered_while_documents_change(fresh: Desk) -> None:
    record = Record(fresh, random.Random(9))
    for _ in range(5):
        record.change()
        query = Query(docset_id=fresh.docset_id, query="How many satellites are there?")
        result = fresh.service.run(query, ACCOUNT, lambda event: None, lambda: False)
        assert result.result == len(fresh.records)


def wait_for(happened: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def test_tables_are_evicted_when_they_use_too_much_memory(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections = Collections(fresh.database, tmp_path)
    opened(collections, fresh)
    with fresh.database.writing() as connection:
        other = connection.execute(select(docsets)).one()._asdict() | {"docset_id": "wb:ds-other"}
        del other["sequence"]
        connection.execute(docsets.insert().values(**other))
    monkeypatch.setattr("backend.plans.tables.collections._MOST_BYTES", 1000)
    collections.open("wb:ds-other", ACCOUNT)
    assert list(collections._entries) == ["wb:ds-other"]
