"""Characters of a PDF page -> arrays of codes, boxes and the runs of equal style they belong to.

Characters come in content order, which is reliable within a word but not beyond. Every
per-character call goes through `map`, and all computation on the results through arrays: a page has
thousands of characters, and some files have one text object for each.
"""

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

from backend.partition.page import SMALLEST, Role, Style
from backend.partition.pdf import calls
from backend.partition.pdf.codes import LEFTWARD, SHOWN, SPACE, kinds_of
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.marking import SPELLED, Drawn, mark_unclear, spell_out
from backend.partition.pdf.unclear import FIRST, UnclearGlyphs

_BOLD_NAMES = ("bold", "black", "heavy", "semibold", "demi")
# Computer Modern and its descendants encode weight and slope in a letter or two; of Nimbus the
# medium weight is the bold one, and there is no other.
_BOLD_CODES = re.compile(r"^(?:cm|ec|la|sf|t1)(?:ss|tt|r|cs)?bx?(?:ti|sl)?\d|nimbus.*-medi(?!um)")
_ITALIC_CODES = re.compile(r"^(?:cm|ec|la|sf|t1)\w{0,3}(?:ti|it|sl)\d")
_PLAIN_NAMES = ("regular", "roman", "book", "light", "medium", "normal")
_FIXED_NAMES = ("mono", "courier", "consol", "typewriter", "cmtt", "code")
_FLAG_FIXED, _FLAG_ITALIC, _FLAG_FORCE_BOLD = 1 << 0, 1 << 6, 1 << 18


@dataclass(slots=True)
class Run:
    """The common properties of neighbouring characters of one style, direction and baseline."""

    style: Style
    font: str
    """The font's name in the file, often with a subset prefix."""
    heading: int
    baseline: float
    role: Role | None
    hidden: bool
    """Neither filled nor stroked: the words behind the picture of a scan."""


@dataclass
class Characters:
    codes: NDArray[np.uint32]
    boxes: NDArray[np.float64]  # n x 4, on the visible page
    run: NDArray[np.int32]  # index into runs, -1 for characters inserted by PDFium
    runs: list[Run]
    spelled: list[str]
    """The letters behind the codes from `SPELLED` on."""
    made_up: Callable[[int], int]
    """Whether PDFium inserted a character that the file does not have."""
    unmapped: float
    """Share of characters in fonts that have no text for most of theirs."""

    def text(self, indices: NDArray[np.intp]) -> str:
        """One character each."""
        codes = self.codes[indices]
        shown = np.where(codes < len(SHOWN), SHOWN[np.minimum(codes, len(SHOWN) - 1)], codes)
        return shown.astype("<u4").tobytes().decode("utf-32-le")

    def spell(self, text: str) -> str:
        """Replaces the codes of ligatures by their letters."""
        if not self.spelled:
            return text
        return "".join(
            self.spelled[ord(char) - SPELLED] if chr(SPELLED) <= char < chr(FIRST) else char
            for char in text
        )


def read_characters(
    text_page: calls.Handle,
    frame: Frame,
    count: int,
    glyphs: UnclearGlyphs,
    roles: dict[int, Role],
) -> Characters:
    """The first `count` characters of a page, boxes by `frame`; `roles` by marked content."""
    codes = _codes(text_page, count)
    kinds = kinds_of(codes)
    objects = _objects(text_page, kinds)
    known = np.flatnonzero(objects)
    firsts = known[np.flatnonzero(np.diff(objects[known], prepend=0))]
    asked = objects != 0
    # The positions of blanks are not needed; line ends of an object are glyphs without text.
    asked[(codes == 0x20) | (codes == 0xA0)] = False
    asked[firsts] = True
    boxes = np.zeros((count, 4), dtype=np.float32)
    _read_boxes(text_page, boxes, asked)
    numbers, runs = _runs(text_page, frame, objects, firsts, boxes, roles)
    places = frame.boxes(boxes.astype(float))
    drawn = _drawn(codes, numbers, runs, places)
    spelled = spell_out(text_page, drawn, glyphs)
    unmapped = mark_unclear(text_page, drawn, glyphs, spelled)
    made_up = partial(calls.is_generated, text_page)
    return Characters(codes, places, numbers, runs, spelled, made_up, unmapped)


def _drawn(
    codes: NDArray[np.uint32],
    numbers: NDArray[np.int32],
    runs: list[Run],
    boxes: NDArray[np.float64],
) -> Drawn:
    names = list(dict.fromkeys(run.font for run in runs))
    place = {name: at for at, name in enumerate(names)}
    fonts = np.array([place[run.font] for run in runs] + [-1])
    level = np.array([run.heading == 0 for run in runs] + [False])
    sizes = np.array([run.style.size for run in runs] + [1.0])
    return Drawn(codes, fonts[numbers], names, level[numbers], boxes, sizes[numbers])


def _objects(text_page: calls.Handle, kinds: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The text object of each character, 0 for inserted ones. An object draws its characters
    consecutively, so anything between two of the same belongs to it as well; only lines with
    right-to-left scripts are reordered.
    """
    objects = np.zeros(len(kinds), dtype=np.int64)
    asked = np.ones(len(kinds), dtype=np.bool_)
    if (kinds == LEFTWARD).any():
        _read_objects(text_page, objects, asked)
        return objects
    white = kinds == SPACE
    # All blanks, since some are inserted, and the first character of each word.
    asked[1:] = white[1:] | white[:-1]
    _read_objects(text_page, objects, asked)
    starts = np.flatnonzero(asked & ~white)
    if not len(starts):
        return objects
    owners = objects[starts]
    whole = np.append((owners[1:] == owners[:-1]) & (owners[1:] != 0), False)
    word = np.searchsorted(starts, np.flatnonzero(~asked), side="right") - 1
    objects[~asked] = np.where(whole[word], owners[word], 0)
    asked[~asked] = whole[word]
    _read_objects(text_page, objects, ~asked)
    return objects


def _read_objects(
    text_page: calls.Handle, objects: NDArray[np.int64], asked: NDArray[np.bool_]
) -> None:
    indices = np.flatnonzero(asked)
    asking = map(calls.text_object, repeat(text_page), indices.tolist())
    objects[indices] = np.fromiter(asking, np.int64, len(indices))


def _read_boxes(
    text_page: calls.Handle, boxes: NDArray[np.float32], asked: NDArray[np.bool_]
) -> None:
    indices = np.flatnonzero(asked)
    boxes[indices] = calls.boxes.of(text_page, indices.tolist())


def _codes(text_page: calls.Handle, count: int) -> NDArray[np.uint32]:
    """All characters in one call if the text maps one to one, else one by one."""
    buffer = np.zeros(count + 1, dtype=np.uint16)
    written = calls.char_text(text_page, 0, count, calls.Handle(buffer.ctypes.data))
    if written == count + 1 and not ((buffer >= 0xD800) & (buffer < 0xE000)).any():
        return buffer[:count].astype(np.uint32)
    one = calls.unicode_of
    codes = np.fromiter((one(text_page, i) for i in range(count)), np.uint32, count)
    codes[(codes >= 0xD800) & (codes < 0xE000) | (codes > 0x10FFFF)] = 0xFFFD
    return codes


def _runs(
    text_page: calls.Handle,
    frame: Frame,
    objects: NDArray[np.int64],
    firsts: NDArray[np.intp],
    boxes: NDArray[np.float32],
    roles: dict[int, Role],
) -> tuple[NDArray[np.int32], list[Run]]:
    """The run of each character, -1 without a text object; `firsts` are the first characters of
    the objects. Neighbouring objects with the same font, matrix, baseline and colour share a run.
    """
    numbers = np.full(len(objects), -1, dtype=np.int32)
    if not len(firsts):
        return numbers, []
    owners: list[int] = objects[firsts].tolist()
    fonts = np.fromiter(map(calls.font_of, owners), np.int64, len(owners))
    # Most documents are not tagged; only tagged ones need the marks of their objects.
    asking = map(calls.mark_of, owners) if roles else repeat(-1, len(owners))
    marks = np.fromiter(asking, np.int64, len(owners))
    # Within one font, boxes with the same height and position have the same size and baseline,
    # unless the font has no height: some files have an object for each letter, so this saves most
    # calls.
    tops, bottoms = boxes[firsts, 1], boxes[firsts, 3]
    likely = _changes(np.column_stack((fonts, marks, tops, bottoms))) | (tops == bottoms)
    asked = firsts[likely].tolist()
    a, b, c, d, e, f = calls.matrices.of(text_page, asked).astype(float).T
    sizes = np.fromiter(map(calls.font_size, repeat(text_page), asked), float, len(asked))
    sizes *= np.sqrt(c * c + d * d)
    _, baselines = frame.points(e, f)
    keys = np.column_stack((fonts[likely], marks[likely], sizes, a, b, baselines))
    new = np.zeros(len(owners), dtype=np.bool_)
    new[likely] = _changes(keys)
    gaps = boxes[firsts, 0] - boxes[np.maximum(firsts - 1, 0), 2]
    colors = _colors(owners, new, gaps > np.abs(bottoms - tops))
    known = np.flatnonzero(objects)
    numbers[known] = (np.cumsum(new) - 1)[np.searchsorted(firsts, known, side="right") - 1]
    runs: list[Run] = []
    described: dict[int, _Font] = {}
    styles: dict[Style, Style] = {}
    place = (np.cumsum(likely) - 1).tolist()
    for at in np.flatnonzero(new).tolist():
        font, row = int(fonts[at]), place[at]
        if font not in described:
            described[font] = _font(text_page, int(firsts[at]), font)
        mode = calls.render_mode(owners[at])
        style = _style(colors[at], float(sizes[row]), described[font], mode)
        heading = frame.heading(float(a[row]), float(b[row]))
        hidden = mode == raw.FPDF_TEXTRENDERMODE_INVISIBLE
        role = roles.get(int(marks[at]))
        style, full = styles.setdefault(style, style), described[font].full
        runs.append(Run(style, full, heading, float(baselines[row]), role, hidden))
    return numbers, runs


def _changes(keys: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows differ from the previous one; the first always does."""
    return np.concatenate(([True], (keys[1:] != keys[:-1]).any(axis=1)))


class _Font(NamedTuple):
    full: str
    """The name in the file."""
    name: str
    """The same without a subset prefix; a nameless font gets a unique one."""
    bold: bool
    italic: bool
    fixed: bool
    """Whether all letters have one width."""


def _colors(owners: list[int], new: NDArray[np.bool_], apart: NDArray[np.bool_]) -> dict[int, int]:
    """The fill colour of the first object of each run; `new` starts a run at each change. Between
    objects that are `apart` from those before them, such as a label and its value, anything between
    two equal colours is assumed equal.
    """
    starts = np.flatnonzero(new | apart).tolist()
    ends = [*starts[1:], len(owners)]
    firsts = calls.fill_colors([owners[at] for at in starts])
    lasts = calls.fill_colors([owners[end - 1] for end in ends])
    colors: dict[int, int] = {}
    before = -1
    for start, end, first, last in zip(starts, ends, firsts, lasts, strict=True):
        for at, color in enumerate(
            [first] if first == last else calls.fill_colors(owners[start:end]), start
        ):
            if new[at] or color != before:
                new[at], colors[at] = True, color
            before = color
    return colors


def _style(color: int, size: float, font: _Font, mode: int) -> Style:
    # Filling and stroking the same letters is an old way of making them bold.
    bold = font.bold or mode == raw.FPDF_TEXTRENDERMODE_FILL_STROKE
    return Style(max(SMALLEST, round(size, 1)), font.name, bold, font.italic, color, font.fixed)


def _font(text_page: calls.Handle, index: int, font: int) -> _Font:
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int(0)
    calls.font_info(text_page, index, ctypes.addressof(buffer), 128, ctypes.addressof(flags))
    full = buffer.value.decode("latin-1")
    name = full.rpartition("+")[2]
    lower = name.lower()
    weight = calls.font_weight(text_page, index)
    # PDFium guesses the weight from the stem width: it only counts if the name does not tell.
    silent = not any(word in lower for word in _PLAIN_NAMES)
    bold = (
        any(word in lower for word in _BOLD_NAMES)
        or bool(_BOLD_CODES.search(lower))
        or bool(flags.value & _FLAG_FORCE_BOLD)
        or (weight >= 700 and silent)
    )
    italic = bool(flags.value & _FLAG_ITALIC) or "ital" in lower or "obli" in lower
    italic = italic or bool(_ITALIC_CODES.match(lower))
    # Type 3 fonts have no name; their address distinguishes them, which is all that layout needs.
    fixed = bool(flags.value & _FLAG_FIXED) or any(word in lower for word in _FIXED_NAMES)
    unique = f"font-{font:x}"
    return _Font(full or unique, name or unique, bold, italic, fixed)
