"""Deleted data disappears from the file, its log and copies, and its space is released."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from backend.store.database import Database

SECRET = "a text that somebody has deleted "


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with opened.writing() as connection:
        connection.execute(text("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)"))
        for number in range(3_000):
            row = {"id": number, "text": SECRET * 200 if number else "kept"}
            connection.execute(text("INSERT INTO texts VALUES (:id, :text)"), row)
    yield opened
    opened.close()


def scraps(folder: Path, secret: str = SECRET) -> int:
    return sum(path.read_bytes().count(secret.encode()) for path in folder.iterdir())


def delete_texts(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("DELETE FROM texts WHERE id > 0"))


def test_deleted_data_leaves_the_file_and_its_space_is_released(
    database: Database, tmp_path: Path
) -> None:
    large = (tmp_path / "store.sqlite").stat().st_size
    delete_texts(database)
    assert database.release_pages() > 0
    assert (tmp_path / "store.sqlite").stat().st_size < large / 4
    assert scraps(tmp_path) == 0
    assert database.release_pages() == 0
    with database.reading() as connection:
        assert connection.execute(text("SELECT text FROM texts")).scalars().all() == ["kept"]


def test_the_log_contains_no_single_deleted_text(database: Database, tmp_path: Path) -> None:
    with database.writing() as connection:
        connection.execute(text("INSERT INTO texts VALUES (9999, 'one more secret')"))
    with database.writing() as connection:
        connection.execute(text("DELETE FROM texts WHERE id = 9999"))
    assert scraps(tmp_path, "one more secret") > 0
    database.release_pages()
    assert scraps(tmp_path, "one more secret") == 0


def test_a_reader_delays_that_but_blocks_no_writer(database: Database, tmp_path: Path) -> None:
    with database.reading() as reading:
        assert reading.execute(text("SELECT count(*) FROM texts")).scalar_one() == 3_000
        delete_texts(database)
        began = time.monotonic()
        database.release_pages()
        with database.writing() as connection:
            connection.execute(text("UPDATE texts SET text = 'still kept'"))
        assert time.monotonic() - began < 10
    database.release_pages()
    assert scraps(tmp_path) == 0


def test_a_copy_contains_nothing_deleted(database: Database, tmp_path: Path) -> None:
    delete_texts(database)
    copy = tmp_path / "copy" / "store.sqlite"
    copy.parent.mkdir()
    database.copy_to(copy)
    assert scraps(copy.parent) == 0 and copy.stat().st_size < 100_000


def test_others_write_while_space_is_released(database: Database) -> None:
    delete_texts(database)
    thread = threading.Thread(target=database.release_pages)
    thread.start()
    waits = []
    while thread.is_alive():
        began = time.monotonic()
        with database.writing() as connection:
            connection.execute(text("UPDATE texts SET text = 'still kept'"))
        waits.append(time.monotonic() - began)
    assert waits and max(waits) < 1.0
