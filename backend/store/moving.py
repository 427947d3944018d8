"""Copies all rows of one database into another: between a machine's SQLite and PostgreSQL.

Both have the layout of this version. JSON travels as text, so that `null` and no value stay
distinct.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Table,
    Text,
    bindparam,
    cast,
    delete,
    func,
    insert,
    select,
)

from backend.store.blobs import BlobStore
from backend.store.database import Database, UnusableDatabase
from backend.store.migrating import migrate
from backend.store.tables import docsets, metadata
from workbench.contract.backup import DATABASE

_AT_ONCE = 200
"""Rows on their way at a time; one may have a megabyte of vectors."""
_PIECE = 2**20


def copy_rows(source: Connection, target: Connection) -> None:
    """Replaces the rows of `target`, in its transaction, by those of `source`."""
    for table in reversed(metadata.sorted_tables):
        target.execute(delete(table))
    for table in metadata.sorted_tables:
        read = select(*(_as_text(column).label(column.name) for column in table.columns))
        rows = source.execution_options(yield_per=_AT_ONCE).execute(read)
        write = insert(table).values(
            {column.name: _bound(column, target) for column in table.columns}
        )
        for part in rows.mappings().partitions():
            target.execute(write, [dict(row) for row in part])
        if target.dialect.name == "postgresql":
            _continue_numbers(table, target)


@contextmanager
def as_sqlite(database: Database, scratch: Path) -> Iterator[Database]:
    """A SQLite copy of a PostgreSQL database as it is now; removed after the block."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        copy = Database(f"sqlite:///{Path(folder) / DATABASE}")
        try:
            migrate(copy)
            with database.reading() as rows, copy.writing() as connection:
                copy_rows(rows, connection)
            yield copy
        finally:
            copy.close()


def load(folder: Path, database: Database, blobs: BlobStore) -> int:
    """Fills an empty database and store from a backup; returns the number of files."""
    migrate(database)
    with database.reading() as connection:
        if connection.execute(select(docsets.c.docset_id).limit(1)).first() is not None:
            raise UnusableDatabase("The database already has DocSets. Nothing was changed.")
    files = [file for file in (folder / "blobs").rglob("*") if file.is_file()]
    for file in files:
        with file.open("rb") as stream, blobs.keeping(iter(lambda: stream.read(_PIECE), b"")):
            pass
    source = Database(f"sqlite:///{folder / DATABASE}")
    try:
        migrate(source)  # the backup may be of an older version
        with source.reading() as rows, database.writing() as connection:
            copy_rows(rows, connection)
    finally:
        source.close()
    return len(files)


def _as_text(column: Column[Any]) -> ColumnElement[Any]:
    return cast(column, Text) if isinstance(column.type, JSON) else column


def _bound(column: Column[Any], target: Connection) -> ColumnElement[Any]:
    if not isinstance(column.type, JSON):
        return bindparam(column.name, type_=column.type)
    value = bindparam(column.name, type_=Text)
    return cast(value, column.type) if target.dialect.name == "postgresql" else value


def _continue_numbers(table: Table, target: Connection) -> None:
    """Makes PostgreSQL number the next row after the copied ones."""
    column = table.autoincrement_column
    if column is None or not isinstance(column.type, Integer):
        return
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    last = select(func.max(column)).scalar_subquery()
    if target.scalar(select(sequence)) is not None and target.scalar(select(last)) is not None:
        target.execute(select(func.setval(sequence, last)))
