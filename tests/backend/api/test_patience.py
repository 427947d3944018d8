"""A caller who sends too slowly loses the connection; one who only waits does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.api.patience import PatientProtocol

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n"


class Impatient(PatientProtocol):
    seconds = 0.4
    pace = 20
    check_every = 0.05


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the whole body, then takes longer than any caller may."""
    while (message := await receive()).get("more_body"):
        continue
    if message["type"] == "http.disconnect":
        return
    await asyncio.sleep(1)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


@asynccontextmanager
async def connected(
    app: ASGIApp = answer,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    config = uvicorn.Config(app, http=Impatient, lifespan="off", log_config=None)
    config.load()
    state = uvicorn.Server(config).server_state
    server = await asyncio.get_running_loop().create_server(
        lambda: Impatient(config, state, {}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What comes until the server closes the connection."""
    try:
        return await asyncio.wait_for(reader.read(), 5)
    except ConnectionResetError:
        return b""


async def test_an_invalid_request_is_answered_while_more_data_arrives() -> None:
    """The answer is there, and the connection is not reset while he still sends."""
    async with connected() as (reader, writer):
        for _ in range(40):
            writer.write(b"x" * 65_536)
            await asyncio.sleep(0)
        answer = await asyncio.wait_for(reader.read(), 5)
        assert answer.startswith(b"HTTP/1.1 400 ") and b'{"detail": "' in answer
        assert b"x-aryn-call-id: wb:call-" in answer
        writer.write(b"more")
        await writer.drain()


@pytest.mark.parametrize("start", [b"", b"POST /", HEAD, HEAD + b"\r\nonly a part"])
async def test_a_request_that_stops_halfway_is_disconnected(start: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(start)
        assert await ended(reader) == b""


async def test_a_dripping_head_is_disconnected() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD)
        dripping = asyncio.create_task(drip(writer, b"X-A: b\r\n" * 100))
        assert await ended(reader) == b""
        dripping.cancel()


async def test_a_slow_body_and_a_slow_answer_are_allowed() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD + b"\r\n")
        await drip(writer, b"12345678" * 5)
        assert (await asyncio.wait_for(reader.readuntil(b"done"), 5)).startswith(b"HTTP/1.1 200")


async def test_nothing_is_expected_between_two_requests() -> None:
    async with connected() as (reader, writer):
        for _ in range(2):
            writer.write(HEAD + b"\r\n" + b"x" * 40)
            await asyncio.wait_for(reader.readuntil(b"done"), 5)
            await asyncio.sleep(1)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Tells the path, the names of the headers, and the body."""
    body = b""
    while (message := await receive()).get("more_body"):
        body += message["body"]
    if message["type"] == "http.disconnect":
        return
    body += message["body"]
    names = b",".join(name for name, _ in scope["headers"])
    body_read = b" ".join((scope["path"].encode(), names, body)) + b"\n"
    headers = [(b"content-length", str(len(body_read)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body_read})


async def test_pipelined_requests_are_answered_in_order() -> None:
    async with connected(echo) as (reader, writer):
        both = b"POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n%d"
        writer.write(b"".join(both % (n, n) for n in range(10)))
        for n in range(10):
            answer = await asyncio.wait_for(reader.readuntil(b"\n"), 5)
            while not answer.startswith(b"/"):
                answer = await asyncio.wait_for(reader.readuntil(b"\n"), 5)
            assert answer == b"/%d host,content-length %d\n" % (n, n)


async def test_too_many_pipelined_requests_are_disconnected() -> None:
    async with connected(echo) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 1000)
        assert (await ended(reader)).count(b"HTTP/1.1 200") < 100


async def test_an_upgrade_request_is_answered_as_usual() -> None:
    async with connected(echo) as (reader, writer):
        wish = b"GET /%d HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        for n in range(2):
            writer.write(wish % n)
            answer = await asyncio.wait_for(reader.readuntil(b"upgrade \n"), 5)
            assert b"/%d host,connection,upgrade " % n in answer


async def test_trailers_do_not_change_the_head() -> None:
    async with connected(echo) as (reader, writer):
        head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head + b"2\r\nab\r\n0\r\nAuthorization: Bearer x\r\n\r\n")
        answer = await asyncio.wait_for(reader.readuntil(b"ab\n"), 5)
        assert b"/ host,transfer-encoding ab" in answer


@pytest.mark.parametrize(
    "start",
    [
        b"GET / HTTP/1.1\r\nX: ",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 100,
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;",
    ],
)
async def test_a_head_without_an_end_is_refused_long_before_it_fills_the_memory(
    start: bytes,
) -> None:
    async with connected() as (reader, writer):
        writer.write(start)
        for _ in range(500):
            writer.write(b"x" * 65_536)
            await asyncio.sleep(0)
        assert b" 431 " in (await asyncio.wait_for(reader.read(), 5)).splitlines()[0]


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y",
        b"GET / HTTP/3.0\r\nHost: x",
        b"GET / HTTP/0.9\r\nHost: x",
        b"GET /\xff HTTP/1.1\r\nHost: x",
        b"CONNECT x:80 HTTP/1.1\r\nHost: x",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    ],
)
async def test_forbidden_requests_are_refused(head: bytes) -> None:
    async with connected(echo) as (reader, writer):
        writer.write(head + b"\r\n\r\n")
        assert (await ended(reader)).startswith(b"HTTP/1.1 400 ")


async def test_an_invalid_request_does_not_cost_the_answer_before_it() -> None:
    async with connected(echo) as (reader, writer):
        writer.write(b"GET /first HTTP/1.1\r\nHost: x\r\n\r\nno request\r\n\r\n")
        answer = await ended(reader)
        assert b"/first" in answer and answer.count(b"HTTP/1.1 ") == 1


async def drip(writer: asyncio.StreamWriter, data: bytes) -> None:
    for at in range(0, len(data), 8):
        writer.write(data[at : at + 8])
        await asyncio.sleep(0.15)
