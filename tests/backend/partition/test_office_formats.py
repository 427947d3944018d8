"""Office formats give the same kinds of elements, with pages, places and pictures."""

import base64
import io
import struct
from pathlib import Path

import pytest
from PIL import Image

from backend.partition import Partition, PartitionFailure, partition
from tests.backend.partition.conftest import Read, office
from tests.backend.partition.old_office import (
    ELSEWHERE,
    IN_TABLE,
    ITEM,
    PAGE_BEFORE,
    ROW_END,
    doc,
    msg,
    ppt,
    xls,
)
from tests.backend.partition.samples import (
    OFFICE,
    cell,
    opendocument,
    related,
    sheets,
    slides,
    word,
)
from workbench.contract.partition_options import PartitionOptions

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
PNG = "89504e470d0a1a0a"


def notes_of(result: Partition) -> list[tuple[str, str | None]]:
    return [(element.type, element.text_representation) for element in result.elements]


def paragraph(text: str, more: str = "") -> str:
    return f"<w:p>{more}<w:r><w:t>{text}</w:t></w:r></w:p>"


def png() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (30, 20), (0, 0, 250)).save(buffer, "PNG")
    return buffer.getvalue()


# -- Word -----------------------------------------------------------------------------------------


def test_pages_of_a_word_file_end_at_breaks_set_by_hand(read: Read) -> None:
    result = read(word(paragraph("one") + BREAK + paragraph("two")))
    assert result.page_count == 2
    assert [(e.text_representation, e.page_number) for e in result.elements] == [
        ("one", 1),
        ("two", 2),
    ]


def test_pages_of_a_word_file_are_those_it_was_last_laid_out_in(read: Read) -> None:
    rendered = "<w:r><w:lastRenderedPageBreak/></w:r>"
    result = read(word(paragraph("one") + BREAK + paragraph("two", rendered)))
    assert [(e.text_representation, e.page_number) for e in result.elements] == [
        ("one", 1),
        ("two", 2),
    ]


@pytest.mark.parametrize("kind", ["docx", "odt", "ods"])
def test_progress_is_reported_page_by_page(tmp_path: Path, kind: str) -> None:
    style = '<style:style style:name="P"><style:paragraph-properties fo:break-before="page"/>'
    start = '<text:p text:style-name="P">x</text:p>'
    sheet = "<table:table><table:table-row/></table:table>"
    data = {
        "docx": word(BREAK.join(paragraph(text) for text in "abc")),
        "odt": opendocument("text", start * 3, automatic=f"{style}</style:style>"),
        "ods": opendocument("spreadsheet", sheet * 3),
    }[kind]
    source = tmp_path / "source"
    source.write_bytes(data)
    seen: list[tuple[int, int]] = []
    partition(
        source,
        name="x",
        options=PartitionOptions(),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_the_main_part_of_a_word_file_may_have_any_name(read: Read) -> None:
    namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    parts = {
        "[Content_Types].xml": f'<Types><Override ContentType="{kind}"/></Types>',
        "_rels/.rels": related(("r1", "officeDocument", "word/document2.xml")),
        "word/document2.xml": f"<w:document {namespace}><w:body>{paragraph('words')}</w:body>"
        "</w:document>",
    }
    assert notes_of(read(office(parts))) == [("Text", "words")]


def test_selected_pages_of_a_word_file_keep_their_numbers(read: Read) -> None:
    body = BREAK.join(paragraph(text) for text in ("one", "two", "three"))
    result = read(word(body), selected_pages=[[2, 3]])
    assert [e.page_number for e in result.elements] == [2, 3]
    with pytest.raises(PartitionFailure, match="has 3 pages"):
        read(word(body), selected_pages=[4])


def test_formulas_of_a_word_file_are_elements_or_part_of_a_sentence(read: Read) -> None:
    formula = "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r>"
    formula += "</m:sup></m:sSup></m:oMath>"
    assert notes_of(read(word(f"<w:p>{formula}</w:p>"))) == [("Formula", "x^2")]
    both = read(word(f"<w:p><w:r><w:t>so </w:t></w:r>{formula}</w:p>"))
    assert notes_of(both) == [("Text", "so x^2")]


def test_notes_are_at_the_end_of_their_page(read: Read) -> None:
    namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    refer = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = paragraph("one", refer) + paragraph("more") + BREAK + paragraph("two")
    note = f'<w:footnote w:id="2">{paragraph("a note")}</w:footnote>'
    parts = {
        "word/document.xml": f"<w:document {namespace}><w:body>{body}</w:body></w:document>",
        "word/footnotes.xml": f"<w:footnotes {namespace}>{note}</w:footnotes>",
    }
    hits = [(e.type, e.text_representation, e.page_number) for e in read(office(parts)).elements]
    assert hits[2] == ("Footnote", "a note", 1) and hits[3] == ("Text", "two", 2)


def test_an_old_word_file_has_headings_items_tables_and_pages(read: Read) -> None:
    row = IN_TABLE + ROW_END
    result = read(
        doc(
            [
                ("Report\r", 2, b""),
                ("Harbours\r", 1, b""),
                ('See \x13 HYPERLINK "x" \x14the list\x15.\r', 0, b""),
                ("rope\r", 0, ITEM),
                ("a\x07", 0, IN_TABLE),
                ("b\x07", 0, IN_TABLE),
                ("\x07", 0, row),
                ("last\x0c", 0, b""),
                ("next page\r", 0, b""),
                ("a page of its own\r", 0, PAGE_BEFORE),
            ]
        )
    )
    assert notes_of(result)[:4] == [
        ("Title", "Report"),
        ("Section-header", "Harbours"),
        ("Text", "See the list."),
        ("List-item", "rope"),
    ]
    table = result.elements[4].table
    assert table is not None and [c.content for c in table.cells] == ["a", "b"]
    assert [e.page_number for e in result.elements[5:]] == [1, 2, 3]
    assert result.page_count == 3


def test_lists_of_an_old_word_file_have_their_numbers(read: Read) -> None:
    def item(use: int, level: int = 0) -> bytes:
        return struct.pack("<HBHh", 0x260A, level, 0x460B, use)

    result = read(
        doc(
            [
                ("one\r", 0, item(1)),
                ("in\r", 0, item(1, 1)),
                ("two\r", 0, item(1)),
                ("a sign\r", 0, item(2)),
                ("plain\r", 0, b""),
                ("styled\r", 3, b""),
            ],
            lists=[[(3, 0), (1, 0)], [(1, 23)]],
            listed_style=1,
        )
    )
    assert [
        (e.type, e.text_representation, e.properties.get("number")) for e in result.elements
    ] == [
        ("List-item", "one", 3),
        ("List-item", "in", 1),
        ("List-item", "two", 4),
        ("List-item", "a sign", None),
        ("Text", "plain", None),
        ("List-item", "styled", 5),
    ]


def test_rows_of_an_old_word_file_whose_styles_lie_elsewhere_are_kept(read: Read) -> None:
    inside = struct.pack("<HB", 0x2416, 1)
    moved = struct.pack("<HI", 0x6646, ELSEWHERE)
    row = [("Berth\x07", 0, inside), ("4,210\x07", 0, inside)]
    style = inside + struct.pack("<HB", 0x2417, 1)
    elements = read(doc([*row, ("\x07", 0, moved), ("After\r", 0, b"")], elsewhere=style)).elements
    assert elements[0].table is not None
    assert [cell.content for cell in elements[0].table.cells] == ["Berth", "4,210"]


def test_cells_of_an_old_word_file_without_the_end_of_their_row_are_kept(read: Read) -> None:
    inside = struct.pack("<HB", 0x2416, 1)
    row = [("Berth\x07", 0, inside), ("4,210\x07", 0, inside), ("12\r", 0, inside)]
    elements = read(doc([*row, ("After\r", 0, b"")])).elements
    assert elements[0].table is not None
    assert [cell.content for cell in elements[0].table.cells] == ["Berth", "4,210", "12"]


def test_cells_of_an_old_word_file_span_columns_and_rows(read: Read) -> None:
    def row(edges: list[int], flags: list[int]) -> bytes:
        definition = struct.pack(f"<B{len(edges)}h", len(flags), *edges)
        definition += b"".join(struct.pack("<H18x", flag) for flag in flags)
        return IN_TABLE + ROW_END + struct.pack("<HH", 0xD608, len(definition) + 1) + definition

    result = read(
        doc(
            [
                *[(f"{text}\x07", 0, IN_TABLE) for text in ("Pool", "Depth")],
                ("\x07", 0, row([0, 1000, 3000], [0x60, 0])),
                *[(f"{text}\x07", 0, IN_TABLE) for text in ("", "1.5", "2")],
                ("\x07", 0, row([0, 1000, 2000, 3000], [0x20, 0, 0])),
                ("end\r", 0, b""),
            ]
        )
    )
    (table,) = [element.table for element in result.elements if element.table]
    assert [(cell.content, cell.rows, cell.cols) for cell in table.cells] == [
        ("Pool", [0, 1], [0]),
        ("Depth", [0], [1, 2]),
        ("1.5", [1], [1]),
        ("2", [1], [2]),
    ]


def test_a_picture_of_an_old_word_file_is_an_image(read: Read) -> None:
    result = read(doc([("See \x01 here\r", 0, b"")], png()), extract_images=True)
    assert notes_of(result) == [("Text", "See here"), ("Image", None)]
    assert result.elements[1].properties["image_size"] == [30, 20]


# -- slides ---------------------------------------------------------------------------------------


def test_an_old_presentation_has_its_slides_with_places(read: Read) -> None:
    result = read(
        ppt([(0, "Harbours", (0, 100, 900, 200)), (1, "first\rsecond", (300, 100, 900, 800))])
    )
    assert notes_of(result) == [
        ("Title", "Harbours"),
        ("List-item", "first"),
        ("List-item", "second"),
    ]
    assert result.elements[0].bbox == [0.1, 0.0, 0.9, 0.2]


def test_a_placeholder_has_the_position_of_its_layout(read: Read) -> None:
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    holder = '<p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>'
    place = '<a:xfrm><a:off x="200" y="100"/><a:ext cx="300" cy="400"/></a:xfrm>'
    text = "<p:txBody><a:p><a:r><a:t>Top</a:t></a:r></a:p></p:txBody>"
    layout = f"<p:sp>{holder}<p:spPr>{place}</p:spPr></p:sp>"
    result = read(
        slides(
            f"<p:sp>{holder}<p:spPr/>{text}</p:sp>",
            **{
                "ppt___rels__s1.xml.rels": related(("r1", "slideLayout", "l.xml")),
                "ppt__l.xml": f'<p:sldLayout xmlns:p="{p}" xmlns:a="{A}">{layout}</p:sldLayout>',
            },
        )
    )
    assert result.elements[0].bbox == [0.2, 0.1, 0.5, 0.5]


def test_opendocument_slides_have_places_on_their_page(read: Read) -> None:
    layout = (
        '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="20cm" '
        'fo:page-height="10cm"/></style:page-layout><style:master-page style:name="M" '
        'style:page-layout-name="L"/>'
    )
    page = (
        '<draw:page draw:master-page-name="M"><draw:frame presentation:class="title" svg:x="2cm" '
        'svg:y="1cm" svg:width="10cm" svg:height="5cm"><draw:text-box><text:p>Top</text:p>'
        "</draw:text-box></draw:frame></draw:page>"
    )
    result = read(opendocument("presentation", page, layout))
    assert notes_of(result) == [("Title", "Top")]
    assert result.elements[0].bbox == pytest.approx([0.1, 0.1, 0.6, 0.6], abs=0.001)


# -- sheets ---------------------------------------------------------------------------------------


def test_an_old_workbook_gives_tables_with_merged_cells(read: Read) -> None:
    result = read(xls("Prices", [["name", "price"], ["rope", 2.5], ["all"]]))
    assert notes_of(result)[0] == ("Section-header", "Prices")
    table = result.elements[1].table
    assert table is not None
    assert [(c.content, c.cols) for c in table.cells][2:] == [
        ("rope", [0]),
        ("2.5", [1]),
        ("all", [0, 1]),
    ]


def test_tables_that_only_meet_at_a_corner_are_two(read: Read) -> None:
    places = ("A1", "B1", "A2", "B2", "C3", "D3", "C4", "D4")
    rows = "".join(f"<row>{cell(place, place)}</row>" for place in places)
    result = read(sheets(f"<sheetData>{rows}</sheetData>"))
    tables = [e.table for e in result.elements if e.table is not None]
    assert [[c.content for c in table.cells] for table in tables] == [
        ["A1", "B1", "A2", "B2"],
        ["C3", "D3", "C4", "D4"],
    ]


def test_opendocument_sheets_repeat_and_merge_cells(read: Read) -> None:
    row = "<table:table-row>{}</table:table-row>"
    wide = '<table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p>'
    twice = '<table:table-cell table:number-columns-repeated="2"><text:p>x</text:p>'
    body = '<table:table table:name="S">'
    body += row.format(f"{wide}</table:table-cell><table:covered-table-cell/>")
    body += row.format(f"{twice}</table:table-cell>") + "</table:table>"
    table = read(opendocument("spreadsheet", body)).elements[1].table
    assert table is not None
    assert [(c.content, c.cols) for c in table.cells] == [("wide", [0, 1]), ("x", [0]), ("x", [1])]


@pytest.mark.parametrize("times", [3, 300])
def test_opendocument_tables_of_texts_repeat_rows_and_cells(read: Read, times: int) -> None:
    cell = f'<table:table-cell table:number-columns-repeated="{times}"><text:p>x</text:p>'
    rows = f'<table:table-row table:number-rows-repeated="{times}">{cell}</table:table-cell>'
    table = read(opendocument("text", f"<table:table>{rows}</table:table-row></table:table>"))
    [found] = [e.table for e in table.elements if e.table is not None]
    assert {(c.content, c.rows[0], c.cols[0]) for c in found.cells} == {
        ("x", row, column) for row in range(times) for column in range(times)
    }


def test_a_table_of_a_text_that_is_cut_has_a_remark(read: Read) -> None:
    cell = "<table:table-cell><text:p>x</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="1000000000">{cell}</table:table-row>'
    cut = read(opendocument("text", f"<table:table>{row}</table:table>"))
    assert "only the first 400,000 cells of a table were read" in cut.notes


# -- text and mail --------------------------------------------------------------------------------


def test_opendocument_lists_notes_and_pages_are_kept(read: Read) -> None:
    style = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="x">'
    style += '<style:paragraph-properties fo:break-before="page"/></style:style>'
    style += '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" '
    style += 'style:num-format="1"/></text:list-style>'
    item = "<text:list-item><text:p>{}</text:p></text:list-item>"
    body = f'<text:list text:style-name="L1">{item.format("a")}{item.format("b")}</text:list>'
    body += '<text:p text:style-name="P1">next<text:note><text:note-body><text:p>n</text:p>'
    body += "</text:note-body></text:note></text:p>"
    result = read(opendocument("text", body, automatic=style))
    assert [e.properties.get("number") for e in result.elements[:2]] == [1, 2]
    assert [(e.type, e.page_number) for e in result.elements[2:]] == [("Text", 2), ("Footnote", 2)]


def test_a_message_of_outlook_is_read_like_other_mail(read: Read) -> None:
    result = notes_of(read(msg("Greetings", "Ann", "<p>Dear <b>reader</b></p>", "plan.pdf")))
    assert result == [
        ("Title", "Greetings"),
        ("Text", "From: Ann"),
        ("Text", "Date: 2024-01-02 12:00:00+00:00"),
        ("Text", "Dear reader"),
        ("Text", "Attachment: plan.pdf"),
    ]


def test_pictures_that_came_with_a_mail_are_its_images(read: Read) -> None:
    data = base64.b64encode(png())
    mail = b"From: a\nTo: b\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n"
    mail += b'--x\nContent-Type: text/html\n\n<p>See</p><img src="cid:p" alt="blue">\n'
    mail += b"--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n"
    mail += b"Content-ID: <p>\n\n" + data + b"\n--x--\n"
    result = read(
        mail, extract_images=True, image_extraction_options={"extract_image_format": "png"}
    )
    (image,) = [e for e in result.elements if e.type == "Image"]
    assert image.text_representation == "blue" and image.properties["image_size"] == [30, 20]


def test_pictures_of_a_word_file_come_with_their_description_and_caption(read: Read) -> None:
    drawing = (
        '<w:p><w:r><w:drawing xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
        'wordprocessingDrawing"><wp:inline><wp:docPr id="1" name="n" descr="A blue field"/>'
        f'<a:blip xmlns:a="{A}" r:embed="r1"/></wp:inline></w:drawing></w:r></w:p>'
    )
    caption = paragraph("Figure 1. Blue", '<w:pPr><w:pStyle w:val="C"/></w:pPr>')
    namespaces = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts: dict[str, str] = {
        "word/document.xml": f'<w:document {namespaces} xmlns:r="{OFFICE}"><w:body>{drawing}'
        f"{caption}</w:body></w:document>",
        "word/styles.xml": f'<w:styles {namespaces}><w:style w:styleId="C"><w:name '
        'w:val="caption"/></w:style></w:styles>',
        "word/_rels/document.xml.rels": related(("r1", "image", "p.png")),
    }
    data = office({**parts, "word/p.png": png()})  # type: ignore[dict-item]
    options = {"associate_captions": True, "extract_image_format": "PNG"}
    result = read(data, extract_images=True, image_extraction_options=options)
    image, after = result.elements
    assert (image.text_representation, after.type) == ("A blue field", "Caption")
    assert image.properties["caption"]["text_representation"] == "Figure 1. Blue"
    assert base64.b64decode(image.binary_representation or "")[:8].hex() == PNG


def test_rtf_has_lists_with_the_numbers_that_are_shown(read: Read) -> None:
    result = read(
        rb"{\rtf1{\pard\ls1{\listtext\tab 4.\tab}No running\par}"
        rb"{\pard\ls2\ilvl1{\listtext\'b7\tab}Towels\par}"
        rb"{\pard{\pntext a)\tab}Keys\par}{\pard\ls0 The end\par}}"
    )
    assert [
        (e.type, e.text_representation, e.properties.get("number")) for e in result.elements
    ] == [
        ("List-item", "No running", 4),
        ("List-item", "Towels", None),
        ("List-item", "a) Keys", None),
        ("Text", "The end", None),
    ]
    assert result.elements[1].properties["level"] == 1


def test_rtf_tables_have_cells_over_columns_and_rows(read: Read) -> None:
    result = read(
        rb"{\rtf1\trowd\clvmgf\cellx1000\clmgf\cellx2000\clmrg\cellx3000"
        rb"\intbl Pool\cell Depth\cell\cell\row"
        rb"\trowd\clvmrg\cellx1000\cellx2000\cellx3000\intbl\cell 1.5\cell 2\cell\row"
        rb"\trowd\cellx1000\cellx3000\intbl Lido\cell none\cell\row\pard\par}"
    )
    (table,) = [element.table for element in result.elements if element.table]
    assert [(cell.content, cell.rows, cell.cols) for cell in table.cells] == [
        ("Pool", [0, 1], [0]),
        ("Depth", [0], [1, 2]),
        ("1.5", [1], [1]),
        ("2", [1], [2]),
        ("Lido", [2], [0]),
        ("none", [2], [1, 2]),
    ]


def test_bold_lines_are_headings_of_rtf_without_outline(read: Read) -> None:
    body = rb"\pard\plain\fs22 Nobody dives here, and nobody runs.\par" * 2
    lines = [rb"\pard\b\fs40 Pools\par\fs28 \u1055?\par", rb"\pard\b\fs28 Lido\par"]
    result = read(rb"{\rtf1" + body.join([*lines, b"}"]))
    leveled = [element for element in result.elements if "level" in element.properties]
    heads = [(e.text_representation, e.properties["level"]) for e in leveled]
    assert heads == [("Pools", 1), ("П", 2), ("Lido", 2)]


def test_rtf_has_pictures_notes_margins_and_pages(read: Read) -> None:
    picture = png().hex().encode()
    result = read(
        rb"{\rtf1\ansi\ansicpg932{\header Board\par}{\pard\outlinelevel0 Harbour\par}"
        rb"{\pard One\'93\'fa\u-10179?\u-8704?{\footnote{\super 1} a note}\par}"
        rb"{\*\shppict{\pict{\*\blipuid 00}\pngblip\picw30 " + picture + rb"}}"
        rb"{\nonshppict{\pict\wmetafile8 00}}\page Next\par}",
        extract_images=True,
    )
    assert [(e.type, e.text_representation, e.page_number) for e in result.elements] == [
        ("Page-header", "Board", 1),
        ("Section-header", "Harbour", 1),
        ("Text", "One日😀", 1),
        ("Footnote", "1 a note", 1),
        ("Image", None, 1),
        ("Text", "Next", 2),
    ]
    assert result.elements[4].properties["image_size"] == [30, 20]


@pytest.mark.parametrize("number", ["1694138880", "-1694138885", "2147483647", "9" * 6000])
def test_the_number_of_a_control_word_of_rtf_is_not_text(read: Read, number: str) -> None:
    words = r"Before {\revised\revdttmN inserted} after 5{\revdttmN 0}\par".replace("N", number)
    assert notes_of(read(b"{\\rtf1\\ansi " + words.encode() + b"}")) == [
        ("Text", "Before inserted after 50")
    ]


def test_an_rtf_that_begins_with_a_soft_hyphen_is_read(tmp_path):
    for mark in (r"\-", r"\u173?", r"\_", r"\~"):
        source = tmp_path / "soft.rtf"
        source.write_bytes(rf"{{\rtf1\ansi {mark}\par word\par}}".encode())
        read = partition(
            source, name="soft.rtf", options=PartitionOptions(), progress=lambda done, total: None
        )
        assert read.elements[-1].text_representation == "word"
