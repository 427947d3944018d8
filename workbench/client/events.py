"""Parses server-sent events from bytes.

Lines end only at LF, CR LF or CR: `str.splitlines`, which httpx's line reader uses, also splits at
U+2028 and form feeds, which occur in the text of documents.
"""

import re
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field

from workbench.client.errors import BadAnswer

_LINE_END = re.compile(rb"\r\n|\n|\r")
_LONGEST = 64 * 2**20
_BESIDE = ("progress", "account")
"""Our own fields beside the data."""


@dataclass(frozen=True)
class ServerEvent:
    """One event: name (`message` by default), data, and the id to resume from.

    As JSON, events of a run carry its `progress`, and the last one the `account` of the answer.
    """

    name: str
    data: str
    id: str | None = None
    progress: str | None = None
    account: str | None = None


@dataclass
class _Draft:
    name: str = ""
    data: list[str] = field(default_factory=list)
    id: str | None = None
    beside: dict[str, str] = field(default_factory=dict)

    def take(self, line: str) -> None:
        key, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if key == "event":
            self.name = value
        elif key == "data":
            self.data.append(value)
        elif key in _BESIDE:
            self.beside[key] = value
        elif key == "id" and "\0" not in value:
            self.id = value

    def finish(self) -> ServerEvent | None:
        """The event, or None without data; the draft is reset but keeps the last id."""
        name, data, beside = self.name, self.data, self.beside
        self.name, self.data, self.beside = "", [], {}
        if not data:
            return None
        return ServerEvent(name or "message", "\n".join(data), self.id, **beside)


async def read_events(pieces: AsyncIterable[bytes]) -> AsyncIterator[ServerEvent]:
    """The events in a stream of bytes. An event that the stream cuts off is dropped."""
    draft = _Draft()
    async for line in _lines(pieces):
        if line:
            draft.take(line)
        elif (event := draft.finish()) is not None:
            yield event


async def _lines(pieces: AsyncIterable[bytes]) -> AsyncIterator[str]:
    buffer = bytearray()
    async for piece in pieces:
        searched = max(0, len(buffer) - 1)  # only a final CR must be examined again
        buffer += piece
        start = 0
        for end in _LINE_END.finditer(buffer, searched):
            if end.group() == b"\r" and end.end() == len(buffer):
                break
            yield buffer[start : end.start()].decode("utf-8", "replace")
            start = end.end()
        del buffer[:start]
        if len(buffer) > _LONGEST:
            raise BadAnswer(f"A line of the event stream is longer than {_LONGEST >> 20} MiB.")
