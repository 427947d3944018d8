"""The answer of the synchronous partition call, which has begun before anything can fail."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from backend.api import partition
from workbench.contract.errors import Unavailable


async def _stopping(*_: Any) -> AsyncIterator[dict[str, Any]]:
    yield {"status": "running", "done": 1, "started_at": 0.0, "created_at": 0.0}
    raise Unavailable("The backend is stopping.")


async def test_an_answer_cut_off_by_a_stop_ends_as_json_with_the_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(partition, "progress_of", _stopping)
    lines: Any = partition._lines(None, None, "account", "task")  # type: ignore[arg-type]
    answer = json.loads(b"".join([line async for line in lines]))
    assert answer["status_code"] == 503
    assert answer["error"] == "503: The backend is stopping."
    assert any("Completed work on page 1" in line for line in answer["status"])
