"""Reports as PDF in three layouts: a form, a two-column paper, and a long numbered report.

`invariant` disables the clock and the random file id of reportlab, so that equal reports give equal
bytes.
"""

import io
from collections.abc import Callable
from typing import Any

from reportlab.lib.colors import HexColor, white
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    Image,
    KeepTogether,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from tests.sample_reports.report import Block, Bullets, DataTable, Figure, Report
from tests.sample_reports.world import AGENCY

NAVY, RULE, SHADE, GRAY = (
    HexColor("#1d3a56"),
    HexColor("#b9c4ce"),
    HexColor("#eef2f5"),
    HexColor("#5d6b78"),
)
PAGE_WIDTH, PAGE_HEIGHT = LETTER
MARGIN = 22 * mm
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
GUTTER = 8 * mm


class _Styles:
    """The paragraph styles of one layout, from its body font and size in points."""

    def __init__(self, family: str, size: float, *, justified: bool = False) -> None:
        bold = {"Times-Roman": "Times-Bold", "Helvetica": "Helvetica-Bold"}[family]
        self.bold = bold
        self.body = ParagraphStyle(
            "body", fontName=family, fontSize=size, leading=size * 1.36, spaceAfter=size * 0.55,
            alignment=4 if justified else 0,
        )  # fmt: skip
        self.cell = ParagraphStyle(
            "cell", parent=self.body, fontSize=size - 1, leading=size + 1, spaceAfter=0, alignment=0
        )
        self.label = ParagraphStyle("label", parent=self.cell, fontName=bold, textColor=NAVY)
        self.head = ParagraphStyle("head", parent=self.label, textColor=white)
        self.section = ParagraphStyle(
            "section", parent=self.body, fontName="Helvetica-Bold", fontSize=size + 2,
            leading=size + 5, spaceBefore=size * 0.8, spaceAfter=size * 0.4,
            textColor=NAVY, alignment=0,
        )  # fmt: skip
        self.title = ParagraphStyle(
            "title", parent=self.section, fontSize=20, leading=24, spaceBefore=0, spaceAfter=2
        )
        self.subtitle = ParagraphStyle(
            "subtitle",
            parent=self.body,
            fontName="Helvetica",
            fontSize=11,
            leading=15,
            textColor=GRAY,
            alignment=0,
        )
        self.caption = ParagraphStyle(
            "caption", parent=self.body, fontName="Helvetica-Oblique", fontSize=size - 1.5,
            leading=size + 1, textColor=GRAY, spaceBefore=3, alignment=0,
        )  # fmt: skip


def as_pdf(report: Report, layout: int) -> bytes:
    """The bytes of `report` as PDF; `layout` 0 form, 1 two columns, 2 long."""
    out = io.BytesIO()
    _LAYOUTS[layout](report, out)
    return out.getvalue()


def _document(report: Report, out: io.BytesIO, templates: list[PageTemplate]) -> BaseDocTemplate:
    return BaseDocTemplate(
        out, pagesize=LETTER, pageTemplates=templates, invariant=1,
        title=f"{report.title} {report.number}", author=AGENCY, subject=report.subtitle,
    )  # fmt: skip


def _form(report: Report, out: io.BytesIO) -> None:
    styles = _Styles("Helvetica", 9.5)
    frame = Frame(MARGIN, 20 * mm, TEXT_WIDTH, PAGE_HEIGHT - 52 * mm, 0, 0, 0, 0)
    page = PageTemplate("page", [frame], onPage=_band(report))
    story: list[Flowable] = [
        Paragraph(report.title, styles.title),
        Paragraph(report.subtitle, styles.subtitle),
        Spacer(1, 4 * mm),
        _facts_grid(report, styles, TEXT_WIDTH),
        Spacer(1, 3 * mm),
        Paragraph(report.summary, styles.body),
    ]
    for heading, blocks in report.sections:
        story += _section(heading, blocks, styles, TEXT_WIDTH)
    _document(report, out, [page]).build(story)


def _two_columns(report: Report, out: io.BytesIO) -> None:
    styles = _Styles("Times-Roman", 9.5, justified=True)
    column = (TEXT_WIDTH - GUTTER) / 2
    top = 31 * mm
    height = PAGE_HEIGHT - 40 * mm
    left, right = MARGIN, MARGIN + column + GUTTER
    first = PageTemplate(
        "first",
        [
            Frame(MARGIN, PAGE_HEIGHT - 20 * mm - top, TEXT_WIDTH, top, 0, 0, 0, 0),
            Frame(left, 20 * mm, column, height - top, 0, 0, 0, 0),
            Frame(right, 20 * mm, column, height - top, 0, 0, 0, 0),
        ],
        onPage=_running_lines(report),
    )
    later = PageTemplate(
        "later",
        [Frame(x, 20 * mm, column, height, 0, 0, 0, 0) for x in (left, right)],
        onPage=_running_lines(report),
    )
    story: list[Flowable] = [
        NextPageTemplate("later"),
        Paragraph(report.title, styles.title),
        Paragraph(f"{report.subtitle}. Published {report.published}.", styles.subtitle),
        Spacer(1, 2 * mm),
        Paragraph(f"<b>Summary.</b> {report.summary}", styles.body),
        FrameBreak(),
        _facts_lines(report, styles, column),
        Spacer(1, 2 * mm),
    ]
    for heading, blocks in report.sections:
        story += _section(heading, blocks, styles, column)
    _document(report, out, [first, later]).build(story)


def _long(report: Report, out: io.BytesIO) -> None:
    styles = _Styles("Times-Roman", 11)
    frame = Frame(MARGIN, 22 * mm, TEXT_WIDTH, PAGE_HEIGHT - 44 * mm, 0, 0, 0, 0)
    page = PageTemplate("page", [frame], onPage=_running_lines(report))
    story: list[Flowable] = [
        Paragraph(AGENCY.upper(), styles.caption),
        Paragraph(report.title, styles.title),
        Paragraph(report.subtitle, styles.subtitle),
        Spacer(1, 3 * mm),
        _facts_lines(report, styles, TEXT_WIDTH),
        Spacer(1, 2 * mm),
        Paragraph("Synopsis", styles.section),
        Paragraph(report.summary, styles.body),
    ]
    for number, (heading, blocks) in enumerate(report.sections, 1):
        story += _section(f"{number}. {heading}", blocks, styles, TEXT_WIDTH)
    _document(report, out, [page]).build(story)


_LAYOUTS: tuple[Callable[[Report, io.BytesIO], None], ...] = (_form, _two_columns, _long)


def _section(
    heading: str, blocks: tuple[Block, ...], styles: _Styles, width: float
) -> list[Flowable]:
    """Keeps the heading with its first block."""
    flowables = [part for block in blocks for part in _block(block, styles, width)]
    return [KeepTogether([Paragraph(heading, styles.section), flowables[0]]), *flowables[1:]]


def _block(block: Block, styles: _Styles, width: float) -> list[Flowable]:
    match block:
        case str():
            return [Paragraph(block, styles.body)]
        case Bullets(items):
            style = ParagraphStyle("bullet", parent=styles.body, leftIndent=12, spaceAfter=2)
            return [Paragraph(item, style, bulletText="•") for item in items]
        case DataTable():
            parts = [
                Paragraph(block.caption, styles.caption),
                _data_table(block, styles, width),
                Spacer(1, 8),
            ]
            return [KeepTogether(parts)]
        case Figure():
            shown = min(width, 130 * mm)
            picture = Image(io.BytesIO(block.png), shown, shown * block.height / block.width)
            parts = [Spacer(1, 3), picture, Paragraph(block.caption, styles.caption)]
            return [KeepTogether(parts)]


def _data_table(table: DataTable, styles: _Styles, width: float) -> Table:
    rows: list[list[Any]] = [[Paragraph(cell, styles.head) for cell in table.header]]
    rows += [[Paragraph(cell, styles.cell) for cell in row] for row in table.rows]
    style = [
        ("BACKGROUND", (0, 0), (-1, 0), NAVY),
        ("LINEBELOW", (0, 1), (-1, -1), 0.5, RULE),
        ("BOX", (0, 0), (-1, -1), 0.5, RULE),
        *_PADDING,
    ]
    return Table(rows, colWidths=_column_widths(table, styles, width), style=style)


def _column_widths(table: DataTable, styles: _Styles, width: float) -> list[float]:
    """Room for the longest word of each column, plus equal shares of the rest."""
    columns = zip(table.header, *table.rows, strict=True)
    words = [
        max(
            stringWidth(text, styles.bold, styles.cell.fontSize)
            for text in (*title.split(), *cells)  # titles may wrap, short values should not
        )
        for title, *cells in columns
    ]
    spare = (width - sum(words)) / len(words)
    return [word + spare for word in words]


def _facts_grid(report: Report, styles: _Styles, width: float) -> Table:
    """A ruled grid with two pairs of label and value per row."""
    half = (len(report.facts) + 1) // 2
    rows = []
    for index in range(half):
        pairs = [report.facts[index], *report.facts[half + index : half + index + 1]]
        cells = [part for label, value in pairs for part in (label, value)]
        cells += [""] * (4 - len(cells))
        rows.append(
            [Paragraph(cell, (styles.label, styles.cell)[at % 2]) for at, cell in enumerate(cells)]
        )
    style = [
        ("GRID", (0, 0), (-1, -1), 0.5, RULE),
        ("BACKGROUND", (0, 0), (0, -1), SHADE),
        ("BACKGROUND", (2, 0), (2, -1), SHADE),
        *_PADDING,
    ]
    return Table(rows, colWidths=[width * part for part in (0.23, 0.27, 0.25, 0.25)], style=style)


def _facts_lines(report: Report, styles: _Styles, width: float) -> Table:
    """Label and value with a thin rule under each row."""
    rows = [
        [Paragraph(label, styles.label), Paragraph(value, styles.cell)]
        for label, value in report.facts
    ]
    style = [
        ("LINEABOVE", (0, 0), (-1, 0), 1, NAVY),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
        *_PADDING,
    ]
    return Table(rows, colWidths=[width * 0.45, width * 0.55], style=style)


_PADDING = [
    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
    ("TOPPADDING", (0, 0), (-1, -1), 2.2),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2.8),
    ("LEFTPADDING", (0, 0), (-1, -1), 5),
    ("RIGHTPADDING", (0, 0), (-1, -1), 5),
]

Painter = Callable[[Any, Any], None]


def _band(report: Report) -> Painter:
    """A colored band with the agency's name at the top, and the page number at the bottom."""

    def paint(canvas: Any, document: Any) -> None:
        canvas.setFillColor(NAVY)
        canvas.rect(0, PAGE_HEIGHT - 22 * mm, PAGE_WIDTH, 22 * mm, stroke=0, fill=1)
        canvas.setFillColor(white)
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(MARGIN, PAGE_HEIGHT - 14 * mm, AGENCY)
        canvas.setFont("Helvetica", 9)
        canvas.drawRightString(PAGE_WIDTH - MARGIN, PAGE_HEIGHT - 14 * mm, report.number)
        _page_number(canvas, document)

    return paint


def _running_lines(report: Report) -> Painter:
    """Agency and report number above a rule at the top, and the page number at the bottom."""

    def paint(canvas: Any, document: Any) -> None:
        canvas.setFillColor(GRAY)
        canvas.setFont("Helvetica", 8)
        canvas.drawString(MARGIN, PAGE_HEIGHT - 13 * mm, AGENCY)
        canvas.drawRightString(
            PAGE_WIDTH - MARGIN, PAGE_HEIGHT - 13 * mm, f"Report {report.number}"
        )
        canvas.setStrokeColor(RULE)
        canvas.line(MARGIN, PAGE_HEIGHT - 15 * mm, PAGE_WIDTH - MARGIN, PAGE_HEIGHT - 15 * mm)
        _page_number(canvas, document)

    return paint


def _page_number(canvas: Any, document: Any) -> None:
    canvas.setFillColor(GRAY)
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(PAGE_WIDTH / 2, 11 * mm, f"Page {document.page}")
