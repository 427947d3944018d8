"""PDFium's functions with the cheapest argument conversion ctypes has.

pypdfium2's own prototypes check and wrap every argument and release the interpreter lock for calls
that take less time than that. A page needs several calls per character, so here the same addresses
are bound a second time. The most frequent ones have no argument types at all: a pointer must be a
`Handle`, an integer is passed as a C int, and mistakes go unnoticed. The others take plain integers
for pointers. Only functions called per character or per object are listed.
"""

import ctypes
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

Pointer = int
"""An address; 0 or None is the null pointer."""
Handle = ctypes.c_void_p
"""An address as functions without argument types need it."""
_BATCH = 2048


def address(handle: object) -> Pointer:
    """The address behind a pypdfium2 handle."""
    return ctypes.cast(handle, Handle).value or 0  # type: ignore[arg-type]


def handle(pointer: object) -> Handle:
    """The same for functions without argument types."""
    return Handle(address(pointer))


def _bind(function: object, result: object, *arguments: object) -> Callable[..., Any]:
    prototype = ctypes.PYFUNCTYPE(result, *arguments)  # type: ignore[arg-type]
    return prototype(address(function))


class _Kept(Handle):
    """An address that stays an object as a return value, so that it can be passed on as it is."""


_pointer, _int, _double, _signed = Handle, ctypes.c_int, ctypes.c_double, ctypes.c_ssize_t

About = Callable[[Handle, int], int]
"""Returns something about a character of a text page."""
Fill = Callable[[Handle, int, Handle], int]
"""Writes something about a character of a text page."""

char_count: Callable[[Handle], int] = _bind(raw.FPDFText_CountChars, _int)
char_text: Callable[[Handle, int, int, Handle], int] = _bind(raw.FPDFText_GetText, _int)
font_weight: About = _bind(raw.FPDFText_GetFontWeight, _int)
is_generated: About = _bind(raw.FPDFText_IsGenerated, _int)
map_error: About = _bind(raw.FPDFText_HasUnicodeMapError, _int)
unicode_of: About = _bind(raw.FPDFText_GetUnicode, ctypes.c_uint)
text_object: About = _bind(raw.FPDFText_GetTextObject, _signed)
font_size: Callable[[Handle, int], float] = _bind(raw.FPDFText_GetFontSize, _double)
loose_box: Fill = _bind(raw.FPDFText_GetLooseCharBox, _int)
matrix_of: Fill = _bind(raw.FPDFText_GetMatrix, _int)

font_info: Callable[..., int] = _bind(
    raw.FPDFText_GetFontInfo, ctypes.c_ulong, _pointer, _int, _pointer, ctypes.c_ulong, _pointer
)
font_of: Callable[..., int] = _bind(raw.FPDFTextObj_GetFont, _signed, _pointer)
mark_of: Callable[..., int] = _bind(raw.FPDFPageObj_GetMarkedContentID, _int, _pointer)
render_mode: Callable[..., int] = _bind(raw.FPDFTextObj_GetTextRenderMode, _int, _pointer)
page_object: Callable[[Handle, int], Handle] = _bind(raw.FPDFPage_GetObject, _Kept)
object_kind: Callable[[Handle], int] = _bind(raw.FPDFPageObj_GetType, _int)
form_count: Callable[..., int] = _bind(raw.FPDFFormObj_CountObjects, _int, _pointer)
form_object: Callable[..., Handle] = _bind(
    raw.FPDFFormObj_GetObject, _Kept, _pointer, ctypes.c_ulong
)
image_size: Callable[..., int] = _bind(
    raw.FPDFImageObj_GetImagePixelSize, _int, _pointer, _pointer, _pointer
)
image_facts: Callable[..., int] = _bind(
    raw.FPDFImageObj_GetImageMetadata, _int, _pointer, _pointer, _pointer
)

fill_color: Callable[[Handle, Handle, Handle, Handle, Handle], int] = _bind(
    raw.FPDFPageObj_GetFillColor, _int
)
tree_child: Callable[..., int] = _bind(
    raw.FPDF_StructTree_GetChildAtIndex, _pointer, _pointer, _int
)
tree_children: Callable[..., int] = _bind(raw.FPDF_StructTree_CountChildren, _int, _pointer)
child_of: Callable[..., int] = _bind(
    raw.FPDF_StructElement_GetChildAtIndex, _pointer, _pointer, _int
)
children_of: Callable[..., int] = _bind(raw.FPDF_StructElement_CountChildren, _int, _pointer)
child_mark: Callable[..., int] = _bind(
    raw.FPDF_StructElement_GetChildMarkedContentID, _int, _pointer, _int
)
name_of: Callable[..., int] = _bind(
    raw.FPDF_StructElement_GetType, ctypes.c_ulong, _pointer, _pointer, ctypes.c_ulong
)

set_active: Callable[[Handle, int], int] = _bind(raw.FPDFPageObj_SetIsActive, _int)
object_bounds: Callable[[Handle, Handle, Handle, Handle, Handle], int] = _bind(
    raw.FPDFPageObj_GetBounds, _int
)
object_matrix: Callable[[Handle, Handle], int] = _bind(raw.FPDFPageObj_GetMatrix, _int)
draw_mode: Callable[[Handle, Handle, Handle], int] = _bind(raw.FPDFPath_GetDrawMode, _int)
segment_count: Callable[[Handle], int] = _bind(raw.FPDFPath_CountSegments, _int)
segment_point: Callable[[Handle, Handle, Handle], int] = _bind(raw.FPDFPathSegment_GetPoint, _int)
segment_kind: Callable[[Handle], int] = _bind(raw.FPDFPathSegment_GetType, _int)
segment_closes: Callable[[Handle], int] = _bind(raw.FPDFPathSegment_GetClose, _int)
path_segment: Callable[[Handle, int], Handle] = _bind(raw.FPDFPath_GetPathSegment, _Kept)


class Rows:
    """Calls a function with several float results for many characters; its buffers are reused."""

    def __init__(self, function: Fill, width: int) -> None:
        self._function = function
        self._room = np.zeros((_BATCH, width), dtype=np.float32)
        start, step = self._room.ctypes.data, self._room.strides[0]
        self._places = [Handle(start + step * row) for row in range(_BATCH)]

    def of(self, text_page: Handle, indices: Sequence[int]) -> NDArray[np.float32]:
        """A row for each of the characters; zeros if PDFium has no result."""
        parts: list[NDArray[np.float32]] = []
        for start in range(0, max(1, len(indices)), _BATCH):
            part = indices[start : start + _BATCH]
            self._room[: len(part)] = 0
            asked = map(self._function, repeat(text_page), part, self._places)
            deque(asked, maxlen=0)
            parts.append(self._room[: len(part)].copy())
        return np.concatenate(parts)


boxes = Rows(loose_box, 4)
matrices = Rows(matrix_of, 6)


_rgba = np.zeros((_BATCH, 4), dtype=np.uint32)
_rgba_at = [
    [Handle(_rgba.ctypes.data + 16 * row + 4 * band) for row in range(_BATCH)] for band in range(4)
]


def fill_colors(objects: Sequence[int]) -> list[int]:
    """The fill colours of page objects as 0xRRGGBB, black if PDFium has none."""
    colors: list[int] = []
    for start in range(0, len(objects), _BATCH):
        part = objects[start : start + _BATCH]
        _rgba[: len(part)] = 0
        deque(map(fill_color, map(Handle, part), *_rgba_at), maxlen=0)
        red, green, blue, _ = _rgba[: len(part)].T
        colors += (red << 16 | green << 8 | blue).tolist()
    return colors
