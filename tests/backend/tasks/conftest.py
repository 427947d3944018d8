import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.store.database import Database
from backend.store.migrating import migrate
from backend.tasks.queue import Submission, TaskQueue


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'tasks.sqlite'}")
    migrate(opened)
    yield opened
    opened.close()


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(database: Database, clock: Clock) -> TaskQueue:
    return TaskQueue(database, "here", lambda: None, max_open=5, clock=clock)


@pytest.fixture
def submission() -> Callable[..., Submission]:
    numbers = itertools.count()

    def make(**changes: object) -> Submission:
        fields = {
            "account_id": "wb:a-1",
            "kind": "echo",
            "action": "/v1/document/partition",
            "request": {"number": next(numbers)},
        }
        return Submission(**(fields | changes))

    return make
