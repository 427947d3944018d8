"""Characters of a PDF page -> arrays of codes, boxes and the runs of equal style they belong to.

Characters come in content order, which is reliable inside a word and not beyond it. Everything that
is asked once per character goes through `map`, and everything computed from it through arrays: a
page has thousands of characters, and some files have one text object for each.
"""

import ctypes
import re
from collections import deque
from dataclasses import dataclass
from itertools import pairwise, repeat

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

from backend.partition.page import Role, Style
from backend.partition.pdf import calls
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.glyphs import GlyphNames

_BOLD_NAMES = ("bold", "black", "heavy", "semibold", "demi")
# Computer Modern and its descendants name weight and slope by a letter or two; of Nimbus the
# medium weight is the bold one, and it has no other.
_BOLD_CODES = re.compile(r"^(?:cm|ec|la|sf|t1)(?:ss|tt|r|cs)?bx?(?:ti|sl)?\d|nimbus.*-medi(?!um)")
_ITALIC_CODES = re.compile(r"^(?:cm|ec|la|sf|t1)\w{0,3}(?:ti|it|sl)\d")
_PLAIN_NAMES = ("regular", "roman", "book", "light", "medium", "normal")
_FIXED_NAMES = ("mono", "courier", "consol", "typewriter", "cmtt", "code")
_FLAG_FIXED, _FLAG_ITALIC, _FLAG_FORCE_BOLD = 1 << 0, 1 << 6, 1 << 18
_LINE_ENDS = (0x0A, 0x0D)
_SPELLED = 0xF0000
"""First of the private codes that stand for the letters of a glyph while words are cut."""
_SIGNS = {
    0x02: "-",
    0xAD: "-",
    0xFFFE: "-",
    0xA0: " ",
    # Signs of the Symbol and Wingdings fonts that stand before list items.
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF06C: "●",
    0xF06E: "■",
    0xF071: "❑",
    0xF075: "◆",
    0xF076: "❖",
    0xF0A8: "◻",
    0xF0FC: "✓",
    0xF0E0: "→",
}
SEEN, SPACE, LEFTWARD, _NO_TEXT = 0, 1, 2, 3
"""What a code is, as `kinds_of` answers: a letter or sign, white, a letter of a script that runs
from right to left, or nothing that could be text."""


def _kind_table() -> NDArray[np.uint8]:
    table = np.zeros(0x10001, dtype=np.uint8)
    table[[*range(0x01, 0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF]] = _NO_TEXT
    table[[0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x3000, 0x200B, *range(0x2000, 0x200A)]] = SPACE
    for first, last in ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC)):
        table[first : last + 1] = LEFTWARD
    # Digits of these scripts run from left to right.
    for first in (0x660, 0x6F0):
        table[first : first + 10] = SEEN
    return table


_KINDS = _kind_table()


def kinds_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    kinds: NDArray[np.uint8] = _KINDS[np.minimum(codes, 0x10000)]
    return kinds


@dataclass(slots=True)
class Run:
    """What holds for neighbouring characters of one style, direction and baseline."""

    style: Style
    heading: int
    baseline: float
    role: Role | None
    hidden: bool
    """Neither filled nor stroked: the words behind the picture of a scan."""


@dataclass
class Characters:
    codes: NDArray[np.uint32]
    boxes: NDArray[np.float64]  # n x 4, on the visible page
    run: NDArray[np.int32]  # index into runs, -1 for characters PDFium made up
    runs: list[Run]
    spelled: list[str]
    """The letters behind the codes from `_SPELLED` on."""

    def text(self, indices: NDArray[np.intp]) -> str:
        """One character each."""
        return self.codes[indices].astype("<u4").tobytes().decode("utf-32-le").translate(_SIGNS)

    def spell(self, text: str) -> str:
        """With the letters of ligatures in place of their codes."""
        if not self.spelled:
            return text
        return "".join(
            self.spelled[ord(char) - _SPELLED] if char >= chr(_SPELLED) else char for char in text
        )


def read_characters(
    text_page: calls.Pointer,
    frame: Frame,
    count: int,
    names: GlyphNames,
    roles: dict[int, Role],
) -> Characters:
    """The first `count` characters of a page, boxes by `frame`; `roles` by marked content."""
    boxes = np.zeros((count, 4), dtype=np.float32)
    where, indices = boxes.ctypes.data, range(count)
    places = range(where, where + 16 * count, 16)
    deque(map(calls.loose_box, repeat(text_page), indices, places), maxlen=0)
    objects: list[int | None] = list(map(calls.text_object, repeat(text_page), indices))
    x0, y0 = frame.points(boxes[:, 0].astype(float), boxes[:, 1].astype(float))
    x1, y1 = frame.points(boxes[:, 2].astype(float), boxes[:, 3].astype(float))
    placed = np.stack(
        [np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)], axis=1
    )
    numbers, runs = _runs(text_page, frame, objects, roles)
    codes = _codes(text_page, count)
    spelled = _spell_out(text_page, codes, numbers, runs, names)
    return Characters(codes, placed, numbers, runs, spelled)


def _spell_out(
    text_page: calls.Pointer,
    codes: NDArray[np.uint32],
    numbers: NDArray[np.int32],
    runs: list[Run],
    names: GlyphNames,
) -> list[str]:
    """Puts codes from `_SPELLED` on for glyphs without text whose names tell their letters, and 0
    for other control characters; returns the letters. A 2 that PDFium does not call an error is
    the hyphen at the end of a line; a nameless glyph alone before a line is its bullet."""
    spelled: list[str] = []
    kinds = kinds_of(codes)
    for index in np.flatnonzero(kinds == _NO_TEXT).tolist():
        code = int(codes[index])
        lost = calls.map_error(text_page, index) == 1
        if not lost and code in _SIGNS:
            continue
        run = int(numbers[index])
        letters = names.letters(runs[run].style.font, code) if lost and run >= 0 else ""
        if not letters and lost and (kinds[index + 1 : index + 2] == SPACE).all():
            letters = "•" if index == 0 or codes[index - 1] in _LINE_ENDS else ""
        codes[index] = _SPELLED + len(spelled) if letters else 0
        if letters:
            spelled.append(letters)
    return spelled


def _codes(text_page: calls.Pointer, count: int) -> NDArray[np.uint32]:
    """All characters in one call where the text maps one to one, else one by one."""
    buffer = np.zeros(count + 1, dtype=np.uint16)
    written = calls.char_text(text_page, 0, count, buffer.ctypes.data)
    if written == count + 1 and not ((buffer >= 0xD800) & (buffer < 0xE000)).any():
        return buffer[:count].astype(np.uint32)
    one = calls.unicode_of
    codes = np.fromiter((one(text_page, i) for i in range(count)), np.uint32, count)
    codes[(codes >= 0xD800) & (codes < 0xE000) | (codes > 0x10FFFF)] = 0xFFFD
    return codes


def _runs(
    text_page: calls.Pointer, frame: Frame, objects: list[int | None], roles: dict[int, Role]
) -> tuple[NDArray[np.int32], list[Run]]:
    """The run of each character. Neighbouring text objects with the same font, matrix, baseline
    and colour share a run."""
    pointers = np.array([pointer or 0 for pointer in objects], dtype=np.uint64)
    known = np.flatnonzero(pointers)
    numbers = np.full(len(objects), -1, dtype=np.int32)
    if not len(known):
        return numbers, []
    changes = np.concatenate(([True], pointers[known[1:]] != pointers[known[:-1]]))
    firsts = known[changes].tolist()
    owners = [objects[index] or 0 for index in firsts]
    matrices = np.zeros((len(firsts), 6), dtype=np.float32)
    where = matrices.ctypes.data
    places = range(where, where + 24 * len(firsts), 24)
    deque(map(calls.matrix_of, repeat(text_page), firsts, places), maxlen=0)
    a, b, c, d, e, f = matrices.astype(float).T
    sizes = np.fromiter(map(calls.font_size, repeat(text_page), firsts), float, len(firsts))
    sizes *= np.sqrt(c * c + d * d)
    fonts = [font or 0 for font in map(calls.font_of, owners)]
    _, baselines = frame.points(e, f)
    # Most documents are not tagged: only their objects need not be asked for their marks.
    marks = list(map(calls.mark_of, owners)) if roles else [-1] * len(owners)
    numbered = np.array(fonts, dtype=np.uint64).astype(float)
    keys = np.stack([numbered, sizes, a, b, baselines, np.array(marks, dtype=float)])
    new = np.concatenate(([True], (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    colors = _colors(owners, new)
    numbers[known] = (np.cumsum(new) - 1)[np.cumsum(changes) - 1]
    runs: list[Run] = []
    described: dict[int, _Font] = {}
    for at in np.flatnonzero(new).tolist():
        font = fonts[at]
        if font not in described:
            described[font] = _font(text_page, firsts[at], font)
        mode = calls.render_mode(owners[at])
        style = _style(colors[at], float(sizes[at]), described[font], mode)
        heading = frame.heading(float(a[at]), float(b[at]))
        hidden = mode == raw.FPDF_TEXTRENDERMODE_INVISIBLE
        runs.append(Run(style, heading, float(baselines[at]), roles.get(marks[at]), hidden))
    return numbers, runs


_Font = tuple[str, bool, bool, bool]
"""Name without the subset prefix, whether bold, whether italic, whether of fixed width."""

_rgba = (ctypes.c_uint * 4)()
_rgba_at = [ctypes.addressof(_rgba) + 4 * band for band in range(4)]


def _colors(owners: list[int], new: NDArray[np.bool_]) -> dict[int, int]:
    """The fill colour of the first object of each run. Where first and last differ, all objects
    are asked, and `new` begins a run at each change; what lies between two alike is alike."""
    starts = np.flatnonzero(new).tolist()
    colors: dict[int, int] = {}
    for start, end in pairwise([*starts, len(owners)]):
        colors[start] = _color(owners[start])
        if end - start > 1 and _color(owners[end - 1]) != colors[start]:
            before = colors[start]
            for at in range(start + 1, end):
                color = _color(owners[at])
                if color != before:
                    new[at], colors[at] = True, color
                before = color
    return colors


def _color(pointer: int) -> int:
    if not calls.fill_color(pointer, *_rgba_at):
        return 0
    return _rgba[0] << 16 | _rgba[1] << 8 | _rgba[2]


def _style(color: int, size: float, font: _Font, mode: int) -> Style:
    name, bold, italic, fixed = font
    # Filling and stroking the same letters is the old way of making them bold.
    bold = bold or mode == raw.FPDF_TEXTRENDERMODE_FILL_STROKE
    return Style(round(size, 1), name, bold, italic, color, fixed)


def _font(text_page: calls.Pointer, index: int, font: int) -> _Font:
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int(0)
    calls.font_info(text_page, index, ctypes.addressof(buffer), 128, ctypes.addressof(flags))
    name = buffer.value.decode("latin-1").rpartition("+")[2]
    lower = name.lower()
    weight = calls.font_weight(text_page, index)
    # The weight is guessed by PDFium from the stem width: it only counts where the name is silent.
    silent = not any(word in lower for word in _PLAIN_NAMES)
    bold = (
        any(word in lower for word in _BOLD_NAMES)
        or bool(_BOLD_CODES.search(lower))
        or bool(flags.value & _FLAG_FORCE_BOLD)
        or (weight >= 700 and silent)
    )
    italic = bool(flags.value & _FLAG_ITALIC) or "ital" in lower or "obli" in lower
    italic = italic or bool(_ITALIC_CODES.match(lower))
    # Type 3 fonts have no name: the address tells them apart, which is all that layout needs.
    fixed = bool(flags.value & _FLAG_FIXED) or any(word in lower for word in _FIXED_NAMES)
    return name or f"font-{font:x}", bold, italic, fixed
