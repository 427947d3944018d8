"""Forms whose labels are set small above their values, or below the lines they are written on."""

from reportlab.pdfgen.canvas import Canvas

from backend.partition import Partition
from tests.backend.partition.conftest import Read, lines, pdf

FIELDS = [
    ("Tenant", "Ruth Abend"), ("Flat", "Third floor, left"), ("Let since", "1 May 2019"),
    ("Rent", "740 euros"), ("Deposit", "Paid"), ("Keys", "Three"),
    ("Heating", "Gas"), ("Cellar", "Number 9"), ("Parking", "None"),
]  # fmt: skip
LETTER = [
    "Thank you for your patience while the stairs were painted. The work ends on Friday, and the",
    "lift is in use again from Monday. Please keep the doors to the cellar closed meanwhile, since",
    "dust spreads through the house. Rubbish is collected one day later than usual this week, and",
    "the tools of the painters stay in the yard until the end of the month. We will write again",
    "before the facade is begun, which takes two weeks if the weather is dry.",
]


def texts(partition: Partition) -> list[str]:
    return [element.text_representation or "" for element in partition.elements]


def field(canvas: Canvas, x: float, y: float, label: str, value: str) -> None:
    canvas.setFont("Helvetica", 7)
    canvas.drawString(x, y, label)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(x, y - 11, value)


def test_small_labels_in_columns_stay_with_the_values_below_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS):
            field(canvas, 60 + 170 * (at % 3), 700 - 32 * (at // 3), label, value)

    found = texts(read(pdf(draw)))
    assert sorted(found) == sorted(f"{label} {value}" for label, value in FIELDS)


def test_small_labels_beside_a_letter_do_not_mix_with_its_lines(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:5]):
            field(canvas, 40, 700 - 30 * at, label, value)
        lines(canvas, 160, 690, LETTER, 9)

    found = texts(read(pdf(draw)))
    assert [f"{label} {value}" for label, value in FIELDS[:5]] == found[:5]
    assert found[5:] == [" ".join(LETTER)]


def test_a_label_below_a_line_names_what_is_written_on_it(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:6]):
            x, y = 60 + 250 * (at % 2), 700 - 46 * (at // 2)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x + 3, y, value)
            canvas.line(x, y - 4, x + 200, y - 4)
            canvas.setFont("Helvetica", 7)
            canvas.drawString(x, y - 12, label)

    found = texts(read(pdf(draw)))
    assert sorted(found) == sorted(f"{label} {value}" for label, value in FIELDS[:6])


def test_small_heads_of_a_table_are_no_labels(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for column, head in enumerate(("Berth", "Vessel", "Tonnes")):
            canvas.setFont("Helvetica", 7)
            canvas.drawString(60 + 120 * column, 700, head)
            canvas.setFont("Helvetica", 10)
            for row in range(4):
                cell = (f"B{row + 1}", ("Ada", "Bram", "Cleo", "Dora")[row], str(310 + 77 * row))
                canvas.drawString(60 + 120 * column, 688 - 14 * row, cell[column])

    (table,) = [element.table for element in read(pdf(draw)).elements if element.table]
    assert [cell.content for cell in table.cells[:3]] == ["Berth", "Vessel", "Tonnes"]
    assert (table.num_rows, table.num_cols) == (5, 3)


def test_small_words_over_headlines_are_no_labels(read: Read) -> None:
    heads = ("Harbour dues rise", "Ferry gets new engines", "Fish market moves")

    def draw(canvas: Canvas) -> None:
        for at, head in enumerate(heads):
            y = 740 - 130 * at
            canvas.setFont("Helvetica", 7)
            canvas.drawString(60, y, ("Ports", "Traffic", "Town")[at])
            canvas.setFont("Helvetica-Bold", 11)
            canvas.drawString(60, y - 12, head)
            lines(canvas, 60, y - 28, LETTER, 10)

    assert set(heads) <= set(texts(read(pdf(draw))))
