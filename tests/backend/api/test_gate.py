"""The gate by itself: who is let in, what is counted, and when nobody is inside."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from backend.api.gate import Access, Gate, constant_time_accounts, token_hash

TOKENS = {
    token_hash("good"): Access("wb:a-1"),
    token_hash("old"): Access("wb:a-1", expires_at=1000.0),
}


async def says_who(scope: Scope, _receive: Receive, send: Send) -> None:
    """An application that answers with the account."""
    body = scope.get("state", {}).get("account_id", "nobody").encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def gate(app: Any = says_who, clock: Callable[[], float] = lambda: 0.0, now: float = 2000) -> Gate:
    return Gate(
        app,
        accounts=constant_time_accounts(TOKENS),
        open_paths={"/open"},
        allowed_hosts=["localhost"],
        max_body=100,
        max_upload=1000,
        clock=clock,
        now=lambda: now,
    )


async def ask(asked: Gate, path: str = "/x", **headers: str) -> tuple[int, bytes]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    named = {"host": "localhost", **headers}
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }
    await asked(scope, receive, send)
    return sent[0]["status"], sent[1]["body"]


async def test_a_token_opens_its_account() -> None:
    assert await ask(gate(), authorization="Bearer good") == (200, b"wb:a-1")


async def test_an_expired_token_is_told_from_a_wrong_one() -> None:
    assert (await ask(gate(now=999), authorization="Bearer old"))[0] == 200
    status, body = await ask(gate(now=1000), authorization="Bearer old")
    assert (status, body) == (403, b'{"detail": "Expired Aryn API key"}')


async def test_open_paths_need_no_token_but_a_known_host() -> None:
    assert await ask(gate(), "/open") == (200, b"nobody")
    assert (await ask(gate(), "/open", host="elsewhere"))[0] == 400


@pytest.mark.parametrize(("kind", "status"), [("multipart/form-data", 200), ("text/x", 413)])
async def test_only_multipart_bodies_of_uploads_may_be_large(kind: str, status: int) -> None:
    headers = {"content-type": kind, "content-length": "500", "authorization": "Bearer good"}
    assert (await ask(gate(), "/v1/document/partition", **headers))[0] == status
    assert (await ask(gate(), "/v1/query", **headers))[0] == 413


async def test_an_open_request_is_no_idleness() -> None:
    now = [0.0]
    leave = asyncio.Event()

    async def waits(scope: Scope, receive: Receive, send: Send) -> None:
        await leave.wait()
        await says_who(scope, receive, send)

    asked = gate(waits, lambda: now[0])
    call = asyncio.create_task(ask(asked, authorization="Bearer good"))
    await asyncio.sleep(0)
    now[0] = 500.0
    assert asked.idle_seconds() == 0
    leave.set()
    await call
    now[0] = 520.0
    assert asked.idle_seconds() == 20
