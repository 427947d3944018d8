"""Documents of one construct repeated `n` times, for every format: what a reader does with twice as
much should take about twice as long.

Each maker gives the bytes of a file; the number beside it is an `n` that is read in some hundredths
of a second.
"""

import struct
import zlib
from collections.abc import Callable

from tests.backend.partition.conftest import pdf_of_objects
from tests.backend.partition.samples import slides
from tests.reliability.hostile_documents import archive, one_page, stream, word

Make = Callable[[int], bytes]


def html(body: str) -> bytes:
    return f"<!DOCTYPE html><html><body>{body}</body></html>".encode()


def nested(opening: str, inner: str, closing: str, depth: int) -> str:
    return opening * depth + inner + closing * depth


def svg(body: str, attributes: str = "") -> bytes:
    name = "http://www.w3.org/2000/svg"
    return f'<svg xmlns="{name}" viewBox="0 0 100 100" {attributes}>{body}</svg>'.encode()


def rtf(body: str) -> bytes:
    return rb"{\rtf1\ansi " + body.encode() + b"}"


def md(body: str) -> bytes:
    return f"# head\n\n{body}".encode()


def xml(body: str) -> bytes:
    return f"<?xml version='1.0'?><r>{body}</r>".encode()


def declared(body: str) -> bytes:
    """An XML text with an entity."""
    return f"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'E'>]><a>{body}</a>".encode()


def mail(head: str, body: str = "Words.") -> bytes:
    return f"From: a@example.org\r\nSubject: x\r\n{head}\r\n\r\n{body}\r\n".encode()


_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def xlsx(rows: str, more: str = "") -> bytes:
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension='
            '"xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType'
            '="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
            "</Types>",
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r"'
            f' Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets><sheet'
            ' name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
            f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/s.xml"/>'
            "</Relationships>",
            "xl/worksheets/s.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData>'
            f"{more}</worksheet>",
        }
    )


def column(number: int) -> str:
    name = ""
    while number >= 0:
        name = chr(65 + number % 26) + name
        number = number // 26 - 1
    return name


def cell(row: int, col: int) -> str:
    return f'<c r="{column(col)}{row + 1}" t="inlineStr"><is><t>x{row}</t></is></c>'


def sheet_row(row: int, cols: list[int]) -> str:
    return f'<row r="{row + 1}">{"".join(cell(row, col) for col in cols)}</row>'


def diagonals(n: int) -> bytes:
    """Parts that meet nowhere, each below and beside the last."""
    return xlsx("".join(sheet_row(2 * i, [2 * i]) for i in range(n)))


def crossing(n: int) -> bytes:
    """A column of parts, each right below the last."""
    return xlsx("".join(sheet_row(i, [0]) for i in range(n)))


def corners(n: int) -> bytes:
    """A long row and a long column: what is between them is blank."""
    return xlsx(sheet_row(0, list(range(n))) + "".join(sheet_row(i, [0]) for i in range(1, n)))


def uneven_rows(n: int) -> bytes:
    """Rows whose cells have edges of their own, so that the grid has as many columns as cells."""
    return rtf(
        "".join(
            rf"\trowd\cellx{3000 + 25 * i}\cellx{900000 + 25 * i}\intbl a\cell b\cell\row "
            for i in range(n)
        )
    )


def pdf_text(n: int) -> bytes:
    lines = b"".join(b"1 0 0 1 50 %d Tm (word %d) Tj " % (780 - 7 * (i % 110), i) for i in range(n))
    return one_page(stream(b"BT /F 6 Tf " + lines + b"ET"))


def pdf_rules(n: int) -> bytes:
    drawn = b"".join(b"%d %d m %d %d l S " % (i % 600, 5, i % 600, 780) for i in range(n))
    return one_page(stream(b"BT /F 6 Tf 50 700 Td (word) Tj ET " + drawn))


def pdf_comments(n: int) -> bytes:
    note = b"<< /Type /Annot /Subtype /Text /T (A) /Contents (word %d) /Rect [9 9 20 20] >> "
    return pdf_of_objects(page=b"/Annots [" + b"".join(note % i for i in range(n)) + b"]")


def pdf_pictures(n: int) -> bytes:
    """One large picture that is drawn again and again."""
    picture = b"<< /Type /XObject /Subtype /Image /Width 4000 /Height 4000 /BitsPerComponent 1"
    picture += b" /ColorSpace /DeviceGray /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
    packed = zlib.compress(bytes(4000 * 4000 // 8))
    shows = b"".join(b"q 9 0 0 9 %d %d cm /I Do Q\n" % (i % 400, i % 290) for i in range(n))
    return pdf_of_objects(shows, more=[picture % (len(packed), packed)]).replace(
        b"/Resources <<", b"/Resources << /XObject << /I 6 0 R >>"
    )


def pdf_form(n: int) -> bytes:
    """A form that only Adobe's programs draw: nested parts, labels and values."""
    part = b"<draw><value><text>word</text></value></draw><field name='f%d'/>"
    design = b"".join(part % i for i in range(n))
    values = b"".join(b"<f%d>v</f%d>" % (i, i) for i in range(n))
    form = b"<x><subform>%s</subform><datasets>%s</datasets></x>" % (design, values)
    return pdf_of_objects(
        catalog=b"/NeedsRendering true /AcroForm << /XFA 6 0 R >>", more=[stream(form)]
    )


def wmf_line(n: int) -> bytes:
    """Texts on one line."""
    text = struct.pack("<IHh4shh", 8, 0x521, 4, b"word", 5, 5)
    head = struct.pack("<IHhhhhHIH", 0x9AC6CDD7, 0, 0, 0, 1000, 500, 96, 0, 0)
    return head + struct.pack("<HHHIHIH", 1, 9, 0x300, 0, 0, 0, 0) + text * n + bytes(6)


_MATH = "http://www.w3.org/1998/Math/MathML"
_OMML = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
_ALTERNATIVES = (
    f'<mc:AlternateContent {_MC}><mc:Choice Requires="a"><w:r/></mc:Choice><mc:Fallback><w:r>'
    "<w:t>w</w:t></w:r></mc:Fallback></mc:AlternateContent>"
)

GROWING: dict[str, tuple[Make, int]] = {
    "html paragraphs": (lambda n: html("<p>word and word</p>" * n), 600),
    "html inline": (lambda n: html("<p>" + "<b>w</b> <i>x</i> " * n), 600),
    "html inline with images": (lambda n: html("<p>" + "<span><b>w</b></span>" * n), 600),
    "html attributes": (
        lambda n: html("<p " + " ".join(f"a{i}=1" for i in range(n)) + ">w</p>"), 3000,
    ),
    "html attributes of many": (
        lambda n: html("".join(f"<p class=c{i} id=d{i} title=e{i}>w" for i in range(n))), 400,
    ),
    "html long style": (lambda n: html(f'<p style="{"color:red;" * n}">w</p>' * 3), 5000),
    "html lists": (lambda n: html("<ul>" + "<li>item" * n + "</ul>"), 500),
    "html nested lists": (lambda n: html(nested("<ul><li>x", "y", "</ul>", n)), 20),
    "html definitions": (lambda n: html("<dl>" + "<dt>t<dd>d" * n + "</dl>"), 300),
    "html nested definitions": (lambda n: html(nested("<dl><dt>t<dd>", "y", "</dl>", n)), 20),
    "html table rows": (lambda n: html("<table>" + "<tr><td>a<td>b" * n + "</table>"), 300),
    "html table columns": (lambda n: html("<table><tr>" + "<td>a" * n + "</table>"), 600),
    "html rowspans": (
        lambda n: html("<table>" + "<tr><td rowspan=9>a<td>b" * n + "</table>"), 200,
    ),
    "html nested tables": (
        lambda n: html(nested("<table><tr><td>x", "y", "</td></tr></table>", n)), 10,
    ),
    "html nested tables of two": (
        lambda n: html(nested("<table><tr><td>a<td>", "y", "</td></tr></table>", n)), 10,
    ),
    "html nested spans": (lambda n: html(nested("<span>", "y", "</span>", n)), 50),
    "html nested links": (lambda n: html(nested("<b>x", "<p>y</p>", "</b>", n)), 20),
    "html captions": (lambda n: html("<figure><figcaption>c</figcaption></figure>" * n), 300),
    "html headings": (lambda n: html("<h2>head</h2><p>x</p>" * n), 300),
    "html entities": (lambda n: html("<p>" + "&amp;&eacute;&#233; " * n), 3000),
    "html pictures": (
        lambda n: html('<img alt="a" src="data:image/png;base64,AAAA">' * n), 200,
    ),
    "html breaks": (lambda n: html("<p>" + "w<br>" * n), 1000),
    "mathml nested tables": (
        lambda n: html(nested(f'<math xmlns="{_MATH}"><mtable><mtr><mtd>', "<mi>x</mi>",
                              "</mtd></mtr></mtable>", n)), 2,
    ),
    "mathml nested fractions": (
        lambda n: html("<math>" + nested("<mfrac><mn>1</mn>", "<mi>x</mi>", "</mfrac>", n)), 10,
    ),
    "mathml nested scripts": (
        lambda n: html("<math>" + nested("<msup><mi>a</mi>", "<mi>x</mi>", "</msup>", n)), 10,
    ),
    "mathml rows": (
        lambda n: html("<math><mtable>" + "<mtr><mtd><mi>x</mi></mtd></mtr>" * n), 300,
    ),
    "mathml annotations": (
        lambda n: html("<p>" + "<math><semantics><mi>x</mi><annotation>y</annotation></semantics>"
                       "</math> " * n), 200,
    ),
    "svg texts": (lambda n: svg('<text x="1" y="2">words</text>' * n), 300),
    "svg tspans": (lambda n: svg("<text>" + "<tspan dy='1'>w</tspan>" * n + "</text>"), 1000),
    "svg nested tspans": (lambda n: svg("<text>" + nested("<tspan>w", "x", "</tspan>", n)
                                        + "</text>"), 30),
    "svg transforms": (
        lambda n: svg('<g transform="' + "scale(" * n + '"><text>w</text></g>'), 2000,
    ),
    "svg transforms with blanks": (
        lambda n: svg('<g transform="' + "scale" + " " * n + '"><text>w</text></g>'), 4000,
    ),
    "svg nested groups": (lambda n: svg(nested("<g>", "<text>w</text>", "</g>", n)), 40),
    "svg styles": (lambda n: svg(f'<text style="{";" * n}">w</text>'), 4000),
    "svg style blanks": (lambda n: svg(f'<text style="{"; " * n}">w</text>'), 2000),
    "svg numbers": (lambda n: svg("<text x='" + "1" * n + "'>w</text>"), 4000),
    "rtf paragraphs": (lambda n: rtf(r"word \par " * n), 400),
    "rtf groups": (lambda n: rtf("{" * n + "x" + "}" * n), 300),
    "rtf words": (lambda n: rtf(r"\b x\b0 " * n), 800),
    "rtf long numbers": (lambda n: rtf(r"\fs" + "9" * n + " x"), 4000),
    "rtf equal rows": (
        lambda n: rtf(r"\trowd\cellx1000\cellx2000\intbl a\cell b\cell\row " * n), 200,
    ),
    "rtf uneven rows": (uneven_rows, 60),
    "rtf cells": (lambda n: rtf(r"\trowd" + "".join(rf"\cellx{i * 30}" for i in range(n))
                                + r"\intbl " + r"a\cell" * n + r"\row "), 400),
    "rtf letters": (lambda n: rtf(r"\'e9" * n), 1500),
    "rtf unicode": (lambda n: rtf(r"\u233?" * n), 1000),
    "rtf fonts": (lambda n: rtf(r"{\fonttbl" + r"{\f1 Arial;}" * n + "} x"), 500),
    "xlsx diagonals": (diagonals, 250),
    "xlsx crossing": (crossing, 250),
    "xlsx corners": (corners, 35),
    "xlsx rows": (lambda n: xlsx("".join(sheet_row(i, [0, 1]) for i in range(n))), 300),
    "xlsx rows without references": (lambda n: xlsx("<row><c><v>1</v></c></row>" * n), 300),
    "xlsx equal references": (
        lambda n: xlsx("".join(f'<c r="A1"><v>{i}</v></c>' for i in range(n))), 600,
    ),
    "xlsx columns": (lambda n: xlsx(sheet_row(0, list(range(n)))), 400),
    "xlsx islands in a row": (lambda n: xlsx(sheet_row(0, list(range(0, 2 * n, 2)))), 250),
    "xlsx merges": (
        lambda n: xlsx(
            "".join(sheet_row(i, [0, 1]) for i in range(n)),
            "<mergeCells>"
            + "".join(f'<mergeCell ref="A{i}:B{i}"/>' for i in range(1, n + 1))
            + "</mergeCells>",
        ), 150,
    ),
    "docx paragraphs": (lambda n: word("<w:p><w:r><w:t>w</w:t></w:r></w:p>" * n), 300),
    "docx runs": (lambda n: word("<w:p>" + "<w:r><w:t>w</w:t></w:r>" * n + "</w:p>"), 500),
    "docx alternatives": (
        lambda n: word(f"<w:p>{_ALTERNATIVES * n}</w:p>"), 200,
    ),
    "docx nested alternatives": (
        lambda n: word("<w:p>" + nested(f"<mc:AlternateContent {_MC}><mc:Fallback>",
                       "<w:r><w:t>x</w:t></w:r>", "</mc:Fallback></mc:AlternateContent>", n)
                       + "</w:p>"), 5,
    ),
    "docx rows": (
        lambda n: word("<w:tbl>" + "<w:tr><w:tc><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>" * n
                       + "</w:tbl>"), 150,
    ),
    "docx nested tables": (
        lambda n: word(nested("<w:tbl><w:tr><w:tc>", "<w:p/>", "</w:tc></w:tr></w:tbl>", n)), 8,
    ),
    "docx nested text boxes": (
        lambda n: word("<w:p>" + nested("<w:r><w:pict><w:txbxContent><w:p>",
                       "<w:r><w:t>x</w:t></w:r>", "</w:p></w:txbxContent></w:pict></w:r>", n)
                       + "</w:p>"), 5,
    ),
    "pptx paragraphs": (
        lambda n: slides("<p:sp><p:txBody>" + "<a:p><a:r><a:t>w</a:t></a:r></a:p>" * n
                         + "</p:txBody></p:sp>"), 300,
    ),
    "docx formulas": (
        lambda n: word(f"<w:p><m:oMath {_OMML}>" + nested("<m:f><m:num><m:r><m:t>1</m:t></m:r>"
                       "</m:num><m:den>", "<m:r><m:t>x</m:t></m:r>", "</m:den></m:f>", n)
                       + "</m:oMath></w:p>"), 10,
    ),
    "docx nested matrices": (
        lambda n: word(f"<w:p><m:oMath {_OMML}>" + nested("<m:m><m:mr><m:e>",
                       "<m:r><m:t>x</m:t></m:r>", "</m:e></m:mr></m:m>", n)
                       + "</m:oMath></w:p>"), 10,
    ),
    "eml parameters": (
        lambda n: mail("Content-Type: text/plain;" + "".join(f" p{i}=v;" for i in range(n))), 150,
    ),
    "eml continued parameters": (
        lambda n: mail("Content-Type: text/plain;"
                       + "".join(f" name*{i}*=a%20b;" for i in range(n))), 100,
    ),
    "eml disposition": (
        lambda n: mail("Content-Type: multipart/mixed; boundary=b", "--b\r\nContent-Disposition:"
                       " attachment;" + "".join(f" p{i}=v;" for i in range(n))
                       + "\r\n\r\nx\r\n--b--"), 150,
    ),
    "eml comments": (lambda n: mail("Content-Type: " + "(" * n + " text/plain"), 150),
    "eml fields": (lambda n: mail("".join(f"X-{i}: y\r\n" for i in range(n))[:-2] or "X: y"), 300),
    "eml people": (lambda n: mail("To: " + ", ".join(f"p{i}@example.org" for i in range(n))), 150),
    "eml parts": (
        lambda n: mail("Content-Type: multipart/mixed; boundary=b", "".join(
            f"--b\r\nContent-Disposition: attachment; filename=f{i}\r\n\r\nx\r\n" for i in range(n)
        ) + "--b--"), 40,
    ),
    "eml texts": (
        lambda n: mail("Content-Type: multipart/mixed; boundary=b", "".join(
            f"--b\r\nContent-Type: text/html\r\n\r\nx{i}\r\n" for i in range(n)
        ) + "--b--"), 40,
    ),
    "eml nested parts": (
        lambda n: mail("Content-Type: multipart/mixed; boundary=b0", "".join(
            f"--b{i}\r\nContent-Type: multipart/mixed; boundary=b{i + 1}\r\n\r\n" for i in range(n)
        )), 20,
    ),
    "eml encoded words": (lambda n: mail("X: y", "x\r\n" * n), 600),
    "md paragraphs": (lambda n: md("word\n\n" * n), 300),
    "md brackets": (lambda n: md("[" * n), 300),
    "md stars": (lambda n: md("*a **a " * n), 200),
    "md quotes": (lambda n: md(">" * n + " x"), 30),
    "md lists": (lambda n: md("* a\n" * n), 200),
    "md nested lists": (lambda n: md("".join("  " * (i % 20) + "* a\n" for i in range(n))), 15),
    "md ticks": (lambda n: md("".join("`" * (i % 60) + "a" for i in range(n))), 200),
    "md tables": (lambda n: ("# h\n\n|a|b|\n|-|-|\n" + "|1|2|\n" * n).encode(), 150),
    "md links": (lambda n: md("[a](b) " * n), 200),
    "md references": (lambda n: md("".join(f"[a{i}]: /b\n" for i in range(n))), 200),
    "text lines": (lambda n: ("word and word\n" * n).encode(), 800),
    "text blanks": (lambda n: ("word" + " " * n + "word\n").encode(), 20_000),
    "text long line": (lambda n: ("word " * n).encode(), 8_000),
    "text columns": (lambda n: ("ab   cd   ef\n" * n).encode(), 300),
    "html wide row": (lambda n: (
        "<table><tr>" + "<td>h" * n + "<tr><td>a<td>b" * n).encode(), 400),
    "text marks": (lambda n: ("- item\n" * n).encode(), 400),
    "csv rows": (lambda n: ("a,b,c\n" + "1,2,3\n" * n).encode(), 300),
    "csv columns": (lambda n: (",".join(f"h{i}" for i in range(n)) + "\n"
                               + ",".join("1" for _ in range(n)) + "\n").encode(), 400),
    "csv wide row": (lambda n: (",".join("h" * n) + "\n" + "a,b\n" * n).encode(), 400),
    "csv quotes": (lambda n: b'a,b\n1,"' + b'""' * n + b'"\n', 5000),
    "xml elements": (lambda n: xml("<a>w</a>" * n), 500),
    "xml entities": (lambda n: declared("&e; and " * n), 800),
    "xml entities between elements": (lambda n: declared("<b/>&e; and " * n), 400),
    "xml nested": (lambda n: xml(nested("<a>w", "x", "</a>", n)), 50),
    "xml attributes": (
        lambda n: xml("<a " + " ".join(f'b{i}="1"' for i in range(n)) + ">w</a>"), 1000,
    ),
    "wmf line": (wmf_line, 6_000),
    "pdf words": (pdf_text, 60),
    "pdf rules": (pdf_rules, 120),
    "pdf comments": (pdf_comments, 250),
    "pdf form": (pdf_form, 150),
    "pdf pictures": (pdf_pictures, 1000),
}  # fmt: skip

SUFFIXES = {"html": ".html", "mathml": ".html", "svg": ".svg", "rtf": ".rtf", "xlsx": ".xlsx",
            "docx": ".docx", "pptx": ".pptx", "eml": ".eml", "md": ".md", "text": ".txt",
            "csv": ".csv", "xml": ".xml", "wmf": ".wmf", "pdf": ".pdf"}  # fmt: skip


def name_of(construct: str) -> str:
    """A file name for a construct, with the ending of its format."""
    return construct.replace(" ", "-") + SUFFIXES[construct.split()[0]]
