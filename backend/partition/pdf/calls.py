"""PDFium's functions with the cheapest argument conversion ctypes has.

pypdfium2's own prototypes check and wrap every pointer argument. A page asks several questions per
character, so here the same addresses are bound a second time with plain integers for pointers,
which is about three times faster. Only functions called per character or per object are listed.
"""

import ctypes
from collections.abc import Callable

import pypdfium2.raw as raw

Pointer = int
"""An address; 0 or None is the null pointer."""


def address(handle: object) -> Pointer:
    """The address behind a pypdfium2 handle."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


def _bind(function: object, result: object, *arguments: object) -> Callable[..., int]:
    prototype = ctypes.CFUNCTYPE(result, *arguments)  # type: ignore[arg-type]
    return prototype(address(function))


_pointer, _int, _double, _uint = ctypes.c_void_p, ctypes.c_int, ctypes.c_double, ctypes.c_uint

char_count = _bind(raw.FPDFText_CountChars, _int, _pointer)
char_text = _bind(raw.FPDFText_GetText, _int, _pointer, _int, _int, _pointer)
font_info = _bind(
    raw.FPDFText_GetFontInfo, ctypes.c_ulong, _pointer, _int, _pointer, ctypes.c_ulong, _pointer
)
font_weight = _bind(raw.FPDFText_GetFontWeight, _int, _pointer, _int)
map_error = _bind(raw.FPDFText_HasUnicodeMapError, _int, _pointer, _int)
unicode_of = _bind(raw.FPDFText_GetUnicode, _uint, _pointer, _int)
loose_box = _bind(raw.FPDFText_GetLooseCharBox, _int, _pointer, _int, _pointer)
text_object = _bind(raw.FPDFText_GetTextObject, _pointer, _pointer, _int)
font_size = _bind(raw.FPDFText_GetFontSize, _double, _pointer, _int)
matrix_of = _bind(raw.FPDFText_GetMatrix, _int, _pointer, _int, _pointer)
font_of = _bind(raw.FPDFTextObj_GetFont, _pointer, _pointer)
mark_of = _bind(raw.FPDFPageObj_GetMarkedContentID, _int, _pointer)
render_mode = _bind(raw.FPDFTextObj_GetTextRenderMode, _int, _pointer)
fill_color = _bind(
    raw.FPDFPageObj_GetFillColor, _int, _pointer, _pointer, _pointer, _pointer, _pointer
)
page_object = _bind(raw.FPDFPage_GetObject, _pointer, _pointer, _int)
object_kind = _bind(raw.FPDFPageObj_GetType, _int, _pointer)
object_bounds = _bind(
    raw.FPDFPageObj_GetBounds, _int, _pointer, _pointer, _pointer, _pointer, _pointer
)
object_matrix = _bind(raw.FPDFPageObj_GetMatrix, _int, _pointer, _pointer)
form_count = _bind(raw.FPDFFormObj_CountObjects, _int, _pointer)
form_object = _bind(raw.FPDFFormObj_GetObject, _pointer, _pointer, ctypes.c_ulong)
image_facts = _bind(raw.FPDFImageObj_GetImageMetadata, _int, _pointer, _pointer, _pointer)
draw_mode = _bind(raw.FPDFPath_GetDrawMode, _int, _pointer, _pointer, _pointer)
segment_count = _bind(raw.FPDFPath_CountSegments, _int, _pointer)
path_segment = _bind(raw.FPDFPath_GetPathSegment, _pointer, _pointer, _int)
segment_point = _bind(raw.FPDFPathSegment_GetPoint, _int, _pointer, _pointer, _pointer)
segment_kind = _bind(raw.FPDFPathSegment_GetType, _int, _pointer)
segment_closes = _bind(raw.FPDFPathSegment_GetClose, _int, _pointer)
