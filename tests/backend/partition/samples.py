"""One small file of every format that is read, with the words "harbour" and "rope" in it."""

import io
import struct
import zipfile
from collections.abc import Callable

import docx
from PIL import Image, ImageDraw, ImageFont

from backend.partition import sniff
from tests.backend.partition.conftest import lines, office, pdf
from tests.backend.partition.old_office import doc, msg, ppt, xls

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ODF = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
        ("style", "style"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"),
        ("presentation", "presentation"),
    )
)  # fmt: skip
HTML = "<!doctype html><h1>The harbour</h1><p>A rope.</p><ul><li>one</li></ul>"


def related(*targets: tuple[str, str, str]) -> str:
    """A part of relations: id, kind, target."""
    inside = "".join(
        f'<Relationship Id="{key}" Type="x/{kind}" Target="{target}"/>'
        for key, kind, target in targets
    )
    return f'<Relationships xmlns="{_PACKAGE}">{inside}</Relationships>'


def word(body: str | None = None) -> bytes:
    """A DOCX; with `body` as its paragraphs in XML."""
    if body is not None:
        namespaces = (
            'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
            'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
            f'xmlns:r="{OFFICE}"'
        )
        return office(
            {"word/document.xml": f"<w:document {namespaces}><w:body>{body}</w:body></w:document>"}
        )
    document = docx.Document()
    document.add_heading("The harbour", 1)
    document.add_paragraph("A rope.", style="List Bullet")
    table = document.add_table(2, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def sheets(content: str, styles: str = "") -> bytes:
    """An XLSX of one sheet."""
    return office(
        {
            "xl/styles.xml": f'<styleSheet xmlns="{_S}">{styles}</styleSheet>',
            "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="harbour" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": related(("r1", "worksheet", "s.xml")),
            "xl/s.xml": f'<worksheet xmlns="{_S}">{content}</worksheet>',
        }
    )


def cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def slides(shapes: str, **parts: str) -> bytes:
    """A PPTX of one slide of 1000 x 1000; `parts` are further ones, with `__` for slashes."""
    more = {name.replace("__", "/"): text for name, text in parts.items()}
    return office(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{_P}" xmlns:r="{OFFICE}">'
            '<p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
            '<p:sldSz cx="1000" cy="1000"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": related(("r1", "slide", "s1.xml")),
            "ppt/s1.xml": f'<p:sld xmlns:p="{_P}" xmlns:a="{_A}"><p:cSld><p:spTree>{shapes}'
            "</p:spTree></p:cSld></p:sld>",
            **more,
        }
    )


def opendocument(kind: str, body: str, styles: str = "", automatic: str = "") -> bytes:
    """A package of a kind such as `text`; `body` is inside of the element named by the kind."""
    element = {"graphics": "drawing"}.get(kind, kind.removesuffix("-template"))
    return office(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {_ODF}><office:automatic-styles>{automatic}"
            f"</office:automatic-styles><office:body><office:{element}>{body}</office:{element}>"
            "</office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {_ODF}>{styles}</office:document-styles>",
        }
    )


def flat(kind: str, body: str) -> bytes:
    """The same as one XML text."""
    return (
        f"<?xml version='1.0'?><office:document {_ODF} "
        f'office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:body>'
        f"<office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


def book(**chapters: str) -> bytes:
    """An EPUB."""
    items = "".join(
        f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in chapters
    )
    order = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    return office(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container xmlns="{container}"><rootfiles>'
            '<rootfile full-path="text/p.opf"/></rootfiles></container>',
            "text/p.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}'
            f"</manifest><spine>{order}</spine></package>",
            **{f"text/{name}.xhtml": text for name, text in chapters.items()},
        }
    )


def emf(texts: list[tuple[str, int, int]]) -> bytes:
    """An EMF of 1000 x 500 with texts at places."""

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<II", kind, 8 + len(data)) + data

    out = record(1, struct.pack("<8i", 0, 0, 1000, 500, 0, 0, 1000, 500) + b" EMF" + bytes(60))
    for text, x, y in texts:
        wide = text.encode("utf-16-le")
        place = struct.pack("<iiIII4iI", x, y, len(text), 76, 0, 0, 0, 0, 0, 0)
        out += record(84, struct.pack("<4iIff", 0, 0, 0, 0, 1, 1, 1) + place + wide)
    return out + record(14, bytes(12))


def wmf(texts: list[tuple[str, int, int]]) -> bytes:
    """A WMF of 1000 x 500 with texts of even length at places."""

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<IH", 3 + len(data) // 2, kind) + data

    out = struct.pack("<IHhhhhHIH", 0x9AC6CDD7, 0, 0, 0, 1000, 500, 96, 0, 0)
    out += struct.pack("<HHHIHIH", 1, 9, 0x300, 0, 0, 0, 0)
    for text, x, y in texts:
        data = struct.pack("<h", len(text)) + text.encode("cp1252") + struct.pack("<hh", y, x)
        out += record(0x521, data)
    return out + record(0, b"")


def picture(form: str) -> bytes:
    page = Image.new("RGB", (700, 120), "white")
    draw = ImageDraw.Draw(page)
    draw.text((20, 30), "the harbour, a rope", "black", font=ImageFont.load_default(40))
    buffer = io.BytesIO()
    page.save(buffer, form)
    return buffer.getvalue()


def mail() -> bytes:
    return (
        b"From: a@example.org\nTo: b@example.org\nSubject: The harbour\nMIME-Version: 1.0\n"
        b"Content-Type: text/html\n\n<p>A rope.</p>\n"
    )


_SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="1" name="t"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
    '<a:off x="100" y="0"/><a:ext cx="500" cy="100"/></a:xfrm></p:spPr><p:txBody>'
    "<a:p><a:r><a:t>The harbour, a rope</a:t></a:r></a:p></p:txBody></p:sp>"
)
_TEXT = "<text:h>The harbour</text:h><text:p>A rope.</text:p>"
_TABLE = (
    '<table:table table:name="harbour"><table:table-row><table:table-cell>'
    "<text:p>rope</text:p></table:table-cell></table:table-row></table:table>"
)
_PAGE = (
    "<draw:page><draw:frame><draw:text-box><text:p>The harbour, a rope</text:p></draw:text-box>"
    "</draw:frame></draw:page>"
)
_MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>harbour</mi><mo>=</mo><msup>'
    "<mi>rope</mi><mn>2</mn></msup></math>"
)

SAMPLES: dict[str, Callable[[], bytes]] = {
    sniff.PDF: lambda: pdf(lambda canvas: lines(canvas, 60, 700, ["The harbour, a rope"])),
    sniff.DOCX: word,
    sniff.PPTX: lambda: slides(_SHAPE),
    sniff.XLSX: lambda: sheets(f"<sheetData><row>{cell('A1', 'rope')}</row></sheetData>"),
    sniff.DOC: lambda: doc([("The harbour\r", 1, b""), ("A rope.\r", 0, b"")]),
    sniff.PPT: lambda: ppt([(0, "The harbour", (0, 0, 9, 9)), (4, "A rope", (9, 0, 99, 99))]),
    sniff.XLS: lambda: xls("harbour", [["rope", 1.5], ["all"]]),
    sniff.ODT: lambda: opendocument("text", _TEXT),
    sniff.ODS: lambda: opendocument("spreadsheet", _TABLE),
    sniff.ODP: lambda: opendocument("presentation", _PAGE),
    sniff.ODG: lambda: opendocument("graphics", _PAGE),
    sniff.ODF: lambda: office(
        {"mimetype": sniff.ODF, "content.xml": f"<?xml version='1.0'?>{_MATH}"}
    ),
    sniff.RTF: lambda: rb"{\rtf1\ansi The harbour\par A rope.\par}",
    sniff.EPUB: lambda: book(one=HTML, two="<html><body><p>More.</p></body></html>"),
    sniff.HTML: HTML.encode,
    sniff.XML: lambda: b"<?xml version='1.0'?><a><b>The harbour</b><b>A rope.</b></a>",
    sniff.MARKDOWN: lambda: b"# The harbour\n\nA rope.\n",
    sniff.PLAIN: lambda: b"The harbour.\n\nIt has a rope.\n",
    sniff.CSV: lambda: b"harbour;rope\n1;2\n",
    sniff.SYLK: lambda: b'ID;PWXL\nC;Y1;X1;K"harbour"\nC;X2;K"rope"\nE\n',
    sniff.EML: mail,
    sniff.MSG: lambda: msg("The harbour", "Ann", "<p>A rope.</p>", "plan.pdf"),
    sniff.MATHML: _MATH.encode,
    sniff.SVG: lambda: (
        b'<svg xmlns="http://www.w3.org/2000/svg"><text>The harbour, a rope</text></svg>'
    ),
    sniff.EMF: lambda: emf([("The harbour", 100, 50), ("a rope", 500, 250)]),
    sniff.WMF: lambda: wmf([("a harbour!", 100, 50), ("a rope", 500, 250)]),
    "image/png": lambda: picture("PNG"),
    "image/jpeg": lambda: picture("JPEG"),
    "image/tiff": lambda: picture("TIFF"),
    "image/bmp": lambda: picture("BMP"),
    "image/webp": lambda: picture("WEBP"),
}
"""A small file of each format, with the words "harbour" and "rope"."""


def repacked(archive: bytes, part: str, content: bytes) -> bytes:
    """An archive with one of its parts replaced."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(archive)) as source,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            target.writestr(name, content if name == part else source.read(name))
    return buffer.getvalue()
