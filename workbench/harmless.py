"""Removes control characters from untrusted text before it reaches a terminal.

Names of files, properties and errors come from other people. An escape sequence in one could set
the window title, clear the screen or type in the user's place; a direction mark could display
`fdp.exe` as `exe.pdf`. Output of commands passes `HarmlessStream`, screens of the app pass
`workbench.tui.harmless_screen`.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def steers(text: str) -> bool:
    """Whether the text contains a control character or a direction mark."""
    return _STEERING.search(text) is not None


def harmless(text: str) -> str:
    """The text without such characters; keeps line ends and tabs."""
    return _STEERING.sub("", text)


_BREAKS = re.compile("[\t\n\u2028\u2029]")


def breaks(text: str) -> bool:
    """Whether the text contains a line break or a tab, which move the cursor."""
    return _BREAKS.search(text) is not None


def unbroken(text: str) -> str:
    """The text, harmless, with a space for each line break and tab."""
    return _BREAKS.sub(" ", harmless(text))


def in_line(name: str) -> str:
    """A name in a sentence: harmless, and without line breaks to pose as other output."""
    return " ".join(harmless(name).split())


def harmless_json(text: str) -> str:
    """Equal JSON with such characters escaped."""
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class HarmlessStream:
    """A text stream that removes escape sequences; `inner` is the stream for our own."""

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner

    def write(self, text: str) -> int:
        plain = harmless(text)
        try:
            self.inner.write(plain)
        except UnicodeEncodeError:  # the terminal has another encoding, such as plain ASCII
            encoding = self.inner.encoding or "ascii"
            self.inner.write(plain.encode(encoding, "replace").decode(encoding))
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def raw(stream: TextIO) -> TextIO:
    """The underlying stream, for our own colours and progress."""
    return stream.inner if isinstance(stream, HarmlessStream) else stream


@contextmanager
def harmless_output() -> Iterator[None]:
    """Makes everything printed in the block harmless."""
    before = sys.stdout, sys.stderr
    ours = [cast(TextIO, HarmlessStream(stream)) if stream else stream for stream in before]
    sys.stdout, sys.stderr = ours
    try:
        yield
    finally:
        if sys.stdout is ours[0]:  # otherwise the reader has closed the pipe
            sys.stdout = before[0]
        sys.stderr = before[1]
