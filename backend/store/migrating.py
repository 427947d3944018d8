"""Migrates a database to the layout this version needs, in one transaction.

A database that cannot be migrated is refused at startup with a message; serving it would fail at
the first request that needs the missing part.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, NoSuchTableError

from backend.store.database import Database, UnusableDatabase
from backend.store.tables import metadata
from workbench.contract.errors import Unavailable

LATEST = "0004"
"""The layout of this version: the revision of its last migration."""

_SCRIPTS = Path(__file__).parent / "migrations"
_MARK = "alembic_version"
_OTHER_FOLDER = "or name another data folder in WORKBENCH_DATA_DIR"


def layout_of(database: Database) -> str | None:
    """The layout mark; None for an empty database.

    UnusableDatabase when it is damaged, belongs to another program, or has another build's layout.
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
        raise UnusableDatabase(_no_response(database, error)) from error


def migrate(database: Database) -> None:
    """Runs missing migrations. UnusableDatabase as above, and for an unknown layout."""
    current = layout_of(database)
    if current == LATEST:
        return
    # Alembic takes longer to load than the rest of the store, and most starts do not need it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise UnusableDatabase(
            f"The database has layout {current}, which this version does not support: use the"
            f" version that wrote it, {_OTHER_FOLDER}."
        )
    with database.writing() as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, LATEST)
        except NoSuchTableError as error:
            raise UnusableDatabase(_other_build(f"there is no table {str(error)!r}")) from error
        _check_columns(connection)  # inside the transaction, so a refused database is unchanged


def _mark(connection: Connection) -> str | None:
    present = set(inspect(connection).get_table_names())
    if _MARK not in present:
        # On PostgreSQL other programs may have tables beside ours.
        if foreign := present if connection.dialect.name == "sqlite" else present & _our_tables():
            raise UnusableDatabase(
                f"The database belongs to another program (it has a table {min(foreign)!r}): move"
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
    """Builds between two releases share a layout mark but may differ in columns."""
    present = inspect(connection).get_multi_columns()
    for name, table in metadata.tables.items():
        actual = {column["name"] for column in present.get((None, name), ())}
        if differing := actual ^ set(table.columns.keys()):
            columns = ", ".join(map(repr, sorted(differing)))
            raise UnusableDatabase(_other_build(f"table {name!r} differs in {columns}"))


def _other_build(how: str) -> str:
    return (
        f"The database was written by another build of this version ({how}): use the build that"
        f" wrote it, {_OTHER_FOLDER}."
    )


def _no_response(database: Database, error: DBAPIError) -> str:
    shown = database.url.render_as_string(hide_password=True)
    return f"The database {shown} does not respond: {str(error.orig).strip()}"
