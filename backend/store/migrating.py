"""Bringing a database to the layout this version needs, in one transaction."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from backend.store.database import Database

LATEST = "0001"
"""The layout of this version: the name of the last step."""

_SCRIPTS = Path(__file__).parent / "migrations"


class NewerDatabase(RuntimeError):
    """The database was written by a newer version of this program."""


def migrate(database: Database) -> None:
    """Runs the missing steps. NewerDatabase, and nothing changed, when the layout is unknown."""
    with database.reading() as connection:
        current = _layout(connection)
    if current == LATEST:
        return
    # Takes longer to load than the rest of the store, and nearly every start needs none of it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise NewerDatabase(
            f"The database has layout {current}, which this version does not know:"
            " use the version that wrote it, or another data folder."
        )
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, LATEST)


def _layout(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    layout: str | None = connection.execute(
        text("SELECT version_num FROM alembic_version")
    ).scalar_one_or_none()
    return layout
