"""README and guide say what is true: their tables, their commands, their example."""

import re
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from tests.guide_blocks import BLOCKS, GUIDE, ROOT, written
from workbench.demo.documents import DEMO_SCHEMA, write_documents
from workbench.guide import TOPICS, page

TEXT = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", sorted({of for of, _ in BLOCKS.values()}))
def test_the_tables_are_those_of_the_code(page: str) -> None:
    text = (GUIDE / f"{page}.md").read_text()
    assert written(page, text) == text, "run: python -m tests.guide_blocks"


def test_the_readme_is_short_and_lists_every_page() -> None:
    assert len(TEXT.splitlines()) <= 150
    assert sorted(path.stem for path in GUIDE.glob("*.md")) == sorted(TOPICS)
    assert [topic for topic in TOPICS if f"guide/{topic}.md" not in TEXT] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_every_page_has_a_title_and_valid_links(topic: str) -> None:
    text = page(topic)
    assert text.startswith("# ")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (GUIDE / link).exists()] == []


def test_the_gate_runs_the_commands_that_are_written_here() -> None:
    gate = (ROOT / ".ci" / "run").read_text()
    for command in ("pip install -c constraints.txt '.[dev]'", "python -m pytest"):
        assert command in TEXT
        assert command.replace("pip install", "pip install --quiet") in gate or command in gate


def test_everything_that_the_page_for_developers_names_exists() -> None:
    text = (GUIDE / "development.md").read_text()
    named = re.findall(r"`((?:backend|workbench|tests)/[\w./]+)`", text)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_example_runs_unchanged(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import workbench as wb

    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(backend.folder))
    (example,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    write_documents(tmp_path / "reports", count=6)
    with wb.connect(backend.url, backend.token) as client:
        for other in client.docsets:
            if other.name == "Sample incident reports":  # the backend serves other tests, too
                other.delete()
        made = client.docsets.create("Sample incident reports", schema=DEMO_SCHEMA)
        made.add(tmp_path / "reports", progress=False)
        monkeypatch.setattr(wb, "connect", lambda: client)
        exec(compile(example, "README.md", "exec"), {})
        made.delete()
