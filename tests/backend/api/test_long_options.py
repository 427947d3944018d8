"""Long options of an upload are read beside other requests, like long bodies."""

import json
import threading
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.types import Message

from backend.api import bodies


@pytest.mark.parametrize(("pages", "beside"), [(1, False), (20_000, True)])
async def test_long_options_do_not_hold_up_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, pages: int, beside: bool
) -> None:
    """A megabyte of them took it a third of a second."""
    read, threads = bodies._options, []

    def noted(text: str) -> Any:
        threads.append(threading.current_thread())
        return read(text)

    monkeypatch.setattr(bodies, "_options", noted)
    options = {"selected_pages": list(range(1, pages + 1))}
    sent = httpx.Request(
        "POST", "http://x", files={"file": b"x", "options": json.dumps(options).encode()}
    )
    body = sent.read()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(name.lower().encode(), value.encode()) for name, value in sent.headers.items()]
    request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
    async with bodies.submitted(request, 2**20) as got:
        assert got.options == options
    assert (threads != [threading.main_thread()]) == beside
