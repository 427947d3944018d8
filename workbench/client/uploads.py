"""Uploads: files streamed from disk as multipart, with progress in bytes.

httpx could build the multipart itself, but reads files on the event loop and reports no progress.
"""

import asyncio
import json
import mimetypes
import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from workbench.client.errors import Mistake, SourceUnreadable

Source = Path | bytes | str
"""A local file, its bytes, or text: a URL for the server to fetch, else a path."""

Options = Mapping[str, Any] | BaseModel
"""Options of a partition call, as JSON object or `PartitionOptions`."""

OnSent = Callable[[int, int], None]
"""Called with the bytes sent so far and in all, of the file alone."""

_PIECE = 256 * 1024


@dataclass(frozen=True)
class Upload:
    """One multipart body; `pieces()` can be called again when a request is repeated."""

    before: bytes
    source: Path | bytes
    size: int
    after: bytes
    boundary: str
    on_sent: OnSent | None = None

    @property
    def headers(self) -> dict[str, str]:
        length = len(self.before) + self.size + len(self.after)
        return {
            "Content-Type": f"multipart/form-data; boundary={self.boundary}",
            "Content-Length": str(length),
        }

    async def pieces(self) -> AsyncIterator[bytes]:
        yield self.before
        sent = 0
        async for piece in self._content():
            yield piece
            sent += len(piece)
            if self.on_sent is not None:
                self.on_sent(sent, self.size)
        yield self.after

    async def _content(self) -> AsyncIterator[bytes]:
        if isinstance(self.source, bytes):
            for start in range(0, len(self.source), _PIECE):
                yield self.source[start : start + _PIECE]
            return
        left = self.size
        try:
            with self.source.open("rb") as file:
                while left > 0:
                    piece = await asyncio.to_thread(file.read, min(_PIECE, left))
                    if not piece:
                        raise SourceUnreadable(
                            f"{self.source} became shorter during the upload; nothing was stored."
                        )
                    left -= len(piece)
                    yield piece
        except OSError as error:
            raise _unreadable(self.source, error) from error


def prepare(
    source: Source,
    *,
    name: str | None = None,
    options: Options | None = None,
    on_sent: OnSent | None = None,
) -> Upload:
    """The multipart body for `source`. SourceUnreadable for a file, Mistake for other arguments."""
    check_arguments(source, name, options)
    boundary = secrets.token_hex(16)
    before = b"" if options is None else _field(boundary, "options", _options_text(options))
    after = f"--{boundary}--\r\n".encode()
    if is_url(source):
        before += _field(boundary, "file_url", str(source))
        return Upload(before, b"", 0, after, boundary, on_sent)
    content: Path | bytes
    if isinstance(source, bytes):
        content, size, name = source, len(source), name or "upload"
    else:
        content = Path(source).expanduser()
        size, name = _size(content), name or name_of(content)
    before += _file_head(boundary, name)
    return Upload(before, content, size, b"\r\n" + after, boundary, on_sent)


def check_arguments(source: object, name: object, options: object) -> None:
    """Mistake for what is no file, name or partition options."""
    if not isinstance(source, str | bytes | os.PathLike):
        raise Mistake(f"Files are added by path, pattern, URL or as bytes, not {source!r:.80}.")
    if name is not None and not isinstance(name, str):
        raise Mistake(f"name must be a text; it is {name!r:.80}.")
    if options is not None and not isinstance(options, Mapping | BaseModel):
        raise Mistake(f"options must be partition options by name; they are {options!r:.80}.")


def name_of(path: Path) -> str:
    """The name of a file as text; bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def is_url(source: Source) -> bool:
    """Whether `source` is an address for the server to fetch."""
    return isinstance(source, str) and source.lower().startswith(("http://", "https://"))


def _size(path: Path) -> int:
    try:
        if path.is_dir():
            raise SourceUnreadable(f"{path} is a folder; name the files in it.")
        with path.open("rb") as file:
            return file.seek(0, 2)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> SourceUnreadable:
    return SourceUnreadable(f"{path} cannot be read: {error.strerror or error}.")


def _options_text(options: Options) -> str:
    if isinstance(options, BaseModel):
        return options.model_dump_json(by_alias=True, exclude_none=True)
    return json.dumps(dict(options))


def _field(boundary: str, name: str, text: str) -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
    return head.encode() + text.encode() + b"\r\n"


def _file_head(boundary: str, name: str) -> bytes:
    safe = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{safe}"\r\n'
        f"Content-Type: {kind}\r\n\r\n"
    ).encode()
