"""Pictures of text -> words, by the OCR models that ship with rapidocr.

One multilingual model is shipped; languages it was not trained on are refused with a list of the
ones it was. Nothing is ever downloaded: all model paths are given explicitly.
"""

import functools
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backend.partition.document import PartitionFailure
from backend.partition.page import Rect, Style, Word

_THREADS = 1
"""The work runs in one of several child processes; more threads would fight over the cores."""
_MAX_SIDE, _DETECTION_SIDE = 2400, 1280
"""Pixels: pages are shrunk to the first for reading and to the second for finding lines. Finding
at full size costs twice the memory and found nothing more."""
_MIN_SCORE = 0.5

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
            + ", ".join(sorted(LANGUAGES)),
            400,
        )


def read_words(image: Image.Image) -> list[Word]:
    """Words with boxes in pixels of `image`.

    The models answer whole lines; a line is divided at its blanks in proportion to the letters.
    """
    result = _engine()(_pixels(image), use_det=True, use_cls=False, use_rec=True)
    if result.boxes is None or result.txts is None or result.scores is None:
        return []
    words: list[Word] = []
    for quad, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        if score >= _MIN_SCORE and text.strip():
            words.extend(_split(np.asarray(quad, dtype=float), text, float(score)))
    return words


def find_lines(image: Image.Image) -> Quads:
    """Where lines of text stand, without reading them; in pixels of `image`."""
    result = _engine()(_pixels(image), use_det=True, use_cls=False, use_rec=False)
    if result.boxes is None or not len(result.boxes):
        return np.zeros((0, 4, 2))
    return np.asarray(result.boxes, dtype=float)


def is_upside_down(line: Image.Image) -> float:
    """How sure the model is that a line of text stands on its head: 0 to 1."""
    result = _engine()(_pixels(line), use_det=False, use_cls=True, use_rec=False)
    if not result.cls_res:
        return 0.5
    label, score = result.cls_res[0]
    return float(score) if "180" in str(label) else 1.0 - float(score)


def _pixels(image: Image.Image) -> "NDArray[np.uint8]":
    """Blue, green, red: the order in which the models were trained."""
    return np.asarray(image.convert("RGB"))[:, :, ::-1]


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
            "Global.max_side_len": _MAX_SIDE,
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTION_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": _THREADS,
        }
    )


def _split(quad: Quads, text: str, score: float) -> list[Word]:
    x0, y0 = quad.min(axis=0).tolist()
    x1, y1 = quad.max(axis=0).tolist()
    # The detector grows its boxes by a part of the height: letters fill about 0.75 of it.
    style = Style(round(0.75 * (y1 - y0), 1), "ocr")
    step = (x1 - x0) / max(len(text), 1)
    words: list[Word] = []
    start = 0
    for part in text.split(" "):
        if part:
            box = Rect(x0 + start * step, y0, x0 + (start + len(part)) * step, y1)
            words.append(Word(part, box, style, score, y1))
        start += len(part) + 1
    return words
