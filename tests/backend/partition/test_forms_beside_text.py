"""Forms and tables that share their lines with something else keep apart from it."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_tables import table_of, texts

ADDRESS = ["Mrs Constance Abernethy", "The Old Tannery", "Bridge Street"]
REFERENCES = [("Account no.", "7740 1192"), ("Bill date", "1 July 2024"),
              ("Paid by", "direct debit")]  # fmt: skip
COVER = [("North", "4.1 (0.6)", "13.0 (1.4)"), ("East", "2.2 (0.4)", "10.8 (1.1)"),
         ("South", "1.0 (0.3)", "7.5 (1.2)"), ("West", "3.3 (0.5)", "12.1 (1.3)")]  # fmt: skip
MOSS = [
    "Every child learns that moss grows on the",
    "north side of trees. On walls it is far less",
    "clear: mortar holds water, render sheds it,",
    "and street trees shade all sides alike, so",
    "that we chose the walls by lot, in summer.",
]


@pytest.mark.parametrize("mark", ["colon", "bold", "color"])
def test_an_address_beside_labels_with_values_is_no_column_of_theirs(read: Read, mark: str) -> None:
    def draw(canvas: Canvas) -> None:
        for row, (line, (label, value)) in enumerate(zip(ADDRESS, REFERENCES, strict=True)):
            y = 700 - 15 * row
            canvas.setFont("Helvetica", 10)
            canvas.setFillGray(0)
            canvas.drawString(60, y, line)
            canvas.drawString(450, y, value)
            canvas.setFont("Helvetica-Bold" if mark == "bold" else "Helvetica", 10)
            canvas.setFillGray(0.5 if mark == "color" else 0)
            canvas.drawString(350, y, label + ":" * (mark == "colon"))

    elements = read(pdf(draw)).elements
    assert [element for element in elements if element.table] == []
    shown = " ".join(" ".join((e.text_representation or "").split()) for e in elements)
    assert " ".join(ADDRESS) in shown
    assert " ".join(" ".join(pair) for pair in REFERENCES) in shown.replace(":", "")


def test_values_in_bold_beside_plain_labels_are_a_form_whatever_their_kind(read: Read) -> None:
    pairs = [("From", "Thornby, dep. 9:41"), ("To", "Port Salis, arr. 13:06"),
             ("Train", "IC 714, coach 8"), ("Change at", "Lindau, platform 4")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for row, (label, value) in enumerate(pairs):
            canvas.setFont("Helvetica", 9)
            canvas.drawString(60, 700 - 13 * row, label)
            canvas.setFont("Helvetica-Bold", 9)
            canvas.drawString(140, 700 - 13 * row, value)

    shown = " ".join((e.text_representation or "") for e in read(pdf(draw)).elements)
    assert shown.split() == " ".join(" ".join(pair) for pair in pairs).split()


def test_text_level_with_the_rows_of_a_table_is_not_the_labels_of_its_values(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 700, MOSS)
        for y in (710, 696, 644):
            canvas.line(320, y, 520, y)
        for row, parts in enumerate([("Aspect", "Young", "Old"), *COVER]):
            for x, text in zip((324, 400, 470), parts, strict=True):
                canvas.drawString(x, 700 - 13 * row, text)

    result = read(pdf(draw))
    assert texts(table_of(result))[1:] == [list(row) for row in COVER]
    assert " ".join(MOSS) in [
        " ".join((e.text_representation or "").split()) for e in result.elements
    ]


@pytest.mark.parametrize(("first", "spans"), [("Ward: Upper Thornby", 3), ("Abbey", 1)])
def test_names_of_groups_span_all_columns_if_one_is_wider_than_its_own(
    read: Read, first: str, spans: int
) -> None:
    rows = [("Number", "Place", "Officer"), (first,), ("24/871", "31 Cloister Row", "Mr Lind"),
            ("24/880", "The Old Gaol", "Ms Harker"), ("Mills",),
            ("24/902", "8 Tannery Close", "Mr Lind"),
            ("24/905", "Retail Park", "Mrs Osei")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for row, parts in enumerate(rows):
            canvas.line(60, 711 - 18 * row, 420, 711 - 18 * row)
            canvas.setFont("Helvetica-Bold" if len(parts) == 1 else "Helvetica", 10)
            for x, text in zip((64, 130, 300), parts, strict=False):
                canvas.drawString(x, 698 - 18 * row, text)
        canvas.line(60, 711 - 18 * len(rows), 420, 711 - 18 * len(rows))

    cells = table_of(read(pdf(draw))).cells
    assert [len(c.cols) for c in cells if c.content in (first, "Mills")] == [spans, spans]
