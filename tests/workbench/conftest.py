"""A client of the backend, with the sessions of one file of tests."""

from collections.abc import Iterator

import pytest

from tests.backend_process import BackendProcess
from workbench import Workbench, connect


@pytest.fixture(scope="module")
def client(
    backend: BackendProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workbench]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_DATA_DIR", str(tmp_path_factory.mktemp("sessions")))
        with connect(backend.url, backend.token) as opened:
            yield opened
