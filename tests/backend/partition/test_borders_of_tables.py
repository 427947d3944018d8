"""Where a table begins and ends, and its rows and columns where only some rules are drawn."""

from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from backend.partition.page import Rect, Rule, Style, Word
from backend.partition.tables.cellwise import cellwise
from backend.partition.tables.shelf import Shelf
from tests.backend.partition.conftest import Read, lines, pdf

STYLE = Style(9.0, "Helvetica")
Rows = list[list[str]]


def _tables(read: Read, data: bytes) -> list[Rows]:
    found = [element.table for element in read(data).elements if element.table is not None]
    tables: list[Rows] = [[[] for _ in range(table.num_rows)] for table in found]
    for rows, table in zip(tables, found, strict=True):
        for cell in table.cells:
            rows[cell.rows[0]].append(cell.content)
    return tables


def _write(canvas: Canvas, top: float, rows: Rows, places: tuple[float, ...], bold: int) -> None:
    """Rows 16 points apart, of which the first `bold` are bold."""
    for r, row in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if r < bold else "Helvetica", 10)
        for x, text in zip(places, row, strict=True):
            canvas.drawString(x, top - 16 * r, text)


def _words(rows: list[tuple[float, list[tuple[float, str]]]]) -> Shelf:
    return Shelf(
        [
            Word(text, Rect(x, y, x + 4.5 * len(text), y + 9), STYLE)
            for y, row in rows
            for x, text in row
        ]
    )


def _pieces(heights: tuple[float, ...], ends: tuple[float, ...]) -> list[Rule]:
    return [Rule(True, y, x0, x1) for y in heights for x0, x1 in pairwise(ends)]


def test_the_rule_of_a_letterhead_is_not_the_upper_border_of_the_table_below_it() -> None:
    letter = [(y, [(64.0, "Dear"), (90.0, "member")]) for y in (120.0, 140.0, 160.0, 180.0)]
    rows = [(y + 4, [(64.0, "Cod"), (304.0, "12")]) for y in (300.0, 320.0)]
    rules = [Rule(True, 80.0, 60.0, 460.0), *_pieces((300.0, 320.0, 340.0), (60.0, 300.0, 460.0))]
    (group,) = cellwise(rules, [], _words(letter + rows))
    assert min(rule.at for rule in group if rule.horizontal) == 300


def test_tables_of_two_columns_whose_border_moves_are_two_tables() -> None:
    rules = _pieces((100.0, 120.0, 140.0), (60.0, 300.0, 460.0))
    rules += _pieces((146.0, 166.0, 186.0), (60.0, 250.0, 460.0))
    heights = (104.0, 124.0, 150.0, 170.0)
    found = cellwise(rules, [], _words([(y, [(64.0, "Cod"), (310.0, "12")]) for y in heights]))
    assert [max(rule.at for rule in group if rule.horizontal) for group in found] == [140, 186]


def test_names_of_columns_after_a_blank_begin_another_table(read: Read) -> None:
    first = [["Boat", "Crew", "Weight"], ["Heron", "4", "412"], ["Swift", "4", "398"],
             ["Alder", "5", "420"]]  # fmt: skip
    second = [["Port", "Spring", "Autumn"], ["Arbon", "12", "11"], ["Brielle", "31", "35"],
              ["Calais", "17", "19"]]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for top, rows in ((700, first), (622, second)):
            _write(canvas, top, rows, (60, 220, 380), 1)

    assert _tables(read, pdf(draw)) == [first, second]


def test_text_beside_a_panel_between_two_rules_is_no_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for y in (720, 600):
            canvas.line(60, y, 520, y)
        lines(canvas, 64, 700, [
            "Dear families, what a fair we had. On the night",
            "we counted more than ever before, and the late",
            "raffle brought the rest. It will pay for books and",
            "for the new fence at the pond, which the parents",
            "of the second year want to paint in October."])  # fmt: skip
        lines(canvas, 400, 700, ["Dates", "16 July sports", "19 July reports", "4 Sept. school"])

    assert _tables(read, pdf(draw)) == []


def test_rows_of_wrapped_cells_need_no_rules_between_them(read: Read) -> None:
    rows = [("6.7", ["Leakage under the mask, ten", "people, five exercises"], "at most 2"),
            ("6.9", ["Resistance of breathing in"], "1.3 mbar"),
            ("6.10", ["Resistance of breathing out at", "160 litres a minute"], "3.0 mbar"),
            ("7", ["Leaflet in eight languages"], "complete")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for y in (720, 700, 560):
            canvas.line(60, y, 460, y)
        for x in (60, 120, 340, 460):
            canvas.line(x, 720, x, 560)
        _write(canvas, 706, [["Clause", "Property", "Found"]], (64, 124, 344), 1)
        for r, (clause, text, found) in enumerate(rows):
            top = 686 - 34 * r
            lines(canvas, 124, top, text)
            lines(canvas, 64, top - 6 * (len(text) - 1), [clause])
            lines(canvas, 344, top - 6 * (len(text) - 1), [found])

    (table,) = _tables(read, pdf(draw))
    assert table[1:] == [[clause, " ".join(text), found] for clause, text, found in rows]


def test_values_below_each_other_are_rows_of_their_own(read: Read) -> None:
    years = [[("2001", "1,204"), ("2002", "1,377"), ("2003", "1,410")],
             [("2004", "1,522"), ("2005", "1,498"), ("2006", "1,530")],
             [("2007", "1,611"), ("2008", "1,580"), ("2009", "1,633")]]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for y in (720, 700, 520):
            canvas.line(60, y, 300, y)
        for x in (60, 160, 300):
            canvas.line(x, 720, x, 520)
        _write(canvas, 706, [["Year", "Permits"]], (64, 164), 1)
        for group, rows in enumerate(years):
            for r, (year, permits) in enumerate(rows):
                lines(canvas, 64, 686 - 60 * group - 12 * r, [year])
                lines(canvas, 164, 686 - 60 * group - 12 * r, [permits])

    (table,) = _tables(read, pdf(draw))
    assert table[1:] == [list(row) for rows in years for row in rows]


def test_columns_without_rules_between_drawn_groups_of_columns_are_found(read: Read) -> None:
    rows = [["1 July", "Rents of nos. 1 to 6", "R 201", "1,290.00"],
            ["9 July", "Chimney of no. 4", "P 340", "185.00"],
            ["15 July", "Box at the door", "R 202", "64.35"],
            ["22 July", "Insurance", "P 341", "612.80"]]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for r in range(6):
            canvas.line(60, 716 - 16 * r, 500, 716 - 16 * r)
        for x in (60, 400, 500):
            canvas.line(x, 716, x, 636)
        names = ["Date", "Particulars", "Voucher", "Amount"]
        _write(canvas, 704, [names, *rows], (64, 130, 330, 410), 1)

    (table,) = _tables(read, pdf(draw))
    assert table[1:] == rows


def test_a_table_may_number_its_rows(read: Read) -> None:
    rows = [["1.", "CD 118", "Kalunga Millers", "12"], ["2.", "CD 340", "Sefton Boats", "31"],
            ["3.", "CD 355", "Chanda Coaches", "17"], ["4.", "CD 077", "Baobab", "23"]]  # fmt: skip
    data = pdf(lambda canvas: _write(canvas, 700, rows, (60, 120, 220, 400), 0))
    assert _tables(read, data) == [rows]


def test_rules_typed_with_letters_are_rules(read: Read) -> None:
    printout = ["PALOUSE VALLEY TELEPHONE", "-" * 60, "", "--- DETAIL BY LINE " + "-" * 40, "",
                "LINE            SERVICE         GB     AMT",
                "--------------  -------------  ---  ------",
                "(208) 555-6791  Biz Talk         3   42.08",
                "(208) 555-8556  SIM Only        29   15.15",
                "(208) 555-8811  Fibre 500       31   46.87", "", "-" * 60]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Courier", 9)
        for number, line in enumerate(printout):
            canvas.drawString(60, 700 - 11 * number, line)

    result = read(pdf(draw))
    texts = [element.text_representation or "" for element in result.elements]
    assert "DETAIL BY LINE" in texts
    assert not any("--" in text for text in texts)
    (table,) = _tables(read, pdf(draw))
    assert table[1:] == [["(208) 555-6791", "Biz Talk", "3", "42.08"],
                         ["(208) 555-8556", "SIM Only", "29", "15.15"],
                         ["(208) 555-8811", "Fibre 500", "31", "46.87"]]  # fmt: skip


def test_parts_of_a_printout_between_two_rules_are_no_table(read: Read) -> None:
    parts = [["TICKET NO      456614", "CUSTOMER       St Winifred"],
             ["27560 KG GROSS   11540 KG TARE"], ["MOVEMENT   IN"],
             ["TIME IN    07:24", "TIME OUT   09:02"]]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Courier", 9)
        printout = ["-" * 60, "", *(line for part in parts for line in [*part, ""]), "-" * 60]
        for number, line in enumerate(printout):
            canvas.drawString(60, 700 - 11 * number, line)

    assert all(len(rows) < 4 for rows in _tables(read, pdf(draw)))
