"""What wheels bring along besides Python: libraries in C that no metadata names.

A wheel may be under one licence and carry a library under another, or one that has been without
mends for years. Each is known here by its licence; one that is new, or under another licence than
was looked up, fails until somebody has looked at it.
"""

import re
import sys
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from tests.test_licences import shipped

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
TOLERATED = {
    "avcodec": "LGPL: FFmpeg, in the wheel of opencv, which opens no video here",
    "avformat": "LGPL: the same",
    "avutil": "LGPL: the same",
    "swresample": "LGPL: the same",
    "swscale": "LGPL: the same",
    "ssl": "OpenSSL 1.1.1 of 2021, in the wheel of opencv; workers have no network",
    "crypto": "the same",
    "geos": "LGPL: in the wheel of shapely, which rapidocr needs",
    "geos_c": "LGPL: the same",
}
"""Neither may come back once it is gone, nor may another one join them."""
_NAMED = {name: licence for licence, names in PERMISSIVE.items() for name in names.split()}


def libraries(found: Distribution) -> dict[str, Path]:
    """The shared libraries of a wheel that are no modules of Python, by their bare names."""
    bundled = {}
    for file in found.files or ():
        is_module = re.search(r"\.(cpython|abi3)[-\w]*\.so$", file.name)
        match = _LIBRARY.match(file.name)
        if match and not is_module:
            bundled[match[1]] = Path(str(file.locate()))
    return bundled


def bundled() -> dict[str, tuple[str, Path]]:
    """Every bundled library with the wheel that brings it and where it lies."""
    return {
        name: (str(found.metadata["Name"]), path)
        for found in shipped()
        for name, path in libraries(found).items()
    }


def test_every_bundled_library_has_a_licence_that_was_looked_up() -> None:
    known = {*_NAMED, *TOLERATED}
    assert {n: wheel for n, (wheel, _) in bundled().items() if n not in known} == {}


def test_no_exception_is_kept_that_nothing_needs_any_more() -> None:
    present = bundled()
    assert [name for name in TOLERATED if name not in present] == []


def test_old_libraries_for_encryption_are_only_where_that_is_known() -> None:
    old = {
        name
        for name, (_, path) in bundled().items()
        if path.stat().st_size < 64 * 2**20 and _OLD_OPENSSL.search(path.read_bytes())
    }
    assert old <= {"ssl", "crypto"}
