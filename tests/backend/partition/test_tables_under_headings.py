"""Tables of one width below each other, each under its own heading."""

from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from backend.partition.page import Rect, Rule, Style, Word
from backend.partition.tables.cellwise import cellwise
from backend.partition.tables.shelf import Shelf
from tests.backend.partition.conftest import Read, pdf

CREWS = [["Crew", "Boat", "Weight"], ["Alder", "Heron", "412"], ["Birch", "Swift", "398"]]
TIMES = [["Heat", "Start", "Finish"], ["One", "10.05", "10.12"], ["Two", "10.40", "10.47"]]


def _ruled(canvas: Canvas, top: float, rows: list[list[str]], places: tuple[float, ...]) -> None:
    """A table with rules above and below its head and at its end, first row at `top`."""
    for y in (top + 13, top - 5, top - 5 - 18 * (len(rows) - 1)):
        canvas.line(60, y, 460, y)
    for r, row in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if r == 0 else "Helvetica", 10)
        for x, text in zip(places, row, strict=True):
            canvas.drawString(x, top - 18 * r, text)


def _headed(bold_size: float, canvas: Canvas) -> None:
    _ruled(canvas, 700, CREWS, (64, 200, 330))
    canvas.setFont("Helvetica-Bold", bold_size)
    canvas.drawString(60, 636, "Times of the day")
    _ruled(canvas, 616, TIMES, (64, 160, 390))


def _shown(read: Read, data: bytes) -> list[str | list[list[str]]]:
    """Texts, and tables as rows of cells."""
    shown: list[str | list[list[str]]] = []
    for element in read(data).elements:
        if element.table is None:
            shown.append(element.text_representation or "")
            continue
        rows: list[list[str]] = [[] for _ in range(element.table.num_rows)]
        for cell in element.table.cells:
            rows[cell.rows[0]].append(cell.content)
        shown.append(rows)
    return shown


def test_a_larger_line_between_rules_of_one_width_is_the_heading_of_a_second_table(
    read: Read,
) -> None:
    data = pdf(lambda canvas: _headed(13, canvas))
    assert _shown(read, data) == [CREWS, "Times of the day", TIMES]


def test_a_larger_line_right_above_a_table_is_no_part_of_its_head(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(64, 715, "Crews")
        for y in (694, 676, 658):
            canvas.line(60, y, 460, y)
        for r, row in enumerate(CREWS):
            canvas.setFont("Helvetica-Bold" if r == 0 else "Helvetica", 10)
            for x, text in zip((64, 200, 330), row, strict=True):
                canvas.drawString(x, 700 - 18 * r, text)

    assert _shown(read, pdf(draw)) == ["Crews", CREWS]


def test_a_bold_line_close_to_the_rules_below_it_is_the_heading_of_a_second_table(
    read: Read,
) -> None:
    data = pdf(lambda canvas: _headed(10, canvas))
    assert _shown(read, data) == [CREWS, "Times of the day", TIMES]


def test_a_bold_line_in_the_middle_of_its_row_is_a_section_of_one_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        rows = [["Port", "Spring", "Autumn"], ["North"], ["Arbon", "12", "11"],
                ["Brielle", "31", "35"], ["South"], ["Calais", "17", "19"],
                ["Dunkirk", "23", "21"]]  # fmt: skip
        canvas.line(60, 714, 460, 714)
        for r, row in enumerate(rows):
            canvas.line(60, 694 - 20 * r, 460, 694 - 20 * r)
            canvas.setFont("Helvetica-Bold" if len(row) == 1 or r == 0 else "Helvetica", 10)
            for x, text in zip((64, 250, 390), row, strict=False):
                canvas.drawString(x, 700.5 - 20 * r, text)

    (table,) = _shown(read, pdf(draw))
    assert [row[0] for row in table] == ["Port", "North", "Arbon", "Brielle", "South", "Calais",
                                         "Dunkirk"]  # fmt: skip


def _pieces(heights: tuple[float, ...], ends: tuple[float, ...]) -> list[Rule]:
    return [Rule(True, y, x0, x1) for y in heights for x0, x1 in pairwise(ends)]


def test_tables_of_one_width_drawn_cell_by_cell_have_columns_of_their_own() -> None:
    tables = [((100.0, 120.0, 160.0), (60.0, 120.0, 200.0, 460.0)),
              ((220.0, 240.0, 280.0), (60.0, 240.0, 300.0, 380.0, 460.0))]  # fmt: skip
    style = Style(9.0, "Helvetica")
    words = [
        Word("Cod", Rect(x0 + 4, y + 4, x1 - 4, y + 13), style)
        for heights, ends in tables
        for y in heights[:2]
        for x0, x1 in pairwise(ends)
    ]
    rules = [rule for table in tables for rule in _pieces(*table)]
    found = cellwise(rules, [], Shelf(words))
    assert [sorted({rule.at for rule in group if not rule.horizontal}) for group in found] == [
        list(ends) for _, ends in tables
    ]


def test_a_label_of_a_head_may_span_a_border_drawn_below_it() -> None:
    ends, style = (60.0, 120.0, 200.0, 300.0, 460.0), Style(9.0, "Helvetica")
    head = [("Port", 64, 84), ("Landings", 150, 240), ("All", 380, 400)]
    words = [Word(text, Rect(x0, 104, x1, 113), style) for text, x0, x1 in head]
    words += [Word("12", Rect(x0 + 4, 124, x0 + 14, 133), style) for x0 in ends[:-1]]
    (group,) = cellwise(_pieces((100.0, 120.0, 160.0), ends), [], Shelf(words))
    assert min(rule.at for rule in group if rule.horizontal) == 100


def test_a_caption_beside_a_line_of_text_begins_no_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        canvas.drawString(60, 780, "Harbour Studies 12 (2022)")
        canvas.drawRightString(520, 780, "81")
        for r, (left, right) in enumerate(
            (
                (
                    "that the mean depth of the channel was found",
                    "Table 2. Depth and width of the three arms of",
                ),
                ("to change with the season. Two surveys a year", "the delta in the wet season."),
            )
        ):
            canvas.drawString(60, 758 - 12 * r, left)
            canvas.drawString(310, 758 - 12 * r, right)

    assert all(isinstance(one, str) for one in _shown(read, pdf(draw)))


def test_clause_numbers_below_headings_stay_with_their_text(read: Read) -> None:
    clauses = ("Rent", "Repair", "Use", "Assignment", "Termination")

    def draw(canvas: Canvas) -> None:
        for at, name in enumerate(clauses):
            y = 740 - 100 * at
            canvas.setFont("Times-Bold", 10.5)
            canvas.drawString(70, y, f"{at + 1}. {name.upper()}")
            canvas.setFont("Times-Roman", 10.5)
            for part in (1, 2):
                canvas.drawString(70, y - 17 - 40 * (part - 1), f"{at + 1}.{part}")
                canvas.drawString(
                    98,
                    y - 17 - 40 * (part - 1),
                    f"The clause on {name.lower()} that nobody may change, number {part}.",
                )

    texts = [one.text_representation for one in read(pdf(draw)).elements]
    for at, name in enumerate(clauses, 1):
        assert f"{at}. {name.upper()}" in texts
        assert f"{at}.1 The clause on {name.lower()} that nobody may change, number 1." in texts


def test_a_short_line_in_italics_right_above_its_text_is_a_block_of_its_own(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for at, name in enumerate(("1.1. Site", "1.2. Surveys", "1.3. Storms")):
            canvas.setFont("Times-Italic", 10)
            canvas.drawString(60, 700 - 60 * at, name)
            canvas.setFont("Times-Roman", 9.5)
            for r in range(3):
                canvas.drawString(
                    60,
                    687 - 60 * at - 11 * r,
                    "the fine sand of the shore moves along the bar with every tide",
                )

    texts = [one.text_representation or "" for one in read(pdf(draw)).elements]
    assert [text for text in texts if text[0] == "1"] == [
        "1.1. Site",
        "1.2. Surveys",
        "1.3. Storms",
    ]


def test_a_label_over_columns_named_by_numbers_covers_them_above_the_label_of_a_group(
    read: Read,
) -> None:
    columns, widths = (64.0, 205.0, 300.0, 395.0), (200.0, 290.0, 380.0, 460.0)

    def draw(canvas: Canvas) -> None:
        for y in (714, 682, 610):
            for x0, x1 in pairwise((60.0, *widths)):
                canvas.line(x0, y, x1, y)
        canvas.line(200, 698, 460, 698)
        canvas.setFont("Helvetica", 10)
        canvas.drawCentredString(335, 702, "Lead time (years)")
        rows = [["Source", "1", "2", "3"], [], ["Alder", "0.2", "0.5", "0.7"],
                ["Birch", "0.4", "0.6", "0.9"], ["Cedar", "0.1", "0.4", "0.8"]]  # fmt: skip
        canvas.drawCentredString(335, 670, "Mean absolute error in per cent")
        for r, row in enumerate(rows):
            for x, text in zip(columns, row, strict=False):
                canvas.drawString(x, 687 - 16 * r, text)

    (table,) = [element.table for element in read(pdf(draw)).elements if element.table]
    heads = {cell.content: (cell.rows, cell.cols) for cell in table.cells if cell.rows[0] < 2}
    assert heads["Lead time (years)"] == ([0], [1, 2, 3])
    assert heads["Source"] == ([0, 1], [0])
