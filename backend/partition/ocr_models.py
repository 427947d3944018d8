"""The three OCR models (PP-OCR, Apache-2.0) on onnxruntime: detection, recognition, orientation.

They come with our own wheel, in the package `docset_workbench_ocr` beside `backend`: see
`.ci/bundle_models.py`. Nothing is ever downloaded at run time.
"""

import functools
import math
from importlib.resources import as_file, files
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.partition.resampling import Pixels, resized
from backend.tasks.guarding import MissingExtra

_PACKAGE = "docset_workbench_ocr"
_FINDS, _READS = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
_TURNS = "ch_ppocr_mobile_v2.0_cls_mobile.onnx"
_HEIGHT, _WIDTH, _TURN_WIDTH = 48, 160, 192
"""Pixels: every line is scaled to this height, and padded to a minimum width."""

NOT_INSTALLED = "OCR is not installed: pip install 'docset-workbench[ocr]'"

Numbers = NDArray[np.float32]


@functools.cache
def installed() -> bool:
    """Whether the library that runs the models is installed; it comes with the extra `ocr`."""
    return find_spec("onnxruntime") is not None


def text_probabilities(pixels: Pixels) -> Numbers:
    """The probability that each pixel belongs to the core of a line; sides are multiples of 32."""
    probabilities: Numbers = _answer(_FINDS, _normal(pixels)[None])[0, 0]
    return probabilities


def read_line(line: Pixels) -> tuple[str, float]:
    """The text of a level line and the confidence in it, 0 to 1."""
    height, width = line.shape[:2]
    padded = int(_HEIGHT * max(_WIDTH / _HEIGHT, width / height))
    probabilities = _answer(_READS, _shown(line, padded))[0]
    best, sure = probabilities.argmax(axis=1), probabilities.max(axis=1)
    # A letter covers several columns; the blank (0) separates equal letters.
    kept = (best != 0) & np.append(True, best[1:] != best[:-1])
    letters = _letters()
    text = "".join(letters[at] for at in best[kept].tolist())
    return text, round(float(sure[kept].mean()), 5) if kept.any() else 0.0


def upside_down(line: Pixels) -> float:
    """The probability that a line of text is upside down, 0 to 1."""
    upright, turned = _answer(_TURNS, _shown(line, _TURN_WIDTH))[0].tolist()
    return float(turned / (upright + turned))


def _shown(line: Pixels, padded: int) -> Numbers:
    """A line as model input, with a gray margin on its right up to the padded width."""
    height, width = line.shape[:2]
    inner = min(padded, math.ceil(_HEIGHT * width / height))
    numbers = np.zeros((1, 3, _HEIGHT, padded), np.float32)
    numbers[0, :, :, :inner] = _normal(resized(line, inner, _HEIGHT))
    return numbers


def _normal(pixels: Pixels) -> Numbers:
    """Colours between -1 and 1, the colour first."""
    numbers: Numbers = pixels.transpose(2, 0, 1).astype(np.float32)
    numbers *= np.float32(2 / 255)
    numbers -= 1
    return numbers


def _answer(model: str, numbers: Numbers) -> Numbers:
    session = _session(model)
    answer: Numbers = session.run(None, {session.get_inputs()[0].name: numbers})[0]
    return answer


@functools.cache
def _letters() -> list[str]:
    known = _session(_READS).get_modelmeta().custom_metadata_map["character"].splitlines()
    return ["", *known, " "]


@functools.cache
def _session(name: str) -> Any:
    """Loaded once per process on first use, in .1 s and 30 MB. MissingExtra without onnxruntime."""
    if not installed():
        raise MissingExtra(NOT_INSTALLED)
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    # The work runs in one of several child processes; more threads would compete for the cores.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    with as_file(files(_PACKAGE) / name) as path:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
