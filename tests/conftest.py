"""Fixtures for tests that talk to a real backend over HTTP."""

from collections.abc import Iterator

import httpx
import pytest

from tests.backend_process import BackendProcess


@pytest.fixture(scope="session")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    """One backend for all tests of the run; tests use DocSets of their own."""
    process = BackendProcess(tmp_path_factory.mktemp("data")).start()
    yield process
    process.stop()


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
