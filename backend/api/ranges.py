"""The original file of a document as a response: whole, or one byte range (RFC 9110)."""

import re
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import quote

from starlette.responses import JSONResponse, Response, StreamingResponse

from backend.docsets.documents import Original

_CHUNK = 1 << 18
_ONE = re.compile(r"bytes\s*+=\s*+([0-9]{0,18})\s*+-\s*+([0-9]{0,18})\s*+$", re.IGNORECASE)
_SEVERAL = re.compile(r"bytes\s*=[^,]*,", re.IGNORECASE)


def unchanged(original: Original, if_none_match: str | None) -> Response | None:
    """304 if the caller's header names the tag of this file, which it then has already."""
    tag = f'"{original.digest}"'
    sent = {part.strip().removeprefix("W/") for part in (if_none_match or "").split(",")}
    return Response(status_code=304, headers={"ETag": tag}) if sent & {tag, "*"} else None


def file_response(original: Original, wanted: str | None, if_range: str | None) -> Response:
    """200 with the file, 206 with the range, or 416. Anything but a byte range gets the whole file.

    Several ranges at once are refused with 416. `if_range` is the tag of the file that the caller
    has a part of: if it is another file, all of this one is sent.
    """
    tag = f'"{original.digest}"'
    headers = {
        # Not the framework's media type, which would add an unknown charset.
        "Content-Type": original.content_type,
        "Accept-Ranges": "bytes",
        "ETag": tag,
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(original.name, safe='')}",
        # A stored page must never run in the origin of this server.
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
    }
    file = original.open()
    if wanted is None or if_range not in (None, tag):
        return _sent(file, 0, original.size, 200, headers)
    span = _span(wanted, original.size)
    if span is None and not _SEVERAL.match(wanted):
        return _sent(file, 0, original.size, 200, headers)
    start, stop = span or (0, 0)
    if start >= stop:
        file.close()
        detail = "One range at a time." if span is None else "The range is beyond the end."
        unsatisfied = {"Content-Range": f"bytes */{original.size}", "Accept-Ranges": "bytes"}
        return JSONResponse({"detail": detail}, 416, unsatisfied)
    headers["Content-Range"] = f"bytes {start}-{stop - 1}/{original.size}"
    return _sent(file, start, stop, 206, headers)


def _span(wanted: str, size: int) -> tuple[int, int] | None:
    """First byte and the one after the last; None unless the header names a single range."""
    match = _ONE.match(wanted)
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    if not first:
        return (max(0, size - int(last)), size) if int(last) else (size, size)
    if last and int(last) < int(first):
        return None
    return min(int(first), size), min(int(last) + 1, size) if last else size


def _sent(
    file: BinaryIO, start: int, stop: int, status: int, headers: dict[str, str]
) -> StreamingResponse:
    headers["Content-Length"] = str(stop - start)
    return StreamingResponse(_bytes(file, start, stop), status, headers)


def _bytes(file: BinaryIO, start: int, stop: int) -> Iterator[bytes]:
    with file:
        file.seek(start)
        while start < stop and (chunk := file.read(min(_CHUNK, stop - start))):
            start += len(chunk)
            yield chunk
