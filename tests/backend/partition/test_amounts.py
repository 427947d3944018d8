"""Amounts of statements: the signs around a number belong to its cell, however they are set."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, pdf
from tests.backend.partition.test_tables import table_of, texts

LEDGER = [
    ("Sales", "$", "8,100", "", "$", "7,950", ""),
    ("Costs", "", "(4,020", ")", "", "(3,900", ")"),
    ("Profit", "$", "4,080", "", "$", "4,050", ""),
    ("Margin", "", "50.4", "%", "", "50.9", "%"),
]


def ledger(canvas: Canvas) -> None:
    canvas.setFont("Times-Roman", 10)
    for x, year in ((300, "2021"), (420, "2020")):
        canvas.drawRightString(x, 700, year)
    for row, (label, *amounts) in enumerate(LEDGER):
        y = 684 - 15 * row
        canvas.drawString(60, y, label)
        for x, (sign, number, after) in zip((300, 420), (amounts[:3], amounts[3:]), strict=True):
            canvas.drawString(x - 70, y, sign)
            canvas.drawRightString(x, y, number)
            canvas.drawString(x + 4, y, after)


def test_signs_apart_from_an_amount_are_in_its_cell(read: Read) -> None:
    assert texts(table_of(read(pdf(ledger)))) == [
        ["", "2021", "2020"],
        ["Sales", "$ 8,100", "$ 7,950"],
        ["Costs", "(4,020)", "(3,900)"],
        ["Profit", "$ 4,080", "$ 4,050"],
        ["Margin", "50.4 %", "50.9 %"],
    ]


def test_a_bracket_in_a_sentence_stays_where_it_is(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(
            60, 700, "The fee is $ 40 ( in words: forty ) for each visit of 2 % of members."
        )

    elements = read(pdf(draw)).elements
    assert [e.text_representation for e in elements] == [
        "The fee is $ 40 ( in words: forty ) for each visit of 2 % of members."
    ]


def test_a_closing_bracket_far_from_its_number_is_in_its_cell(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        for row, (label, *amounts) in enumerate(LEDGER[:3]):
            y = 684 - 15 * row
            canvas.drawString(60, y, label)
            for x, (sign, number, after) in zip(
                (220, 330), (amounts[:3], amounts[3:]), strict=True
            ):
                canvas.drawString(x, y, sign)
                canvas.drawString(x + 14, y, number)
                canvas.drawString(x + 76, y, after)

    assert texts(table_of(read(pdf(draw)))) == [
        ["Sales", "$ 8,100", "$ 7,950"],
        ["Costs", "(4,020)", "(3,900)"],
        ["Profit", "$ 4,080", "$ 4,050"],
    ]
