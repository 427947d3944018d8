"""Dark bars of scans: titles are headings between tables, heads are rows of their table."""

from collections.abc import Sequence

from reportlab.lib.colors import black, darkblue, white
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read
from tests.backend.partition.test_scan import png, shown


def bar(canvas: Canvas, y: float, texts: Sequence[str]) -> None:
    """A dark bar with light letters, spread over the width of the page."""
    canvas.setFillColor(darkblue)
    canvas.rect(40, y, 340, 15, stroke=0, fill=1)
    canvas.setFillColor(white)
    canvas.setFont("Helvetica-Bold", 9)
    for column, text in enumerate(texts):
        canvas.drawString(46 + 170 * column, y + 4, text)
    canvas.setFillColor(black)
    canvas.setFont("Helvetica", 9)


def boxes(canvas: Canvas, y: float, texts: Sequence[str]) -> None:
    """Two boxes with a label and a value each."""
    canvas.rect(40, y, 170, 40)
    canvas.rect(210, y, 170, 40)
    for column in (0, 1):
        canvas.drawString(46 + 170 * column, y + 28, texts[2 * column])
        canvas.drawString(46 + 170 * column, y + 8, texts[2 * column + 1])


def test_the_titles_of_a_scanned_form_separate_its_tables(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for y, title, texts in (
            (205, "1 HOLDER", ("Surname", "Hollister", "Town", "Larkham")),
            (150, "2 VEHICLE", ("Make", "Subaru", "Year", "2017")),
        ):
            bar(canvas, y + 40, [title])
            boxes(canvas, y, texts)

    elements = read(png(shown(draw, scale=2.8)), "a.png").elements
    texts = [
        [" ".join(cell.content.split()) for cell in one.table.cells]
        if one.table
        else one.text_representation
        for one in elements
    ]
    assert texts == [
        "1 HOLDER", ["Surname Hollister", "Town Larkham"],
        "2 VEHICLE", ["Make Subaru", "Year 2017"],
    ]  # fmt: skip


def test_a_dark_head_of_a_scanned_table_stays_with_its_rows(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        bar(canvas, 245, ["Station", "Level"])
        for row, (name, level) in enumerate((("Weir", "88"), ("Mill", "7"), ("Bridge", "41"))):
            y = 225 - 20 * row
            canvas.rect(40, y, 170, 20)
            canvas.rect(210, y, 170, 20)
            canvas.drawString(46, y + 6, name)
            canvas.drawString(216, y + 6, level)

    (table,) = [e.table for e in read(png(shown(draw, scale=2.8)), "a.png").elements if e.table]
    assert [cell.content for cell in table.cells if cell.content][:2] == ["Station", "Level"]
    assert table.num_rows == 4 and table.cells[0].is_header
