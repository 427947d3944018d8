"""The structure tree of a tagged PDF -> what each piece of marked content was meant to be.

Authors' programs write headings, captions and notes into the tree. It is only believed where it is
sound: where most of the text of a page is in it. Trees that call everything a paragraph say nothing
about headings; that is seen from the whole document, so it is decided with the other labels.
"""

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from backend.partition.page import Role

_KINDS = {
    "Title": "Title",
    "H": "Section-header",
    "Caption": "Caption",
    "Note": "Footnote",
    "FENote": "Footnote",
    "Formula": "Formula",
    "LI": "List-item",
    "P": "Text",
}
_KINDS |= {f"H{level}": "Section-header" for level in range(1, 7)}
_MAX_DEPTH, _MAX_NODES = 60, 50_000


def is_tagged(document: pdfium.PdfDocument) -> bool:
    return bool(raw.FPDFCatalog_IsTagged(document.raw))


def read_roles(page: pdfium.PdfPage) -> dict[int, Role]:
    """The role of each marked content of a page, by its number; empty without a tree."""
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        roots = [
            raw.FPDF_StructTree_GetChildAtIndex(tree, index)
            for index in range(max(0, raw.FPDF_StructTree_CountChildren(tree)))
        ]
        return dict(_marks(roots))
    finally:
        raw.FPDF_StructTree_Close(tree)


def _marks(roots: list[object]) -> Iterator[tuple[int, Role]]:
    """From the roots down; the innermost kind that is known holds, a list item for all in it."""
    todo = [(node, Role("", 0, 0), 0) for node in reversed(roots)]
    seen = 0
    while todo and seen < _MAX_NODES:
        node, role, depth = todo.pop()
        if not node or depth > _MAX_DEPTH:
            continue
        seen += 1
        name = _name(node)
        kind = _KINDS.get(name, "")
        if kind and (kind != "Text" or role.kind in ("", "Text")):
            level = (
                int(name[1:]) if name[1:].isdigit() else int(kind in ("Title", "Section-header"))
            )
            role = Role(kind, level, seen)
        children = max(0, raw.FPDF_StructElement_CountChildren(node))
        for index in range(min(children, _MAX_NODES)):
            mark = raw.FPDF_StructElement_GetChildMarkedContentID(node, index)
            if mark >= 0 and role.kind:
                yield mark, role
        todo += [
            (raw.FPDF_StructElement_GetChildAtIndex(node, index), role, depth + 1)
            for index in range(min(children, _MAX_NODES) - 1, -1, -1)
        ]


def _name(node: object) -> str:
    buffer = ctypes.create_string_buffer(128)
    size = raw.FPDF_StructElement_GetType(node, buffer, len(buffer))
    return buffer.raw[: max(0, min(size, len(buffer)) - 2)].decode("utf-16-le", "replace")
