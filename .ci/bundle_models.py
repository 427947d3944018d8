"""Puts OCR models and word vectors into our wheel, so that nothing is downloaded at run time.

They are published inside the wheels of rapidocr and wordllama, which need OpenCV, shapely, access
to a model hub and some twenty more packages to run; we read them ourselves and need both only while
building. The checksums of the OCR models are those that rapidocr states. The notices on their
licences (Apache-2.0 and MIT) come along.
"""

import hashlib
from importlib.metadata import PackagePath, distribution
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Bundle(NamedTuple):
    """Files of a distribution that go into a package of their own in site-packages."""

    package: str
    files: dict[str, tuple[str, str]]
    """For each name in the package the name in the distribution, and the SHA-256 or nothing."""


BUNDLES = {
    "rapidocr": Bundle(  # read by backend.partition.ocr_models
        "docset_workbench_ocr",
        {
            "PP-OCRv6_det_small.onnx": (
                "PP-OCRv6_det_small.onnx",
                "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
            ),
            "PP-OCRv6_rec_small.onnx": (
                "PP-OCRv6_rec_small.onnx",
                "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
            ),
            "ch_ppocr_mobile_v2.0_cls_mobile.onnx": (
                "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
                "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
            ),
            "LICENSE": ("LICENSE", ""),
            "MODEL_LICENSES.md": ("MODEL_LICENSES.md", ""),
        },
    ),
    "wordllama": Bundle(  # read by backend.inference.static
        "docset_workbench_vectors",
        {
            "weights/l2_supercat_256.safetensors": (
                "l2_supercat_256.safetensors",
                "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
            ),
            "tokenizers/l2_supercat_tokenizer_config.json": (
                "l2_supercat_tokenizer_config.json",
                "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
            ),
            "LICENSE": ("LICENSE", ""),
        },
    ),
}


class BundleModels(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is "editable" or "standard"; both bring the models."""
        kind = "force_include_editable" if version == "editable" else "force_include"
        for name, bundle in BUNDLES.items():
            published = {file.name: file for file in distribution(name).files or ()}
            for place, (file, expected) in bundle.files.items():
                path = _checked(published[file], expected)
                build_data[kind][str(path)] = f"{bundle.package}/{place}"


def _checked(file: PackagePath, expected: str) -> Path:
    """Where the file lies; raises `ValueError` for a model that is not the one expected."""
    path = Path(str(file.locate()))
    if expected and hashlib.sha256(path.read_bytes()).hexdigest() != expected:
        raise ValueError(f"{file.name} has another checksum than expected")
    return path
