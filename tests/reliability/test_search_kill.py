"""SIGKILL at every step between the database's commit and the index's: afterwards everything
acknowledged is there and is found, everything that is there is found, and no document is half.
"""

import random
import threading
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess

_ELEMENTS = 6
_FIRST = "first.txt"
_FIRST_ELEMENTS = 400
"""Beside so many, one document may wait in memory for a commit of the word index."""
_STEPS = (
    "document.written",
    "document.committed",
    "words.written",
    "words.committed",
    "words.marked",
)


def _content(name: str) -> bytes:
    """A document whose every paragraph holds its name."""
    return "\n\n".join(f"{name} stands in paragraph {at}." for at in range(_ELEMENTS)).encode()


def _created(backend: BackendProcess) -> str:
    """A DocSet with its first document."""
    content = "\n\n".join(f"Line {at} of the first." for at in range(_FIRST_ELEMENTS)).encode()
    with backend.client() as client:
        docset: str = client.post("/v1/storage/docsets", json={"name": "kill"}).json()["docset_id"]
        path = f"/v1/storage/docsets/{docset}/docs"
        client.post(path, files={"file": (_FIRST, content)}).raise_for_status()
    return docset


def _add_until_killed(
    backend: BackendProcess, docset: str, prefix: str, acknowledged: set[str], most: int = 100
) -> None:
    with backend.client() as client:
        for number in range(most):
            name = f"{prefix}x{number}z"
            try:
                answer = client.post(
                    f"/v1/storage/docsets/{docset}/docs",
                    files={"file": (f"{name}.txt", _content(name))},
                )
            except httpx.HTTPError:
                return
            assert answer.status_code == 200, answer.text
            acknowledged.add(name)


def _check(backend: BackendProcess, docset: str, acknowledged: set[str]) -> None:
    """All three promises."""
    with backend.client() as client:
        listed = client.get(f"/v1/storage/docsets/{docset}/docs", params={"page_size": 1000})
        documents = {item["name"][:-4]: item["doc_id"] for item in listed.json()["items"]}
        first = documents.pop(_FIRST[:-4])
        assert acknowledged <= documents.keys(), "acknowledged and lost"
        for name, doc_id in documents.items():
            whole = client.get(f"/v1/storage/docsets/{docset}/docs/{doc_id}").json()
            assert len(whole["elements"]) == _ELEMENTS, "half a document"
            for kind in ("lexical", "keyword"):
                assert _hits(client, docset, kind, name) == {doc_id: _ELEMENTS}
        assert _hits(client, docset, "vector", "paragraph") == {
            first: _FIRST_ELEMENTS, **dict.fromkeys(documents.values(), _ELEMENTS)
        }  # fmt: skip


def _hits(client: httpx.Client, docset: str, kind: str, query: str) -> dict[str, int]:
    """How many elements of each document a search finds."""
    results: dict[str, int] = {}
    token = None
    while True:
        answer = client.post(
            f"/v1/query/search/{docset}",
            params={"page_size": 1000} | ({"page_token": token} if token else {}),
            json={"query": query, "query_type": kind, "return_type": "element"},
        )
        assert answer.status_code == 200, answer.text
        for result in answer.json()["results"]:
            results[result["doc_id"]] = results.get(result["doc_id"], 0) + 1
        token = answer.json()["next_page_token"]
        if token is None:
            return results


def _one_round(folder: Path, docset: str, step: str, number: int, acknowledged: set[str]) -> None:
    """Two clients add documents until the backend kills itself at the step."""
    # Catching up with the round before comes by the step once already.
    times = random.Random(number).randint(3, 6)
    backend = BackendProcess(folder, {"failpoints": f"{step}:{times}", "workers": "1"}).start()
    _check(backend, docset, acknowledged)
    clients = [
        threading.Thread(
            target=_add_until_killed, args=(backend, docset, f"q{prefix}{number}", acknowledged)
        )
        for prefix in "ab"
    ]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert backend.ended_by_itself(), "the failpoint was not reached"


@pytest.mark.parametrize(
    "rounds", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["short", "long"]
)
def test_a_kill_between_database_and_index_loses_and_hides_nothing(
    tmp_path: Path, rounds: int
) -> None:
    backend = BackendProcess(tmp_path, {"workers": "1"}).start()
    docset = _created(backend)
    backend.stop()
    acknowledged: set[str] = set()
    for number in range(rounds):
        _one_round(tmp_path, docset, _STEPS[number % len(_STEPS)], number, acknowledged)
    backend.start()
    assert acknowledged
    _check(backend, docset, acknowledged)
    backend.stop()


@pytest.mark.parametrize("step", ["clone.linked", "clone.committed", "vectors.saving"])
def test_a_kill_during_a_clone_leaves_a_whole_clone_or_none(tmp_path: Path, step: str) -> None:
    folder = tmp_path / "data"
    backend = BackendProcess(folder, {"workers": "1"}).start()
    docset = _created(backend)
    acknowledged: set[str] = set()
    _add_until_killed(backend, docset, "qa", acknowledged, most=10)
    assert len(acknowledged) == 10
    _check(backend, docset, acknowledged)
    backend.stop()
    backend = BackendProcess(folder, {"failpoints": step, "workers": "1"}).start()
    with backend.client() as client:
        _hits(client, docset, "vector", "paragraph")  # so that there are vectors to save
        with pytest.raises(httpx.HTTPError):
            client.post(f"/v1/storage/docsets/{docset}/clone")
    assert backend.ended_by_itself()
    backend = BackendProcess(folder, {"workers": "1"}).start()
    with backend.client() as client:
        docsets = [item["docset_id"] for item in client.get("/v1/storage/docsets").json()["items"]]
    assert len(docsets) == (2 if step == "clone.committed" else 1)
    assert len(list((folder / "indexes").iterdir())) <= len(docsets)
    for one in docsets:
        _check(backend, one, acknowledged)
    backend.stop()
