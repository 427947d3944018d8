"""What pictures the terminal can show, found out by asking it before the app starts.

Four questions go out at once: whether it takes kitty graphics, what it is called, how large a cell
is, and its device attributes (DA1). Every terminal answers the last one, so its answer says that no
other will come. Nothing is asked in a pipe, of a terminal without such answers, or inside tmux and
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
_PLACEHOLDERS = ("kitty", "ghostty")
"""The terminals that know kitty's Unicode placeholders; others with its protocol do not."""


class Graphics(NamedTuple):
    """The best way to show a picture, and the size of a cell in pixels (width, height)."""

    level: Level = "halfblock"
    cell: tuple[int, int] = (10, 20)


def read_answers(answers: bytes) -> Graphics:
    """What a terminal's answers say it can do."""
    size = _CELL.search(answers)
    cell = (int(size[2]), int(size[1])) if size else Graphics().cell
    if not all(2 <= side <= 200 for side in cell):
        cell = Graphics().cell
    name = _NAME.search(answers)
    called = name[1].decode("ascii", "replace").lower() if name else ""
    if b"\x1b_Gi=31;OK" in answers and called.startswith(_PLACEHOLDERS):
        return Graphics("kitty", cell)
    attributes = _ATTRIBUTES.search(answers)
    if attributes and b"4" in attributes[1].split(b";"):
        return Graphics("sixel", cell)
    return Graphics("halfblock", cell)


def may_be_asked(environment: Mapping[str, str]) -> bool:
    """Whether the terminal that the environment names would answer for itself."""
    term = environment.get("TERM", "")
    between = "TMUX" in environment or term.startswith(("tmux", "screen"))
    return not between and term not in ("", "dumb", "linux")


def ask_terminal() -> Graphics:
    """Asks the terminal that the app will draw on; half blocks where it cannot be asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty() and may_be_asked(os.environ)):
        return Graphics()
    try:
        return read_answers(_answers(sys.stdin.fileno(), sys.stderr.fileno()))
    except OSError:
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
