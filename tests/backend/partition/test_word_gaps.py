"""Words that are set close together stay words."""

from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from backend.partition import partition
from tests.backend.partition.conftest import Read, pdf
from workbench.contract.partition_options import PartitionOptions


def test_words_without_a_space_character_are_parted_by_a_narrow_gap(tmp_path: Path) -> None:
    file = tmp_path / "tight.pdf"
    canvas = Canvas(str(file))
    size, gap = 10, 1.6
    sentences = ("Purchases of property and equipment", "Effect of exchange of property")
    for row, sentence in enumerate(sentences):
        left = 72.0
        canvas.setFont("Times-Roman", size)
        for word in sentence.split():
            canvas.drawString(left, 700 - 14 * row, word)
            left += stringWidth(word, "Times-Roman", size) + gap
    canvas.save()
    result = partition(
        file, name="tight.pdf", options=PartitionOptions(), progress=lambda _done, _total: None
    )
    text = " ".join(element.text_representation or "" for element in result.elements)
    assert [sentence for sentence in sentences if sentence not in text] == []


def test_a_single_letter_space_as_wide_as_a_blank_is_one(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        left, text = 72.0, canvas.beginText(72, 700)
        text.setFont("Times-Roman", 9)
        # Ghostscript writes some blanks as space between two letters, which PDFium does not read.
        pieces = (("The moor", 0), (",e", 2.25), ("nclosur", 0), ("eo", 2.25), ("f the fields", 0))
        for letters, apart in pieces:
            text.setCharSpace(apart)
            text.setTextOrigin(left, 700)
            text.textOut(letters)
            left += stringWidth(letters, "Times-Roman", 9) + apart
        canvas.drawText(text)

    (element,) = read(pdf(draw)).elements
    assert element.text_representation == "The moor, enclosure of the fields"


def test_a_letter_space_among_letters_apart_is_none(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(72, 700)
        text.setFont("Times-Roman", 9)
        text.setCharSpace(2.25)
        text.textOut("moorland")
        canvas.drawText(text)

    (element,) = read(pdf(draw)).elements
    assert element.text_representation == "moorland"
