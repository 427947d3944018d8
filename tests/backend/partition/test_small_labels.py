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

    shown = texts(read(pdf(draw)))
    assert sorted(shown) == sorted(f"{label} {value}" for label, value in FIELDS)


def test_small_labels_beside_a_letter_do_not_mix_with_its_lines(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:5]):
            field(canvas, 40, 700 - 30 * at, label, value)
        lines(canvas, 160, 690, LETTER, 9)

    shown = texts(read(pdf(draw)))
    assert [f"{label} {value}" for label, value in FIELDS[:5]] == shown[:5]
    assert shown[5:] == [" ".join(LETTER)]


def test_a_label_below_a_line_names_the_text_on_it(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:6]):
            x, y = 60 + 250 * (at % 2), 700 - 46 * (at // 2)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x + 3, y, value)
            canvas.line(x, y - 4, x + 200, y - 4)
            canvas.setFont("Helvetica", 7)
            canvas.drawString(x, y - 12, label)

    shown = texts(read(pdf(draw)))
    assert sorted(shown) == sorted(f"{label} {value}" for label, value in FIELDS[:6])


def test_small_heads_of_a_table_are_not_labels(read: Read) -> None:
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


def test_small_words_over_headlines_are_not_labels(read: Read) -> None:
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


def test_bold_labels_in_rows_and_columns_stay_with_the_values_below_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS):
            x, y = 60 + 170 * (at % 3), 700 - 40 * (at // 3)
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(x, y, label)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x, y - 12, value)

    shown = texts(read(pdf(draw)))
    assert sorted(shown) == sorted(f"{label} {value}" for label, value in FIELDS)


def test_bold_headings_over_short_texts_are_not_labels(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:5]):
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(60, 740 - 40 * at, label)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(60, 728 - 40 * at, f"{value} since the house was built.")
        lines(canvas, 60, 520, LETTER, 10)

    shown = [e.text_representation for e in read(pdf(draw)).elements if e.type == "Section-header"]
    assert {label for label, _ in FIELDS[1:5]} <= set(shown)


def test_centred_small_labels_stay_with_the_values_below_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:5]):
            canvas.setFont("Helvetica", 7)
            canvas.drawCentredString(300, 700 - 40 * at, label.upper())
            canvas.setFont("Helvetica", 10)
            canvas.drawCentredString(300, 688 - 40 * at, value)

    shown = texts(read(pdf(draw)))
    assert shown == [f"{label.upper()} {value}" for label, value in FIELDS[:5]]


def test_a_small_label_below_a_number_names_it_and_a_title_below_a_name_does_not(
    read: Read,
) -> None:
    people = [("Ann Birk", "Director"), ("Carl Dorn", "Treasurer"), ("Eva Falk", "Secretary")]
    counts = [("214", "Members"), ("37", "Boats"), ("1,902", "Visitors")]

    def draw(canvas: Canvas) -> None:
        for column, pairs in ((60, people), (320, counts)):
            for at, (above, below) in enumerate(pairs):
                canvas.setFont("Helvetica", 11 if pairs is people else 12)
                canvas.drawString(column, 700 - 50 * at, above)
                canvas.setFont("Helvetica", 7)
                canvas.drawString(column, 690 - 50 * at, below)

    shown = " ".join(texts(read(pdf(draw))))
    assert all(f"{label} {number}" in shown for number, label in counts)
    assert not any(f"{title} {name}" in shown for name, title in people)


def test_two_columns_of_leaders_keep_each_label_with_its_value(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for at, (label, value) in enumerate(FIELDS[:8]):
            x, y = 60 + 250 * (at % 2), 700 - 20 * (at // 2)
            canvas.drawString(x, y, label)
            canvas.drawRightString(x + 220, y, value)
            first = x + canvas.stringWidth(label) + 4
            for dot in range(int(first), int(x + 217 - canvas.stringWidth(value)), 4):
                canvas.drawString(dot, y, ".")

    shown = ["".join(text.split(".")) for text in texts(read(pdf(draw)))]
    assert sorted(" ".join(text.split()) for text in shown) == sorted(
        f"{label} {value}" for label, value in FIELDS[:8]
    )


def test_labels_that_end_at_one_place_stay_with_their_values(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:6]):
            canvas.setFont("Helvetica", 9)
            canvas.drawRightString(160, 700 - 14 * at, label)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(172, 700 - 14 * at, value)

    shown = texts(read(pdf(draw)))
    assert shown == [f"{label} {value}" for label, value in FIELDS[:6]]


def test_many_bold_labels_below_one_another_stay_with_their_values(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:6]):
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(60, 700 - 32 * at, label)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(60, 688 - 32 * at, value)

    shown = read(pdf(draw)).elements
    assert [one.text_representation for one in shown] == [f"{a} {b}" for a, b in FIELDS[:6]]
    assert not any(one.type == "Section-header" for one in shown)


def test_values_with_little_white_between_them_are_parted_where_their_labels_begin(
    read: Read,
) -> None:
    def draw(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(FIELDS[:4]):
            second = 67 + canvas.stringWidth(FIELDS[at - 1][1], "Helvetica", 10)
            field(canvas, second if at % 2 else 60, 700 - 40 * (at // 2), label, value)

    shown = texts(read(pdf(draw)))
    assert sorted(shown) == sorted(f"{label} {value}" for label, value in FIELDS[:4])
