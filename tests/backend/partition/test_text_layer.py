"""The text of a page is only taken where it says what is printed; else the page is read by OCR."""

import io

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, mapped_font_pdf, pdf
from tests.backend.partition.test_scan import shown

PRINTED = [f"printed sentence number {n} of the page in front of you" for n in range(8)]
OTHER = [f"hidden remarks about something else entirely, part {n}" for n in range(8)]


def scanned(canvas: Canvas, hidden: list[str]) -> None:
    """The picture of a page with invisible words behind it."""
    picture = shown(lambda inner: lines(inner, 40, 260, PRINTED), 2.0)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    buffer.seek(0)
    canvas.drawImage(ImageReader(buffer), 0, 0, 420, 300)
    text = canvas.beginText(40, 260)
    text.setTextRenderMode(3)
    text.setFont("Helvetica", 10, 13)
    text.textLines(hidden)
    text.setTextRenderMode(0)
    canvas.drawText(text)


def text_of(read: Read, data: bytes) -> tuple[str, list[str]]:
    partition = read(data)
    return " ".join(e.text_representation or "" for e in partition.elements), partition.notes


def test_invisible_words_that_agree_with_the_picture_are_used(read: Read) -> None:
    text, notes = text_of(read, pdf(lambda c: scanned(c, PRINTED), size=(420, 300)))
    assert "printed sentence number 3 of the page" in text
    assert notes == []


def test_invisible_words_that_say_something_else_are_replaced_by_ocr(read: Read) -> None:
    text, notes = text_of(read, pdf(lambda c: scanned(c, OTHER), size=(420, 300)))
    assert "printed sentence number 3" in text and "hidden" not in text
    assert notes == ["page 1 read by OCR"]


def test_letters_that_are_not_those_printed_are_read_by_ocr(read: Read) -> None:
    """A font whose codes mean other letters than they draw, as broken subsets have it."""
    content = b"".join(
        b"1 0 0 1 40 %d Tm (%s) Tj " % (260 - 13 * n, text.encode())
        for n, text in enumerate(PRINTED)
    )
    text, notes = text_of(read, broken_font(content))
    assert "printed sentence number 3 of the page" in text
    assert notes == ["page 1 read by OCR"]


def test_consonants_that_are_really_printed_stay_text(read: Read) -> None:
    codes = [f"BRTX-{n}QK PLMN-7{n} XKCD-{n}4 WRTZ-{n}{n} HJKL-9{n} NBVC-{n}2" for n in range(6)]
    _, notes = text_of(read, pdf(lambda c: lines(c, 40, 260, codes), size=(420, 300)))
    assert notes == []


def broken_font(content: bytes) -> bytes:
    """One page whose font has a map to Unicode that names the wrong letters."""
    wrong = {code: 0x62 + code % 4 for code in range(97, 123)}
    return mapped_font_pdf(b"/F1 10 Tf " + content, wrong)


def test_a_scan_with_a_stamp_beside_its_picture_is_read(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(0, 40)
        scanned(canvas, [])
        lines(canvas, 40, -20, ["Copy 17 of the records office"])

    text, notes = text_of(read, pdf(draw, size=(420, 340)))
    assert "printed sentence number 3" in text and "Copy 17" in text
    assert notes == ["page 1 read by OCR"]


def clipping(canvas: Canvas) -> None:
    """A typed head over the scan of a letter, gray as scanners make them."""
    lines(canvas, 40, 560, ["Received at the harbour office on the third of May."], 11)
    picture = Image.new("L", (1400, 700), 245)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(36)
    for number, text in enumerate(PRINTED[:8]):
        pen.text((60, 50 + 80 * number), text, 20, font=font)
    canvas.drawImage(ImageReader(picture), 40, 300, 340, 170)
    lines(canvas, 40, 260, ["The writer was told that the berth is free again."], 11)


def test_the_scan_of_a_letter_in_a_page_with_text_is_read_in_its_place(read: Read) -> None:
    partition = read(pdf(clipping, size=(420, 600)))
    texts = [element.text_representation or "" for element in partition.elements]
    assert texts[0].startswith("Received") and texts[-1].startswith("The writer")
    assert "printed sentence number 3" in " ".join(texts[1:-1])
    assert partition.notes == ["page 1: text in pictures (1) read by OCR"]


def test_a_photograph_in_a_page_with_text_stays_a_picture(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 40, 500, ["The lighthouse in spring."], 11)
        canvas.drawImage(ImageReader(Image.effect_noise((600, 300), 80)), 40, 300, 340, 170)

    partition = read(pdf(draw, size=(420, 600)))
    assert [element.type for element in partition.elements] == ["Text", "Image"]
    assert partition.notes == []
