import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from tests.sample_reports import write_reports
from workbench import connect
from workbench.demo.documents import DEMO_SCHEMA

pytest.importorskip("websocket", reason="websocket-client (it comes with JupyterLab) is missing")

from tests.browser.page import Page
from tests.browser.surroundings import CHROMIUM, NAME, ROOT, Surroundings, look


@pytest.fixture(scope="module")
def reports(
    backend: BackendProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surroundings]:
    folder = tmp_path_factory.mktemp("reports")
    written = [document.path for document in write_reports(folder, count=8)]
    known = os.environ.get("PYTHONPATH")
    path = f"{ROOT}{os.pathsep}{known}" if known else str(ROOT)
    environment = {"PYTHONPATH": path, "WORKBENCH_DATA_DIR": str(backend.folder)}
    with connect(backend.url, backend.token) as client:
        docset = client.docsets.create(NAME, schema=DEMO_SCHEMA)
        assert not docset.add(written[:6], progress=False).failed
        yield Surroundings(backend, docset.id, written[6:], environment)
        docset.delete()  # the next module may share the backend


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with Page(str(CHROMIUM), tmp_path / "profile") as opened:
        yield opened
        look(opened, "last")
