"""What wheels bring along besides Python: libraries in C that no metadata names.

A wheel may be under one licence and carry a library under another, or one that has been without
mends for years. Each is known here by its licence; one that is new, or under another licence than
was looked up, fails until somebody has looked at it.
"""

import hashlib
import re
import sys
from importlib.metadata import Distribution
from importlib.resources import files
from pathlib import Path

import pytest

from tests.test_licences import ALL, shipped

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="wheels of other systems differ")

_LIBRARY = re.compile(
    r"lib([A-Za-z0-9+_]+?)(?:[-_.][0-9a-f]{8}|_64_)?(?:-[-0-9a-f]+)?\.so(?:\.[\w.]+)?$"
)
_OLD_OPENSSL = re.compile(rb"OpenSSL (0\.9|1\.[01])\.[0-9][a-z]*  ?[A-Z0-9]")

PERMISSIVE = {
    "MIT": "Xau harfbuzz lcms2 xcb drm",
    "BSD": "aom avif brotlicommon brotlidec jpeg openblasp openjp2 sharpyuv vpx webp webpdemux"
    " webpmux zstd pdfium scipy_openblas64_ scipy_openblas",
    "ISC": "sodium",
    "Apache": "arrow arrow_acero arrow_compute arrow_dataset arrow_flight arrow_python"
    " arrow_python_flight arrow_python_parquet_encryption arrow_s3 arrow_substrait parquet"
    " onnxruntime onnxruntime_providers_shared",
    "zlib, libpng, FTL or HPND": "png16 freetype tiff",
    "public domain": "lzma",
    "MPL": "zmq",
    "GPL with the exception for what is compiled": "gfortran quadmath gomp",
}
_NAMED = {name: licence for licence, names in PERMISSIVE.items() for name in names.split()}


def libraries(package: Distribution) -> dict[str, Path]:
    """The shared libraries of a wheel that are no modules of Python, by their bare names."""
    bundled = {}
    for file in package.files or ():
        is_module = re.search(r"\.(cpython|abi3)[-\w]*\.so$", file.name)
        match = _LIBRARY.match(file.name)
        if match and not is_module:
            bundled[match[1]] = Path(str(file.locate()))
    return bundled


def bundled() -> dict[str, tuple[str, Path]]:
    """Every bundled library with the wheel that brings it and where it lies."""
    return {
        name: (str(package.metadata["Name"]), path)
        for package in shipped(*ALL)
        for name, path in libraries(package).items()
    }


def test_every_bundled_library_has_a_permissive_licence_that_was_looked_up() -> None:
    assert {name: wheel for name, (wheel, _) in bundled().items() if name not in _NAMED} == {}


def test_no_wheel_brings_an_encryption_library_without_mends() -> None:
    """Neither as a library of its own nor inside a module of Python."""
    old = {
        f"{package.metadata['Name']}: {file}"
        for package in shipped(*ALL)
        for file in package.files or ()
        if file.name.endswith(".so") or ".so." in file.name
        if _OLD_OPENSSL.search(Path(str(file.locate())).read_bytes())
    }
    assert old == set()


def test_models_of_ocr_come_with_our_wheel_and_their_notices() -> None:
    brought = {file.name for file in files("docset_workbench_ocr").iterdir()}
    assert {"LICENSE", "MODEL_LICENSES.md"} < brought
    notices = files("docset_workbench_ocr").joinpath("MODEL_LICENSES.md").read_text()
    for model in (name for name in brought if name.endswith(".onnx")):
        data = files("docset_workbench_ocr").joinpath(model).read_bytes()
        assert f"`{model}`" in notices and hashlib.sha256(data).hexdigest() in notices
