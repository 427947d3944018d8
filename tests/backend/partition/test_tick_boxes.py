"""Drawn boxes to tick are read as ☐ and ☒, in PDFs and in pictures of pages."""

import pytest
from PIL import Image
from reportlab.lib.colors import black, lightgreen
from reportlab.pdfgen.canvas import Canvas

from backend.partition.ocr import pixels_of
from backend.partition.printed_boxes import boxes_in
from backend.partition.scan import read_scan
from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_scan import png, shown


def box(canvas: Canvas, x: float, y: float, tick: str = "") -> None:
    """A box of 9 points with its tick: a letter, two strokes, or a smaller square."""
    canvas.rect(x, y, 9, 9)
    if tick == "letter":
        canvas.setFont("Helvetica-Bold", 9)
        canvas.drawCentredString(x + 4.5, y + 1.3, "X")
        canvas.setFont("Helvetica", 10)
    elif tick == "strokes":
        canvas.line(x + 1.5, y + 1.5, x + 7.5, y + 7.5)
        canvas.line(x + 1.5, y + 7.5, x + 7.5, y + 1.5)
    elif tick == "square":
        canvas.rect(x + 2, y + 2, 5, 5, stroke=0, fill=1)


def text_of(read: Read, data: bytes, name: str) -> str:
    return " ".join(
        " ".join(e.text_representation or "" for e in read(data, name).elements).split()
    )


def application(canvas: Canvas, tick: str) -> None:
    canvas.setFont("Helvetica", 10)
    canvas.drawString(40, 260, "Enclosed with the application")
    for column, (text, ticked) in enumerate((("Site plan", 1), ("Photograph", 0), ("Proof", 1))):
        box(canvas, 40 + 110 * column, 238, tick if ticked else "")
        canvas.drawString(54 + 110 * column, 240, text)
    canvas.drawString(40, 200, "The office returns all enclosures with its decision.")


@pytest.mark.parametrize("tick", ["letter", "strokes", "square"])
def test_boxes_in_a_pdf_are_ticked_or_not(read: Read, tick: str) -> None:
    page = pdf(lambda canvas: application(canvas, tick), size=(420, 300))
    assert "☒ Site plan ☐ Photograph ☒ Proof" in text_of(read, page, "a.pdf")


@pytest.mark.parametrize("tick", ["letter", "strokes", "square"])
def test_boxes_in_a_scan_are_ticked_or_not(read: Read, tick: str) -> None:
    page = shown(lambda canvas: application(canvas, tick), scale=2.8).rotate(
        0.4, fillcolor="white", resample=Image.Resampling.BICUBIC
    )
    assert "☒ Site plan ☐ Photograph ☒ Proof" in text_of(read, png(page), "a.png")


def test_a_box_may_be_behind_its_label(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(40, 240, "Yes")
        box(canvas, 60, 238, "letter")
        canvas.drawString(100, 240, "No")
        box(canvas, 116, 238)

    assert "Yes ☒ No ☐" in text_of(read, pdf(draw, size=(420, 300)), "a.pdf")


def test_places_for_letters_and_keys_of_charts_are_no_boxes_to_tick(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for place, digit in enumerate("80331"):
            canvas.rect(40 + 11 * place, 238, 11, 11)
            canvas.drawString(43 + 11 * place, 240.5, digit)
        canvas.drawString(110, 240, "Postcode")
        canvas.setFillColor(lightgreen)
        canvas.rect(40, 200, 9, 9, fill=1)
        canvas.setFillColor(black)
        canvas.drawString(54, 201, "Rainfall")
        canvas.rect(300, 100, 9, 9)

    text = text_of(read, pdf(draw, size=(420, 300)), "a.pdf")
    assert not {"☐", "☒"} & set(text)
    assert "Rainfall" in text and "8" in text


def test_letters_of_a_scan_are_no_boxes_to_tick() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(40, 260, "BOOKED DOORS O D 0 8 B")
        canvas.setFont("Courier-Bold", 12)
        lines(canvas, 40, 220, ["0 D O 8 B 00 D0 8B", "TOTAL  88.00", "BOOD  DOOB"])

    page = shown(draw, scale=2.8)
    assert not {"☐", "☒"} & {word.text for word in read_scan(page, 1).words}


def test_boxes_under_the_heads_of_columns_need_no_words_beside_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for column, text in enumerate(("Activity", "None", "Some", "Much")):
            canvas.drawString(46 + 85 * column, 247, text)
        for row, text in enumerate(("Walking", "Climbing stairs", "Squatting")):
            canvas.drawString(46, 227 - 20 * row, text)
            for column in (1, 2, 3):
                box(canvas, 70 + 85 * column, 225 - 20 * row, "letter" if column == row + 1 else "")
        canvas.grid([40, 125, 210, 295, 380], [260, 240, 220, 200, 180])

    for page, name in ((pdf(draw, size=(420, 300)), "a.pdf"), (png(shown(draw, 2.8)), "a.png")):
        (table,) = [e.table for e in read(page, name).elements if e.table]
        texts = [[c.content for c in table.cells if c.rows == [row]] for row in range(1, 4)]
        assert texts == [
            ["Walking", "☒", "☐", "☐"],
            ["Climbing stairs", "☐", "☒", "☐"],
            ["Squatting", "☐", "☐", "☒"],
        ]


def test_options_in_columns_are_no_table_and_no_headings(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 40, 270, ["1. What brings you here today? Please tick what applies to you."])
        canvas.setFont("Helvetica-Bold", 10)
        options = ("Injury at work", "Sports injury", "After surgery", "Traffic", "Onset", "Other")
        for at, text in enumerate(options):
            x, y = 50 + 120 * (at % 3), 240 - 16 * (at // 3)
            box(canvas, x, y - 2, "strokes" if at == 1 else "")
            canvas.drawString(x + 14, y, text)
        lines(canvas, 40, 200, ["2. Where is your pain? Please tick all places that hurt."])

    elements = read(pdf(draw, size=(420, 300)), "a.pdf").elements
    assert {element.type for element in elements} <= {"Text", "List-item"}
    assert "☒ Sports injury" in " ".join(e.text_representation or "" for e in elements)


def test_empty_pages_and_pages_of_boxes_are_read() -> None:
    assert boxes_in(pixels_of(Image.new("RGB", (300, 200), "white"))) == []

    def draw(canvas: Canvas) -> None:
        for row in range(25):
            for column in range(35):
                canvas.rect(5 + 11.5 * column, 5 + 11.5 * row, 9, 9)

    assert boxes_in(pixels_of(shown(draw, scale=3.0))) == []


def test_a_pattern_of_many_squares_is_no_form(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at in range(27 * 19):
            box(canvas, 5 + 15 * (at % 27), 5 + 15 * (at // 27))

    assert not {"☐", "☒"} & set(text_of(read, pdf(draw, size=(420, 300)), "a.pdf"))
