"""A database of every layout there ever was opens with all that it holds."""

from pathlib import Path
from typing import Any

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


def _config() -> Config:
    config = Config()
    scripts = Path(migrating.__file__).parent / "migrations"
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config


LAYOUTS = [step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()]


def _filled(database: Database, layout: str) -> dict[str, int]:
    """Brings an empty database to a layout and puts a row into every table; their counts."""
    config = _config()
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, layout)
    held = sa.MetaData()
    held.reflect(database.engine)
    tables = [table for table in held.sorted_tables if table.name != "alembic_version"]
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
    before = _filled(database, layout)
    migrate(database)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        for name, count in before.items():
            if name in metadata.tables:
                counted = sa.select(sa.func.count()).select_from(metadata.tables[name])
                assert connection.scalar(counted) == count, name
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
        kept = connection.execute(sa.select(metadata.tables["docsets"].c.name)).scalar_one()
    database.close()
    assert kept == "kept"
