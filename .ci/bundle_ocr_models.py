"""Puts the OCR models into our wheel, so that nothing is downloaded when the product runs.

They are published inside the wheel of rapidocr, which needs OpenCV, shapely and nine more packages
to run; we run the models on onnxruntime ourselves and need rapidocr only while building. The
checksums are those that rapidocr states for them; its notices on their licence (Apache-2.0) come
along.
"""

import hashlib
from importlib.metadata import PackagePath, distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "docset_workbench_ocr"
"""In site-packages; `backend.partition.ocr_models` reads it."""
MODELS = {
    "PP-OCRv6_det_small.onnx": "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    "PP-OCRv6_rec_small.onnx": "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    "ch_ppocr_mobile_v2.0_cls_mobile.onnx": (
        "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c"
    ),
}
NOTICES = "LICENSE", "MODEL_LICENSES.md"


class BundleOcrModels(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is "editable" or "standard"; both bring the models."""
        kind = "force_include_editable" if version == "editable" else "force_include"
        published = {file.name: file for file in distribution("rapidocr").files or ()}
        for name in (*MODELS, *NOTICES):
            build_data[kind][str(_checked(published[name]))] = f"{PACKAGE}/{name}"


def _checked(file: PackagePath) -> Path:
    """Where the file lies; raises `ValueError` for a model that is not the one expected."""
    path = Path(str(file.locate()))
    expected = MODELS.get(file.name)
    if expected and hashlib.sha256(path.read_bytes()).hexdigest() != expected:
        raise ValueError(f"{file.name} of rapidocr has another checksum than expected")
    return path
