"""A caller who sends too slowly loses the connection; one who only waits does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from backend.api.patience import PatientProtocol

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n"


class Impatient(PatientProtocol):
    seconds = 0.4
    pace = 20
    look_every = 0.05


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
async def connected() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    config = uvicorn.Config(answer, http=Impatient, lifespan="off", log_config=None)
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


async def test_who_sends_no_request_is_told_although_more_is_coming() -> None:
    """The answer is there, and the connection is not reset while he still sends."""
    async with connected() as (reader, writer):
        for _ in range(40):
            writer.write(b"x" * 65_536)
            await asyncio.sleep(0)
        said = await asyncio.wait_for(reader.read(), 5)
        assert said.startswith(b"HTTP/1.1 400 ") and b'{"detail": "' in said
        writer.write(b"more")
        await writer.drain()


@pytest.mark.parametrize("start", [b"", b"POST /", HEAD, HEAD + b"\r\nonly a part"])
async def test_who_stops_in_the_middle_is_left(start: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(start)
        assert await ended(reader) == b""


async def test_who_drips_a_head_is_left() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD)
        dripping = asyncio.create_task(drip(writer, b"X-A: b\r\n" * 100))
        assert await ended(reader) == b""
        dripping.cancel()


async def test_a_body_may_take_its_time_as_long_as_it_comes_and_so_may_its_answer() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD + b"\r\n")
        await drip(writer, b"12345678" * 5)
        assert (await asyncio.wait_for(reader.readuntil(b"done"), 5)).startswith(b"HTTP/1.1 200")


async def test_between_two_requests_nothing_is_expected() -> None:
    async with connected() as (reader, writer):
        for _ in range(2):
            writer.write(HEAD + b"\r\n" + b"x" * 40)
            await asyncio.wait_for(reader.readuntil(b"done"), 5)
            await asyncio.sleep(1)


async def drip(writer: asyncio.StreamWriter, data: bytes) -> None:
    for at in range(0, len(data), 8):
        writer.write(data[at : at + 8])
        await asyncio.sleep(0.15)
