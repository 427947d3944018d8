"""The README says what is true: its tables, its commands, its example."""

import re
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from tests.readme_blocks import README, written
from workbench.demo.documents import DEMO_SCHEMA, write_documents

ROOT = README.parent
TEXT = README.read_text()


def test_the_tables_are_those_of_the_code() -> None:
    assert written(TEXT) == TEXT, "run: python -m tests.readme_blocks"


def test_the_gate_runs_the_commands_that_are_written_here() -> None:
    gate = (ROOT / ".ci" / "run").read_text()
    for command in ("pip install -c constraints.txt '.[dev]'", "python -m pytest"):
        assert command in TEXT
        assert command.replace("pip install", "pip install --quiet") in gate or command in gate


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_example_runs_as_it_stands(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import workbench as wb

    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(backend.folder))
    (example,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    write_documents(tmp_path / "reports", count=6)
    with wb.connect(backend.url, backend.token) as client:
        made = client.docsets.create("Sample incident reports", schema=DEMO_SCHEMA)
        made.add(tmp_path / "reports", progress=False)
        monkeypatch.setattr(wb, "connect", lambda: client)
        exec(compile(example, "README.md", "exec"), {})
        made.delete()
