"""Tables that continue across a page break are one table; neighbours that differ stay apart."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf

HEAD = ["City", "People", "Area"]
FIRST = [["Oslo", "700,000", "454"], ["Rome", "2,800,000", "1,285"], ["Bern", "134,000", "52"]]
LATER = [["Paris", "2,100,000", "105"], ["Vienna", "2,000,000", "415"]]


def grid(canvas: Canvas, top: float, rows: list[list[str]], left: float = 100) -> None:
    sides = [left + 100 * column for column in range(4)]
    canvas.grid(sides, [top - 20 * number for number in range(len(rows) + 1)])
    canvas.setFont("Helvetica", 10)
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(left + 5 + 100 * column, top - 14 - 20 * number, text)


def ends_with(rows: list[list[str]]):  # type: ignore[no-untyped-def]
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 760, ["Some prose stands above the table of the first page here."])
        grid(canvas, 40 + 20 * len(rows) + 40, rows)
        lines(canvas, 300, 30, ["1"], 9)

    return draw


def begins_with(rows: list[list[str]], left: float = 100):  # type: ignore[no-untyped-def]
    def draw(canvas: Canvas) -> None:
        grid(canvas, 760, rows, left)
        lines(canvas, 60, 500, ["And prose goes on below the table of the second page."])
        lines(canvas, 300, 30, ["2"], 9)

    return draw


def test_a_repeated_head_is_left_out_of_the_joined_table(read: Read) -> None:
    elements = read(pdf(ends_with([HEAD, *FIRST]), begins_with([HEAD, *LATER]))).elements
    tables = [element for element in elements if element.table]
    assert len(tables) == 1 and tables[0].table is not None
    assert tables[0].properties["pages"] == [1, 2]
    assert tables[0].table.num_rows == 6
    assert [cell.content for cell in tables[0].table.cells][12:15] == LATER[0]
    assert tables[0].table.cells[12].properties == {"page_number": 2}


def test_similar_rows_after_a_page_break_continue_without_a_header(read: Read) -> None:
    elements = read(pdf(ends_with([HEAD, *FIRST]), begins_with(LATER))).elements
    assert [element.table.num_rows for element in elements if element.table] == [6]


def test_a_table_with_another_head_is_another_table(read: Read) -> None:
    other = [["Town", "Rain", "Sun"], *LATER]
    elements = read(pdf(ends_with([HEAD, *FIRST]), begins_with(other))).elements
    assert [element.table.num_rows for element in elements if element.table] == [4, 3]


def test_a_table_with_its_columns_elsewhere_is_another_table(read: Read) -> None:
    elements = read(pdf(ends_with([HEAD, *FIRST]), begins_with([HEAD, *LATER], left=160))).elements
    assert len([element for element in elements if element.table]) == 2


def test_prose_between_them_keeps_tables_apart(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 720, ["Prose comes first on this page,", "then another table."])
        grid(canvas, 660, [HEAD, *LATER])

    elements = read(pdf(ends_with([HEAD, *FIRST]), draw)).elements
    assert len([element for element in elements if element.table]) == 2
