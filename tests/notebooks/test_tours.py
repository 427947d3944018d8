"""The tours: stored without outputs, and every cell of them runs against a real backend."""

import os
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess

ROOT = Path(__file__).parent.parent.parent
TOURS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def surroundings(backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernel finds the backend of the tests, and keeps its own files out of the home folder."""
    known = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{known}" if known else str(ROOT))
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(backend.folder))
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return tmp_path


def test_there_are_tours():
    assert TOURS


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.stem)
@pytest.mark.filterwarnings("default")  # those of the notebook machinery are not ours
def test_every_cell_of_a_tour_runs(tour, surroundings):
    import nbformat  # late: every collection of tests would pay its second and a half
    from nbclient import NotebookClient

    notebook = nbformat.read(tour, as_version=4)
    work = {"metadata": {"path": str(surroundings)}}
    NotebookClient(notebook, timeout=120, resources=work).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.stem)
def test_a_tour_is_stored_without_outputs_and_names_its_kernel(tour):
    import nbformat

    notebook = nbformat.read(tour, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)
    assert notebook.metadata.kernelspec.name == "python3"
