"""No answer about the golden documents is wrong in silence.

The documents, the questions and their truths were written by somebody who had not seen the product.
"""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.golden.asking import ask_all
from tests.golden.documents import kinds
from tests.golden.questions import QUESTIONS
from tests.golden.self_check import main as self_check


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    backend = BackendProcess(tmp_path_factory.mktemp("golden") / "data").start()
    with backend.client() as client:
        yield client
    backend.stop()


def test_the_set_is_large_and_varied_enough() -> None:
    assert len(kinds()) == 6
    assert all(len(kind.documents) >= 12 for kind in kinds().values())
    assert len(QUESTIONS) >= 120


@pytest.mark.parametrize("key", sorted(kinds()))
def test_no_answer_is_wrong_without_a_remark(http: httpx.Client, key: str) -> None:
    asked = list(ask_all(http, kinds()[key]))
    silent = [f"{a.question.text} -> {a.answer}" for a in asked if a.verdict == "wrong, silent"]
    assert not silent, "\n".join(silent)


def test_every_truth_can_be_read_in_its_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["self_check", str(tmp_path)])
    assert self_check() == 0
