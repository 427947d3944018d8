"""Each format is known by its content and read into the same kinds of elements."""

import io
import re
import time
import zipfile

import docx
import polars as pl
import pytest
from PIL import Image, ImageDraw, ImageFont

from backend.partition import PartitionFailure, to_html
from tests.backend.partition.conftest import Read, office
from tests.backend.partition.samples import book, repacked, sheets, slides
from workbench.frames.files import write_table

_BOX = "<p:sp><p:txBody><a:p><a:r><a:t>word</a:t></a:r></a:p></p:txBody></p:sp>"
_ROW = "<sheetData><row><c r='A1'><v>1</v></c><c r='B1'><v>2</v></c></row></sheetData>"
Kinds = list[tuple[str, str | None]]


def kinds(result: object) -> Kinds:
    return [(e.type, e.text_representation) for e in result.elements]  # type: ignore[attr-defined]


def test_html_headings_lists_and_tables_become_elements_and_scripts_do_not(read: Read) -> None:
    page = (
        b"<!doctype html><h1>Top</h1><p>Some <b>bold</b> words.</p><script>bad()</script>"
        b"<ul><li>one<ul><li>inner</li></ul></li></ul><table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
    )
    partition = read(page, "anything.bin")
    assert partition.content_type == "text/html"
    assert kinds(partition)[:4] == [
        ("Title", "Top"),
        ("Text", "Some bold words."),
        ("List-item", "one"),
        ("List-item", "inner"),
    ]
    assert partition.elements[3].properties["level"] == 1
    assert partition.elements[4].type == "table"
    assert all(e.bbox == [0.0, 0.0, 1.0, 1.0] for e in partition.elements)


@pytest.mark.parametrize(
    ("archive", "part", "place"),
    [
        (book(one="<html><body><p>word</p></body></html>"), "text/p.opf", '<itemref idref="one"/>'),
        (slides(_BOX), "ppt/presentation.xml", '<p:sldId id="256" r:id="r1"/>'),
        (sheets(_ROW), "xl/workbook.xml", '<sheet name="harbour" sheetId="1" r:id="r1"/>'),
    ],
)
def test_a_chapter_slide_or_sheet_that_is_named_again_is_read_once(
    read: Read, archive: bytes, part: str, place: str
) -> None:
    with zipfile.ZipFile(io.BytesIO(archive)) as parts:
        index = parts.read(part).decode()
    assert place in index
    again = repacked(archive, part, index.replace(place, 50 * place).encode())
    assert kinds(read(again)) == kinds(read(archive)) != []


def test_markdown_is_read_by_its_marks(read: Read) -> None:
    partition = read(
        b"# Head\n\nText with *stress*.\n\n1. first\n2. second\n\n```\ncode  here\n```\n", "a.md"
    )
    assert kinds(partition) == [
        ("Title", "Head"),
        ("Text", "Text with stress."),
        ("List-item", "first"),
        ("List-item", "second"),
        ("Text", "code  here"),
    ]


@pytest.mark.parametrize("depth", [15, 25, 45])
def test_markdown_keeps_its_words_however_deep_they_are_nested(read: Read, depth: int) -> None:
    words = [f"item{level}" for level in range(depth)]
    listed = "\n".join("  " * level + f"- {word}" for level, word in enumerate(words))
    quoted = "> " * (2 * depth) + "quoted"
    result = read(f"{listed}\n\n{quoted}\n\nlast\n".encode(), "a.md")
    assert re.findall(r"\w+", " ".join(e.text_representation or "" for e in result.elements)) == [
        *words,
        "quoted",
        "last",
    ]
    remark = "text nested too deeply for lists and quotations is kept as plain text"
    assert result.notes == ([remark] if depth > 30 else [])


def test_brackets_without_end_cost_little_more_than_the_links_of_a_real_text(read: Read) -> None:
    """Each used to be tried as a link on 70 levels: 300 kB took a minute."""

    def seconds(text: str) -> float:
        began = time.process_time()
        assert text.strip()[:1] in to_html(read(text.encode(), "a.md").elements)
        return time.process_time() - began

    links, brackets = "(see [the page](http://a.example)) " * 600, "[" * 21_000
    seconds(links)  # what is loaded for the first document
    few, many = (min(seconds(text) for _ in range(3)) for text in (links, brackets))
    assert many < 12 * few, f"{few * 1000:.0f} ms, then {many * 1000:.0f} ms"


@pytest.mark.parametrize("levels", [1, 2, 4])
def test_the_words_of_a_link_may_have_brackets_and_pictures(read: Read, levels: int) -> None:
    words = "[" * levels + "x" + "]" * levels
    (element,) = read(f"Look {words}(http://a.example) ![i](j) here.".encode(), "a.md").elements[:1]
    assert element.text_representation == f"Look {words[1:-1]} here."


@pytest.mark.parametrize(
    ("text", "rows", "lines"),
    [
        ('a,b\n1,"x\n2,y\n3,z\n', [["a", "b"], ["1", '"x'], ["2", "y"], ["3", "z"]], [2]),
        ('a,b\n1,"x\ny"\n2,z', [["a", "b"], ["1", "x\ny"], ["2", "z"]], []),
        ('a,b\n1,2\n3,"', [["a", "b"], ["1", "2"], ["3", '"']], [3]),
        ('a\n"b\n""c\nd', [["a"], ['"b'], ["c"], ["d"]], [2]),
    ],
)
def test_a_quotation_mark_that_nothing_closes_swallows_no_rows(
    read: Read, text: str, rows: list[list[str]], lines: list[int]
) -> None:
    result = read(text.encode(), "a.csv")
    table = result.elements[0].table
    assert table is not None
    made = [["" for _ in range(table.num_cols)] for _ in range(table.num_rows)]
    for cell in table.cells:
        made[cell.rows[0]][cell.cols[0]] = cell.content
    assert made == rows
    assert result.notes == [f"the quotation mark in line {n} is never closed" for n in lines]


def test_footnotes_of_markdown_are_separate_elements(read: Read) -> None:
    source = b"Rope[^1] and `x`[^no].\n\n```\n[^1]: code\n```\n\n[^1]: Of *hemp*,\n    by now.\n"
    assert kinds(read(source, "a.md")) == [
        ("Text", "Rope and x[^no]."),
        ("Text", "[^1]: code"),
        ("Footnote", "Of hemp, by now."),
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "Ship      Tons    Flag\nMaria     12.5    BE\nJana              NL\n",
            [["Ship", "Tons", "Flag"], ["Maria", "12.5", "BE"], ["Jana", "", "NL"]],
        ),
        (
            "Ship Tons\n---- ----\nMary (3)\nBess 7\n",
            [["Ship", "Tons"], ["Mary", "(3)"], ["Bess", "7"]],
        ),
        ("+---+---+\n| a | b |\n+---+---+\n| 1 |   |\n+---+---+\n", [["a", "b"], ["1", ""]]),
        ("one\t2\nthree\t4\nfive\t6\n", [["one", "2"], ["three", "4"], ["five", "6"]]),
        (
            "Pos | Ship  | Tons\n1   | Maria | 12.5\n2   | Bess  | 7.0\n      Total | 19.5\n",
            [
                ["Pos", "Ship", "Tons"],
                ["1", "Maria", "12.5"],
                ["2", "Bess", "7.0"],
                ["", "Total", "19.5"],
            ],
        ),
        (
            "Ship      Tons    | Flag\nMary Rose   12.5  | BE\nBess     7        | NL\n".replace(
                "|", " "
            ),
            [["Ship", "Tons", "Flag"], ["Mary Rose", "12.5", "BE"], ["Bess", "7", "NL"]],
        ),
    ],
)
def test_tables_of_plain_text_are_recognized(read: Read, text: str, rows: list[list[str]]) -> None:
    partition = read(b"First some words.\n\n" + text.encode(), "a.txt")
    assert [element.type for element in partition.elements] == ["Text", "table"]
    table = partition.elements[1].table
    assert table is not None
    assert [[c.content for c in table.cells if c.rows == [row]] for row in range(len(rows))] == rows


def test_prose_with_wide_blanks_and_lists_are_not_tables(read: Read) -> None:
    prose = b"Prose is here  and has a wide gap, and\nthe second line  is also some words\nwith it."
    assert [element.type for element in read(prose, "a.txt").elements] == ["Text"]
    listed = b"1. Pay in time.\n2. Tell the clerk\n   at once.\n3. Go.\n"
    elements = read(listed, "a.txt").elements
    assert [(e.type, e.text_representation, e.properties.get("number")) for e in elements] == [
        ("List-item", "Pay in time.", 1),
        ("List-item", "Tell the clerk at once.", 2),
        ("List-item", "Go.", 3),
    ]


def test_form_feeds_of_plain_text_end_pages_and_lines_in_capitals_are_headings(read: Read) -> None:
    partition = read(b"SHIPS IN PORT\n\nNone today.\n\x0cPIERS\n\nAll free.\n\x0c\n", "a.txt")
    assert partition.page_count == 2
    assert [(e.type, e.text_representation, e.page_number) for e in partition.elements] == [
        ("Section-header", "SHIPS IN PORT", 1),
        ("Text", "None today.", 1),
        ("Section-header", "PIERS", 2),
        ("Text", "All free.", 2),
    ]


def test_plain_text_in_another_encoding_is_read(read: Read) -> None:
    assert kinds(read("Übung macht den Meister".encode("cp1252"), "a.txt")) == [
        ("Text", "Übung macht den Meister")
    ]


def test_docx_headings_lists_and_merged_cells(read: Read) -> None:
    document = docx.Document()
    document.add_heading("Report", 1)
    document.add_paragraph("Body text.")
    document.add_paragraph("point", style="List Bullet")
    table = document.add_table(2, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(1, 0).text, table.cell(1, 1).text = "a", "b"
    buffer = io.BytesIO()
    document.save(buffer)
    partition = read(buffer.getvalue(), "no-suffix")
    assert kinds(partition)[:3] == [
        ("Section-header", "Report"),
        ("Text", "Body text."),
        ("List-item", "point"),
    ]
    grid = partition.elements[3].table
    assert grid is not None
    assert [(c.content, c.cols) for c in grid.cells] == [("wide", [0, 1]), ("a", [0]), ("b", [1])]


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def test_xlsx_sheets_are_pages_and_blocks_of_cells_are_tables(read: Read) -> None:
    data = office(
        {
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Costs" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">'
            '<Relationship Id="r1" Type="x/worksheet" Target="worksheets/s.xml"/></Relationships>',
            "xl/worksheets/s.xml": f'<worksheet xmlns="{MAIN}"><sheetData>'
            '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c>'
            '<c r="B1"><v>1.5</v></c></row>'
            '<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2"><v>0.30000000000000004</v></c></row>'
            '<row r="9"><c r="D9" t="str"><v>alone</v></c></row></sheetData></worksheet>',
        }
    )
    partition = read(data, "costs")
    assert [e.type for e in partition.elements] == ["Section-header", "table", "Text"]
    grid = partition.elements[1].table
    assert grid is not None
    assert [cell.content for cell in grid.cells] == ["name", "1.5", "TRUE", "0.3"]


def test_pptx_slides_are_pages_with_places(read: Read) -> None:
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="1" name="t"/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="100" y="0"/><a:ext cx="500" cy="100"/></a:xfrm></p:spPr>'
        "<p:txBody><a:p><a:r><a:t>First slide</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    data = office(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{p}" xmlns:r="{OFFICE}">'
            '<p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
            '<p:sldSz cx="1000" cy="1000"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{PACKAGE}">'
            '<Relationship Id="r1" Type="x/slide" Target="slides/s1.xml"/></Relationships>',
            "ppt/slides/s1.xml": f'<p:sld xmlns:p="{p}" xmlns:a="{a}"><p:cSld><p:spTree>{shape}'
            "</p:spTree></p:cSld></p:sld>",
        }
    )
    partition = read(data, "talk")
    assert kinds(partition) == [("Title", "First slide")]
    assert partition.elements[0].bbox == [0.1, 0.0, 0.6, 0.1]


def test_rtf_mail_and_xml_are_read(read: Read) -> None:
    rtf = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}Caf\'e9 \u8364? here\par}"
    assert kinds(read(rtf, "x"))[0] == ("Text", "Café € here")
    mail = b"From: a@example.org\nTo: b@example.org\nSubject: Greetings\n\nDear reader,\nhello.\n"
    assert kinds(read(mail, "x"))[0] == ("Title", "Greetings")
    assert kinds(read(mail, "x"))[-1] == ("Text", "Dear reader, hello.")
    assert kinds(
        read(b"<?xml version='1.0'?><a><title>T</title><p>one <b>two</b></p></a>", "x")
    ) == [
        ("Section-header", "T"),
        ("Text", "one two"),
    ]


def test_xml_entities_are_not_expanded(read: Read) -> None:
    bomb = (
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'boom'><!ENTITY f SYSTEM 'file:///etc/hostname'>]>"
        b"<a><p>safe</p><q>x &b; &f;</q></a>"
    )
    text = " ".join(str(e.text_representation) for e in read(bomb, "x").elements)
    assert "safe" in text and "boom" not in text


def test_an_archive_that_unpacks_too_far_is_refused(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="unpacks") as failure:
        read(office({"word/document.xml": "<a>" + " " * 30_000_000 + "</a>"}))
    assert failure.value.status_code == 422


def test_html_output_escapes_the_document_s_text(read: Read) -> None:
    assert "&lt;script&gt;" in to_html(read(b"say <script> twice", "a.txt").elements)


def picture_of(text: str) -> Image.Image:
    page = Image.new("RGB", (900, 300), "white")
    draw = ImageDraw.Draw(page)
    for line in range(3):
        draw.text((40, 30 + 80 * line), text, fill="black", font=ImageFont.load_default(36))
    return page


@pytest.mark.parametrize("turn", [0, 90, 180])
def test_a_picture_of_text_is_read_at_any_rotation(read: Read, turn: int) -> None:
    page = picture_of("Harbour report of the year").rotate(turn, expand=True)
    buffer = io.BytesIO()
    page.save(buffer, "PNG")
    partition = read(buffer.getvalue(), "scan")
    text = " ".join(str(e.text_representation) for e in partition.elements).lower()
    assert text.count("harbour report of the year") == 3
    assert partition.notes and "OCR" in partition.notes[0]


def test_each_page_of_a_picture_file_is_a_page(read: Read) -> None:
    first, second = picture_of("The first page of all"), picture_of("And then the second one")
    buffer = io.BytesIO()
    first.save(buffer, "TIFF", save_all=True, append_images=[second])
    partition = read(buffer.getvalue(), "scan.pdf", selected_pages=[2])
    assert (partition.content_type, partition.page_count) == ("image/tiff", 2)
    assert {e.page_number for e in partition.elements} == {2}
    assert "second one" in str(partition.elements[0].text_representation)


def test_a_language_the_ocr_cannot_read_is_refused(read: Read) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (50, 50), "white").save(buffer, "PNG")
    with pytest.raises(PartitionFailure, match="ocr_language 'klingon'") as failure:
        read(buffer.getvalue(), ocr_language="klingon")
    assert failure.value.status_code == 400


def test_a_chart_of_a_sheet_gives_its_title_a_picture_and_its_numbers(read: Read) -> None:
    c = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    xdr = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
    related = f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="x/%s" Target="%s"/>'

    def points(name: str, *values: str) -> str:
        result = "".join(f'<pt idx="{i}"><v>{value}</v></pt>' for i, value in enumerate(values))
        return f"<{name}><strRef><strCache>{result}</strCache></strRef></{name}>"

    series = points("tx", "Boats") + points("cat", "May", "June") + points("val", "3", "4")
    data = office(
        {
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Harbour" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": related % ("chartsheet", "s.xml") + "</Relationships>",
            "xl/s.xml": f'<chartsheet xmlns="{MAIN}"/>',
            "xl/_rels/s.xml.rels": related % ("drawing", "d.xml") + "</Relationships>",
            "xl/d.xml": f'<wsDr xmlns="{xdr}" xmlns:r="{OFFICE}"><absoluteAnchor>'
            f'<chart xmlns="{c}" r:id="r1"/></absoluteAnchor></wsDr>',
            "xl/_rels/d.xml.rels": related % ("chart", "c.xml") + "</Relationships>",
            "xl/c.xml": f'<chartSpace xmlns="{c}"><chart><title><tx><rich><p xmlns="{a}"><t>Boats '
            "by month</t></p></rich></tx></title><plotArea><barChart><ser>"
            f"{series}</ser></barChart></plotArea></chart></chartSpace>",
        }
    )
    partition = read(data, "harbour")
    assert kinds(partition)[:3] == [
        ("Section-header", "Harbour"),
        ("Caption", "Boats by month"),
        ("Image", "Bar chart"),
    ]
    grid = partition.elements[3].table
    assert grid is not None and partition.elements[3].properties["title"] is None
    assert [cell.content for cell in grid.cells] == ["", "Boats", "May", "3", "June", "4"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\n1\t2, 3\n", [["a", "b"], ["1", "2, 3"]]),
        ('a,b\n1,2\n"x ""y"", z",3\n', [["a", "b"], ["1", "2"], ['x "y", z', "3"]]),
        ('a,b\n"two\nlines",1\n', [["a", "b"], ["two\nlines", "1"]]),
        ("only\none\n", [["only"], ["one"]]),
    ],
)
def test_the_values_of_a_csv_file_are_separate(
    read: Read, text: str, rows: list[list[str]]
) -> None:
    table = read(text.encode(), "a.csv").elements[0].table
    assert table is not None
    hits = [[c.content for c in table.cells if c.rows == [n]] for n in range(table.num_rows)]
    assert hits == rows


def test_the_lines_of_a_form_stay_separate_with_their_continuations(read: Read) -> None:
    form = (
        b"Lender: Rothmere Collection\nBorrower: Leopoldine Gallery,\n  second floor\nCity: Vienna"
    )
    assert kinds(read(form, "a.txt")) == [
        ("Text", "Lender: Rothmere Collection"),
        ("Text", "Borrower: Leopoldine Gallery, second floor"),
        ("Text", "City: Vienna"),
    ]
    prose = b"One thing is clear: it rained\nfrom morning to night and\nnobody came."
    assert len(kinds(read(prose, "a.txt"))) == 1


def test_texts_like_formulas_are_the_same_after_writing_and_reading_a_csv_file(read: Read) -> None:
    texts = ["=1+1", "+1 555 0100", "-2+3", "@a", "'=1", "''=1", "'tis", "-5", "a;=1", "\uff1d1"]
    file = io.BytesIO()
    write_table(pl.DataFrame({"=head": texts, "place": range(len(texts))}), "csv", file)
    table = read(file.getvalue(), "a.csv").elements[0].table
    assert table is not None
    assert [cell.content for cell in table.cells if cell.cols == [0]] == ["=head", *texts]
