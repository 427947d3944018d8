"""Assigns letters to glyphs of a page for which PDFium has no text, or a doubtful one.

Glyph names that give their letters come first. Glyphs that stay unclear get a code of their own.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.partition.pdf import calls
from backend.partition.pdf.codes import NO_TEXT, SIGNS, SPACE, kinds_of
from backend.partition.pdf.unclear import (
    UnclearGlyphs,
    Usage,
    lacking_fonts,
    oddly_wide,
    unlikely,
    without_text,
)

SPELLED = 0xF0000
"""The first of the private codes that represent the letters of a glyph while words are split."""
_BLANK, _NO_BREAK = 0x20, 0xA0
_LINE_ENDS = (0x0A, 0x0D)


@dataclass(slots=True)
class Drawn:
    """The characters of a page as input for marking, one row each."""

    codes: NDArray[np.uint32]
    """Changed by marking."""
    fonts: NDArray[np.intp]
    """Indices into `names`; -1 for characters inserted by PDFium."""
    names: list[str]
    """Names of the fonts in the file."""
    level: NDArray[np.bool_]
    """Whether the text runs from left to right: only then is a box as wide as its glyph."""
    boxes: NDArray[np.float64]
    sizes: NDArray[np.float64]
    """Font size."""


def spell_out(text_page: calls.Handle, drawn: Drawn, glyphs: UnclearGlyphs) -> list[str]:
    """Assigns codes from `SPELLED` on to glyphs without text whose names give their letters, and 0
    to meaningless control characters; returns the letters.

    A code 2 that PDFium does not flag as an error is the hyphen at the end of a line; a nameless
    single glyph before a line is its bullet.
    """
    spelled: list[str] = []
    codes = drawn.codes
    kinds = kinds_of(codes)
    for index in np.flatnonzero(kinds == NO_TEXT).tolist():
        code, font = int(codes[index]), int(drawn.fonts[index])
        lost = calls.map_error(text_page, index) == 1
        if code in SIGNS and not lost and calls.unicode_of(text_page, index):
            continue
        letters = glyphs.names.letters(drawn.names[font], code) if lost and font >= 0 else ""
        if not letters and lost and (kinds[index + 1 : index + 2] == SPACE).all():
            letters = "•" if index == 0 or codes[index - 1] in _LINE_ENDS else ""
        if letters:
            codes[index] = SPELLED + len(spelled)
            spelled.append(letters)
        elif not drawn.level[index]:
            codes[index] = 0
    return spelled


def mark_unclear(
    text_page: calls.Handle, drawn: Drawn, glyphs: UnclearGlyphs, spelled: list[str]
) -> float:
    """Replaces unclear glyphs by the codes of `glyphs`, and those of them whose names give their
    letters by codes from `SPELLED` on, whose letters are added to `spelled`. Returns the share of
    characters in fonts that have no text for most of theirs, whose codes may not be letters.
    """
    codes = drawn.codes
    blank = (codes == _BLANK) | (codes == _NO_BREAK)
    seen = np.flatnonzero((drawn.fonts >= 0) & (codes > 0) & (codes < SPELLED) & ~blank)
    if not len(seen):
        return 0.0
    boxes, fonts, codes = drawn.boxes[seen], drawn.fonts[seen], drawn.codes[seen]
    widths = (boxes[:, 2] - boxes[:, 0]) / np.maximum(drawn.sizes[seen], 1.0)
    usage = Usage.of(fonts, codes, widths)
    samples = seen[usage.sample].tolist()
    unmapped = np.fromiter(
        (calls.map_error(text_page, index) == 1 for index in samples), np.bool_, len(samples)
    )
    missing = without_text(usage, unmapped) | _silent(text_page, usage, samples)
    odd = (missing | unlikely(usage, missing))[usage.row] | oddly_wide(usage, widths)
    # The letters of a ligature that PDFium knows all have the box of the whole.
    whole = (boxes[1:] == boxes[:-1]).all(axis=1)
    odd[1:] &= ~whole
    odd[:-1] &= ~whole
    for at in np.flatnonzero(odd).tolist():
        row, code = int(usage.row[at]), int(codes[at])
        shown = "" if missing[row] and not _kept(code) else chr(code)
        name, width = drawn.names[fonts[at]], float(widths[at])
        letters = glyphs.names.ligature(name, shown, width) if shown.isalpha() else ""
        if letters:
            drawn.codes[seen[at]] = SPELLED + len(spelled)
            spelled.append(letters)
        else:
            drawn.codes[seen[at]] = glyphs.code(name, code, width, shown)
    lacking = lacking_fonts(usage, unmapped)
    return float((lacking[usage.font] * usage.count).sum() / len(seen))


def _silent(text_page: calls.Handle, usage: Usage, samples: list[int]) -> NDArray[np.bool_]:
    """Rows of control characters that are not text, or that the file maps to nothing."""
    silent: NDArray[np.bool_] = kinds_of(usage.code.astype(np.uint32)) == NO_TEXT
    for row in np.flatnonzero(silent).tolist():
        hyphen = int(usage.code[row]) in SIGNS and calls.unicode_of(text_page, samples[row])
        silent[row] = not hyphen
    return silent


def _kept(code: int) -> bool:
    """Symbols that mean something only with their font, and the replacement character."""
    return 0xE000 <= code < 0xF900 or code == 0xFFFD
