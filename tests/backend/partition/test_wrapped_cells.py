"""Cells of several lines whose rows stand level by their middles, and lines that stand for all
columns or beside the one they name."""

from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_tables import table_of, texts

FORM = [
    ("Registration:", "HB-4410", "Airport Elevation:", "1,204 ft"),
    ("Certificates:", "Flight instructor; Commercial; Private, Single-engine land", "Seats:", "4"),
    ("Owner:", "Quay Charter", "Departure Point:", "Northam, with a stop at Graz for fuel"),
]
PLACES = (60, 150, 310, 400)
ROOM = (14, 24, 12, 20)
"""Letters of a line of each column."""


def wrapped(text: str, room: int) -> list[str]:
    out: list[str] = []
    for word in text.split():
        if out and len(out[-1]) + len(word) < room:
            out[-1] += f" {word}"
        else:
            out.append(word)
    return out


def draw_form(canvas: Canvas, top: float, *, centred: bool) -> None:
    canvas.setFont("Helvetica", 10)
    for row in FORM:
        cells = [wrapped(text, room) for text, room in zip(row, ROOM, strict=True)]
        tallest = max(map(len, cells))
        for x, cell in zip(PLACES, cells, strict=True):
            down = 6 * (tallest - len(cell)) if centred else 0
            for number, line in enumerate(cell):
                canvas.drawString(x, top - down - 12 * number, line)
        top -= 12 * tallest + 5


def test_a_form_with_two_labels_in_a_row_is_a_table_wherever_its_cells_wrap(
    read: Read,
) -> None:
    for centred in (True, False):
        table = table_of(read(pdf(lambda canvas, to=centred: draw_form(canvas, 700, centred=to))))
        assert texts(table) == [list(row) for row in FORM]


def test_wrapped_cells_in_the_middle_of_their_rows_make_no_rows_of_their_own(read: Read) -> None:
    rows = [
        ("Pumps", ["Replaced after the", "flood of last winter"], "12"),
        ("Valves", ["Sound"], "40"),
        ("Hoses", ["Two of them leak", "and were sent back to", "the maker"], "7"),
        ("Filters", ["To be cleaned before", "the spring"], "18"),
    ]

    def draw(canvas: Canvas) -> None:
        top = 700.0
        for label, cell, count in rows:
            lines(canvas, 200, top, cell)
            middle = top - 6.5 * (len(cell) - 1)
            lines(canvas, 60, middle, [label])
            lines(canvas, 420, middle, [count])
            top -= 13 * len(cell) + 8

    cells = texts(table_of(read(pdf(draw))))
    assert cells == [[label, " ".join(cell), count] for label, cell, count in rows]


def test_a_table_with_sections_and_codes_that_wrap_is_one_table(read: Read) -> None:
    """Its codes are bold, as headings are, and stand at half the height of all that is beside."""
    parts = {"Trowels": ("HT-", "FT-", "GT-"), "Anchors": ("FX-", "FY-", "FZ-")}
    expected = [["Code", "Goods", "One", "Ten"]]

    def draw(canvas: Canvas) -> None:
        top = 700.0
        for x, name in zip((60, 140, 330, 420), expected[0], strict=True):
            lines(canvas, x, 717, [name])
        for section, codes in parts.items():
            lines(canvas, 60, top, [section])
            expected.append([section, "", "", ""])
            top -= 17
            for number, code in enumerate(codes):
                canvas.setFont("Helvetica-Bold", 11)
                canvas.drawString(60, top, code)
                canvas.drawString(60, top - 12.5, f"{number}02")
                row = [f"{code} {number}02", "Steel, galvanized", f"{number + 4}.40", "11.20"]
                for x, text in zip((140, 330, 420), row[1:], strict=True):
                    lines(canvas, x, top - 6.25, [text])
                expected.append(row)
                top -= 30

    assert texts(table_of(read(pdf(draw)))) == expected


def draw_years(canvas: Canvas, top: float, label: str) -> None:
    canvas.drawCentredString(240, top, label)
    for row, year in enumerate(("1992", "1993", "1994", "1995")):
        canvas.drawString(60, top - 15 * (row + 1), year)
        for column, right in enumerate((180, 240, 300, 420)):
            canvas.drawRightString(right, top - 15 * (row + 1), f"{row + 3},{column + 1}04.5")


def test_a_centred_line_in_a_table_spans_all_columns(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(60, 715, "Year")
        for right, label in ((180, "Wages"), (240, "Rents"), (300, "Fees"), (420, "Total")):
            canvas.drawRightString(right, 715, label)
        draw_years(canvas, 698, "Thousands of euro")
        draw_years(canvas, 622, "Share of the total")

    table = table_of(read(pdf(draw)))
    wide = [(cell.content, cell.cols) for cell in table.cells if len(cell.cols) > 1]
    assert wide == [("Thousands of euro", [0, 1, 2, 3, 4]), ("Share of the total", [0, 1, 2, 3, 4])]
    assert table.num_rows == 11


def test_a_label_beside_its_values_makes_no_column(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(60, 715, "Trade")
        canvas.drawString(170, 715, "Wages")
        canvas.drawRightString(330, 715, "Other")
        for row in range(6):
            canvas.drawString(60, 700 - 15 * row, f"Trade {'ABCDEF'[row]}")
            canvas.drawRightString(250, 700 - 15 * row, f"{row + 11}.20")
            canvas.drawRightString(330, 700 - 15 * row, f"{row + 4}.10")

    table = texts(table_of(read(pdf(draw))))
    assert table[:2] == [["Trade", "Wages", "Other"], ["Trade A", "11.20", "4.10"]]


def test_the_lines_over_a_table_that_fills_the_page_are_its_headings(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawCentredString(300, 740, "Quay Charter and Subsidiaries")
        canvas.setFont("Helvetica", 8)
        for row in range(30):
            canvas.drawString(60, 700 - 12 * row, f"Receipts of berth {row + 1}, all months")
            for right in (400, 460, 520):
                canvas.drawRightString(right, 700 - 12 * row, f"{row + 3},{right}")

    first = read(pdf(draw)).elements[0]
    assert first.text_representation == "Quay Charter and Subsidiaries"
    assert first.type in ("Title", "Section-header")


def test_two_lines_in_the_middle_over_a_table_are_headings_alike(read: Read) -> None:
    titles = ["IRONWOOD MEDIA COMPANY", "CONSOLIDATED STATEMENTS OF CHANGES IN EQUITY"]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 10)
        for number, title in enumerate(titles):
            canvas.drawCentredString(290, 740 - 19 * number, title)
        canvas.setFont("Helvetica", 8)
        for row in range(30):
            canvas.drawString(60, 690 - 12 * row, f"Receipts of berth {row + 1}, all months")
            for right in (400, 460, 520):
                canvas.drawRightString(right, 690 - 12 * row, f"{row + 3},{right}")
        lines(canvas, 60, 300, ["The notes that follow are a part of these statements."], 8)

    first, second, *_ = read(pdf(draw)).elements
    assert [first.text_representation, second.text_representation] == titles
    assert {first.type, second.type} <= {"Title", "Section-header"}


def test_a_heading_and_its_text_between_two_tables_of_like_rules_are_in_neither(read: Read) -> None:
    places = (60, 150, 310, 400, 540)

    def row(canvas: Canvas, y: float, cells: tuple[str, ...]) -> None:
        canvas.setFont("Helvetica", 10)
        for x, text in zip(places, cells, strict=False):
            canvas.drawString(x + 3, y, text)
        for start, end in pairwise(places):
            canvas.line(start, y - 5, end - 1, y - 5)

    def draw(canvas: Canvas) -> None:
        for number in range(4):
            row(canvas, 760 - 20 * number, (f"Crew {number}:", "Lee", "Seat:", f"{number + 1} B"))
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(60, 675, "Weather")
        lines(canvas, 60, 655, ["The wind was light from the west, and the sky over the bay was"])
        lines(canvas, 60, 642, ["clear when the boat left the quay."])
        for number in range(4):
            row(canvas, 620 - 20 * number, (f"Hour {number}:", "Calm", "Sea:", f"{number} ft"))

    elements = read(pdf(draw)).elements
    assert [element.type == "table" for element in elements] == [True, False, False, True]
    assert elements[1].text_representation == "Weather"
    sizes = [(e.table.num_rows, e.table.num_cols) for e in elements if e.table is not None]
    assert sizes == [(4, 4), (4, 4)]


def test_rules_over_totals_beside_labels_of_two_lines_make_no_table_of_their_own(
    read: Read,
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        y = 700.0
        for number in range(9):
            canvas.drawString(60, y, f"Income of the harbour {number}")
            canvas.drawString(60, y - 12, "less what is due")
            for column, right in enumerate((300, 400, 500)):
                canvas.drawRightString(right, y - 6, f"{number + 2},{column}12")
                canvas.drawString(right - 60, y - 6, "$")
                if number % 4 == 0:
                    canvas.line(right - 62, y + 10, right - 50, y + 10)
                    canvas.line(right - 50, y + 10, right, y + 10)
            y -= 30

    table = table_of(read(pdf(draw)))
    assert texts(table)[0] == [
        "Income of the harbour 0 less what is due",
        "$ 2,012",
        "$ 2,112",
        "$ 2,212",
    ]
    assert table.num_rows == 9


def test_a_number_that_is_continued_below_stays_in_its_ruled_cell(read: Read) -> None:
    columns = {60: ["40 118 226"], 160: ["DE41 5606 1472 0040", "1182 26"], 270: ["9/2023"]}

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        canvas.grid([56, 156, 266, 340], [640, 680, 700])
        for (x, parts), label in zip(columns.items(), ("Account", "IBAN", "Sheet"), strict=True):
            for row, text in enumerate([label, *parts]):
                canvas.drawString(x, 686 - (row and 8 + 12 * row), text)

    table = table_of(read(pdf(draw)))
    assert texts(table)[1] == ["40 118 226", "DE41 5606 1472 0040 1182 26", "9/2023"]


def test_cells_that_wrap_in_the_second_column_keep_their_rows_apart(read: Read) -> None:
    rows = [
        ("Time", "Case", "Parties", "Room"),
        ("9:30", "Ordinary 214/2024", "Owners of Calle Hornos 8 against Alcor Works", "2"),
        ("10:00", "Oral 77/2025", "Meseta Telephones", "14"),
        ("10:30", "Divorce 131/2025", "M. Tordera and A. Fuentes", "2"),
        ("11:15", "Ordinary 402/2023", "Heirs of J. Palacin against the Town", "14"),
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        top = 700.0
        for row in rows:
            cells = [wrapped(text, 22 if x == 220 else 12) for x, text in zip(XS, row, strict=True)]
            for x, cell in zip(XS, cells, strict=True):
                for number, line in enumerate(cell):
                    canvas.drawString(x, top - 14 * number, line)
            top -= 14 * max(map(len, cells)) + 6

    assert texts(table_of(read(pdf(draw)))) == [list(row) for row in rows]


XS = (60, 120, 220, 380)


def test_blanks_of_typed_lines_above_each_other_are_no_columns(read: Read) -> None:
    rows = [
        ("CODE", "DESCRIPTION", "QUANTITY", "AMOUNT"),
        ("110", "CONSERVANCY DUES", "2,996", "425.43"),
        ("115", "LIGHT DUES COLLECTED", "2,996", "194.74"),
        ("210", "PILOTAGE INWARD, NIGHT, WITH LAUNCH", "1", "611.00"),
        ("211", "PILOTAGE OUTWARD, DAY", "1", "498.00"),
        ("410", "MOORING GANG, TWICE", "2", "289.00"),
        ("520", "FRESH WATER", "18", "55.80"),
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Courier", 10)
        for number, (code, *cells, amount) in enumerate(rows):
            line = f"{code:6}{cells[0]:36}{cells[1]:>10}{amount:>12}"
            canvas.drawString(60, 700 - 12 * number, line)

    assert texts(table_of(read(pdf(draw)))) == [list(row) for row in rows]
