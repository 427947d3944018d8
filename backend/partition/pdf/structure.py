"""The structure tree of a tagged PDF -> the role of each piece of marked content.

Authoring programs write headings, captions and notes into the tree. It is used only if it is sound,
which means that it contains most of the text of a page. A tree that calls everything a paragraph
says nothing about headings. Only the whole document shows this, so it is decided with the other
labels.
"""

import ctypes
from collections.abc import Iterator
from itertools import repeat

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from backend.partition.page import Role
from backend.partition.pdf import calls

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
    """The role of each marked content of a page, by its number; empty if there is no tree."""
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        top = calls.address(tree)
        roots = list(map(calls.tree_child, repeat(top), range(calls.tree_children(top))))
        return dict(_marks(roots))
    finally:
        raw.FPDF_StructTree_Close(tree)


def _marks(roots: list[calls.Pointer]) -> Iterator[tuple[int, Role]]:
    """Top down; the innermost known type wins, and a list item applies to everything inside."""
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
        children = range(min(calls.children_of(node), _MAX_NODES))
        if role.kind:
            for mark in map(calls.child_mark, repeat(node), children):
                if mark >= 0:
                    yield mark, role
        inner = map(calls.child_of, repeat(node), reversed(children))
        todo += [(child, role, depth + 1) for child in inner if child]


_buffer = ctypes.create_string_buffer(128)
_buffer_at = ctypes.addressof(_buffer)


def _name(node: calls.Pointer) -> str:
    size = calls.name_of(node, _buffer_at, len(_buffer))
    return _buffer.raw[: max(0, min(size, len(_buffer)) - 2)].decode("utf-16-le", "replace")
