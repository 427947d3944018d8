"""Pictures of pages: text, tables, headings and the way up come from the pixels alone."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from backend.partition import PartitionFailure
from backend.partition.formats.image import frame, opened
from backend.partition.scan import read_scan
from tests.backend.partition.conftest import Read, lines, pdf

PROSE = [f"sentence number {n} of the body goes on over the width" for n in range(8)]


def shown(draw: Callable[[Canvas], None], scale: float = 2.0) -> Image.Image:
    """The picture of a drawn page."""
    document = pdfium.PdfDocument(pdf(draw, size=(420, 300)))
    picture: Image.Image = document[0].render(scale=scale).to_pil().convert("RGB")
    document.close()
    return picture


def png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def headed(canvas: Canvas) -> None:
    canvas.setFont("Helvetica-Bold", 15)
    canvas.drawString(40, 260, "Methods and data")
    lines(canvas, 40, 225, PROSE)


def sections(canvas: Canvas, head: str, body: str, names: list[str]) -> None:
    """Headings as large as the text below them, a little white around each."""
    for number, name in enumerate(names):
        top = 275 - 90 * number
        canvas.setFont(head, 10)
        canvas.drawString(40, top, name)
        canvas.setFont(body, 10)
        for line, text in enumerate(PROSE[:4]):
            canvas.drawString(40, top - 20 - 13 * line, text)


def columns(canvas: Canvas) -> None:
    rows = [
        ("Gauge", "Owner", "Seen", "Level"),
        ("Upper weir", "County", "12 May", "88.2"),
        ("Mill", "a guild", "3 June", "7.05"),
        ("Town bridge", "County", "30 June", "41.9"),
        ("cove", "none", "9 July", "0.8"),
    ]
    lines(canvas, 40, 280, ["The gauges were read in the order in which the boat came to them."])
    for row, cells in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if row == 0 else "Helvetica", 10)
        for column, text in enumerate(cells):
            canvas.drawString(40 + 95 * column, 250 - 15 * row, text)


def gridded(canvas: Canvas) -> None:
    canvas.grid([40, 150, 260, 370], [260, 235, 210, 185])
    canvas.setFont("Helvetica", 11)
    for row, cells in enumerate((("City", "People", "Area"), ("Oslo", "700", "454"))):
        for column, text in enumerate(cells):
            canvas.drawString(46 + 110 * column, 243 - 25 * row, text)
    for column, text in enumerate(("Rome", "2800", "1285")):
        canvas.drawString(46 + 110 * column, 193, text)


def test_a_large_bold_line_of_a_scan_is_a_heading(read: Read) -> None:
    elements = read(png(shown(headed)), "page.png").elements
    assert [element.type for element in elements[:2]] == ["Section-header", "Text"]
    assert elements[0].text_representation == "Methods and data"


@pytest.mark.parametrize(
    ("head", "body", "names"),
    [
        ("Times-Bold", "Times-Roman", ["Upper reach", "Lower reach", "Costs"]),
        ("Courier", "Courier", ["DREDGING", "CHARGES FOR LIGHTERS", "STAFF"]),
    ],
)
def test_headings_of_a_scan_need_not_be_larger(
    read: Read, head: str, body: str, names: list[str]
) -> None:
    page = shown(lambda canvas: sections(canvas, head, body, names))
    elements = read(png(page.rotate(0.5, fillcolor="white")), "page.png").elements
    headings = [e.text_representation for e in elements if e.type in ("Section-header", "Title")]
    assert headings == names


def test_a_table_of_a_scan_needs_no_rules(read: Read) -> None:
    page = shown(columns).rotate(0.5, fillcolor="white")
    tables = [e.table for e in read(png(page), "page.png").elements if e.table]
    assert [(table.num_rows, table.num_cols) for table in tables] == [(5, 4)]


def test_a_ruled_table_of_a_scan_has_its_rows_and_columns(read: Read) -> None:
    tables = [e.table for e in read(png(shown(gridded)), "page.png").elements if e.table]
    assert [(table.num_rows, table.num_cols) for table in tables] == [(3, 3)]
    assert " ".join(cell.content for cell in tables[0].cells[3:]) == "Oslo 700 454 Rome 2800 1285"


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_scanned_in_another_rotation_reads_the_same(turn: int) -> None:
    turned = shown(headed).rotate(turn, expand=True)
    content = read_scan(turned, 1)
    assert content.turn == turn
    assert [word.text for word in content.words[:3]] == ["Methods", "and", "data"]


def test_lines_of_a_crooked_scan_are_level(read: Read) -> None:
    crooked = shown(headed).rotate(2, expand=True, fillcolor="white")
    words = read_scan(crooked, 1).words
    line = [word for word in words if word.line == words[-1].line]
    assert max(w.box.y0 for w in line) - min(w.box.y0 for w in line) < 1


def test_words_are_where_their_ink_is() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 12)
        canvas.drawString(40, 200, "left")
        canvas.drawString(90, 200, "in the middle")

    content = read_scan(shown(draw), 1)
    unit = content.width / 420
    places = {word.text: word.box.x0 / unit for word in content.words}
    assert places["left"] == pytest.approx(40, abs=2)
    assert places["in"] == pytest.approx(90, abs=2)


def test_a_sure_reading_scores_higher_than_a_blurred_one(read: Read) -> None:
    clean = shown(headed, 2.0)
    blurred = clean.resize((clean.width // 4, clean.height // 4)).resize(clean.size)
    scores = [
        float(read(png(picture), "page.png").elements[-1].properties["score"])
        for picture in (clean, blurred)
    ]
    assert scores[0] > 0.9 > 0.99 * scores[1]


def test_an_unavailable_language_is_refused_with_the_available_ones_and_advice(
    read: Read,
) -> None:
    reported = r"thai.*not available.*english.*text layer first"
    with pytest.raises(PartitionFailure, match=reported) as failure:
        read(png(shown(headed)), "page.png", ocr_language="thai")
    assert failure.value.status_code == 400


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_a_very_large_picture_is_made_smaller_before_it_is_read(tmp_path: Path, mode: str) -> None:
    wide = Image.new("RGB", (9000, 5000), "white")
    wide.paste("black", (0, 0, 9000, 2500))
    source = tmp_path / "wide.png"
    wide.convert(mode).save(source)
    with opened(source) as picture:
        page = frame(picture, 1)
    assert (page.mode, page.size) == ("RGB", (4500, 2500))
    assert page.getpixel((10, 10)) == (0, 0, 0)
    assert page.getpixel((10, 2490)) == (255, 255, 255)


@pytest.mark.parametrize("side", [12_000, 60_000])
def test_a_picture_with_too_many_pixels_is_refused_for_its_size(tmp_path: Path, side: int) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    source = tmp_path / "large.png"
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    source.write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    with pytest.raises(PartitionFailure, match="100 million"), opened(source):
        pass
