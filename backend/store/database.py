"""One database behind one URL: connections, transactions, and the safety settings of SQLite.

SQLite runs in WAL with synchronous=FULL, so a commit that returned survives a power cut on an
honest disk. Every write begins with BEGIN IMMEDIATE: otherwise a transaction that reads before it
writes would fail with "database is locked" whatever the timeout. SQLite's own waiting is unfair,
so writers of this process queue on a lock first.

On PostgreSQL several servers write at the same time. `writing` excludes every other writer;
`writing_on` excludes only writers of the same objects, which is enough for frequent transactions.
PostgreSQL aborts a transaction whose server freezes for `_FROZEN_SECONDS`.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pysqlite3
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    create_engine,
    event,
    func,
    select,
)
from sqlalchemy.engine import make_url

from backend.store.disk_faults import damaged, translate_damage, translate_disk_faults
from backend.store.failpoints import reach
from backend.store.reserve import Reserve
from workbench.contract.plan_values import moment_in

# SQLite's release history: the WAL-reset corruption bug is fixed from 3.51.3 and 3.53.0 on.
_SAFE_WAL = ((3, 51, 3), (3, 53, 0))
_BUSY_SECONDS = 30
_IN_STEPS = 2  # of auto_vacuum: incremental
_STEP_PAGES = 500
_FEW_PAGES = 500
_LOG_MILLISECONDS = 100
_PAUSE = 0.02
_EVERYTHING = 0x57_6F_72_6B  # advisory lock of all writers: arbitrary, but the same everywhere
_FROZEN_SECONDS = 5
_LOST_SECONDS = 10  # without a sign of the other machine on an open connection


class UnusableDatabase(RuntimeError):
    """This database must not be used. The message has reason and remedy; nothing was changed."""


def wal_is_safe(version: tuple[int, ...]) -> bool:
    """Whether this SQLite version has the fixed write-ahead log."""
    line, mainline = _SAFE_WAL
    return version >= mainline or (version[:2] == line[:2] and version >= line)


class Database:
    """Transactions on the store's database.

    `url` is any SQLAlchemy URL; `sqlite:///path` and `postgresql+psycopg://…` are supported. Raises
    UnusableDatabase when the SQLite library would corrupt its log.

    `reserve` is disk space for deletions, once it is prepared; of use for SQLite only.
    """

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite_engine(url) if self.is_sqlite else _postgresql_engine(url)
        self._writer = threading.Lock()
        file = self.url.database if self.is_sqlite else None
        self.reserve = Reserve(Path(file).with_name("reserve") if file else None)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection with one consistent state. Unavailable when the file is damaged."""
        with translate_damage(), self.engine.connect() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN")
            else:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            try:
                yield connection
            finally:
                if self.is_sqlite:
                    _roll_back(connection)
                else:
                    connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: committed when the block ends, rolled back when it raises.

        StorageFull when the disk is full, Unavailable when it fails; then nothing was stored.
        """
        if not self.is_sqlite:
            with self._postgresql_writing(func.pg_advisory_xact_lock(_EVERYTHING)) as connection:
                yield connection
            return
        with translate_disk_faults(), self._writer, self.engine.connect() as connection:
            # The driver's own transaction handling is off, so BEGIN, COMMIT and ROLLBACK are sent
            # here.
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
                reach("transaction.written")
                connection.exec_driver_sql("COMMIT")
                reach("transaction.committed")
            except BaseException:
                _roll_back(connection)
                raise

    @contextmanager
    def writing_on(self, *things: str) -> Iterator[Connection]:
        """A write transaction that on PostgreSQL runs in parallel with those on other objects.

        `things` are keys such as `docset_key(…)`, in the order DocSet, account; `lock` acquires one
        later. On SQLite, which has one writer, this is `writing`.
        """
        if self.is_sqlite:
            with self.writing() as connection:
                yield connection
            return
        shared = func.pg_advisory_xact_lock_shared(_EVERYTHING)
        with self._postgresql_writing(shared, *map(_own_lock, things)) as connection:
            yield connection

    @contextmanager
    def _postgresql_writing(self, *locks: ColumnElement[Any]) -> Iterator[Connection]:
        with self.engine.begin() as connection:
            connection.execute(select(_FROZEN, *locks))
            yield connection
            reach("transaction.written")
        reach("transaction.committed")

    def copy_to(self, path: Path) -> None:
        """Copies a SQLite database to a new file while others write. Unavailable if damaged."""
        with translate_damage(), self.engine.connect() as connection:
            # Not page by page: that would copy free pages with the data deleted from them.
            connection.exec_driver_sql("VACUUM INTO ?", (str(path),))
        with closing(pysqlite3.connect(str(path))) as target:
            (result,) = target.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                raise damaged(result)

    def release_pages(self, stopped: Callable[[], bool] = lambda: False) -> int:
        """Returns pages freed by large deletions to the file system, and their number. Also empties
        the write-ahead log of what was deleted.

        It works in steps that hold the write lock for some milliseconds, and only when it is worth
        it. Files of an older layout keep free pages for reuse.
        """
        if not self.is_sqlite:
            return 0
        released = 0
        while not stopped():
            with self.reading() as connection:
                free, total, steps = (
                    connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                    for name in ("freelist_count", "page_count", "auto_vacuum")
                )
            if steps != _IN_STEPS or free < max(_FEW_PAGES, total // 10):
                break
            with self.writing() as connection:
                raw: Any = connection.connection.dbapi_connection
                # One row per page, without columns: the pragma runs as long as rows are read.
                raw.execute(f"PRAGMA incremental_vacuum({_STEP_PAGES})").fetchall()
            released += min(free, _STEP_PAGES)
            time.sleep(_PAUSE)
        self._empty_log()
        return released

    def _empty_log(self) -> None:
        """Copies the write-ahead log into the file and truncates it, unless a reader is active:
        until then both still contain deleted rows.
        """
        file = Path(self.engine.url.database or "")
        log = file.with_name(f"{file.name}-wal")
        if not log.exists() or not log.stat().st_size:
            return
        with self.engine.connect() as connection:
            # It blocks writers, so it must not wait for readers as long as others do.
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_LOG_MILLISECONDS}")
            try:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()
            finally:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}")

    def close(self) -> None:
        self.engine.dispose()


def docset_key(docset_id: str) -> str:
    """The `writing_on` and `lock` key for a DocSet's documents and the log that indexes follow.

    Log entries must become visible in the order of their numbers, or followers would miss late
    ones.
    """
    return f"docset:{docset_id}"


def account_key(account_id: str) -> str:
    """The `writing_on` and `lock` key for changes of an account's tasks, which are numbered."""
    return f"account:{account_id}"


def lock(connection: Connection, thing: str) -> None:
    """Locks an object against other transactions until this one ends.

    Locking late keeps the wait of others short. To avoid deadlocks, a DocSet is locked before an
    account, and nobody locks two of a kind.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(_own_lock(thing)))


def _own_lock(thing: str) -> ColumnElement[Any]:
    return func.pg_advisory_xact_lock(func.hashtextextended(thing, 0))


def _roll_back(connection: Connection) -> None:
    if connection.invalidated:  # its statement was cut short, and the pool closes it
        return
    raw: Any = connection.connection.dbapi_connection
    if raw is not None and raw.in_transaction:
        connection.exec_driver_sql("ROLLBACK")


_FROZEN = func.set_config("idle_in_transaction_session_timeout", f"{_FROZEN_SECONDS}s", True)
"""For this transaction: PostgreSQL aborts it after that long without a statement."""


def _postgresql_engine(url: str) -> Engine:
    """Connections that detect within seconds that the other machine has failed."""
    silence = {
        "keepalives_idle": 3,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": _LOST_SECONDS * 1000,
    }
    server: dict[str, int | str] = {
        "timezone": "UTC",  # of moments that are stored without one
        "tcp_keepalives_idle": 3,
        "tcp_keepalives_interval": 2,
        "tcp_keepalives_count": 3,
        "tcp_user_timeout": _LOST_SECONDS * 1000,
    }
    options = " ".join(f"-c {name}={value}" for name, value in server.items())
    return create_engine(
        url,
        pool_size=10,
        max_overflow=20,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"options": options, "connect_timeout": _LOST_SECONDS, **silence},
    )


def _sqlite_engine(url: str) -> Engine:
    if not wal_is_safe(pysqlite3.sqlite_version_info):
        raise UnusableDatabase(
            f"SQLite {pysqlite3.sqlite_version} can corrupt its write-ahead log;"
            " install a newer pysqlite3."
        )
    file = make_url(url).database
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        module=pysqlite3.dbapi2,
        connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
        hide_parameters=True,  # errors must not carry stored data into the log
        pool_size=16,
        max_overflow=32,
    )

    @event.listens_for(engine, "connect")
    def _prepare(raw: sqlite3.Connection, _record: object) -> None:
        raw.isolation_level = None
        cursor = raw.cursor()
        for pragma in (
            f"auto_vacuum={_IN_STEPS}",  # only has an effect before the first table
            "journal_mode=WAL",
            "secure_delete=ON",  # deleted data must not stay readable in the file
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={_BUSY_SECONDS * 1000}",
            "cache_size=-32000",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
        raw.create_function("moment_in", 1, _moment, deterministic=True)

    return engine


def _moment(value: object) -> str | None:
    """The moment of a stored text in a form that sorts; None for anything else."""
    moment = moment_in(value)
    return None if moment is None else moment.isoformat(timespec="microseconds")
