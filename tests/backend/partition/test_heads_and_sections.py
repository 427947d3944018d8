"""Heads over groups of columns, rows that name sections, and tables of times and boxes to tick."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_tables import table_of, texts

RIGHT = (200, 260, 320, 380)
TOWNS = [
    ("Northam", "12.1", "14.8", "11.0", "12.9"),
    ("Foxbury", "8.4", "9.3", "7.7", "8.8"),
    ("Graz", "22.0", "19.6", "20.3", "18.2"),
    ("Leeds", "40.2", "41.5", "38.8", "39.9"),
]


def draw_rows(canvas: Canvas, rows: list[tuple[str, ...]], top: float) -> None:
    canvas.setFont("Helvetica", 10)
    for number, (label, *values) in enumerate(rows):
        canvas.drawString(60, top - 15 * number, label)
        for x, value in zip(RIGHT, values, strict=False):
            canvas.drawRightString(x, top - 15 * number, value)


def test_labels_over_groups_of_columns_span_them_without_any_rule(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawCentredString(278, 730, "Rain")
        canvas.drawCentredString(218, 715, "June")
        canvas.drawCentredString(338, 715, "January to June")
        canvas.drawString(60, 715, "Town")
        draw_rows(canvas, [("", "mm", "%", "mm", "%")], 700)
        draw_rows(canvas, TOWNS, 680)

    table = table_of(read(pdf(draw)))
    spans = {cell.content: (cell.rows, cell.cols) for cell in table.cells if cell.rows[0] < 3}
    assert spans["Rain"] == ([0], [1, 2, 3, 4])
    assert spans["June"] == ([1], [1, 2])
    assert spans["January to June"] == ([1], [3, 4])
    assert spans["Town"] == ([0, 1, 2], [0])
    assert texts(table)[3:] == [list(row) for row in TOWNS]


def test_the_lines_of_a_label_over_one_column_stay_one_cell(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        draw_rows(canvas, [("", "", "Net", "", "")], 712)
        draw_rows(canvas, [("Town", "Sales", "income", "Staff", "Shops")], 700)
        draw_rows(canvas, TOWNS, 680)

    head = texts(table_of(read(pdf(draw))))[0]
    assert head == ["Town", "Sales", "Net income", "Staff", "Shops"]


def test_a_section_right_below_the_years_is_a_separate_row(read: Read) -> None:
    rows = [
        ("", "2025", "2024"),
        ("Fixed assets:",),
        ("Land", "1,842", "1,901"),
        ("Vehicles", "88", "61"),
        ("Current assets:",),
        ("Stock", "417", "389"),
    ]
    table = table_of(read(pdf(lambda canvas: draw_rows(canvas, rows, 700))))
    assert texts(table)[:3] == [["", "2025", "2024"], ["Fixed assets:", "", ""], list(rows[2])]


def test_a_heading_between_rows_of_the_same_columns_divides_no_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        draw_rows(canvas, [("Town", "A", "B", "C", "D"), *TOWNS], 700)
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(60, 610, "ISLANDS")
        draw_rows(canvas, [("Holm", "1.0", "1.2", "0.9", "1.1"), *TOWNS[:2]], 595)

    read_as = texts(table_of(read(pdf(draw))))
    assert read_as[5:7] == [["ISLANDS", "", "", "", ""], ["Holm", "1.0", "1.2", "0.9", "1.1"]]


def test_rules_over_totals_leave_the_table_whole(read: Read) -> None:
    rows = [
        ("", "2025", "2024"),
        ("Stock", "417", "389"),
        ("Debtors", "522", "498"),
        ("Total assets", "939", "887"),
        ("LIABILITIES",),
        ("Payable within one year", "611", "705"),
        ("Payable later", "100", "120"),
        ("Total liabilities", "711", "825"),
    ]

    def draw(canvas: Canvas) -> None:
        draw_rows(canvas, rows, 700)
        for y in (666, 606):
            for x in RIGHT[:2]:
                canvas.line(x - 30, y, x, y)

    assert texts(table_of(read(pdf(draw)))) == [[*row, "", ""][:3] for row in rows]


def test_a_timetable_with_words_among_its_times_is_one_table(read: Read) -> None:
    rows = [
        ("", "SD", "", "", "NS"),
        ("Marl, Station", "0612", "0645", "and", "1815"),
        ("Marl, Hospital", "0618", "0651", "every", "1822"),
        ("Stoke Bridge", "0625", "—", "hour", "1830"),
        ("Quarry Cross", "0633", "0704", "until", "1839"),
        ("Upper Dean", "0650", "0721", "", "1856"),
    ]
    table = table_of(read(pdf(lambda canvas: draw_rows(canvas, rows, 700))))
    assert texts(table) == [list(row) for row in rows]


def test_rows_of_questions_with_answers_to_tick_are_one_table(read: Read) -> None:
    rows = [
        ("How content were you with", "Very", "Fairly", "Little", "No"),
        ("the hours of opening", "o", "o", "o", "o"),
        ("the people at the desk", "o", "o", "o", "o"),
        ("the signs and the maps", "o", "o", "o", "o"),
        ("the food in the café", "o", "o", "o", "o"),
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for number, (label, *marks) in enumerate(rows):
            canvas.drawString(60, 700 - 15 * number, label)
            for x, mark in zip((240, 310, 380, 450), marks, strict=True):
                canvas.drawCentredString(x, 700 - 15 * number, mark)

    assert texts(table_of(read(pdf(draw)))) == [list(row) for row in rows]


def test_a_narrow_text_with_wide_blanks_is_not_a_table(read: Read) -> None:
    lines = [("is", "published."), ("Over", "the last"), ("two", "decades"), ("there", "has been")]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for number, (left, right) in enumerate(lines):
            canvas.drawString(400, 700 - 13 * number, left)
            canvas.drawRightString(500, 700 - 13 * number, right)

    assert not [e for e in read(pdf(draw)).elements if e.type == "table"]


CLAUSES = [
    ("1.1", "The tenant shall keep the yard clean and clear of snow at all times of year."),
    ("1.2", "Keys are signed for each day."),
    ("1.3", "No animals are kept in the building, nor may any be brought to the common rooms."),
    ("2.1", "This agreement starts on 1 May 2024 and runs for thirty months without a break."),
    ("2.2", "Either party may end it on ninety days' notice."),
]


def test_numbered_clauses_are_text_and_no_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for number, (clause, text) in enumerate(CLAUSES):
            canvas.drawString(60, 700 - 22 * number, clause)
            canvas.drawString(100, 700 - 22 * number, text)

    elements = read(pdf(draw)).elements
    assert not [e for e in elements if e.type == "table"]
    result = " ".join((e.text_representation or "") for e in elements)
    assert all(f"{clause} {text}" in " ".join(result.split()) for clause, text in CLAUSES)


def test_numbered_labels_beside_texts_are_a_row_each(read: Read) -> None:
    rows = [
        ("1.1 Name of group", "Hall Association"), ("1.2 Contact", "Mora Dun"),
        ("1.3 Position", "Treasurer"), ("1.4 Seat", "Crieff"), ("1.5 Members", "146"),
        ("1.6 Founded", "1953"), ("1.7 Branches", "12"), ("1.8 Dues", "25.00"),
    ]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for number, (label, value) in enumerate(rows):
            canvas.drawString(60, 700 - 18 * number, label)
            canvas.drawString(260, 700 - 18 * number, value)

    result = " ".join(
        " ".join((e.text_representation or "").split()) for e in read(pdf(draw)).elements
    )
    places = [result.find(word) for row in rows for word in row]
    assert -1 not in places and places == sorted(places)


def test_labels_with_values_right_above_a_table_are_not_part_of_it(read: Read) -> None:
    fields = [
        ("Invoice no.:", "2024-06", "Date:", "30 April"),
        ("Order:", "PO 88", "Term:", "14 d"),
    ]
    table = [
        ("Pos.", "Goods", "Qty", "Unit", "Price", "Sum"),
        ("1", "Belts", "2", "pcs", "4.0", "8.0"),
        ("2", "Filters", "4", "pcs", "9.0", "36.0"),
        ("3", "Travel", "9", "km", "0.5", "4.5"),
    ]

    def draw(canvas: Canvas) -> None:
        for row, texts_of_row in enumerate(fields):
            for x, text in zip((60, 125, 180, 215), texts_of_row, strict=True):
                lines(canvas, x, 700 - 16 * row, [text])
        for row, cells in enumerate(table):
            for x, text in zip((60, 90, 140, 170, 205, 245), cells, strict=True):
                lines(canvas, x, 668 - 16 * row, [text])

    tables = [e.table for e in read(pdf(draw)).elements if e.table is not None]
    assert texts(tables[-1]) == [list(row) for row in table]


def test_values_part_columns_that_stand_close(read: Read) -> None:
    rows = [("Rovers", "18", "13", "3", "42"), ("Tannery", "18", "10", "4", "34"),
            ("Lions", "17", "8", "5", "29"), ("Ferry", "18", "2", "2", "5")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for row, cells in enumerate(rows):
            canvas.drawString(60, 700 - 15 * row, cells[0])
            for right, text in zip((123, 139, 151, 167), cells[1:], strict=True):
                canvas.drawRightString(right, 700 - 15 * row, text)

    assert texts(table_of(read(pdf(draw)))) == [list(row) for row in rows]


def test_the_name_of_a_statement_below_the_larger_one_of_its_firm_is_a_heading(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawCentredString(306, 720, "DUNMORE CASTINGS CORPORATION")
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawCentredString(306, 706, "CONSOLIDATED BALANCE SHEETS")
        canvas.setFont("Helvetica", 10)
        canvas.drawCentredString(306, 692, "(in thousands, except share data)")
        for row in range(12):
            canvas.drawString(112, 650 - 14 * row, f"Item {row} of the statement")
            canvas.drawRightString(500, 650 - 14 * row, f"{4128 + 331 * row:,}")

    kinds = {one.text_representation: one.type for one in read(pdf(draw)).elements}
    assert kinds["CONSOLIDATED BALANCE SHEETS"] in ("Section-header", "Title")
    assert kinds["(in thousands, except share data)"] == "Text"


def test_by_far_the_largest_line_is_a_heading_between_small_ones(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.drawString(60, 757, "Form HS-12 (Rev. 03/2021)")
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(200, 735, "Report of Accident or Occurrence")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(202, 724, "To be completed by the supervisor within 24 hours.")
        canvas.setFont("Courier", 10)
        for row in range(5):
            canvas.drawString(
                60, 690 - 13 * row, "THE INJURED PERSON STEPPED DOWN FROM THE DOCK PLATE"
            )

    kinds = {one.text_representation: one.type for one in read(pdf(draw)).elements}
    assert kinds["Report of Accident or Occurrence"] in ("Section-header", "Title")
