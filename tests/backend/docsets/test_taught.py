"""Corrections by people are examples for the other documents of the DocSet."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from backend.docsets.taught import MOST, MOST_TEXT, corrected_fields, lessons_of, taught
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import contents, docsets, documents, elements
from workbench.contract.ids import new_id
from workbench.contract.schema import Schema

DOCSET = "wb:ds-1"
_NUMBERS = itertools.count(1)
SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "law", "property_type": "string", "examples": ["Nevada"]},
            {"name": "rent", "property_type": "float"},
        ]
    }
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'taught.sqlite'}")
    migrate(opened)
    with opened.writing() as connection:
        connection.execute(
            insert(docsets).values(
                docset_id=DOCSET, account_id="wb:a-1", name="one", created_at=1.0, embedding={}
            )
        )
    yield opened
    opened.close()


def add(database: Database, entity: dict[str, Any], *corrected: str, text: str = "") -> None:
    content_id = new_id("c")
    evidence = {
        name: {"corrected": True, "confidence": 1.0} if name in corrected else {"confidence": 0.9}
        for name in entity
    }
    with database.writing() as connection:
        connection.execute(
            insert(contents).values(content_id=content_id, blob="b", created_at=1.0, page_count=1)
        )
        if text:
            connection.execute(
                insert(elements).values(
                    content_id=content_id, ordinal=0, kind="Text", page_number=1, bbox=[],
                    text=text, properties={},
                )
            )  # fmt: skip
        connection.execute(
            insert(documents).values(
                doc_id=new_id("f"), docset_id=DOCSET, account_id="wb:a-1", content_id=content_id,
                number=next(_NUMBERS), blob="b", created_at=1.0, name="a.txt", size=1,
                content_type="text/plain", properties={"entity": entity}, evidence=evidence,
            )
        )  # fmt: skip


def examples(database: Database, name: str) -> list[Any]:
    with database.reading() as connection:
        prop = taught(connection, DOCSET, SCHEMA).get(name)
    assert prop is not None
    return prop.examples or []


def test_a_corrected_value_is_an_example_after_those_of_the_schema(database: Database) -> None:
    add(database, {"law": "Oregon"}, "law")
    add(database, {"law": "Ohio"})
    assert examples(database, "law") == ["Nevada", "Oregon"]


def test_an_emptied_value_and_a_number_are_not_examples(database: Database) -> None:
    add(database, {"law": None, "rent": 12.5}, "law", "rent")
    assert examples(database, "law") == ["Nevada"]
    assert examples(database, "rent") == []


def test_equal_corrections_count_once_and_their_number_is_limited(database: Database) -> None:
    for number in range(2 * MOST):
        add(database, {"law": f"State {number // 2}"}, "law")
    corrected = examples(database, "law")
    assert len(corrected) == len(set(corrected)) == 1 + MOST


def test_a_document_with_very_long_values_is_checked_but_teaches_nothing(
    database: Database,
) -> None:
    add(database, {"law": "Ohio " * 50_000, "rent": 5.0}, "law", "rent")
    with database.reading() as connection:
        assert taught(connection, DOCSET, SCHEMA) == SCHEMA
        assert lessons_of(connection, DOCSET, SCHEMA) == []
        assert corrected_fields(connection, DOCSET) == {"law", "rent"}


def test_without_corrections_the_schema_is_unchanged(database: Database) -> None:
    add(database, {"law": "Ohio"})
    with database.reading() as connection:
        assert taught(connection, DOCSET, SCHEMA) == SCHEMA


@pytest.mark.parametrize(("properties", "room"), [(1, MOST_TEXT), (500, 20_000)])
def test_lessons_have_room_for_short_documents_whatever_was_checked(
    database: Database, properties: int, room: int
) -> None:
    """A tiny document waited while its worker learned from twenty of megabytes."""
    schema = Schema.model_validate(
        {"properties": [{"name": f"p{n}", "property_type": "string"} for n in range(properties)]}
    )
    for length in (room + 1, room // 2, room // 2 + 1, room // 4):
        add(database, {"p0": str(length)}, "p0", text="x" * length)
    with database.reading() as connection:
        lessons = lessons_of(connection, DOCSET, schema)
    assert [lesson.values["p0"] for lesson in lessons] == [str(room // 2), str(room // 4)]
