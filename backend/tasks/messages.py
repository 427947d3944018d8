"""Messages between the server and a worker process: a JSON header followed by raw byte strings.

Not pickle: a worker reads hostile documents, and unpickling a message from a compromised worker
would hand it the server. Layout: 8 bytes little-endian length of the header, the header, then the
blobs whose lengths the header lists under `blobs`.
"""

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

_LENGTH = struct.Struct("<Q")
MAX_HEADER = 256 * 2**20
MAX_BLOBS = 2 * 2**30


class Readable(Protocol):
    """What messages are read from: fewer bytes than asked for only at its end."""

    def read(self, size: int, /) -> bytes: ...


TakeBlobs = Callable[[Readable, Sequence[int]], Sequence[bytes]]
"""Reads blobs of these sizes from a stream."""


class BrokenPipe(Exception):
    """The other side has ended, or sent something that is not a message."""


@dataclass(frozen=True)
class Message:
    """`kind` is the type, `data` is any JSON value, `blobs` are raw bytes."""

    kind: str
    data: Any = None
    blobs: Sequence[bytes] = ()


def encoded(message: Message) -> Iterator[bytes]:
    """The bytes of a message, its blobs one by one."""
    header = json.dumps(
        {"kind": message.kind, "data": message.data, "blobs": [len(b) for b in message.blobs]}
    ).encode()
    yield _LENGTH.pack(len(header)) + header
    yield from message.blobs


def send(stream: BinaryIO, message: Message) -> None:
    """Writes one message. BrokenPipe when the reader has ended."""
    pieces = encoded(message)
    try:
        stream.writelines(pieces)
        stream.flush()
    except (OSError, ValueError) as error:
        raise BrokenPipe from error


def in_memory(stream: Readable, sizes: Sequence[int]) -> Sequence[bytes]:
    """Reads blobs into memory."""
    return [exactly(stream, size) for size in sizes]


def receive(stream: Readable, take: TakeBlobs = in_memory) -> Message:
    """Reads one message. BrokenPipe at the end of the stream or for anything else."""
    (length,) = _LENGTH.unpack(exactly(stream, _LENGTH.size))
    if length > MAX_HEADER:
        raise BrokenPipe
    try:
        header = json.loads(exactly(stream, length))
        sizes = [int(size) for size in header["blobs"]]
        kind = str(header["kind"])
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenPipe from error
    if any(size < 0 for size in sizes) or sum(sizes) > MAX_BLOBS:
        raise BrokenPipe
    return Message(kind, header["data"], take(stream, sizes))


def exactly(stream: Readable, size: int) -> bytes:
    """Reads exactly `size` bytes; BrokenPipe when there are fewer."""
    try:
        data = stream.read(size)
    except (OSError, ValueError) as error:
        raise BrokenPipe from error
    if len(data) != size:
        raise BrokenPipe
    return data
