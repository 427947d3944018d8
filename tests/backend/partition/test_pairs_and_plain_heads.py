"""Labels stay with their values, and headings show where no font tells them."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_tables import table_of, texts

FORM = [
    ("Vessel", "Northern Gull", "Port", "Hollowell"),
    ("Built", "14 May 1987", "Crew", "6, all rescued"),
    ("Owner", "E. Falkner", "Cargo", "None"),
    ("Sea state", "Slight", "Wind", "12 knots"),
    ("Beacon", "Not fitted", "Rafts", "Two, inflated"),
]
CLAUSE = [
    "The tenant pays the rent on the first working day of every month and bears the cost of",
    "repairs up to the amount that is set out in the schedule, without any right to set it off.",
]


def test_a_form_of_four_columns_is_one_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for row, parts in enumerate(FORM):
            for at, (x, text) in enumerate(zip((60, 150, 320, 400), parts, strict=True)):
                canvas.setFont("Times-Roman" if at % 2 else "Times-Bold", 10)
                canvas.drawString(x, 700 - 16 * row, text if at % 2 else f"{text}:")

    read_as = [[text if at % 2 else f"{text}:" for at, text in enumerate(parts)] for parts in FORM]
    assert texts(table_of(read(pdf(draw)))) == read_as


@pytest.mark.parametrize("number", ["", "{}. ", "ARTICLE {} "])
def test_headings_of_a_contract_in_one_font_are_headings(read: Read, number: str) -> None:
    names = ["TERM OF THE LEASE", "RENT AND DEPOSIT", "REPAIRS", "GOVERNING LAW"]
    heads = [number.format(at + 1) + name for at, name in enumerate(names)]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 11)
        canvas.drawCentredString(300, 745, "LEASE OF A BOATHOUSE")
        for at, head in enumerate(heads):
            y = 705 - 90 * at
            canvas.setFont("Times-Roman", 11)
            canvas.drawString(60, y, head)
            canvas.setFont("Times-Roman", 11)
            for row, text in enumerate(CLAUSE):
                canvas.drawString(60, y - 24 - 14 * row, text)

    found = read(pdf(draw)).elements
    shown = [e.text_representation for e in found if e.type in ("Section-header", "Title")]
    assert shown == ["LEASE OF A BOATHOUSE", *heads]


def test_sentences_between_paragraphs_are_no_headings(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 740, [*CLAUSE, "", "It rained all day.", "", *CLAUSE])

    assert {element.type for element in read(pdf(draw)).elements} == {"Text"}
