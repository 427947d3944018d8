"""Fixtures for tests that talk to a real backend over HTTP."""

import gc
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests import postgresql_server
from tests.backend_process import BackendProcess
from tests.side_by_side import in_turn, run_of_one_test

_LONG = 7_200
"""Seconds that a long form may take, instead of the limit of all others."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long forms may take as long as a busy machine makes them; all come in a fixed order."""
    for item in items:
        if item.get_closest_marker("soak") is not None:
            item.add_marker(pytest.mark.timeout(_LONG))
    items[:] = in_turn(items, Path(__file__).parent)


def pytest_collection_finish() -> None:
    """Modules and tests live as long as the run: the garbage collector skips them from here on.

    It goes through everything else less often too: every app that a test opens makes enough objects
    for one full collection, which takes up to .4 s.
    """
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, 200)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tests that are marked `alone` have the machine for themselves."""
    with run_of_one_test(item.get_closest_marker("alone") is not None):
        return (yield)


@pytest.fixture(scope="session")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    """One backend for all tests of the run; tests use DocSets of their own."""
    process = BackendProcess(tmp_path_factory.mktemp("data")).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The PostgreSQL server of the tests, as a URL of SQLAlchemy's."""
    if named := os.environ.get("WORKBENCH_TEST_POSTGRESQL"):
        yield named
        return
    binaries = postgresql_server.programs()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("its driver is not installed: pip install 'docset-workbench[postgres]'")
    with postgresql_server.running(binaries) as url:
        yield url


@pytest.fixture
def postgresql(postgresql_url: str) -> Iterator[str]:
    """The URL of an empty database."""
    with postgresql_server.database_on(postgresql_url) as url:
        yield url


@pytest.fixture
def http(backend: BackendProcess) -> Iterator[httpx.Client]:
    """A client of that backend, with the token."""
    with backend.client() as client:
        yield client


@pytest.fixture
def docset(http: httpx.Client) -> str:
    """The id of a fresh DocSet."""
    created = http.post("/v1/storage/docsets", json={"name": "a test"})
    return str(created.raise_for_status().json()["docset_id"])
