"""A database of every layout there ever was opens with all that it holds."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from backend.store import migrating
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import metadata
from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, documents


def _config() -> Config:
    config = Config()
    scripts = Path(migrating.__file__).parent / "migrations"
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config


LAYOUTS = [step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()]


def _laid_out(database: Database, layout: str) -> None:
    """Brings an empty database to a layout."""
    config = _config()
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, layout)


def _filled(database: Database, layout: str) -> dict[str, int]:
    """Brings an empty database to a layout and puts a row into every table; their counts."""
    _laid_out(database, layout)
    stored = sa.MetaData()
    stored.reflect(database.engine)
    tables = [table for table in stored.sorted_tables if table.name != "alembic_version"]
    with database.writing() as connection:
        for table in tables:
            row = {column.name: _value(column) for column in table.columns}
            connection.execute(table.insert().values(row))
    return {table.name: 1 for table in tables}


def _value(column: sa.Column[Any]) -> Any:
    """The same for the same type, so that a row finds the row it points to."""
    if isinstance(column.type, sa.JSON):
        return {"kept": "é"}
    if isinstance(column.type, sa.LargeBinary | sa.BLOB):
        return b"kept"
    if isinstance(column.type, sa.Boolean):
        return True
    if isinstance(column.type, sa.String):
        return "kept"
    return 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_database_of_this_layout_keeps_its_rows(tmp_path: Path, layout: str) -> None:
    database = Database(f"sqlite:///{tmp_path / 'old.sqlite'}")
    _assert_kept(database, _filled(database, layout))
    with database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    database.close()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_postgresql_database_of_this_layout_keeps_its_rows(postgresql: str, layout: str) -> None:
    database = Database(postgresql)
    _assert_kept(database, _filled(database, layout))
    database.close()


def test_an_empty_postgresql_database_gets_the_latest_layout(postgresql: str) -> None:
    database = Database(postgresql)
    _assert_kept(database, {})
    database.close()


def _assert_kept(database: Database, before: dict[str, int]) -> None:
    """That it can be brought to the latest layout, and has its rows then."""
    migrate(database)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        for name, count in before.items():
            if name in metadata.tables:
                counted = sa.select(sa.func.count()).select_from(metadata.tables[name])
                assert connection.scalar(counted) == count, name
        kept = connection.scalars(sa.select(metadata.tables["docsets"].c.name)).all()
        assert kept == ["kept"] * len(kept)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_contents_of_a_folder_of_this_layout_are_searchable_as_before(
    tmp_path: Path, layout: str
) -> None:
    """By words and by meaning; the indexes are made anew from what the database kept."""
    backend = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    try:
        with backend.client() as http:
            docset = http.post(STORAGE, json={"name": "old"}).raise_for_status().json()["docset_id"]
            for text in ("a gust of wind", "ice on the wing", "an empty tank"):
                sent = {"file": (f"{text}.txt", f"{text}\n\n{'More of it. ' * 40}")}
                http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
            asked = {"docset_id": docset, "query": "How many documents are there?"}
            run = http.post("/v1/query", json=asked).raise_for_status().json()["query_id"]
            before = _seen(http, docset, run)
        assert backend.stop() == 0
        _put_back(backend.folder / "workbench.sqlite", layout)
        shutil.rmtree(backend.folder / "indexes")
        backend.start()
        with backend.client() as http:
            assert _seen(http, docset, run) == before
            report = http.post("/v1/workbench/storage/check", json={"read_files": True})
            assert report.raise_for_status().json()["faults"] == []
    finally:
        backend.stop()


def _seen(http: httpx.Client, docset: str, run: str) -> list[Any]:
    seen: list[Any] = [documents(http, docset)]
    for kind in ("lexical", "vector", "hybrid"):
        body = {"query": "ice on a wing", "query_type": kind, "return_type": "element"}
        result = http.post(f"/v1/query/search/{docset}", json=body).raise_for_status().json()
        assert result["results"]
        seen.append([hit["id"] for hit in result["results"]])
    rows = http.get(f"/v1/workbench/runs/{run}/nodes/0").raise_for_status().json()["total"]
    assert rows == 3
    return [*seen, rows]


def _put_back(file: Path, layout: str) -> None:
    """Makes of a database one of that layout, as its version would have written it."""
    old = file.with_name("old.sqlite")
    empty = Database(f"sqlite:///{old}")
    _laid_out(empty, layout)
    empty.close()
    with closing(sqlite3.connect(old)) as database:
        database.execute("ATTACH ? AS later", (str(file),))
        tables = "SELECT name FROM main.sqlite_master WHERE type = 'table'"
        for (name,) in database.execute(tables).fetchall():
            if name not in ("alembic_version", "sqlite_sequence"):
                stored = database.execute(f"PRAGMA main.table_info({name})").fetchall()
                columns = ", ".join(f'"{row[1]}"' for row in stored)
                copied = f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM later.{name}"
                database.execute(copied)
        database.commit()
    old.replace(file)
