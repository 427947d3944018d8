"""The original file of a document as an answer: whole, or one range of its bytes (RFC 9110)."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from backend.docsets.documents import Original

_CHUNK = 1 << 18
_RANGE = re.compile(r"bytes=\s*(\d*)\s*-\s*(\d*)\s*$", re.IGNORECASE)


def file_response(original: Original, wanted: str | None) -> Response:
    """200 with all, 206 with the range, or 416. Several ranges at once are answered with all."""
    headers = {
        "Accept-Ranges": "bytes",
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(original.name)}",
        # A stored page must never run as a page of this address.
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
    }
    span = None if wanted is None else _span(wanted, original.size)
    if span is None:
        return _streamed(original, 0, original.size, 200, headers)
    start, stop = span
    if start >= stop:
        return Response(
            status_code=416, headers={**headers, "Content-Range": f"bytes */{original.size}"}
        )
    headers["Content-Range"] = f"bytes {start}-{stop - 1}/{original.size}"
    return _streamed(original, start, stop, 206, headers)


def _span(wanted: str, size: int) -> tuple[int, int] | None:
    """First byte and the one after the last; None when the header asks for no single range."""
    match = _RANGE.match(wanted)
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    if not first:
        return (max(0, size - int(last)), size) if int(last) else (size, size)
    if last and int(last) < int(first):
        return None
    return min(int(first), size), min(int(last) + 1, size) if last else size


def _streamed(
    original: Original, start: int, stop: int, status: int, headers: dict[str, str]
) -> Response:
    headers["Content-Length"] = str(stop - start)
    return StreamingResponse(
        _bytes(original.path, start, stop), status, headers, original.content_type
    )


def _bytes(path: Path, start: int, stop: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while start < stop and (chunk := file.read(min(_CHUNK, stop - start))):
            start += len(chunk)
            yield chunk
