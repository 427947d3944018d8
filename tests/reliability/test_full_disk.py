"""A full disk: whatever frees space works, so that people can help themselves."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability import faults
from tests.reliability.mixed_load import STORAGE, documents

_LINES = "\n\n".join(f"Line {number} of a long text. " * 20 for number in range(3_000))


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[BackendProcess]:
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(faults.small_disk(tmp_path / "data", 96))
        except faults.Impossible as reason:
            pytest.skip(str(reason))
        process = BackendProcess(folder, {"workers": "1"}).start()
        yield process
        process.stop()


def _filled(http: httpx.Client) -> tuple[str, list[str]]:
    """A DocSet with three documents; the first is large."""
    docset = http.post(STORAGE, json={"name": "full"}).raise_for_status().json()["docset_id"]
    for name, text in (("a.txt", _LINES), ("b.txt", "Small."), ("c.txt", "Small as well.")):
        sent = {"file": (name, text)}
        http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
    return docset, [one["doc_id"] for one in documents(http, docset)]


def test_on_a_full_disk_documents_docsets_and_tokens_can_be_deleted(
    backend: BackendProcess,
) -> None:
    with backend.client() as http:
        docset, (large, small, _) = _filled(http)
        locked = http.post(STORAGE, json={"name": "locked"}).json()["docset_id"]
        http.post(f"{STORAGE}/{locked}/readonly/1").raise_for_status()
        wanted = {"name": "a", "account_id": "b", "scope": "read"}
        made = http.post("/v1/workbench/tokens", json=wanted).raise_for_status().json()
        with faults.full_disk(backend):
            refused = http.post(f"{STORAGE}/{docset}/docs", files={"file": ("d.txt", "More.")})
            assert refused.status_code == 507
            for path in (
                f"{STORAGE}/{docset}/docs/{small}",
                f"{STORAGE}/{docset}/docs/{large}",
                f"/v1/workbench/tokens/{made['token_id']}",
                f"{STORAGE}/{docset}",
            ):
                assert http.delete(path).status_code == 200, path
            assert http.post(f"{STORAGE}/{locked}/readonly/0").status_code == 200
            assert http.delete(f"{STORAGE}/{locked}").status_code == 200
            assert http.get(STORAGE).json()["items"] == []
        _filled(http)
        report = http.post("/v1/workbench/storage/check", json={"read_files": True}).json()
        assert report["faults"] == []


def test_a_backend_starts_on_a_full_disk_so_that_documents_can_be_deleted(
    backend: BackendProcess,
) -> None:
    with backend.client() as http:
        docset, _ = _filled(http)
    with faults.full_disk(backend):
        backend.kill()
        backend.start()
        with backend.client() as http:
            assert http.delete(f"{STORAGE}/{docset}").status_code == 200


def test_what_is_added_while_the_disk_fills_is_answered_and_the_stop_is_whole(
    backend: BackendProcess,
) -> None:
    """The answer to a caller is written too; without room for it he waited for ever."""
    answers: list[int] = []

    def add(docset: str) -> None:
        with backend.client() as http:
            for number in range(15):
                sent = {"file": (f"{number}.txt", _LINES[: 200_000 + number])}
                answers.append(http.post(f"{STORAGE}/{docset}/docs", files=sent).status_code)

    with backend.client() as http:
        docset, _ = _filled(http)
    adders = [threading.Thread(target=add, args=(docset,)) for _ in range(3)]
    for adder in adders:
        adder.start()
    while not answers:
        time.sleep(0.01)
    with faults.full_disk(backend):
        for adder in adders:
            adder.join(240)
        assert len(answers) == 45 and set(answers) <= {200, 507}
        backend.stop()
    assert "Application shutdown failed" not in backend.log.read_text()
    backend.start()
