"""Large documents are written in small steps, and appear whole or not at all."""

import json
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, func, insert, select

from backend.docsets.contents import Lost, Prepared, drop_unused, sweep_contents, written_ahead
from backend.docsets.element_batches import MOST_BYTES, MOST_ROWS, Row, packed_rows, unpacked_rows
from backend.docsets.preparing import packed_originals, row_of
from backend.inference.embeddings import Identity
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import contents, docsets, documents, elements, vectors
from workbench.contract.elements import Element, Table, TableCell
from workbench.contract.errors import StorageFull

IDENTITY = Identity("static", "model", "1", 2, "mean")
FACTS = {"page_count": 1, "notes": [], "opening": "Row 0"}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    migrate(opened)
    yield opened
    opened.close()


def prepared(count: int) -> Prepared:
    rows = (
        Row.of("Text", 1, f"Row {n}", bbox=[0, 0, 1, n], properties={"n": n}, extra={})
        for n in range(count)
    )
    return Prepared(
        FACTS, b"", [b"\0" * 4, b"\0" * 8, b"\1" * 4, b"\1" * 8], list(packed_rows(rows))
    )


def counts(database: Database) -> tuple[int, ...]:
    with database.reading() as connection:
        return tuple(
            connection.scalar(select(func.count()).select_from(table)) or 0
            for table in (contents, elements, vectors)
        )


def document(connection: Connection, content_id: str) -> None:
    connection.execute(
        insert(docsets).values(
            docset_id="d", account_id="a", name="d", created_at=0, embedding={}, schema=None
        )
    )
    connection.execute(
        insert(documents).values(
            doc_id="f", docset_id="d", account_id="a", content_id=content_id, blob="b",
            created_at=0, name="n", size=1, content_type="text/plain", properties={},
        )
    )  # fmt: skip


def store(database: Database, content: Prepared) -> str:
    with (
        written_ahead(database, "b", content, IDENTITY, 1.0) as rest,
        database.writing() as connection,
    ):
        content_id = rest(connection)
        document(connection, content_id)
        return content_id


def test_a_large_document_is_stored_completely_and_in_order(database) -> None:
    content_id = store(database, prepared(2_500))
    with database.reading() as connection:
        rows = connection.execute(select(elements).order_by(elements.c.ordinal)).all()
        parts = connection.execute(select(vectors).order_by(vectors.c.part)).all()
    assert [(row.ordinal, row.text, row.properties) for row in rows] == [
        (n, f"Row {n}", {"n": n}) for n in range(2_500)
    ]
    assert rows[7].bbox == [0, 0, 1, 7] and rows[7].extra is None
    assert [(part.part, part.ordinals) for part in parts] == [(0, b"\0" * 4), (1, b"\1" * 4)]
    assert {row.content_id for row in rows} == {content_id}


def test_no_step_of_a_large_document_blocks_other_writers_for_long(database, monkeypatch) -> None:
    written: list[int] = []
    plain = Database.writing

    @contextmanager
    def counted(self: Database) -> Iterator[Connection]:
        before = counts(self)
        with plain(self) as connection:
            yield connection
        written.append(sum(counts(self)) - sum(before))

    monkeypatch.setattr(Database, "writing", counted)
    store(database, prepared(5_000))
    assert sum(written) == 1 + 5_000 + 2
    assert max(written) <= MOST_ROWS


def test_a_small_document_is_one_transaction(database, monkeypatch) -> None:
    begun: list[None] = []
    plain = Database.writing
    monkeypatch.setattr(Database, "writing", lambda self: begun.append(None) or plain(self))
    store(database, Prepared(FACTS, b"", [b"\0" * 4, b"\0" * 8], prepared(9).batches))
    assert len(begun) == 1


def test_content_written_ahead_is_removed_when_the_document_is_refused(database) -> None:
    with (
        pytest.raises(StorageFull),
        written_ahead(database, "b", prepared(3_000), IDENTITY, 1.0),
    ):
        assert counts(database) == (1, 3_000, 1)
        raise StorageFull("full")
    assert counts(database) == (0, 0, 0)


def test_a_start_removes_only_leftovers_of_a_crash(database) -> None:
    store(database, prepared(3_000))
    with written_ahead(database, "c", prepared(4_000), IDENTITY, 10.0):
        sweep_contents(database, before=10.0)
        assert counts(database)[0] == 2
        sweep_contents(database, before=10.5)
        assert counts(database) == (1, 3_000, 2)


def test_a_document_is_not_stored_without_its_content_written_ahead(database) -> None:
    with (
        pytest.raises(Lost),
        written_ahead(database, "c", prepared(3_000), IDENTITY, 1.0) as rest,
    ):
        sweep_contents(database, before=2.0)
        with database.writing() as connection:
            rest(connection)
    assert counts(database) == (0, 0, 0)


def test_unused_contents_are_removed(database) -> None:
    content_id = store(database, prepared(5_000))
    drop_unused(database, [content_id])
    assert counts(database) == (1, 5_000, 2)
    with database.writing() as connection:
        connection.execute(documents.delete())
    drop_unused(database, [content_id, "unknown"])
    assert counts(database) == (0, 0, 0)


texts = st.text(max_size=20)
rows = st.builds(
    Row.of,
    texts,
    st.integers(0, 99),
    st.none() | texts,
    bbox=st.lists(st.floats(0, 1), min_size=4, max_size=4),
    properties=st.dictionaries(texts, texts, max_size=3),
    extra=st.dictionaries(texts, texts, max_size=3),
)


@given(st.lists(rows, max_size=9))
def test_unpacking_a_batch_gives_the_packed_rows(given_rows: list[Row]) -> None:
    batches = packed_rows(given_rows)
    assert [row for batch in batches for row in unpacked_rows(batch)] == given_rows


def test_batches_are_bounded_and_a_large_element_has_its_own() -> None:
    sizes = [10, MOST_BYTES - 500, 2 * MOST_BYTES, 10, *[1] * (2 * MOST_ROWS)]
    some = [Row("Text", 1, "[]", "x" * size, "{}", None) for size in sizes]
    batches = [list(unpacked_rows(batch)) for batch in packed_rows(some)]
    assert [row for batch in batches for row in batch] == some
    for batch in batches:
        assert len(batch) <= MOST_ROWS
        assert len(batch) == 1 or sum(len(row.text or "") for row in batch) <= MOST_BYTES


def test_a_truncated_batch_is_rejected() -> None:
    (batch,) = packed_rows([Row("Text", 1, "[]", "x", "{}", None)])
    with pytest.raises(ValueError, match="truncated"):
        list(unpacked_rows(batch[:-9]))


def _table_of(contents: Sequence[str]) -> Element:
    cells = [TableCell(content, [row], [0]) for row, content in enumerate(contents)]
    table = Table(cells=cells, num_rows=len(cells), num_cols=1)
    return Element(type="table", bbox=[0, 0, 1, 1], properties={}, table=table)


@pytest.mark.parametrize(
    "pack",
    [partial(row_of, text="x"), lambda element: packed_originals([element])],
    ids=["stored element", "original element of a chunk"],
)
def test_a_large_table_is_packed_in_little_more_memory_than_its_json(
    pack: Callable[[Element], object],
) -> None:
    element = _table_of(["x"] * 20_000)
    length = len(json.dumps(element.wire()))
    tracemalloc.start()
    try:
        pack(element)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * length


def test_originals_of_chunks_are_the_elements_that_were_packed() -> None:
    plain = Element(type="Text", bbox=[0, 0, 1, 1], properties={"a": 1}, text_representation="é")
    picture = Element(type="Image", bbox=[0, 0, 1, 1], properties={}, binary_representation="AA==")
    originals = [plain, picture, _table_of(["half of a pair \ud800"])]
    assert json.loads(zlib.decompress(packed_originals(originals))) == [
        element.wire() for element in originals
    ]
    assert zlib.decompress(packed_originals([])) == b"[]"


@pytest.mark.parametrize("content", ['é\u2028"', "half of a pair \ud800"])
def test_any_text_of_a_cell_is_stored(content: str) -> None:
    element = _table_of([content])
    assert element.table is not None
    extra = json.loads(row_of(element, "x").extra or "")
    assert extra == {"table": element.table.model_dump()}
