"""Pictures of text -> words, by the OCR models that come with the product.

One multilingual model is shipped; languages it was not trained on are refused with a list of the
ones it was.
"""

import numpy as np
from PIL import Image

from backend.partition import ocr_models, resampling
from backend.partition.document import PartitionFailure
from backend.partition.ink import Ink, bold, measured, one_size, word_extents
from backend.partition.line_finder import Quads, find_lines
from backend.partition.page import SMALLEST, Rect, Style, Word
from backend.partition.resampling import Pixels

MAX_SIDE = 2400
"""Pixels: pages are shrunk to this for reading."""
_MIN_SCORE = 0.5
_ASCENT, _DESCENT = 0.9, 0.22
"""In font sizes, from the baseline."""

LANGUAGES = frozenset(
    """
    english chinese chinese_traditional japanese afrikaans azerbaijani bosnian catalan czech welsh
    danish german spanish estonian basque finnish french irish galician croatian hungarian
    indonesian icelandic italian kurdish latin luxembourgish lithuanian latvian maori malay maltese
    dutch norwegian occitan polish portuguese quechua romansh romanian serbian_latin slovak
    slovenian albanian swedish swahili tagalog turkish uzbek vietnamese
    """.split()  # noqa: SIM905
)


def check_language(language: str) -> None:
    """Raises `PartitionFailure` (400) for a language the shipped model does not read."""
    if language not in LANGUAGES:
        raise PartitionFailure(
            f"ocr_language '{language}' is not available here. Available: "
            + ", ".join(sorted(LANGUAGES))
            + ". For another one give the file a text layer first, for instance with"
            " `ocrmypdf --language`: text layers are read in every language.",
            400,
        )


def read_words(image: Image.Image) -> list[Word]:
    """Words with boxes in pixels of `image`, which is upright and small."""
    pixels = pixels_of(image)
    quads = find_lines(pixels)
    return words_of(quads * (image.width / pixels.shape[1]), [cut_out(pixels, q) for q in quads])


def cut_out(pixels: Pixels, quad: Quads) -> Pixels:
    """A line of text cut out and levelled; at least one pixel."""
    line = resampling.cut_out(pixels, quad)
    # A vertical line of characters is read from its side.
    return np.rot90(line) if line.shape[0] >= 1.5 * line.shape[1] else line


def recognized(lines: list[Pixels]) -> list[tuple[str, float]]:
    """Text and confidence (0..1) of each line; empty text if the reading is not reliable."""
    # One by one: a batch is padded to its widest line, which takes more memory and no less time on
    # one thread.
    read = [ocr_models.read_line(line) for line in lines]
    return [(text.strip() if score >= _MIN_SCORE else "", score) for text, score in read]


def pixels_of(image: Image.Image) -> Pixels:
    """Blue, green, red: the order in which the models were trained. The longer side is at most
    `MAX_SIDE`: lines are read at a height of 48 pixels."""
    scale = min(1.0, MAX_SIDE / max(image.size))
    if scale < 1:
        size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        image = image.resize(size)
    return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])


def words_of(quads: Quads, lines: list[Pixels]) -> list[Word]:
    """The words of lines cut out of a picture; `quads` are their corners on the level page."""
    texts = recognized(lines)
    kept = [index for index, (text, _) in enumerate(texts) if text]
    inks = [measured(lines[index], texts[index][0]) for index in kept]
    scales = [np.ptp(quads[i, :, 0]) / lines[i].shape[1] for i in kept]
    letters = [len(texts[index][0]) for index in kept]
    sizes = one_size([i.size * scale for i, scale in zip(inks, scales, strict=True)], letters)
    strokes = [i.stroke * scale if i.size else 0.0 for i, scale in zip(inks, scales, strict=True)]
    weights = bold(strokes, sizes, letters)
    words: list[Word] = []
    for index, ink, scale, size, heavy in zip(kept, inks, scales, sizes, weights, strict=True):
        text, score = texts[index]
        left = quads[index, :, 0].min()
        top, bottom = _extent(quads[index], ink, scale, size)
        style = Style(max(SMALLEST, round(size, 1)), "ocr", heavy)
        for part, start, end in word_extents(ink, text):
            x0, x1 = float(left + start * scale), float(left + end * scale)
            box = Rect(x0, float(top), x1, float(bottom))
            words.append(Word(part, box, style, score, float(bottom), line=index + 1))
    return words


def _extent(quad: Quads, ink: Ink, scale: float, size: float) -> tuple[float, float]:
    """Top and bottom of a line by its font. The finder's boxes include descenders and protruding
    parts, which would split the rows of a table and hide the white space around headings.
    """
    top, bottom = quad[:2, 1].mean(), quad[2:, 1].mean()
    if not ink.foot:
        return float(top), float(bottom)
    foot = float(top) + ink.foot * scale
    return foot - _ASCENT * size, foot + _DESCENT * size
