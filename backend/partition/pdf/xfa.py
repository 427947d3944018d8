"""Forms that only Adobe's programs draw (dynamic XFA): their PDF page is a request to wait.

The file contains the design of the form and its values as XML. The fixed texts and the values, each
beside its label, are read from there, without positions.
"""

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from lxml import etree

from backend.partition.archive import parse_xml
from backend.partition.document import PartitionFailure
from backend.partition.flow import Flow, cells_of_rows

_MOST_BYTES = 20_000_000
"""Per part of the form; larger ones are skipped."""
_MOST_PARTS = 50
_MOST_VALUES = 5_000
_UNSEEN = frozenset({"hidden", "invisible", "inactive"})
_SIGNS = "☐☒"
_REMARK = (
    "only Adobe's programs draw the form of this PDF (XFA): its texts and values were read without"
    " their places"
)


def read_form(flow: Flow, document: pdfium.PdfDocument) -> None:
    """Adds the texts of a dynamic form as a table of labels and values; nothing for other files."""
    if raw.FPDF_GetFormType(document.raw) != raw.FORMTYPE_XFA_FULL:
        return
    flow.notes.append(_REMARK)
    roots = list(_parsed(document, flow.notes))
    for text in (text for root in roots for text in _texts(root)):
        flow.text(text)
    fields = {field.get("name", ""): field for root in roots for field in root.iter("{*}field")}
    pairs = [pair for root in roots for pair in _filled(root, fields)]
    if len(pairs) > _MOST_VALUES:
        flow.notes.append(f"only the first {_MOST_VALUES} values of the form were read")
    flow.table(cells_of_rows(pairs[:_MOST_VALUES], header_rows=0))


def _parsed(document: pdfium.PdfDocument, notes: list[str]) -> Iterator[etree._Element]:
    for data in _packets(document):
        try:
            yield parse_xml(data, notes)
        except PartitionFailure as failure:
            notes.append(f"a part of the form is left out: {failure.detail}")


def _packets(document: pdfium.PdfDocument) -> Iterator[bytes]:
    """The parts of the form that are complete XML; the outer ones of several only enclose it."""
    for number in range(min(raw.FPDF_GetXFAPacketCount(document.raw), _MOST_PARTS)):
        size = ctypes.c_ulong()
        raw.FPDF_GetXFAPacketContent(document.raw, number, None, 0, ctypes.byref(size))
        if not 0 < size.value <= _MOST_BYTES:
            continue
        room = ctypes.create_string_buffer(size.value)
        raw.FPDF_GetXFAPacketContent(document.raw, number, room, size, ctypes.byref(size))
        data = room.raw.strip()
        if b"</" in data and not data.startswith(b"</"):
            yield data


def _texts(root: etree._Element) -> Iterator[str]:
    """The visible fixed texts of the design."""
    for node in root.iter("{*}draw"):
        if not any(one.get("presence") in _UNSEEN for one in (node, *node.iterancestors())):
            for value in node.iterchildren("{*}value"):
                yield " ".join(" ".join(value.itertext()).split())


def _filled(root: etree._Element, fields: dict[str, etree._Element]) -> Iterator[list[str]]:
    """Label and value of each field that was filled in, in order."""
    data = next(root.iter("{*}datasets"), None)
    for node in () if data is None else data.iter("{*}*"):
        text = " ".join((node.text or "").split())
        if text and not len(node):
            name = etree.QName(node).localname
            field = fields.get(name)
            yield [name, text] if field is None else [_label(field), _shown(field, text)]


def _label(field: etree._Element) -> str:
    caption = " ".join(
        word
        for node in field.iterchildren("{*}caption")
        for value in node.iterchildren("{*}value")
        for text in value.itertext()
        for word in text.split()
    )
    return caption or field.get("name", "")


def _shown(field: etree._Element, value: str) -> str:
    """What a viewer shows for a stored value: a tick, or the label of a choice."""
    lists = [[node.text or "" for node in items] for items in field.iterchildren("{*}items")]
    if next(field.iter("{*}checkButton"), None) is not None:
        return _SIGNS[value == (lists[0][0] if lists and lists[0] else "1")]
    if len(lists) == 2 and value in lists[1]:
        return dict(zip(lists[1], lists[0], strict=False)).get(value, value)
    return value
