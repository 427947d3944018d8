"""Files embedded in a PDF: an electronic invoice is read, other files are not."""

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from backend.partition.archive import parse_xml
from backend.partition.document import PartitionFailure
from backend.partition.electronic_invoice import is_invoice, read_terms
from backend.partition.flow import Flow

_MOST_FILES = 20
_MOST_BYTES = 2_000_000
"""The most bytes of an embedded file; larger ones are no invoices."""


def read_invoice(flow: Flow, document: pdfium.PdfDocument) -> None:
    """Adds the terms of the first electronic invoice that is embedded in the document."""
    notes: list[str]
    for name, data in _xml_files(document):
        try:
            root = parse_xml(data, notes := [])
        except PartitionFailure:
            continue
        if is_invoice(root):
            flow.notes += notes
            read_terms(flow, root, f"Electronic invoice ({name})")
            return


def _xml_files(document: pdfium.PdfDocument) -> Iterator[tuple[str, bytes]]:
    """Name and content of each small embedded XML file."""
    for index in range(min(document.count_attachments(), _MOST_FILES)):
        try:
            file = document.get_attachment(index)
            name = file.get_name()
            if name.lower().endswith(".xml") and _size(file) <= _MOST_BYTES:
                yield name, bytes(file.get_data())
        except pdfium.PdfiumError:
            continue


def _size(file: pdfium.PdfAttachment) -> int:
    """Its size in bytes once it is decompressed."""
    size = ctypes.c_ulong()
    raw.FPDFAttachment_GetFile(file.raw, None, 0, ctypes.byref(size))
    return size.value
