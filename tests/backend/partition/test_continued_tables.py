"""Parts of a table under one head name the table that has it, or are put into it on request."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_tables import texts
from workbench.contract.elements import Element

ASSETS = [("Cash", "4,210", "3,876"), ("Inventories", "1,905", "1,822"), ("Land", "615", "698")]
DEBTS = [("Payables", "2,120", "1,934"), ("Loans", "801", "722"), ("Deposits", "531", "497")]
MERGED = {"table_extraction_options": {"merge_continued": True}}


def rows(canvas: Canvas, top: float, given: list[tuple[str, ...]], right: float = 420) -> None:
    canvas.setFont("Helvetica", 10)
    for number, (label, *values) in enumerate(given):
        canvas.drawString(60, top - 15 * number, label)
        for column, value in enumerate(values):
            canvas.drawRightString(right + 80 * column, top - 15 * number, value)


def first_part(canvas: Canvas) -> None:
    lines(canvas, 60, 760, ["The notes on the pages that follow are part of this statement, which"])
    lines(canvas, 60, 747, ["was approved by the board in its meeting of the second of March."])
    rows(canvas, 715, [("", "2023", "2022")])
    rows(canvas, 700, ASSETS)


def one_page(canvas: Canvas) -> None:
    first_part(canvas)
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(60, 615, "Liabilities")
    lines(canvas, 60, 585, ["In thousands of euro"])
    lines(canvas, 60, 555, ["Falling due within a year"])
    rows(canvas, 520, DEBTS)


def next_page(canvas: Canvas) -> None:
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(60, 720, "Balance sheet (continued)")
    rows(canvas, 690, DEBTS)


def tables(elements: list[Element]) -> list[Element]:
    return [element for element in elements if element.table is not None]


def test_a_part_below_a_title_names_the_table_with_its_head_and_has_its_labels(read: Read) -> None:
    whole, part = tables(read(pdf(one_page)).elements)
    assert part.properties["continued_from"] == {"page_number": 1, "bbox": whole.bbox}
    assert "continued_from" not in whole.properties
    assert part.table is not None and part.table.column_headers == ["", "2023", "2022"]
    assert not any(cell.is_header for cell in part.table.cells)


def test_a_part_on_the_next_page_does_so_too(read: Read) -> None:
    whole, part = tables(read(pdf(first_part, next_page)).elements)
    assert part.properties["continued_from"] == {"page_number": 1, "bbox": whole.bbox}


def test_the_parts_are_one_table_on_request_and_the_titles_between_are_rows(read: Read) -> None:
    subtitles = ["In thousands of euro", "Falling due within a year"]
    for pages, titles in (
        ((one_page,), ["Liabilities", *subtitles]),
        ((first_part, next_page), ["Balance sheet (continued)"]),
    ):
        elements = read(pdf(*pages), **MERGED).elements
        (whole,) = tables(elements)
        assert whole.table is not None
        head, *body = texts(whole.table)
        assert head == ["", "2023", "2022"]
        between = [(title, "", "") for title in titles]
        assert body == [list(row) for row in [*ASSETS, *between, *DEBTS]]
        assert not {e.text_representation for e in elements} & set(titles)


def test_a_table_with_its_own_header_continues_no_other(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        one_page(canvas)
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawRightString(420, 535, "Berths")
        canvas.drawRightString(500, 535, "Boats")

    assert not any("continued_from" in e.properties for e in read(pdf(draw)).elements)


def test_tables_with_values_elsewhere_or_with_prose_between_continue_no_other(read: Read) -> None:
    def elsewhere(canvas: Canvas) -> None:
        first_part(canvas)
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(60, 615, "Liabilities")
        rows(canvas, 580, DEBTS, right=330)

    def prose(canvas: Canvas) -> None:
        first_part(canvas)
        lines(canvas, 60, 610, ["What the harbour owes is shown below, by the order of the board."])
        rows(canvas, 580, DEBTS)

    for draw in (elsewhere, prose):
        assert not any("continued_from" in e.properties for e in read(pdf(draw)).elements)
