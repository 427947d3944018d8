"""The layout of a partition answer: one JSON object that clients read line by line while it grows.

Clients of the synchronous call parse the lines up to the end of the status array and collect the
rest verbatim. So each status is a separate line, and the array ends with an empty entry and a line
that begins with two spaces and `],`. Finished tasks store their answer in the same layout, so that
the rest of a stream can be cut out without parsing.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

OPENING = b'{\n  "status": [\n'
_END = b'    ""\n  ],\n'
_PROGRESS = b'    "T+'

NOTICE = [
    "This answer is sent while the document is being processed. A reader that stops early",
    'can complete the JSON by closing the status array and the object: "] }".',
    "Lines that begin with T+ give the seconds since the start.",
    "",
]


def status_line(text: str) -> bytes:
    """One entry of the status array."""
    return f"    {json.dumps(text)},\n".encode()


def progress(seconds: float, page: int) -> str:
    """The status entry for a finished page, such as `T+   0.53: Completed work on page 1`."""
    return f"T+{seconds:7.2f}: Completed work on page {page}"


def laid_out(status: Sequence[str], body: Mapping[str, Any]) -> bytes:
    """A whole answer. `body` follows the status and is not empty."""
    rest = ",\n".join(f"  {_json(key)}: {_json(value)}" for key, value in body.items())
    lines = b"".join(status_line(entry) for entry in status)
    return OPENING + lines + _END + rest.encode() + b"\n}\n"


def with_status(answer: bytes, text: str | None) -> bytes:
    """The answer with one more status entry at the end."""
    if text is None:
        return answer
    end = answer.index(_END)
    return answer[:end] + status_line(text) + answer[end:]


def remainder(answer: bytes) -> bytes:
    """The rest of an answer for a reader who already has its opening and all progress."""
    end = answer.index(_END)
    lines = answer[len(OPENING) : end].splitlines(keepends=True)
    unsent = b"".join(line for line in lines if not line.startswith(_PROGRESS))
    return unsent + answer[end:]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
