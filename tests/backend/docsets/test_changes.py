"""Changes of many values: in pieces between which others write, and within a bounded memory."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select

from backend.docsets import changes, decisions
from backend.docsets.changes import Changes
from backend.docsets.decisions import DecisionMaker
from backend.docsets.paging import Pager
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import contents, docsets, documents, proposed_changes, rereadings
from workbench.contract.errors import Invalid
from workbench.contract.rereading import ChangeChoice
from workbench.contract.review import Decision, Decisions
from workbench.contract.schema import Schema

COUNT = 25
SCHEMA = Schema.model_validate({"properties": [{"name": "town", "type": "string"}]})


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Documents of one DocSet, a finished reading and one that was cut off."""
    opened = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    migrate(opened)
    schema = SCHEMA.model_dump()
    docset = {"docset_id": "d", "account_id": "a", "name": "d", "created_at": 0}
    usual = {"account_id": "a", "created_at": 0, "size": 1, "content_type": "text/plain"}
    with opened.writing() as connection:
        connection.execute(insert(docsets).values(**docset, embedding={}, schema=schema))
        notes = {"page_count": 1, "notes": [], "opening": "", "created_at": 0, "blob": "b"}
        connection.execute(insert(contents).values(content_id="c", **notes))
        for number in range(COUNT):
            values = {"properties": {"entity": {"town": "Ulm"}}, "evidence": {}}
            place = {"doc_id": f"f{number}", "docset_id": "d", "content_id": "c", "blob": "b"}
            connection.execute(
                insert(documents).values(
                    name=f"{number}", number=number, **usual, **values, **place
                )
            )
        for name in ("r", "cut off"):
            made = {"rereading_id": name, "docset_id": "d", "created_at": 0, "documents": 0}
            connection.execute(insert(rereadings).values(**made, fields=["town"]))
        sides = {side: {"value": town, "evidence": {}}
                 for side, town in (("before", "Ulm"), ("after", "Bern"))}  # fmt: skip
        for number in range(COUNT):
            change = {"rereading_id": "r", "doc_id": f"f{number}", "field": "town", "state": "open"}
            connection.execute(insert(proposed_changes).values(**change, **sides))
    yield opened
    opened.close()


def towns(database: Database) -> list[str]:
    with database.reading() as connection:
        read = select(documents.c.properties).order_by(documents.c.sequence)
        return [properties["entity"]["town"] for properties in connection.scalars(read)]


def test_all_changes_are_accepted_and_undone_in_pieces(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "_AT_ONCE", 10)
    proposals = Changes(database, Pager(b"key"))
    begun: list[None] = []
    write = database.writing

    def counted() -> AbstractContextManager[Connection]:
        begun.append(None)
        return write()

    monkeypatch.setattr(database, "writing", counted)
    outcome = proposals.accept("a", "d", "r", ChangeChoice())
    assert (outcome.done, outcome.passed_over) == (COUNT, 0)
    assert towns(database) == ["Bern"] * COUNT
    assert len(begun) == 4, "three pieces, and the look for a fourth"
    outcome = proposals.undo("a", "d", "r")
    assert (outcome.done, outcome.passed_over) == (COUNT, 0)
    assert towns(database) == ["Ulm"] * COUNT
    [_, reading] = proposals.readings("a", "d")
    assert (reading.open, reading.accepted) == (COUNT, 0)


def test_a_rereading_whose_task_has_ended_has_finished(database: Database) -> None:
    readings = Changes(database, Pager(b"key")).readings("a", "d")
    assert [(one.rereading_id, one.finished) for one in readings] == [
        ("cut off", True),
        ("r", True),
    ]


def test_decisions_about_too_much_at_once_are_refused_whole(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = DecisionMaker(database)
    some = [Decision(doc_id=f"f{number}", field="town", value="Graz") for number in range(COUNT)]
    monkeypatch.setattr(decisions, "MOST_CHARACTERS", 200)
    with pytest.raises(Invalid, match="at most 200 are changed at once: send fewer"):
        maker.decide("a", "d", Decisions(decisions=some))
    assert towns(database) == ["Ulm"] * COUNT
    assert maker.decide("a", "d", Decisions(decisions=some[:3])).changed == 3
