"""The gate by itself: who is let in, what is counted, and when nobody is inside."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from backend.api.authentication import Authentication
from backend.api.gate import Gate
from backend.api.observing import Answered
from backend.api.tokens import Access, token_hash

TOKENS = {
    token_hash("good"): Access("wb:a-1"),
    token_hash("old"): Access("wb:a-1", expires_at=1000.0),
    token_hash("looks"): Access("wb:a-1", scope="read", name="report"),
    token_hash("changes"): Access("wb:a-1", scope="write"),
}


async def says_who(scope: Scope, _receive: Receive, send: Send) -> None:
    """An application that answers with the account."""
    body = scope.get("state", {}).get("account_id", "nobody").encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def gate(
    app: Any = says_who,
    clock: Callable[[], float] = lambda: 0.0,
    now: float = 2000,
    observe: Callable[[Answered], None] | None = None,
) -> Gate:
    return Gate(
        app,
        authentication=Authentication(TOKENS.get, {"/open"}, now=lambda: now),
        observers=() if observe is None else (observe,),
        allowed_hosts=["localhost"],
        max_body=100,
        max_upload=1000,
        clock=clock,
    )


async def ask(
    asked: Gate, path: str = "/x", method: str = "GET", twice: str = "", **headers: str
) -> tuple[int, bytes]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    named = {"host": "localhost", **headers}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), named[name].encode()) for name in (*named, twice) if name],
    }
    await asked(scope, receive, send)
    return sent[0]["status"], sent[1]["body"]


async def test_a_token_opens_its_account() -> None:
    assert await ask(gate(), authorization="Bearer good") == (200, b"wb:a-1")


@pytest.mark.parametrize("name", ["authorization", "host", "content-length", "content-type"])
async def test_a_header_that_decides_counts_only_when_it_is_sent_once(name: str) -> None:
    named = {"authorization": "Bearer good", "content-length": "3", "content-type": "text/plain"}
    assert (await ask(gate(), **named))[0] == 200
    status, body = await ask(gate(), twice=name, **named)
    assert status == 400 and b"more than once" in body


async def test_expired_and_wrong_tokens_get_different_errors() -> None:
    assert (await ask(gate(now=999), authorization="Bearer old"))[0] == 200
    status, body = await ask(gate(now=1000), authorization="Bearer old")
    assert (status, body) == (403, b'{"detail": "Expired Aryn API key"}')


async def test_a_compressed_body_is_refused_by_that_name() -> None:
    sent = {"authorization": "Bearer good", "content-encoding": "gzip"}
    status, body = await ask(gate(), method="POST", **sent)
    assert status == 415 and b"Content-Encoding" in body
    assert (await ask(gate(), **sent | {"content-encoding": "identity"}))[0] == 200


async def test_open_paths_need_no_token_but_a_known_host() -> None:
    assert await ask(gate(), "/open") == (200, b"nobody")
    assert (await ask(gate(), "/open", host="elsewhere"))[0] == 400


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:80", 200),
        ("localhost:", 200),
        ("localhost:80@elsewhere", 400),
        ("localhost:elsewhere", 400),
        ("localhost:999999", 400),
        ("elsewhere:80", 400),
    ],
)
async def test_a_host_is_a_known_name_and_perhaps_a_port(host: str, status: int) -> None:
    assert (await ask(gate(), "/open", host=host))[0] == status


@pytest.mark.parametrize(("kind", "status"), [("multipart/form-data", 200), ("text/x", 413)])
async def test_only_multipart_bodies_of_uploads_may_be_large(kind: str, status: int) -> None:
    headers = {"content-type": kind, "content-length": "500", "authorization": "Bearer good"}
    assert (await ask(gate(), "/v1/document/partition", **headers))[0] == status
    assert (await ask(gate(), "/v1/query", **headers))[0] == 413


async def test_requests_are_refused_with_a_retry_time_while_memory_is_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("backend.api.gate.has_headroom", lambda beside: False)
    status, body = await ask(gate(), authorization="Bearer good")
    assert status == 503 and b"short of memory" in body
    assert (await ask(gate(), "/open"))[0] == 200


async def test_an_open_request_is_not_idle() -> None:
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


async def test_a_read_token_may_search_but_not_change_or_administer() -> None:
    def status(method: str, path: str, token: str) -> Any:
        return ask(gate(), path, method, authorization=f"Bearer {token}")

    docset = "/v1/storage/docsets/wb:ds-1"
    assert (await status("GET", docset, "looks"))[0] == 200
    assert (await status("POST", "/v1/query/search/wb:ds-1", "looks"))[0] == 200
    refused, body = await status("DELETE", docset, "looks")
    assert refused == 403 and b"scope read; this needs write" in body
    assert (await status("DELETE", docset, "changes"))[0] == 200
    assert (await status("GET", "/v1/workbench/tokens", "changes"))[0] == 403
    assert (await status("GET", "/v1/workbench/tokens", "good"))[0] == 200


async def test_observers_see_every_answered_request() -> None:
    seen: list[Answered] = []
    asked = gate(observe=seen.append)
    await ask(asked, "/v1/query", "POST", authorization="Bearer looks")
    await ask(asked, "/v1/query", "POST", authorization="Bearer wrong")
    assert [(one.status, one.who and one.who.name) for one in seen] == [
        (200, "report"),
        (403, None),
    ]
