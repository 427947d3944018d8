"""The SQLite file that keeps sessions: opening it, its tables, its transactions.

It is written rarely and by few processes (a terminal app, some notebooks), so a rollback journal is
enough. Write-ahead logging would gain nothing, and some system builds of SQLite have a bug in it.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.contract.location import make_private, open_private

_VERSION = 3

_TABLES = """
CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    docset_id TEXT NOT NULL,
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    digest TEXT,
    state TEXT NOT NULL,
    forced INTEGER NOT NULL DEFAULT 0,
    task_id TEXT,
    doc_id TEXT,
    reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    added REAL NOT NULL,
    changed REAL NOT NULL,
    owner TEXT,
    lease REAL NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS uploads_by_state ON uploads (server, state);
CREATE INDEX IF NOT EXISTS uploads_by_digest ON uploads (server, docset_id, digest);
CREATE TABLE IF NOT EXISTS searches (
    id INTEGER PRIMARY KEY,
    docset_id TEXT NOT NULL,
    state TEXT NOT NULL,
    made REAL NOT NULL,
    name TEXT,
    UNIQUE (docset_id, state)
);
CREATE TABLE IF NOT EXISTS plan_sessions (
    id TEXT PRIMARY KEY,
    docset_id TEXT NOT NULL,
    question TEXT NOT NULL,
    current INTEGER NOT NULL,
    created REAL NOT NULL,
    changed REAL NOT NULL,
    name TEXT
);
CREATE TABLE IF NOT EXISTS plan_versions (
    session_id TEXT NOT NULL REFERENCES plan_sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    parent INTEGER,
    origin TEXT NOT NULL,
    plan TEXT NOT NULL,
    feedback TEXT,
    base INTEGER,
    proposal INTEGER,
    decisions TEXT NOT NULL DEFAULT '{}',
    query_id TEXT,
    outcome TEXT,
    last_child INTEGER,
    created REAL NOT NULL,
    PRIMARY KEY (session_id, number)
);
CREATE TABLE IF NOT EXISTS last_docsets (
    server TEXT PRIMARY KEY,
    docset_id TEXT NOT NULL
);
"""

_STEPS: dict[int, tuple[str, ...]] = {
          1: ("ALTER TABLE searches ADD COLUMN name TEXT",
              "ALTER TABLE plan_sessions ADD COLUMN name TEXT"),
          2: ()}  # fmt: skip
"""What turns a file of an older format into one of the next, besides new tables."""


class SessionFile:
    """One connection to the file, safe to use from several threads. Parent folders are made.

    Raises RuntimeError when a newer version of the program wrote the file: nothing is touched then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        make_private(path.parent)
        open(path, "ab", opener=open_private).close()  # SQLite would make it readable for others
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(
            path, check_same_thread=False, isolation_level=None, timeout=10
        )
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("PRAGMA foreign_keys = ON")
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            self._connection.close()
            raise RuntimeError(
                f"{path} was written by a newer workbench (format {version}, this one "
                f"reads {_VERSION}). Nothing was changed; update, or move the file away."
            )
        if version < _VERSION:
            self._bring_up_to_date(version)
        self._seen = self._stamp()

    def _bring_up_to_date(self, version: int) -> None:
        with self.writing() as connection:
            for older in range(version or _VERSION, _VERSION):
                for statement in _STEPS[older]:
                    connection.execute(statement)
            for statement in _TABLES.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_VERSION}")

    def written_elsewhere(self) -> bool:
        """Whether another connection has written to the file since this was last asked.

        Reads only the head of the file.
        """
        before, self._seen = self._seen, self._stamp()
        return self._seen != before

    def _stamp(self) -> int:
        stamp: int = self.rows("PRAGMA data_version")[0][0]
        return stamp

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a reading statement."""
        with self._lock:
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that holds the write lock from the start; rolled back on any error."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def close(self) -> None:
        with self._lock:
            self._connection.close()
