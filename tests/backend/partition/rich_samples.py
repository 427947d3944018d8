"""One file of each of the larger formats that has much of what the format knows.

Damage to a file of one sentence never reaches what reads tables, lists, notes and charts.
"""

import io
from collections.abc import Callable

import docx
import xlsxwriter
from docx.oxml import parse_xml
from docx.shared import Inches
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from backend.partition import sniff
from tests.backend.partition.conftest import lines
from tests.backend.partition.old_office import doc, ppt, xls
from tests.backend.partition.samples import book, opendocument, related, slides

_LONG = "The keeper of the harbour coiled the rope and looked at the grey water for a while."
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _drawing() -> bytes:
    image = Image.new("RGB", (80, 60), "white")
    ImageDraw.Draw(image).ellipse((10, 10, 70, 50), fill="navy")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _first_page(canvas: Canvas) -> None:
    """Headings, two columns, bullets, a footnote and an entry of the outline."""
    canvas.bookmarkPage("top")
    canvas.addOutlineEntry("The harbour", "top", 0)
    lines(canvas, 60, 800, ["Port authority"], 8)
    lines(canvas, 60, 760, ["The harbour"], 22)
    for x in (60, 320):
        lines(canvas, x, 700, [_LONG[start : start + 40] for start in range(0, 80, 40)] * 9)
    lines(canvas, 60, 420, ["1. Ropes", "• hemp and jute", "• nylon, which gives", "2. Chains"])
    lines(canvas, 60, 90, ["1 Counted at dawn."], 7)
    canvas.saveState()
    canvas.translate(560, 300)
    canvas.rotate(90)
    lines(canvas, 0, 0, ["turned upright"])
    canvas.restoreState()
    canvas.linkURL("https://example.org/", (60, 420, 200, 440))


def _second_page(canvas: Canvas) -> None:
    """A ruled table, one without rules, a picture with its caption, a drawing and a chart."""
    canvas.addOutlineEntry("Tables", "top", 1)
    lines(canvas, 60, 800, ["Port authority"], 8)
    canvas.grid([60, 160, 260, 360], [700, 720, 740, 760])
    for row, cells in enumerate((["Rope", "Metres", "Year"], ["hemp", "12.5", "2019"])):
        for column, text in enumerate(cells):
            lines(canvas, 65 + 100 * column, 745 - 20 * row, [text])
    for row in range(6):
        for column, text in enumerate(("Pier", "1,200", "(3.4 %)")):
            lines(canvas, 60 + 120 * column, 640 - 16 * row, [text])
    canvas.drawInlineImage(Image.open(io.BytesIO(_drawing())), 60, 380, 160, 120)
    lines(canvas, 60, 365, ["Figure 1: the buoy"], 8)
    for bar in range(5):
        canvas.rect(320 + 30 * bar, 380, 20, 20 + 15 * bar, fill=1)
    canvas.bezier(320, 300, 360, 360, 420, 240, 480, 300)
    canvas.acroForm.textfield(name="berth", x=60, y=250, width=90, height=20, value="7")


def _pdf() -> bytes:
    """Its contents are not packed, so that words and numbers are damaged and not the packing."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, pageCompression=0)
    for draw in (_first_page, _second_page):
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


_BOX = (
    '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>'
    "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></v:textbox>"
    '</v:shape></w:pict></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>on</w:t><w:tab/>'
    f'</w:r><w:ins><w:r><w:t>ward</w:t></w:r></w:ins></w:p><w:p><m:oMath xmlns:m="{_M}"><m:f>'
    "<m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>b</m:t></m:r></m:e>"
    "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f><m:rad><m:deg/><m:e><m:r>"
    "<m:t>c</m:t></m:r></m:e></m:rad><m:nary><m:sub/><m:sup/><m:e/></m:nary></m:oMath></w:p>"
)  # fmt: skip


def _docx() -> bytes:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Port authority"
    document.sections[0].footer.paragraphs[0].text = "page 1"
    document.add_heading("The harbour", 0)
    for level in (1, 2, 3):
        document.add_heading(f"Part {level}", level)
        document.add_paragraph(_LONG)
    for style in ("List Bullet", "List Bullet 2", "List Number", "Quote", "Caption"):
        document.add_paragraph("A rope.", style=style)
    table = document.add_table(4, 3)
    for number in range(12):
        table.cell(number // 3, number % 3).text = f"cell {number}"
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 2).merge(table.cell(3, 2))
    table.cell(3, 0).add_table(1, 2).cell(0, 1).text = "within"
    document.add_picture(io.BytesIO(_drawing()), width=Inches(1))
    document.add_page_break()
    body = document.element.body
    for node in parse_xml(f'<w:body xmlns:w="{_W}">{_BOX}</w:body>'):
        body.insert(len(body) - 1, node)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _xlsx() -> bytes:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as book_of_sheets:
        sheet = book_of_sheets.add_worksheet("harbour")
        money = book_of_sheets.add_format({"num_format": "#,##0.00 €", "bold": True})
        day = book_of_sheets.add_format({"num_format": "yyyy-mm-dd"})
        share = book_of_sheets.add_format({"num_format": "0.0%"})
        sheet.merge_range("A1:C1", "ropes and chains")
        sheet.write_row("A2", ["rope", "metres", "price", "bought", "share", "sound"])
        for row in range(2, 9):
            sheet.write_row(row, 0, ["hemp", row * 1.5])
            sheet.write_number(row, 2, 1234.5 * row, money)
            sheet.write_number(row, 3, 43000 + row, day)
            sheet.write_number(row, 4, 0.125, share)
            sheet.write_boolean(row, 5, row % 2 == 0)
        sheet.write_formula("B12", "=SUM(B3:B9)", value=31.5)
        sheet.write_formula("B13", "=1/0", value="#DIV/0!")
        sheet.write_comment("A3", "counted at dawn")
        sheet.write_url("A14", "https://example.org/", string="more")
        sheet.write_rich_string("A15", "very ", money, "wet")
        sheet.set_row(5, None, None, {"hidden": True})
        sheet.insert_image("H2", "buoy.png", {"image_data": io.BytesIO(_drawing())})
        chart = book_of_sheets.add_chart({"type": "column"})
        chart.add_series({"categories": "=harbour!$A$3:$A$9", "values": "=harbour!$B$3:$B$9"})
        chart.set_title({"name": "metres of rope"})
        sheet.insert_chart("H9", chart)
        book_of_sheets.add_worksheet("empty")
    return buffer.getvalue()


def _shape(kind: str, paragraphs: str, x: int = 100) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="t"/><p:nvPr><p:ph type="{kind}" idx="1"/></p:nvPr>'
        f'</p:nvSpPr><p:spPr><a:xfrm rot="5400000"><a:off x="{x}" y="10"/><a:ext cx="500" cy="90"/>'
        f"</a:xfrm></p:spPr><p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def _pptx() -> bytes:
    item = '<a:p><a:pPr lvl="{}"><a:buChar char="•"/></a:pPr><a:r><a:t>rope</a:t></a:r></a:p>'
    run = "<a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody>"
    cell = f'<a:tc gridSpan="{{}}" rowSpan="1">{run}</a:tc>'
    table = (
        '<p:graphicFrame><p:xfrm><a:off x="0" y="500"/><a:ext cx="900" cy="90"/></p:xfrm>'
        "<a:graphic>"
        f"<a:graphicData><a:tbl><a:tr>{cell.format(2)}</a:tr><a:tr>{cell.format(1) * 2}</a:tr>"
        f"</a:tbl>"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    chart = (
        f'<p:graphicFrame><a:graphic><a:graphicData><c:chart xmlns:c="{_C}" r:id="r2" '
        f'xmlns:r="{_R}"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    group = (
        '<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="90" cy="90"/><a:chOff x="5"'
        ' y="5"/>'
        f'<a:chExt cx="45" cy="45"/></a:xfrm></p:grpSpPr>{_shape("ftr", item.format(0))}</p:grpSp>'
    )
    series = (
        f'<c:chartSpace xmlns:c="{_C}" xmlns:a="{_A}"><c:chart><c:title><c:tx><c:rich><a:p><a:r>'
        f"<a:t>m"
        "</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx>"
        "<c:strRef>"
        '<c:strCache><c:pt idx="0"><c:v>rope</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat>'
        "<c:strRef>"
        '<c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>a</c:v></c:pt></c:strCache>'
        "</c:strRef></c:cat>"
        '<c:val><c:numRef><c:numCache><c:pt idx="1"><c:v>2.5</c:v></c:pt></c:numCache></c:numRef>'
        "</c:val>"
        "</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="9" name="p" descr="a buoy"/></p:nvPicPr><p:blipFill>'
        f'<a:blip r:embed="r3" xmlns:r="{_R}"/></p:blipFill></p:pic>'
    )
    notes = (
        f'<p:notes xmlns:p="{_P}" xmlns:a="{_A}"><p:cSld><p:spTree>'
        f"{_shape('body', item.format(0))}</p:spTree></p:cSld></p:notes>"
    )
    shapes = [_shape("title", item.format(0)), _shape("body", item.format(0) + item.format(1))]
    return slides(
        "".join([*shapes, table, chart, group, picture]),
        **{
            "ppt___rels__s1.xml.rels": related(
                ("r2", "chart", "c.xml"), ("r3", "image", "p.png"), ("r4", "notesSlide", "n.xml")
            ),
            "ppt__c.xml": series,
            "ppt__n.xml": notes,
        },
    )


_CELLS = (
    '<table:table table:name="t"><table:table-header-rows><table:table-row><table:table-cell '
    'table:number-columns-spanned="2"><text:p>ropes</text:p></table:table-cell></table:table-row>'
    '</table:table-header-rows><table:table-row table:number-rows-repeated="2"><table:table-cell '
    'office:value-type="float" office:value="1.5"><text:p>1.5</text:p></table:table-cell>'
    '<table:covered-table-cell/><table:table-cell table:number-columns-repeated="3" '
    'office:value-type="date" office:date-value="2020-02-29"/></table:table-row></table:table>'
)  # fmt: skip
_ODT = (
    '<text:h text:outline-level="2">The harbour<text:note text:note-class="footnote">'
    '<text:note-body>'
    "<text:p>Counted at dawn.</text:p></text:note-body></text:note></text:h><text:list>"
    "<text:list-item>"
    '<text:p>hemp<text:s text:c="3"/>and<text:tab/>jute<text:line-break/>both</text:p><text:list>'
    "<text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item>"
    "</text:list>"
    f'{_CELLS}<text:p text:style-name="P1"><draw:frame svg:width="2cm" svg:height="1in"'
    f' svg:x="3pt" '
    'text:anchor-type="as-char"><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>'
    "<text:soft-page-break/><text:span>on</text:span></text:p><text:section><text:p>in</text:p>"
    "</text:section>"
)  # fmt: skip
_ODP = (
    '<draw:page draw:name="a" draw:master-page-name="M"><draw:frame presentation:class="title" '
    'svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="2cm"><draw:text-box><text:p>The harbour'
    "</text:p></draw:text-box></draw:frame><draw:g><draw:custom-shape draw:transform="
    '"rotate (1.57) translate (2cm 3cm)"><text:p>rope</text:p></draw:custom-shape></draw:g>'
    f"<draw:frame>{_CELLS}</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say"
    f" it"
    "</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
)
_HTML = (
    "<!doctype html><html><head><title>The harbour</title><style>p{}</style></head><body>"
    "<nav>menu</nav>"
    "<h1>The harbour</h1><h3>below</h3><p>A <b>rope</b>,<br>a <a href='#x'>link</a>.</p><ul>"
    "<li>one<ol>"
    "<li value=7>inner</ol><li><p>two</p></ul><dl><dt>hemp<dd>a rope</dl><table><caption>Ropes"
    "</caption>"
    "<thead><tr><th colspan=2>rope<th rowspan='2'>m</thead><tr><td>hemp<td>1<tr><td>jute<td>2<td>"
    "<table>"
    "<tr><td>in</table></table><pre>  kept\n  so</pre><blockquote>said</blockquote><figure><img"
    " alt='buoy'"
    " src='data:image/png;base64,iVBORw0KGgo='><figcaption>Figure 1</figcaption></figure><hr>"
    "<details>"
    "<summary>more</summary>here</details><math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>"
    "<footer>end"
    "</footer><select><option>x</select><p hidden>unseen</p></body></html>"
)
_MARKDOWN = (
    "---\ntitle: The harbour\n---\n# The harbour\n\nUnder\n-----\n\n* hemp\n  1. inner\n  2."
    " *both*\n\n"
    "| rope | m |\n|:-----|--:|\n| hemp | 1 |\n| `a|b` | 2 |\n\n```python\nrope = 1\n```\n\n>"
    " said\n> > twice\n\n"
    '![buoy](buoy.png "t") [link][1] <b>bold</b> $x^2$\n\n[1]: https://example.org\n\n<table><tr>'
    "<td>x</table>\n\n"
    "***\n\n    kept\n\n- [ ] to do\n\nWord[^1].\n\n[^1]: Counted.\n"
)
_RTF = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}}{\colortbl;\red1\green2\blue3"
    r";}{\stylesheet"
    r"{\s1 heading 1;}}{\info{\title x}}\pard\s1\b\fs32 The harbour\b0\par\pard"
    r" {\pntext\bullet\tab}hemp"
    r"\par \trowd\cellx2000\cellx4000\intbl rope\cell"
    r" 1\cell\row\trowd\clmgf\cellx2000\clmrg\cellx4000"
    r"\intbl a\cell b\cell\row\pard\plain caf\'e9 \u8364? \line{\footnote"
    r" Counted.}{\field{\*\fldinst "
    r'HYPERLINK "https://example.org"}{\fldrslt link}}{\pict\pngblip'
    r" 89504e47}\page\sect{\*\unknown x}\par}"
)
_CSV = 'rope;metres;"who; when"\n"hemp ""best""";1,5;"line\nbreak"\njute;;\n;;\n"é";9;x;surplus\n'
_MAIL = (
    'From: "Ann" <a@example.org>\nTo: =?utf-8?q?B=C3=A9a?= <b@example.org>\nSubject: The'
    " harbour\nDate: Mon, 1"
    " Jan 2024 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed;"
    " boundary=o\n\n--o\n"
    "Content-Type: multipart/alternative; boundary=i\n\n--i\nContent-Type: text/plain;"
    " charset=latin-1\n"
    "Content-Transfer-Encoding: quoted-printable\n\nA rope =E9=\nhere.\n--i\nContent-Type:"
    " text/html\n\n"
    "<p>A <i>rope</i>.</p>\n--i--\n--o\nContent-Type: message/rfc822\n\nSubject:"
    " within\n\nforwarded\n--o\n"
    "Content-Type: text/csv\nContent-Disposition: attachment;"
    ' filename="a.csv"\nContent-Transfer-Encoding:'
    " base64\n\nYTtiCjE7Mgo=\n--o--\n"
)
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" viewBox="0 0'
    ' 100 50" '
    'width="10cm"><defs><text id="d">kept</text></defs><title>The harbour</title><g'
    ' transform="translate('
    '5,5) rotate(30 1 1) scale(2) matrix(1 0 0 1 3 4)"><text x="1 2" y="3" dx="1em"'
    ' font-size="12pt">a '
    '<tspan x="9" dy="1.2em">rope</tspan></text></g><use l:href="#d"/><switch><foreignObject>'
    "<p>no</p>"
    "</foreignObject></switch><text style='display:none'>x</text></svg>"
)
_MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><munderover><mo>∑</mo><mi>i</mi><mn>9'
    "</mn>"
    "</munderover><mfrac><msqrt><mi>a</mi></msqrt><mroot><mi>b</mi><mn>3</mn></mroot></mfrac>"
    "<mtable><mtr>"
    "<mtd><mn>1</mn></mtd></mtr></mtable><mfenced open='['><msubsup><mi>x</mi><mn>1</mn><mn>2"
    "</mn></msubsup>"
    "</mfenced><mtext>harbour</mtext></mrow></math>"
)

RICH_SAMPLES: dict[str, Callable[[], bytes]] = {
    sniff.PDF: _pdf,
    sniff.DOCX: _docx,
    sniff.XLSX: _xlsx,
    sniff.PPTX: _pptx,
    sniff.DOC: lambda: doc(
        [("The harbour\r", 1, b""), ("a\x07b\x07\x07", 0, b""), (f"{_LONG}\r" * 9, 0, b"")]
    ),
    sniff.PPT: lambda: ppt([(kind, "A\rrope", (0, 0, 9, 9)) for kind in range(9)]),
    sniff.XLS: lambda: xls("harbour", [[f"rope {row}", row / 7, "", -1e9] for row in range(9)]),
    sniff.ODT: lambda: opendocument(
        "text", _ODT, automatic='<style:style style:name="P1" style:family="paragraph"/>'
    ),
    sniff.ODS: lambda: opendocument("spreadsheet", _CELLS * 2),
    sniff.ODP: lambda: opendocument("presentation", _ODP * 2),
    sniff.ODG: lambda: opendocument("graphics", _ODP),
    sniff.RTF: _RTF.encode,
    sniff.EPUB: lambda: book(one=_HTML, two=f"<html><body>{_HTML}</body></html>"),
    sniff.HTML: _HTML.encode,
    sniff.MARKDOWN: _MARKDOWN.encode,
    sniff.CSV: _CSV.encode,
    sniff.EML: _MAIL.encode,
    sniff.SVG: _SVG.encode,
    sniff.MATHML: _MATH.encode,
}
