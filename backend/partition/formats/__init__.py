"""One reader per format: a request to a `Document`.

Owns what each file format means. Refuses to know how a format is recognised and what happens to
elements afterwards.
"""

from collections.abc import Callable

from backend.partition import sniff
from backend.partition.document import Document, Request
from backend.partition.formats import (
    csv,
    docx,
    eml,
    html,
    image,
    markdown,
    odt,
    pdf,
    plain,
    pptx,
    rtf,
    xlsx,
    xml,
)

READERS: dict[str, Callable[[Request], Document]] = {
    sniff.PDF: pdf.read,
    sniff.DOCX: docx.read,
    sniff.PPTX: pptx.read,
    sniff.XLSX: xlsx.read,
    sniff.ODT: odt.read,
    sniff.RTF: rtf.read,
    sniff.EML: eml.read,
    sniff.HTML: html.read,
    sniff.XML: xml.read,
    sniff.CSV: csv.read,
    sniff.MARKDOWN: markdown.read,
    sniff.PLAIN: plain.read,
    **dict.fromkeys(sniff.PICTURES, image.read),
}
"""By content type; every one that `sniff.content_type` answers."""
