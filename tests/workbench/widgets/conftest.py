"""A client of the backend for widgets, and the end of every widget with its test."""

from collections.abc import Iterator

import pytest
from ipywidgets import Widget

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


@pytest.fixture(autouse=True)
def no_widget_outlives_its_test() -> Iterator[None]:
    """An open widget follows what later tests do, and works while they wait."""
    yield
    Widget.close_all()
