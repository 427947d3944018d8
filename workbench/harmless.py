"""Text that cannot steer a terminal, whoever wrote it.

Names of files, properties and errors come from other people. An escape sequence in one would set
the title of the window, clear the screen or answer in the place of the person; a mark of direction
would make `exe.pdf` of `fdp.exe`. What becomes output of a command passes `HarmlessStream`, what
becomes a screen of the app passes `workbench.tui.harmless_screen`.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def steers(text: str) -> bool:
    """Whether the text holds a control character, or a mark that turns its direction."""
    return _STEERING.search(text) is not None


def harmless(text: str) -> str:
    """The text without such characters; line ends and tabs stay."""
    return _STEERING.sub("", text)


def harmless_json(text: str) -> str:
    """JSON that says the same, with such characters escaped."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class HarmlessStream:
    """A text stream whose text has no escape sequences; `inner` takes those of our own."""

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner

    def write(self, text: str) -> int:
        plain = harmless(text)
        try:
            self.inner.write(plain)
        except UnicodeEncodeError:  # a terminal of another encoding, such as plain ASCII
            encoding = self.inner.encoding or "ascii"
            self.inner.write(plain.encode(encoding, "replace").decode(encoding))
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def raw(stream: TextIO) -> TextIO:
    """The stream that takes escape sequences as well: for colours and progress of our own."""
    return stream.inner if isinstance(stream, HarmlessStream) else stream


@contextmanager
def harmless_output() -> Iterator[None]:
    """Has all that is printed in the block be harmless."""
    before = sys.stdout, sys.stderr
    ours = [cast(TextIO, HarmlessStream(stream)) if stream else stream for stream in before]
    sys.stdout, sys.stderr = ours
    try:
        yield
    finally:
        if sys.stdout is ours[0]:  # else it was closed, as the reader has gone
            sys.stdout = before[0]
        sys.stderr = before[1]
