"""Bringing a database to the layout this version needs, in one transaction.

What cannot be brought there is refused at the start, in a sentence: served all the same, it would
fail at the first request that needs what it lacks.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, NoSuchTableError

from backend.store.database import Database, UnusableDatabase
from backend.store.tables import metadata
from workbench.contract.errors import Unavailable

LATEST = "0004"
"""The layout of this version: the name of the last step."""

_SCRIPTS = Path(__file__).parent / "migrations"
_MARK = "alembic_version"
_OTHER_FOLDER = "or name another data folder in WORKBENCH_DATA_DIR"


def layout_of(database: Database) -> str | None:
    """The mark of the layout; None for a database that is still empty.

    UnusableDatabase when it is damaged, belongs to others, or was written by another build.
    """
    try:
        with database.reading() as connection:
            layout = _mark(connection)
            if layout == LATEST:
                _check_columns(connection)
            return layout
    except Unavailable as error:
        raise UnusableDatabase(f"{database.url.database}: {error.detail}") from error
    except DBAPIError as error:
        raise UnusableDatabase(_not_answered(database, error)) from error


def migrate(database: Database) -> None:
    """Runs the missing steps. UnusableDatabase as above, and when the layout is not known."""
    current = layout_of(database)
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
        raise UnusableDatabase(
            f"The database has layout {current}, which this version does not know: use the version"
            f" that wrote it, {_OTHER_FOLDER}."
        )
    with database.writing() as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, LATEST)
        except NoSuchTableError as error:
            raise UnusableDatabase(_other_build(f"there is no table {str(error)!r}")) from error
        _check_columns(connection)  # in the transaction: what is refused stays as it was


def _mark(connection: Connection) -> str | None:
    present = set(inspect(connection).get_table_names())
    if _MARK not in present:
        # PostgreSQL may hold tables of other programs beside ours.
        if taken := present if connection.dialect.name == "sqlite" else present & _our_tables():
            raise UnusableDatabase(
                f"The database is not one of the workbench (it has a table {min(taken)!r}): move"
                f" it away, {_OTHER_FOLDER}."
            )
        return None
    layout: str | None = connection.execute(
        text(f"SELECT version_num FROM {_MARK}")
    ).scalar_one_or_none()
    return layout


def _our_tables() -> set[str]:
    return set(metadata.tables)


def _check_columns(connection: Connection) -> None:
    """Builds between two releases share the mark of a layout and may differ in what they keep."""
    present = inspect(connection).get_multi_columns()
    for name, table in metadata.tables.items():
        found = {column["name"] for column in present.get((None, name), ())}
        if differing := found ^ set(table.columns.keys()):
            told = ", ".join(map(repr, sorted(differing)))
            raise UnusableDatabase(_other_build(f"table {name!r} differs in {told}"))


def _other_build(how: str) -> str:
    return (
        f"The database was written by another build of this version ({how}): use the build that"
        f" wrote it, {_OTHER_FOLDER}."
    )


def _not_answered(database: Database, error: DBAPIError) -> str:
    shown = database.url.render_as_string(hide_password=True)
    return f"The database {shown} does not answer: {str(error.orig).strip()}"
