"""One reader per format: a request to a `Document`.

Owns what each file format means. Refuses to know how a format is recognised and what happens to
elements afterwards.
"""

from collections.abc import Callable

from backend.partition import sniff
from backend.partition.document import Document, Request
from backend.partition.formats import (
    csv,
    doc,
    docx,
    eml,
    epub,
    formula,
    html,
    image,
    markdown,
    metafile,
    msg,
    odp,
    ods,
    odt,
    pdf,
    plain,
    ppt,
    pptx,
    rtf,
    svg,
    sylk,
    xls,
    xlsx,
    xml,
)

READERS: dict[str, Callable[[Request], Document]] = {
    sniff.PDF: pdf.read,
    sniff.DOCX: docx.read,
    sniff.PPTX: pptx.read,
    sniff.XLSX: xlsx.read,
    sniff.DOC: doc.read,
    sniff.PPT: ppt.read,
    sniff.XLS: xls.read,
    sniff.ODT: odt.read,
    sniff.ODS: ods.read,
    sniff.ODP: odp.read,
    sniff.ODG: odp.read,
    sniff.ODF: formula.read_opendocument,
    sniff.RTF: rtf.read,
    sniff.EPUB: epub.read,
    sniff.EML: eml.read,
    sniff.MSG: msg.read,
    sniff.HTML: html.read,
    sniff.XML: xml.read,
    sniff.MATHML: formula.read,
    sniff.SVG: svg.read,
    sniff.EMF: metafile.read_emf,
    sniff.WMF: metafile.read_wmf,
    sniff.CSV: csv.read,
    sniff.SYLK: sylk.read,
    sniff.MARKDOWN: markdown.read,
    sniff.PLAIN: plain.read,
    **dict.fromkeys(sniff.PICTURES, image.read),
}
"""By content type; every one that `sniff.content_type` answers."""
