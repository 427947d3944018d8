"""Elements on their way to a worker: as stored, without pictures, and no more than can be read."""

import io
import json
import time
import tracemalloc
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import insert, select, update

from backend.docsets import extracting, stored_elements
from backend.docsets.documents import Documents
from backend.docsets.packed_elements import MOST_PIECES, unpacked_elements
from backend.docsets.stored_elements import packed_elements
from backend.extraction.engine import extract
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import contents, docsets, documents, elements
from backend.tasks.worker import Report
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

SCHEMA = Schema.model_validate({"properties": [{"name": "founder", "property_type": "string"}]})


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'elements.sqlite'}")
    migrate(opened)
    yield opened
    opened.close()


def text(words: str) -> dict[str, Any]:
    return {
        "type": "Text", "bbox": [0.0, 0.0, 1.0, 1.0], "properties": {"page_number": 1},
        "text_representation": words,
    }  # fmt: skip


def table(rows: int) -> dict[str, Any]:
    """A table with two columns."""
    cells = [
        {
            "content": "x" if col == 0 else "", "rows": [row], "cols": [col], "is_header": row == 0,
            "bbox": None, "properties": {},
        }
        for row in range(rows)
        for col in range(2)
    ]  # fmt: skip
    whole = {"cells": cells, "caption": None, "num_rows": rows, "num_cols": 2}
    return text("x") | {"type": "table", "table": whole | {"column_headers": None}}


def stored(database: Database, wire: list[dict[str, Any]]) -> None:
    rows = [
        {
            "content_id": "c-1", "ordinal": at, "kind": one["type"], "page_number": 1,
            "bbox": one["bbox"], "text": one["text_representation"],
            "properties": one["properties"],
            "extra": {n: one[n] for n in ("table", "binary_representation") if n in one} or None,
        }
        for at, one in enumerate(wire)
    ]  # fmt: skip
    content = {"content_id": "c-1", "blob": "b", "created_at": 1.0, "page_count": 1}
    with database.writing() as connection:
        connection.execute(insert(contents), [content])
        if rows:
            connection.execute(insert(elements), rows)


def test_a_worker_gets_every_element_as_stored_except_pictures(database: Database) -> None:
    wire = [text('Signed "Żaneta" \\ Oy'), table(3), text("a picture"), text("")]
    stored(database, [*wire[:2], wire[2] | {"binary_representation": "aGVsbG8="}, wire[3]])
    with database.reading() as connection:
        read, unknown = packed_elements(connection, ["c-1", "c-2"])
    assert unpacked_elements(read) == [Element.model_validate(one) for one in wire]
    assert b"aGVsbG8=" not in zlib.decompress(read)
    assert unpacked_elements(unknown) == []


def test_the_server_does_not_parse_the_tables_that_it_passes_on(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(database, [text("binary_representation"), table(3)])
    monkeypatch.setattr(stored_elements, "json", NoParser)
    with database.reading() as connection:
        (read,) = packed_elements(connection, ["c-1"])
    assert len(unpacked_elements(read)) == 2


@pytest.mark.parametrize("form", ["as stored", "packed", "empty"])
def test_a_client_gets_the_original_elements_with_tables_and_pictures(
    database: Database, form: str
) -> None:
    wire = [text('Signed "Żaneta" \\ Oy'), table(3), text("x") | {"binary_representation": "aGk="}]
    wire = [] if form == "empty" else wire
    stored(database, wire)
    packed = zlib.compress(json.dumps(wire).encode()) if form == "packed" else None
    with database.writing() as connection:
        connection.execute(update(contents).values(original_elements=packed))
    answer = json.loads(got(database))
    assert answer["properties"].pop("_original_elements") == wire
    assert answer["properties"] == {"entity": {"_original_elements": []}, "path": "a.csv"}
    assert [one["type"] for one in answer["elements"]] == [one["type"] for one in wire]
    assert answer["binary_data"] is None


@pytest.mark.parametrize("form", ["as stored", "packed"])
def test_a_large_table_is_sent_without_being_parsed(database: Database, form: str) -> None:
    """One of 100,000 rows used 900 MB and kept the server from everybody for seconds."""
    wire = [table(20_000)]
    stored(database, [text("x")] if form == "packed" else wire)
    packed = zlib.compress(json.dumps(wire).encode()) if form == "packed" else None
    with database.writing() as connection:
        connection.execute(update(contents).values(original_elements=packed))
    got(database)  # what is loaded for the first document
    tracemalloc.start()
    try:
        size = len(got(database))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * size


def got(database: Database) -> bytes:
    """The answer about a document of the stored content."""
    docset = {"docset_id": "ds", "account_id": "a", "name": "n", "created_at": 1.0, "embedding": {}}
    document = {
        "doc_id": "d", "docset_id": "ds", "account_id": "a", "content_id": "c-1", "blob": "b",
        "created_at": 1.0, "name": "a.csv", "size": 1, "content_type": "text/csv",
        "properties": {"entity": {"_original_elements": []}, "path": "a.csv"},
    }  # fmt: skip
    with database.writing() as connection:
        if connection.execute(select(documents)).first() is None:
            connection.execute(insert(docsets), [docset])
            connection.execute(insert(documents), [document])
    answer = io.BytesIO()
    unused: Any = None
    kept = Documents(database, unused, unused, unused)
    kept.write("a", "ds", "d", answer, include_original_elements=True)
    return answer.getvalue()


class NoParser:
    """The module json without its parser."""

    dumps = staticmethod(json.dumps)


def test_the_first_cells_and_elements_of_a_document_are_read() -> None:
    wire = [text("Founder: Ida Fell"), table(4), table(4), *[text("more")] * 20]
    made = unpacked_elements(json.dumps(wire).encode(), most=10)
    tables = [one.table for one in made if one.table is not None]
    assert [[cell.rows[0] for cell in one.cells] for one in tables] == [
        [0, 0, 1, 1, 2, 2, 3, 3], [0, 0],
    ]  # fmt: skip
    assert len(made) == 10
    assert extract(made, SCHEMA)["founder"].value == "Ida Fell"


def test_a_table_of_any_length_takes_little_memory_and_time_in_proportion() -> None:
    def seconds(rows: int) -> float:
        packed = zlib.compress(json.dumps([text("Founder: Ida Fell"), table(rows)]).encode(), 1)
        began = time.process_time()
        made = unpacked_elements(packed)
        assert extract(made, SCHEMA)["founder"].value == "Ida Fell"
        assert sum(len(one.table.cells) for one in made if one.table) == min(2 * rows, MOST_PIECES)
        return time.process_time() - began

    seconds(2)  # what is loaded for the first document
    few, many = seconds(25_000), seconds(100_000)
    assert many <= 8 * few + 0.1, f"{few * 1000:.0f} ms, then {many * 1000:.0f} ms"


def test_a_suggestion_reads_no_more_of_many_large_documents_than_of_a_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extracting, "MOST_PIECES", 100)
    read: list[int] = []

    def suggest_by_kind(
        documents: Sequence[Sequence[Element]], **_: object
    ) -> tuple[Schema, list[object]]:
        read.append(sum(len(one.table.cells) for made in documents for one in made if one.table))
        return Schema(properties=[]), []

    monkeypatch.setattr(extracting, "suggest_by_kind", suggest_by_kind)
    blob = json.dumps([table(50)]).encode()
    for count in (2, 4, 50):
        request = {"existing": None, "instructions": None}
        extracting.suggest_schema(request, [blob] * count, cast(Report, None))
    assert read == [200, 400, 400]
