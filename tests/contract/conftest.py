"""The service under test: a backend of our own, or any other named by the environment.

`WORKBENCH_CONTRACT_URL` and `WORKBENCH_CONTRACT_KEY` point the package at another server. What
needs settings of its own, or the files of the server, is then skipped.
"""

import gc
import os
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.contract.texts import INCIDENTS, SCHEMA


@dataclass(frozen=True)
class Elsewhere:
    """A server that was started by somebody else."""

    url: str
    token: str

    def client(self, **more: Any) -> httpx.Client:
        """An HTTP client that carries the token."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, **more)


Server = BackendProcess | Elsewhere


@pytest.fixture(scope="module", autouse=True)
def collected() -> Iterator[None]:
    """What the public client leaves open is closed here, not in the test of somebody else."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="session")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server for all tests of this package; they use DocSets of their own."""
    url = os.environ.get("WORKBENCH_CONTRACT_URL")
    if url:
        yield Elsewhere(url.rstrip("/"), os.environ.get("WORKBENCH_CONTRACT_KEY", ""))
        return
    process = BackendProcess(tmp_path_factory.mktemp("contract")).start()
    yield process
    process.stop()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Callable[..., BackendProcess]]:
    """Starts backends with settings of their own: `own(max_upload="1000")`."""
    if os.environ.get("WORKBENCH_CONTRACT_URL"):
        pytest.skip("needs a server with settings of its own")
    started: list[BackendProcess] = []

    def start(**settings: str) -> BackendProcess:
        folder = tmp_path / f"data-{len(started)}"
        started.append(BackendProcess(folder, {"workers": "1", **settings}).start())
        return started[-1]

    yield start
    for process in started:
        process.stop()


@pytest.fixture
def http(backend: Server) -> Iterator[httpx.Client]:
    """A client of the server, with the token."""
    with backend.client() as client:
        yield client


@pytest.fixture
def anonymous(backend: Server) -> Iterator[httpx.Client]:
    """A client of the server without a token."""
    with httpx.Client(base_url=backend.url, timeout=60) as client:
        yield client


@pytest.fixture
def docset(http: httpx.Client) -> str:
    """The id of a fresh DocSet."""
    created = http.post("/v1/storage/docsets", json={"name": f"contract {time.monotonic()}"})
    return str(created.raise_for_status().json()["docset_id"])


@pytest.fixture(scope="session")
def incidents(backend: Server) -> str:
    """The id of a DocSet with three documents and two properties, which tests only read."""
    with backend.client() as client:
        body = {"name": f"incidents {time.monotonic()}", "schema": SCHEMA}
        created = client.post("/v1/storage/docsets", json=body).raise_for_status().json()
        for name, text in INCIDENTS.items():
            path = f"/v1/storage/docsets/{created['docset_id']}/docs"
            client.post(path, files={"file": (name, text)}).raise_for_status()
    return str(created["docset_id"])


@pytest.fixture
def finished(http: httpx.Client) -> Callable[[str], httpx.Response]:
    """Waits for the result of a task."""

    def wait(task_id: str) -> httpx.Response:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            answer = http.get(f"/v1/async/result/{task_id}")
            if answer.status_code != 202:
                return answer
            time.sleep(0.05)
        raise AssertionError(f"{task_id} is not done after a minute")

    return wait
