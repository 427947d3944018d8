"""A hand-filled DocSet on a temporary SQLite database, with an engine over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.tables import metadata
from tests.backend.search.shelf import Shelf


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    opened = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    metadata.create_all(opened.engine)
    yield opened
    opened.close()


@pytest.fixture
def engine(database: Database, tmp_path: Path) -> Iterator[SearchEngine]:
    """An engine whose indexes are in `indexes`."""
    opened = SearchEngine(database, tmp_path / "indexes")
    yield opened
    opened.close()


@pytest.fixture
def shelf(database: Database) -> Shelf:
    """An empty DocSet with static vectors."""
    return Shelf(database)
