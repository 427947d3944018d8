"""Only the beginning of a long description is read: reading takes quadratic time, and schemas come
from anybody.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from backend.plans.tables.collections import Collections
from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.tables import docsets
from workbench.contract.plan import MAX_REQUEST

Opened = Callable[[str], str | None]


@pytest.fixture
def description_read(tmp_path: Path) -> Iterator[Opened]:
    """The description that plans know, of a property that was described so."""
    database = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    migrate(database)
    collections = Collections(database, tmp_path / "tables")

    def described(text: str) -> str | None:
        schema = {"properties": [{"name": "depth", "field_type": "int", "description": text}]}
        with database.writing() as connection:
            connection.execute(
                insert(docsets).values(
                    docset_id="wb:ds-1", account_id="wb:a-1", name="wells", created_at=0.0,
                    schema=schema, embedding={},
                )
            )  # fmt: skip
        schema_read = collections.open("wb:ds-1", "wb:a-1").schema
        assert schema_read is not None
        return schema_read.properties[0].description

    yield described
    collections.close()
    database.close()


def test_a_long_description_is_cut_at_the_length_of_a_question(description_read: Opened) -> None:
    text = "metres below the ground, also called sinking, " * 5_000
    assert description_read(text) == text[:MAX_REQUEST]


def test_blanks_do_not_count_toward_the_length(description_read: Opened) -> None:
    assert (
        description_read("metres" + " " * 100_000 + "below\n\n\n   the ground")
        == "metres below\nthe ground"
    )


def test_a_short_description_is_read_unchanged(description_read: Opened) -> None:
    assert description_read("metres below the ground") == "metres below the ground"
