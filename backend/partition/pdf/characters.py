"""Characters of a PDF page -> words with box, style and baseline.

Characters come in content order, which is reliable inside a word and not beyond it: whole lines may
be shuffled. So words are built here from neighbours in the stream and everything larger is left to
the layout. Spaces are taken from the file where it has them and from gaps where it has none; the
ones PDFium guesses are ignored, since they depend on the stream order.
"""

import ctypes
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

from backend.partition.page import Rect, Style, Word
from backend.partition.pdf import calls
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.glyphs import GlyphNames

_BOLD_NAMES = ("bold", "black", "heavy", "semibold", "demi")
_PLAIN_NAMES = ("regular", "roman", "book", "light", "medium", "normal")
_FLAG_ITALIC, _FLAG_FORCE_BOLD = 1 << 6, 1 << 18
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
_NO_TEXT = np.array([*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF])
_LINE_ENDS = (0x0A, 0x0D)
_SPELLED = 0xF0000
"""First of the private codes that stand for the letters of a glyph while words are cut."""
_SPACES = np.array([0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x3000, 0x200B, *range(0x2000, 0x200A)])
_WORD_GAP = 0.1
"""Of the font size: wider than any kerning, narrower than the tightest justified space."""
_SURE_GAP = 0.3
"""The same where PDFium saw no space: letters that are set apart for looks."""


@dataclass(slots=True)
class _Run:
    """What holds for all characters of one text object."""

    style: Style
    heading: int
    baseline: float


@dataclass
class _Characters:
    codes: NDArray[np.uint32]
    boxes: NDArray[np.float64]  # n x 4, on the visible page
    run: NDArray[np.int32]  # index into runs, -1 for characters PDFium made up
    runs: list[_Run]
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


def read_words(
    text_page: calls.Pointer, frame: Frame, names: GlyphNames
) -> tuple[list[Word], list[Word], int]:
    """Words that read left to right, words (whole strings) set at an angle, and the turn.

    The turn is the clockwise rotation (0, 90, 180, 270) after which most of the text reads left to
    right; boxes are in the turned frame.
    """
    count = calls.char_count(text_page)
    if count <= 0:
        return [], [], 0
    chars = _read(text_page, frame, count, names)
    turn = _dominant_turn(chars)
    if turn:
        chars = _read(text_page, frame.turned(turn), count, names)
    headings = np.array([run.heading for run in chars.runs] + [-2])[chars.run]
    return _words(chars, headings == 0), _angled(chars, (headings != 0) & (headings != -2)), turn


def _dominant_turn(chars: _Characters) -> int:
    lengths = np.bincount(chars.run[chars.run >= 0], minlength=len(chars.runs))
    votes: Counter[int] = Counter()
    for run, length in zip(chars.runs, lengths, strict=True):
        votes[run.heading] += int(length)
    total = sum(votes.values())
    if not total:
        return 0
    heading, most = votes.most_common(1)[0]
    return (360 - heading) % 360 if heading > 0 and most > 0.6 * total else 0


def _read(text_page: calls.Pointer, frame: Frame, count: int, names: GlyphNames) -> _Characters:
    boxes = np.zeros((count, 4), dtype=np.float32)
    where = boxes.ctypes.data
    objects: list[int | None] = [None] * count
    box, text_object = calls.loose_box, calls.text_object
    for index in range(count):
        objects[index] = text_object(text_page, index)
        box(text_page, index, where + 16 * index)
    x0, y0 = frame.points(boxes[:, 0].astype(float), boxes[:, 1].astype(float))
    x1, y1 = frame.points(boxes[:, 2].astype(float), boxes[:, 3].astype(float))
    placed = np.stack(
        [np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)], axis=1
    )
    numbers, runs = _runs(text_page, frame, objects)
    codes = _codes(text_page, count)
    spelled = _spell_out(text_page, codes, numbers, runs, names)
    return _Characters(codes, placed, numbers, runs, spelled)


def _spell_out(
    text_page: calls.Pointer,
    codes: NDArray[np.uint32],
    numbers: NDArray[np.int32],
    runs: list[_Run],
    names: GlyphNames,
) -> list[str]:
    """Puts codes from `_SPELLED` on for glyphs without text whose names tell their letters, and 0
    for other control characters; returns the letters. A 2 that PDFium does not call an error is
    the hyphen at the end of a line; a nameless glyph alone before a line is its bullet."""
    spelled: list[str] = []
    blank = np.isin(codes, _SPACES)
    for index in np.flatnonzero(np.isin(codes, _NO_TEXT) & (codes > 0)).tolist():
        code = int(codes[index])
        lost = calls.map_error(text_page, index) == 1
        if not lost and code in _SIGNS:
            continue
        run = int(numbers[index])
        letters = names.letters(runs[run].style.font, code) if lost and run >= 0 else ""
        if not letters and lost and blank[index + 1 : index + 2].all():
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


_matrix = (ctypes.c_float * 6)()
_rgba = (ctypes.c_uint * 4)()
_matrix_at = ctypes.addressof(_matrix)
_rgba_at = [ctypes.addressof(_rgba) + 4 * band for band in range(4)]


def _runs(
    text_page: calls.Pointer, frame: Frame, objects: list[int | None]
) -> tuple[NDArray[np.int32], list[_Run]]:
    """The run of each character. Some files have one text object per character; neighbours with
    the same font, matrix and baseline share a run, and only its first is asked for its colour."""
    numbers = np.full(len(objects), -1, dtype=np.int32)
    runs: list[_Run] = []
    fonts: dict[int, tuple[str, bool, bool]] = {}
    last_pointer = last_key = None
    for index, pointer in enumerate(objects):
        if pointer is None:
            continue
        if pointer != last_pointer:
            last_pointer = pointer
            calls.matrix_of(text_page, index, _matrix_at)
            a, b, c, d, e, f = _matrix
            _, baseline = frame.point(e, f)
            size = calls.font_size(text_page, index) * (c * c + d * d) ** 0.5
            font = calls.font_of(pointer) or 0
            key = (font, size, a, b, baseline)
            if key != last_key:
                last_key = key
                if font not in fonts:
                    fonts[font] = _font(text_page, index, font)
                style = _style(pointer, size, fonts[font])
                runs.append(_Run(style, frame.heading(a, b), baseline))
        numbers[index] = len(runs) - 1
    return numbers, runs


def _style(pointer: int, size: float, font: tuple[str, bool, bool]) -> Style:
    name, bold, italic = font
    color = 0
    if calls.fill_color(pointer, *_rgba_at):
        color = _rgba[0] << 16 | _rgba[1] << 8 | _rgba[2]
    # Filling and stroking the same letters is the old way of making them bold.
    bold = bold or calls.render_mode(pointer) == raw.FPDF_TEXTRENDERMODE_FILL_STROKE
    return Style(round(size, 1), name, bold, italic, color)


def _font(text_page: calls.Pointer, index: int, font: int) -> tuple[str, bool, bool]:
    """Name without the subset prefix, whether bold, whether italic."""
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
        or bool(flags.value & _FLAG_FORCE_BOLD)
        or (weight >= 700 and silent)
    )
    italic = bool(flags.value & _FLAG_ITALIC) or "italic" in lower or "oblique" in lower
    # Type 3 fonts have no name: the address tells them apart, which is all that layout needs.
    return name or f"font-{font:x}", bold, italic


def _words(chars: _Characters, wanted: NDArray[np.bool_]) -> list[Word]:
    visible = np.flatnonzero(wanted & (chars.codes > 0) & ~np.isin(chars.codes, _SPACES))
    if not len(visible):
        return []
    boxes, run = chars.boxes[visible], chars.run[visible]
    sizes = np.array([r.style.size for r in chars.runs])[run]
    base = np.array([r.baseline for r in chars.runs])[run]
    real_space = wanted & np.isin(chars.codes, _SPACES)
    spaces_before = np.cumsum(real_space)[visible]
    size = np.maximum(np.maximum(sizes[1:], sizes[:-1]), 1.0)
    gap = boxes[1:, 0] - boxes[:-1, 2]
    touching = np.diff(visible) == 1
    # The letters of a ligature all have the box of the whole.
    one_glyph = np.abs(np.diff(boxes[:, 0])) < 0.05 * size
    cut = (
        (np.diff(spaces_before) > 0)
        | (gap > np.where(touching, _SURE_GAP, _WORD_GAP) * size)
        | ((gap < -0.6 * size) & ~one_glyph)
        | (np.abs(np.diff(base)) > 0.6 * size)
    )
    starts = np.concatenate(([0], np.flatnonzero(cut) + 1))
    ends = np.concatenate((starts[1:], [len(visible)]))
    low = np.minimum.reduceat(boxes[:, :2], starts)
    high = np.maximum.reduceat(boxes[:, 2:], starts)
    text = chars.text(visible)
    words: list[Word] = []
    for start, end, (x0, y0), (x1, y1) in zip(
        starts.tolist(), ends.tolist(), low.tolist(), high.tolist(), strict=True
    ):
        main = chars.runs[_main_run(run, start, end)]
        word = text[start:end].strip()
        if word:
            word = chars.spell(word)
            words.append(Word(word, Rect(x0, y0, x1, y1), main.style, 1.0, main.baseline))
    return words


def _main_run(run: NDArray[np.int32], start: int, end: int) -> int:
    """The run of the largest part of a word, the first when they are equal."""
    if run[start] == run[end - 1]:
        return int(run[start])
    return int(Counter(run[start:end].tolist()).most_common(1)[0][0])


def _angled(chars: _Characters, wanted: NDArray[np.bool_]) -> list[Word]:
    """Strings set at an angle, whole, in content order: their inner layout is not looked at."""
    indices = np.flatnonzero(wanted & (chars.codes > 0))
    words: list[Word] = []
    if not len(indices):
        return words
    run = chars.run[indices]
    headings = np.array([r.heading for r in chars.runs])[run]
    boxes = chars.boxes[indices]
    size = np.array([r.style.size for r in chars.runs])[run]
    apart = np.maximum(np.abs(boxes[1:, 0] - boxes[:-1, 0]), np.abs(boxes[1:, 1] - boxes[:-1, 1]))
    cut = (np.diff(headings) != 0) | (apart > 4 * np.maximum(size[1:], 1))
    starts = [0, *(np.flatnonzero(cut) + 1).tolist(), len(indices)]
    for start, end in pairwise(starts):
        part = indices[start:end]
        text = chars.spell(" ".join(chars.text(part).split()))
        if text:
            box = Rect(*boxes[start:end, :2].min(0).tolist(), *boxes[start:end, 2:].max(0).tolist())
            style = chars.runs[int(run[start])].style
            words.append(Word(text, box, style, 1.0, box.y1))
    return words
