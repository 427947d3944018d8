"""What pictures the terminal can show, according to the terminal itself before the app starts.

Four queries are sent at once: support for kitty graphics, the terminal's name, the size of a cell,
and its device attributes (DA1). Every terminal answers the last one, so its answer means that no
other will come. Nothing is sent in a pipe, to a terminal that does not answer, or inside tmux and
screen, which answer for themselves and not for the terminal around them.
"""

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from typing import Literal, NamedTuple

Level = Literal["kitty", "sixel", "halfblock"]
_SECONDS = 1.0
_QUESTIONS = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>0q\x1b[16t\x1b[c"
_ATTRIBUTES = re.compile(rb"\x1b\[\?([\d;]*)c")
_CELL = re.compile(rb"\x1b\[6;(\d+);(\d+)t")
_NAME = re.compile(rb"\x1bP>\|([^\x1b]*)\x1b\\")
_PLACEHOLDERS = {b"kitty": (0, 28), b"ghostty": (1, 0)}
"""The terminals with kitty's Unicode placeholders, and the version that brought them."""


class Graphics(NamedTuple):
    """The best way to show a picture, and the size of a cell in pixels (width, height)."""

    level: Level = "halfblock"
    cell: tuple[int, int] = (8, 16)


def read_answers(answers: bytes, cell: tuple[int, int] | None = None) -> Graphics:
    """A terminal's capabilities from its answers; `cell` is the size of a cell as reported by the
    tty.

    Without a size there are no sixels: they would spill over the page, or scroll the screen.
    """
    if cell is None and (size := _CELL.search(answers)):
        cell = _sound(int(size[2]), int(size[1]))
    if b"\x1b_Gi=31;OK" in answers and _knows_placeholders(answers):
        return Graphics("kitty", cell or Graphics().cell)
    attributes = _ATTRIBUTES.search(answers)
    if cell and attributes and b"4" in attributes[1].split(b";"):
        return Graphics("sixel", cell)
    return Graphics("halfblock", cell or Graphics().cell)


def _knows_placeholders(answers: bytes) -> bool:
    """By its name and version: `kitty(0.35.2)`, `ghostty 1.1.3`."""
    name = _NAME.search(answers)
    called = re.match(rb"(\w+)[( ](\d+)\.(\d+)", name[1]) if name else None
    if called is None:
        return False
    since = _PLACEHOLDERS.get(called[1].lower())
    return since is not None and (int(called[2]), int(called[3])) >= since


def cell_size() -> tuple[int, int] | None:
    """The size of a cell in pixels now, where the line to the terminal knows it."""
    import struct

    try:
        import fcntl
        import termios

        answer = fcntl.ioctl(sys.__stdin__, termios.TIOCGWINSZ, bytes(8))  # type: ignore[arg-type]
    except (OSError, ValueError, TypeError, ImportError):
        return None
    rows, columns, width, height = struct.unpack("4H", answer)
    return _sound(width // columns, height // rows) if rows and columns else None


def _sound(width: int, height: int) -> tuple[int, int] | None:
    """A size that a cell can have; some terminals report nonsense."""
    return (width, height) if 2 <= width <= 200 and 2 <= height <= 200 else None


def may_be_asked(environment: Mapping[str, str]) -> bool:
    """Whether the terminal that the environment names would answer for itself."""
    term = environment.get("TERM", "")
    between = "TMUX" in environment or term.startswith(("tmux", "screen"))
    return not between and term not in ("", "dumb", "linux")


def ask_terminal() -> Graphics:
    """Queries the terminal that the app will draw on; half blocks if that is impossible."""
    if not (sys.stdin.isatty() and sys.stderr.isatty() and may_be_asked(os.environ)):
        return Graphics()
    try:
        return read_answers(_answers(sys.stdin.fileno(), sys.stderr.fileno()), cell_size())
    except (OSError, ImportError):  # closed, or a system without terminals
        return Graphics()


def _answers(reading: int, writing: int) -> bytes:
    """What comes back up to the device attributes, or within the time."""
    import termios
    import tty

    before = termios.tcgetattr(reading)
    tty.setraw(reading, termios.TCSANOW)
    try:
        os.write(writing, _QUESTIONS.encode("ascii"))
        answers = b""
        end = time.monotonic() + _SECONDS
        while not _ATTRIBUTES.search(answers):
            left = end - time.monotonic()
            if left <= 0 or not select.select([reading], [], [], left)[0]:
                break
            answers += os.read(reading, 1024)
        return answers
    finally:
        termios.tcsetattr(reading, termios.TCSANOW, before)
