"""Transactions: all or nothing, never "locked", never on a SQLite that corrupts its log."""

import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select, text

from backend.store import migrating, migrations
from backend.store.database import Database, UnusableDatabase, wal_is_safe
from backend.store.migrating import layout_of, migrate
from backend.store.tables import metadata, secrets
from workbench.contract.errors import StorageFull


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'a.sqlite'}")
    migrate(opened)
    yield opened
    opened.close()


def count(database: Database) -> int:
    with database.reading() as connection:
        return connection.execute(select(func.count()).select_from(secrets)).scalar_one()


def test_the_migrated_layout_matches_the_tables(database: Database) -> None:
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_latest_layout_is_that_of_the_last_migration() -> None:
    steps = Path(migrating.__file__).parent / "migrations" / "versions"
    assert max(step.name[:4] for step in steps.glob("0*.py")) == migrating.LATEST


def test_migrating_twice_changes_nothing(database: Database) -> None:
    migrate(database)


def test_a_database_of_a_newer_version_is_not_touched(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnusableDatabase, match="9999"):
        migrate(database)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE contents DROP COLUMN opening",
        "ALTER TABLE documents ADD COLUMN mood TEXT",
        "DROP TABLE query_runs",
    ],
)
def test_a_database_of_another_build_is_refused_at_once(database: Database, change: str) -> None:
    with database.writing() as connection:
        connection.execute(text(change))
    with pytest.raises(UnusableDatabase, match=r"another build .* WORKBENCH_DATA_DIR"):
        migrate(database)


@pytest.mark.parametrize(
    "change", ["DROP TABLE vectors", "ALTER TABLE documents ADD COLUMN mood TEXT"]
)
def test_a_database_of_another_build_with_an_older_layout_is_refused_unchanged(
    tmp_path: Path, change: str
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'old.sqlite'}")
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(text("ALTER TABLE vectors DROP COLUMN matrix"))
        connection.execute(text(change))
    with pytest.raises(UnusableDatabase, match=r"another build .* WORKBENCH_DATA_DIR"):
        migrate(database)
    assert layout_of(database) == "0001"
    database.close()


def test_a_database_of_another_program_is_not_touched(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'photos.sqlite'}")
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE photos (title TEXT)"))
    with pytest.raises(UnusableDatabase, match=r"belongs to another program .*'photos'"):
        migrate(database)
    with database.reading() as connection:
        tables = connection.execute(text("SELECT name FROM sqlite_master")).scalars().all()
    database.close()
    assert tables == ["photos"]


@pytest.mark.parametrize("damage", ["not a database", "cut"])
def test_a_damaged_file_is_reported_with_advice(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "a.sqlite"
    whole = Database(f"sqlite:///{file}")
    migrate(whole)
    whole.close()
    file.write_bytes(b"words " * 999 if damage == "not a database" else file.read_bytes()[:9000])
    database = Database(f"sqlite:///{file}")
    with pytest.raises(UnusableDatabase, match=r"is damaged .*\(workbench restore\)"):
        migrate(database)
    database.close()


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        connection.execute(insert(secrets).values(name="a", value=b"1"))
        raise ZeroDivisionError
    assert count(database) == 0


def test_writers_that_read_first_never_see_a_locked_database(database: Database) -> None:
    other = Database(str(database.url))

    def write(name: str, target: Database) -> None:
        for number in range(25):
            with target.writing() as connection:
                connection.execute(select(func.count()).select_from(secrets)).scalar_one()
                connection.execute(insert(secrets).values(name=f"{name}{number}", value=b""))

    threads = [
        threading.Thread(target=write, args=(f"w{n}-", database if n % 2 else other))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(database) == 200
    other.close()


def _write(url: str, name: str, count: int) -> None:
    own = Database(url)
    for number in range(count):
        with own.writing() as connection:
            connection.execute(select(func.count()).select_from(secrets)).scalar_one()
            connection.execute(insert(secrets).values(name=f"{name}{number}", value=b""))
    own.close()


@pytest.mark.soak
def test_ten_thousand_writes_of_eight_processes_never_see_a_locked_database(
    database: Database,
) -> None:
    with ProcessPoolExecutor(8, multiprocessing.get_context("spawn")) as writers:
        waiting = [writers.submit(_write, str(database.url), f"w{n}-", 1_250) for n in range(8)]
        for one in waiting:
            one.result()
    assert count(database) == 10_000


def test_a_reader_sees_one_state_despite_later_commits(database: Database) -> None:
    with database.reading() as connection:
        counted = select(func.count()).select_from(secrets)
        assert connection.execute(counted).scalar_one() == 0
        with database.writing() as writer:
            writer.execute(insert(secrets).values(name="a", value=b""))
        assert connection.execute(counted).scalar_one() == 0
    assert count(database) == 1


def test_a_full_disk_is_reported_and_existing_data_stays(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(insert(secrets).values(name="kept", value=b"1"))
    with database.reading() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
    with pytest.raises(StorageFull, match="nothing was stored"), database.writing() as connection:
        connection.execute(text(f"PRAGMA max_page_count = {pages + 1}"))
        connection.execute(insert(secrets).values(name="big", value=b"x" * 1_000_000))
    assert count(database) == 1


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 52, 9), False),
        ((3, 53, 0), True),
        ((4, 0, 0), True),
    ],
)
def test_only_fixed_versions_of_sqlite_may_use_the_write_ahead_log(version, safe) -> None:
    assert wal_is_safe(version) is safe


def test_commits_are_synced_to_disk(database: Database) -> None:
    with database.reading() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2
        assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"
