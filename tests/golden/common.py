"""Shared pieces of the golden set: the records, and the writers of PDF, HTML, DOCX and text.

A document is described by a list of blocks (titles, paragraphs, label/value pairs, boxed form
fields, tables, lists) or by plain text, and is rendered by one of the writers. Every writer is
deterministic: no clock, no random identifiers.
"""

from __future__ import annotations

import html as html_lib
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import docx
from docx.shared import Pt
from reportlab.lib import colors  # type: ignore[import-untyped]
from reportlab.lib.pagesizes import A4, LETTER  # type: ignore[import-untyped]
from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.platypus import (  # type: ignore[import-untyped]
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

Values = dict[str, object]
Schema = list[dict[str, object]]
Same = dict[str, dict[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Document:
    """One document: its file name, its bytes, and the truth of every property.

    ``values`` has an entry for every property of the kind's schema; None says that the document
    does not give the value. ``written`` gives, where the form in the text cannot be derived from
    the value, the strings as they stand in the document (any one of them must be visible).
    """

    name: str
    content: bytes
    values: Values
    written: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """One kind of documents with its schema, plural noun, equal spellings and documents."""

    key: str
    noun: str
    schema: Schema
    same: Same
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class Block:
    """A piece of a document: its kind, and its rows of text."""

    kind: str
    rows: tuple[tuple[str, ...], ...]


def title(text: str) -> Block:
    return Block("title", ((text,),))


def head(text: str) -> Block:
    return Block("head", ((text,),))


def para(text: str) -> Block:
    return Block("para", ((text,),))


def small(text: str) -> Block:
    return Block("small", ((text,),))


def pairs(*rows: tuple[str, str]) -> Block:
    """Label and value on one line each."""
    return Block("pairs", rows)


def form(*rows: tuple[str, str]) -> Block:
    """Boxed fields, two to a row, the label printed small above the value."""
    return Block("form", rows)


def table(*rows: tuple[str, ...]) -> Block:
    """A table; the first row is the head."""
    return Block("table", rows)


def items(*rows: str) -> Block:
    return Block("items", tuple((row,) for row in rows))


def _esc(text: str) -> str:
    return html_lib.escape(text, quote=False)


def pdf(
    blocks: Sequence[Block],
    font: str = "Helvetica",
    size: float = 10,
    paper: str = "letter",
    separator: str = ": ",
    lines: bool = True,
) -> bytes:
    """The blocks as a PDF. ``separator`` joins label and value; '|' sets them in two columns."""
    bold = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold", "Courier": "Courier-Bold"}
    base = ParagraphStyle("base", fontName=font, fontSize=size, leading=size * 1.35, spaceAfter=5)
    strong = ParagraphStyle("strong", parent=base, fontName=bold[font])
    big = ParagraphStyle("big", parent=strong, fontSize=size * 1.5, leading=size * 2)
    tiny = ParagraphStyle("tiny", parent=base, fontSize=size * 0.75, leading=size)
    width = 460
    flow: list[object] = []
    for block in blocks:
        styles = {"title": big, "head": strong, "para": base, "small": tiny}
        if block.kind in styles:
            flow.append(Paragraph(_esc(block.rows[0][0]), styles[block.kind]))
        elif block.kind == "items":
            for number, row in enumerate(block.rows, start=1):
                flow.append(Paragraph(f"{number}. {_esc(row[0])}", base))
        elif block.kind == "pairs" and separator != "|":
            for label, value in block.rows:
                flow.append(Paragraph(f"{_esc(label)}{separator}{_esc(value)}", base))
        elif block.kind == "pairs":
            data = [[Paragraph(_esc(a), strong), Paragraph(_esc(b), base)] for a, b in block.rows]
            flow.append(Table(data, colWidths=[width * 0.4, width * 0.6], hAlign="LEFT"))
        elif block.kind == "form":
            cells = [[Paragraph(_esc(a), tiny), Paragraph(_esc(b), base)] for a, b in block.rows]
            if len(cells) % 2:
                cells.append([Paragraph("", tiny)])
            grid = [cells[i : i + 2] for i in range(0, len(cells), 2)]
            box = Table(grid, colWidths=[width / 2, width / 2], hAlign="LEFT")
            box.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)]))
            flow.append(box)
        else:
            columns = len(block.rows[0])
            first = width * (0.5 if columns < 5 else 0.32)
            widths = [first] + [(width - first) / (columns - 1)] * (columns - 1)
            body = [[Paragraph(_esc(cell), base) for cell in row] for row in block.rows]
            sheet = Table(body, colWidths=widths, hAlign="LEFT")
            if lines:
                sheet.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.grey)]))
            flow.append(sheet)
        flow.append(Spacer(1, 3))
    out = io.BytesIO()
    size_of = LETTER if paper == "letter" else A4
    SimpleDocTemplate(out, pagesize=size_of, invariant=1, topMargin=50, bottomMargin=50).build(flow)
    return out.getvalue()


def html(blocks: Sequence[Block], name: str, style: str = "table") -> bytes:
    """The blocks as an HTML page; ``style`` sets pairs as 'table', 'dl' or 'line'."""
    out: list[str] = []
    tags = {"title": "h1", "head": "h3", "para": "p", "small": "footer"}
    for block in blocks:
        rows = [tuple(_esc(cell) for cell in row) for row in block.rows]
        if block.kind in tags:
            out.append(f"<{tags[block.kind]}>{rows[0][0]}</{tags[block.kind]}>")
        elif block.kind == "items":
            out.append("<ul>" + "".join(f"<li>{row[0]}</li>" for row in rows) + "</ul>")
        elif block.kind == "table":
            headings = "".join(f"<th>{cell}</th>" for cell in rows[0])
            body = "".join(
                "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows[1:]
            )
            out.append(
                f"<table>\n<thead><tr>{headings}</tr></thead>\n<tbody>{body}</tbody></table>"
            )
        elif block.kind == "form":
            out.append(
                "".join(f"<div><span>{a}</span><br><strong>{b}</strong></div>\n" for a, b in rows)
            )
        elif style == "dl":
            out.append("<dl>" + "".join(f"<dt>{a}</dt><dd>{b}</dd>\n" for a, b in rows) + "</dl>")
        elif style == "line":
            out.append("".join(f"<p><b>{a}:</b> {b}</p>\n" for a, b in rows))
        else:
            body = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>\n" for a, b in rows)
            out.append(f"<table>{body}</table>")
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{_esc(name)}</title></head>\n<body>\n" + "\n".join(out) + "\n</body></html>\n"
    )
    return page.encode("utf-8")


def word(blocks: Sequence[Block], boxed: bool = False) -> bytes:
    """The blocks as a DOCX file; ``boxed`` sets label and value pairs in a table."""
    paper = docx.Document()
    fixed = datetime(2020, 1, 1)
    paper.core_properties.created = fixed
    paper.core_properties.modified = fixed
    paper.styles["Normal"].font.size = Pt(10.5)
    for block in blocks:
        if block.kind == "title":
            paper.add_heading(block.rows[0][0], level=1)
        elif block.kind == "head":
            paper.add_heading(block.rows[0][0], level=2)
        elif block.kind in ("para", "small"):
            paper.add_paragraph(block.rows[0][0])
        elif block.kind == "items":
            for row in block.rows:
                paper.add_paragraph(row[0], style="List Number")
        elif block.kind == "pairs" and not boxed:
            for label, value in block.rows:
                line = paper.add_paragraph()
                line.add_run(f"{label}: ").bold = True
                line.add_run(value)
        else:
            sheet = paper.add_table(rows=0, cols=len(block.rows[0]))
            sheet.style = "Table Grid"
            for row in block.rows:
                cells = sheet.add_row().cells
                for cell, text in zip(cells, row, strict=True):
                    cell.text = text
    raw = io.BytesIO()
    paper.save(raw)
    out = io.BytesIO()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for info in source.infolist():
            target.writestr(
                zipfile.ZipInfo(info.filename, (2020, 1, 1, 0, 0, 0)), source.read(info.filename)
            )
    return out.getvalue()


def prop(
    name: str, kind: str, description: str, examples: Sequence[str], choices: Sequence[str] = ()
) -> dict[str, object]:
    """One property of a schema."""
    entry: dict[str, object] = {
        "name": name,
        "type": kind,
        "description": description,
        "examples": list(examples),
    }
    if choices:
        entry["choices"] = list(choices)
    return entry
