"""Reports as DOCX in two layouts: facts in a table, or facts as "Label: value" lines.

python-docx stamps the archive with the current time, so it is rewritten with a fixed one.
"""

import io
import zipfile
from datetime import UTC, datetime

from docx import Document
from docx.document import Document as DocxDocument
from docx.shared import Inches, Pt, RGBColor

from tests.sample_reports.report import Block, Bullets, DataTable, Figure, Report
from tests.sample_reports.world import AGENCY

_STAMP = datetime(2025, 1, 1, tzinfo=UTC)
_NAVY = RGBColor(0x1D, 0x3A, 0x56)


def as_docx(report: Report, layout: int) -> bytes:
    """The bytes of `report` as DOCX; `layout` 0 facts as a table, 1 facts as lines."""
    document = Document()
    _describe(document, report)
    document.add_heading(report.title, 0)
    document.add_paragraph(report.subtitle, style="Subtitle")
    if layout == 0:
        table = document.add_table(rows=0, cols=2, style="Light Grid Accent 1")
        for label, value in report.facts:
            cells = table.add_row().cells
            cells[0].text, cells[1].text = label, value
    else:
        for label, value in report.facts:
            line = document.add_paragraph()
            line.paragraph_format.space_after = Pt(1)
            line.add_run(f"{label}: ").bold = True
            line.add_run(value)
    document.add_heading("Summary", 1)
    document.add_paragraph(report.summary)
    for heading, blocks in report.sections:
        document.add_heading(heading, 1)
        for block in blocks:
            _add(document, block)
    out = io.BytesIO()
    document.save(out)
    return _restamped(out.getvalue())


def _describe(document: DocxDocument, report: Report) -> None:
    properties = document.core_properties
    properties.title, properties.author = f"{report.title} {report.number}", AGENCY
    properties.created = properties.modified = _STAMP
    for name in ("Title", "Heading 1"):
        document.styles[name].font.color.rgb = _NAVY
    section = document.sections[0]
    section.header.paragraphs[0].text = f"{AGENCY}\tReport {report.number}"
    section.footer.paragraphs[0].text = f"Published {report.published}"


def _add(document: DocxDocument, block: Block) -> None:
    match block:
        case str():
            document.add_paragraph(block)
        case Bullets(items):
            for item in items:
                document.add_paragraph(item, style="List Bullet")
        case DataTable():
            document.add_paragraph(block.caption, style="Caption")
            table = document.add_table(rows=0, cols=len(block.header), style="Light List Accent 1")
            for row in (block.header, *block.rows):
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        case Figure():
            document.add_picture(io.BytesIO(block.png), width=Inches(5.2))
            document.add_paragraph(block.caption, style="Caption")


def _restamped(archive: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(name))
    return out.getvalue()
