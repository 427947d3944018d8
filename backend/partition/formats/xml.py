"""XML of any vocabulary: texts become paragraphs, electronic invoices tables of their terms."""

import re

from lxml import etree

from backend.partition.archive import parse_xml
from backend.partition.document import Document, Request
from backend.partition.electronic_invoice import (
    is_invoice,
    read_lines,
    read_remarks,
    read_terms,
)
from backend.partition.flow import Flow

_PACKED = re.compile(
    r"(?=[A-Za-z0-9+/]{80}|[A-Za-z0-9+/]{40,}+ [A-Za-z0-9+/]{40})"
    r"(?:[A-Za-z0-9+/]{40,}+ )*+[A-Za-z0-9+/]*+={0,2}"
)
"""Pictures and programs as text (base64): nothing to read."""
_HEADINGS = frozenset({"title", "heading", "head", "caption", "h1", "h2", "h3"})


def read(request: Request) -> Document:
    flow = request.flow
    root = parse_xml(request.source.read_bytes(), flow.notes)
    if is_invoice(root):
        flow.heading("Electronic invoice", 1)
        read_terms(flow, root)
        read_lines(flow, root)
        read_remarks(flow, root)
    else:
        _walk(flow, root)
    request.progress(1, 1)
    return Document(flow.elements)


def _walk(flow: Flow, node: etree._Element) -> None:
    """An element with text of its own is one paragraph; otherwise its children are visited."""
    if not isinstance(node.tag, str):
        return
    own = [node.text, *(child.tail for child in node)]
    if any(text and text.strip() for text in own):
        text = " ".join("".join(part for part in node.itertext()).split())
        if _PACKED.fullmatch(text):
            return
        if etree.QName(node).localname.lower() in _HEADINGS:
            flow.heading(text, 1)
        else:
            flow.text(text)
        return
    for child in node:
        _walk(flow, child)
