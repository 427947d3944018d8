"""Tables beside each other, and above each other, are separate ones."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read
from tests.backend.partition.samples import pdf

WOMEN = [("1", "Odalys", "Harriers", "12.04"), ("2", "Meg", "City", "12.19"),
         ("3", "Ife", "Westgate", "12.33"), ("4", "Clara", "Harriers", "12.41")]  # fmt: skip
MEN = [("1", "Jonas", "City", "10.88"), ("2", "Leo", "Harriers", "10.95"),
       ("3", "Will", "Westgate", "11.20"), ("4", "Sam", "City", "11.31")]  # fmt: skip
PAY = [("Payments", "Hours", "Amount"), ("Basic pay", "162.50", "1,826.50"),
       ("Overtime", "8.00", "134.88"), ("Holiday pay", "7.50", "84.30")]  # fmt: skip
CUTS = [("Deductions", "Amount"), ("Income tax", "236.20"), ("Insurance", "175.28"),
        ("Pension", "107.03")]  # fmt: skip


def shown(read: Read, data: bytes) -> list[list[list[str]]]:
    """The rows of each table."""
    tables = [one.table for one in read(data).elements if one.table is not None]
    return [
        [
            [cell.content for cell in table.cells if cell.rows[0] == row]
            for row in range(table.num_rows)
        ]
        for table in tables
    ]


def place(canvas: Canvas, xs: list[int], y: int, rows: list[tuple[str, ...]]) -> None:
    for at, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            canvas.drawString(x, y - 16 * at, text)


def test_a_table_that_repeats_the_columns_of_another_beside_it_is_separate(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        place(canvas, [60, 80, 160, 250], 700, WOMEN)
        place(canvas, [330, 350, 430, 520], 700, MEN)

    assert shown(read, pdf(draw)) == [[list(r) for r in WOMEN], [list(r) for r in MEN]]


def test_shadings_that_end_at_one_gutter_separate_two_tables(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillGray(0.9)
        canvas.rect(56, 696, 254, 14, stroke=0, fill=1)
        canvas.rect(330, 696, 220, 14, stroke=0, fill=1)
        canvas.setFillGray(0)
        place(canvas, [60, 160, 250], 700, PAY)
        place(canvas, [334, 500], 700, CUTS)

    assert shown(read, pdf(draw)) == [[list(r) for r in PAY], [list(r) for r in CUTS]]


def test_rows_farther_apart_with_more_columns_are_another_table(read: Read) -> None:
    seats = [("Bill to", "Ship to"), ("Boris Drexler", "Yusuf Petrov"),
             ("Quartz Bakery", "Bluepeak Foods"), ("386 Park Row", "94 Elm Court")]  # fmt: skip
    items = [("No.", "Article", "Quantity", "Price"), ("1", "Garden hose", "21", "391.82"),
             ("2", "Wall paint", "47", "74.73"), ("3", "Sun hat", "15", "12.50")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        place(canvas, [60, 330], 700, seats)
        place(canvas, [60, 90, 300, 420], 700 - 16 * 3 - 26, items)

    assert [list(row) for row in items] in shown(read, pdf(draw))


def test_lines_of_a_tax_form_are_rows_where_only_the_amounts_are_ruled(read: Read) -> None:
    lines = [("Wages and tips", "41,880"), ("Interest", "312"), ("Dividends", "96"),
             ("Total income", "42,288")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.rect(60, 700 - 4 * 24, 400, 4 * 24)
        canvas.line(360, 700, 360, 700 - 4 * 24)
        for row, (label, amount) in enumerate(lines):
            canvas.drawString(70, 684 - 24 * row, label)
            canvas.drawRightString(450, 684 - 24 * row, amount)
            canvas.line(360, 700 - 24 * row, 460, 700 - 24 * row)

    assert shown(read, pdf(draw)) == [[list(line) for line in lines]]
