"""The layout of a partition answer: one JSON object that is read line by line while it grows.

Readers of the synchronous call look at the lines up to the end of the status array and collect the
rest blindly; so each status stands on a line of its own, and the array ends with an empty entry and
a line that begins with two spaces and `],`. Finished tasks keep their answer in the same layout:
what remains to be sent at the end of a stream is then cut out of it without being parsed.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

OPENING = b'{\n  "status": [\n'
_END = b'    ""\n  ],\n'
_PROGRESS = b'    "T+'

NOTICE = [
    "This answer is sent while the document is worked on. A reader that stops before the end",
    'can make the part it has valid JSON by closing the status array and the object: "] }".',
    "Lines that begin with T+ give the seconds since the work began.",
    "",
]


def status_line(text: str) -> bytes:
    """One entry of the status array."""
    return f"    {json.dumps(text)},\n".encode()


def progress(seconds: float, page: int) -> str:
    """The entry that says a page is done, for instance `T+   0.53: Completed work on page 1`."""
    return f"T+{seconds:7.2f}: Completed work on page {page}"


def laid_out(status: Sequence[str], body: Mapping[str, Any]) -> bytes:
    """A whole answer. `body` is what follows the status and is not empty."""
    rest = ",\n".join(f"  {_json(key)}: {_json(value)}" for key, value in body.items())
    lines = b"".join(status_line(entry) for entry in status)
    return OPENING + lines + _END + rest.encode() + b"\n}\n"


def with_status(answer: bytes, text: str | None) -> bytes:
    """The answer with one more status entry behind the others."""
    if text is None:
        return answer
    end = answer.index(_END)
    return answer[:end] + status_line(text) + answer[end:]


def remainder(answer: bytes) -> bytes:
    """What a reader who has got the opening and all progress still lacks of an answer."""
    end = answer.index(_END)
    lines = answer[len(OPENING) : end].splitlines(keepends=True)
    untold = b"".join(line for line in lines if not line.startswith(_PROGRESS))
    return untold + answer[end:]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
