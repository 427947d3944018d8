"""Bringing a database to the layout this version needs, in one transaction."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from backend.store.database import Database

_SCRIPTS = Path(__file__).parent / "migrations"


class NewerDatabase(RuntimeError):
    """The database was written by a newer version of this program."""


def migrate(database: Database) -> None:
    """Runs the missing steps. NewerDatabase, and nothing changed, when the layout is unknown."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with database.reading() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current == scripts.get_current_head():
        return
    if current is not None and current not in {step.revision for step in scripts.walk_revisions()}:
        raise NewerDatabase(
            f"The database has layout {current}, which this version does not know:"
            " use the version that wrote it, or another data folder."
        )
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
