"""The tab key in a notebook completes DocSets, columns and filters."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from workbench import Workbench, connect
from workbench.client import ConnectionFailed
from workbench.objects import DocSet
from workbench.objects.completing import completions

interactive = pytest.importorskip("IPython.core.interactiveshell")
completer = pytest.importorskip("IPython.core.completer")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    interactive.InteractiveShell.clear_instance()
    made = interactive.InteractiveShell.instance()
    made.Completer.use_jedi = False
    yield made
    made.history_manager.end_session()
    interactive.InteractiveShell.clear_instance()


@pytest.fixture
def client(
    shell: object, backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workbench]:
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    with connect(backend.url, backend.token) as opened:
        yield opened


@pytest.fixture
def docset(client: Workbench) -> Iterator[DocSet]:
    made = client.docsets.create("tab key", schema={"state": str, "wind_speed": int})
    made.add(b"State: Alaska", name="a.txt", progress=False)
    yield made
    made.delete()


def test_properties_and_values_are_completed_inside_a_filter(docset):
    names = {"ds": docset}
    fragment, texts = completions('ds.search("ice", where="wind', names)
    assert fragment == "wind" and "wind_speed" in texts
    assert '"Alaska"' in completions("ds.facets('state', where='state = ", names)[1]
    assert completions('ds.search(where="state = ', names)[1] == []  # its quotes would end it
    for other in ('ds.search("wind', 'ds.search(where="state") and wi', 'x.search(where="wi'):
        assert completions(other, names)[1] == []


def test_ipython_shows_them(shell, docset):
    connect("http://127.0.0.1:9", "x")  # a second connection teaches it nothing twice
    shell.user_ns["ds"] = docset
    assert completed(shell, 'ds.search("ice", where="wind') == ["wind_speed"]


def test_names_of_docsets_and_columns_are_completed_in_brackets(shell, client, docset):
    shell.user_ns.update(client=client, found=docset.documents())
    assert "tab key" in client.docsets._ipython_key_completions_()
    assert completed(shell, 'found["sta') == ["state"]


def completed(shell, line: str) -> list[str]:
    """The completions of a notebook at the end of the line."""
    with completer.provisionalcompleter():
        offered = list(shell.Completer.completions(line, len(line)))
    return [one.text.strip("\"']") for one in offered]


def test_an_unreachable_server_does_not_disturb_typing(docset, monkeypatch):
    def gone(*_: object, **__: object) -> None:
        raise ConnectionFailed("Nothing answers.")

    monkeypatch.setattr(DocSet, "complete", gone)
    assert completions('ds.search(where="wi', {"ds": docset}) == ("", [])
