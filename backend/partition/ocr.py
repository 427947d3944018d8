"""Pictures of text -> words, by the OCR models that ship with rapidocr.

One multilingual model is shipped; languages it was not trained on are refused with a list of the
ones it was. Nothing is ever downloaded: all model paths are given explicitly.
"""

import functools
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backend.partition.document import PartitionFailure
from backend.partition.ink import Ink, bold, measured, one_size, word_extents
from backend.partition.page import Rect, Style, Word

_THREADS = 1
"""The work runs in one of several child processes; more threads would fight over the cores."""
MAX_SIDE, _DETECTION_SIDE = 2400, 1280
"""Pixels: pages are shrunk to the first for reading and to the second for finding lines. Finding
at full size costs twice the memory and found nothing more."""
_MIN_SCORE = 0.5
_ASCENT, _DESCENT = 0.9, 0.22
"""Of the font size, from the foot of the letters."""

Pixels = NDArray[np.uint8]
"""height x width x 3."""
Quads = NDArray[np.float64]
"""n x 4 corners x 2, clockwise from the corner where reading begins."""

_MODELS = {
    "Det.model_path": "PP-OCRv6_det_small.onnx",
    "Cls.model_path": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
    "Rec.model_path": "PP-OCRv6_rec_small.onnx",
}

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


def find_lines(pixels: Pixels) -> Quads:
    """Where lines of text stand, without reading them; in pixels."""
    result = _engine()(pixels, use_det=True, use_cls=False, use_rec=False)
    if result.boxes is None or not len(result.boxes):
        return np.zeros((0, 4, 2))
    return np.asarray(result.boxes, dtype=float)


def cut_out(pixels: Pixels, quad: Quads) -> Pixels:
    """A line of text made level, whatever its slope; at least one pixel."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width, height = max(1, int(sides[[0, 2]].max())), max(1, int(sides[[1, 3]].max()))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    flat = cv2.warpPerspective(
        pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    line: Pixels = np.asarray(flat, dtype=np.uint8)
    # A line of signs below each other is read from its side.
    return np.rot90(line) if height >= 1.5 * width else line


def recognized(lines: list[Pixels]) -> list[tuple[str, float]]:
    """Text and confidence (0..1) of each line; a text is empty where nothing sure was read."""
    if not lines:
        return []
    result = _engine().recognize_txt(lines)
    return [
        (text.strip() if score >= _MIN_SCORE else "", float(score))
        for text, score in zip(result.txts, result.scores, strict=True)
    ]


def is_upside_down(line: Pixels) -> float:
    """How sure the model is that a line of text stands on its head: 0 to 1."""
    result = _engine()(line, use_det=False, use_cls=True, use_rec=False)
    if not result.cls_res:
        return 0.5
    label, score = result.cls_res[0]
    return float(score) if "180" in str(label) else 1.0 - float(score)


def pixels_of(image: Image.Image) -> Pixels:
    """Blue, green, red: the order in which the models were trained. The longer side is at most
    `MAX_SIDE`: lines are read at a height of 48 pixels."""
    scale = min(1.0, MAX_SIDE / max(image.size))
    if scale < 1:
        size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        image = image.resize(size)
    return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])


@functools.cache
def _engine() -> Any:
    """Loaded once per process, on first need: it takes about a second and 100 MB."""
    import rapidocr

    models = Path(rapidocr.__file__).parent / "models"
    paths = {key: str(models / name) for key, name in _MODELS.items()}
    return rapidocr.RapidOCR(
        params={
            **paths,
            "Global.log_level": "error",
            "Global.max_side_len": MAX_SIDE,
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTION_SIDE,
            # Several at once are made as wide as the widest: more memory, and on one thread no
            # less time.
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": _THREADS,
        }
    )


def words_of(quads: Quads, lines: list[Pixels]) -> list[Word]:
    """The words of lines cut out of a picture; `quads` is where they stand on the level page."""
    found = recognized(lines)
    kept = [index for index, (text, _) in enumerate(found) if text]
    inks = [measured(lines[index], found[index][0]) for index in kept]
    scales = [np.ptp(quads[i, :, 0]) / lines[i].shape[1] for i in kept]
    letters = [len(found[index][0]) for index in kept]
    sizes = one_size([i.size * scale for i, scale in zip(inks, scales, strict=True)], letters)
    strokes = [i.stroke * scale if i.size else 0.0 for i, scale in zip(inks, scales, strict=True)]
    weights = bold(strokes, sizes, letters)
    words: list[Word] = []
    for index, ink, scale, size, heavy in zip(kept, inks, scales, sizes, weights, strict=True):
        text, score = found[index]
        left = quads[index, :, 0].min()
        top, bottom = _extent(quads[index], ink, scale, size)
        style = Style(round(size, 1), "ocr", heavy)
        for part, start, end in word_extents(ink, text):
            x0, x1 = float(left + start * scale), float(left + end * scale)
            box = Rect(x0, float(top), x1, float(bottom))
            words.append(Word(part, box, style, score, float(bottom), line=index + 1))
    return words


def _extent(quad: Quads, ink: Ink, scale: float, size: float) -> tuple[float, float]:
    """Top and bottom of a line as a font has them. The finder's boxes are higher or lower by what
    hangs below a line or stands out of it, which parts the rows of a table and hides the white
    around headings."""
    top, bottom = quad[:2, 1].mean(), quad[2:, 1].mean()
    if not ink.foot:
        return float(top), float(bottom)
    foot = float(top) + ink.foot * scale
    return foot - _ASCENT * size, foot + _DESCENT * size
