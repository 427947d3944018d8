"""Tables are found from rules, from pieces of rules and from white gutters, with their spans."""

from reportlab.pdfgen.canvas import Canvas

from backend.contract.elements import Table
from backend.contract.partition_options import MarkdownOptions
from backend.partition import Partition, to_markdown
from tests.backend.partition.conftest import Read, lines, pdf

ROWS = [["City", "People", "Area"], ["Oslo", "700,000", "454"], ["Rome", "2,800,000", "1,285"]]


def table_of(found: Partition) -> Table:
    tables = [element.table for element in found.elements if element.type == "table"]
    assert len(tables) == 1 and tables[0] is not None
    return tables[0]


def texts(table: Table) -> list[list[str]]:
    grid = [[""] * table.num_cols for _ in range(table.num_rows)]
    for cell in table.cells:
        grid[cell.rows[0]][cell.cols[0]] = cell.content
    return grid


def write(canvas: Canvas, rows: list[list[str]], step: float = 20) -> None:
    canvas.setFont("Helvetica", 10)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            canvas.drawString(105 + 100 * c, 606 - step * r, text)


def test_a_ruled_grid_keeps_rows_columns_and_header(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.grid([100, 200, 300, 400], [620, 600, 580, 560])
        write(canvas, ROWS)

    table = table_of(read(pdf(draw)))
    assert texts(table) == ROWS
    assert [cell.is_header for cell in table.cells] == [True] * 3 + [False] * 6


def test_a_missing_piece_of_rule_makes_a_cell_span(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for y in (620, 600, 580, 560):
            canvas.line(100, y, 400, y)
        for x in (100, 400):
            canvas.line(x, 560, x, 620)
        for x in (200, 300):
            canvas.line(x, 560, x, 600)
        canvas.setFont("Helvetica", 10)
        canvas.drawCentredString(250, 606, "One head over all three columns")
        write(canvas, [[], *ROWS[1:]])

    table = table_of(read(pdf(draw)))
    assert table.cells[0].cols == [0, 1, 2]
    assert [cell.rows[0] for cell in table.cells] == [0, 1, 1, 1, 2, 2, 2]


def test_columns_are_found_without_vertical_rules(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for y in (620, 600, 555):
            canvas.line(100, y, 400, y)
        write(canvas, ROWS)

    assert texts(table_of(read(pdf(draw)))) == ROWS


def test_rules_painted_cell_by_cell_tell_the_columns(read: Read) -> None:
    rows = [["City", "Remarks", "Area"], ["Oslo", "on the fjord", "454"], ["Rome", "", "1,285"]]

    def draw(canvas: Canvas) -> None:
        for y in (620, 600, 580, 560):
            for start, end in ((100, 200), (200, 300), (300, 400)):
                canvas.line(start, y, end, y)
        write(canvas, rows)

    assert texts(table_of(read(pdf(draw)))) == rows


def test_values_in_line_without_any_rule_are_a_table(read: Read) -> None:
    rows = [*ROWS, ["Paris", "2,100,000", "105"], ["Vienna", "2,000,000", "415"]]
    assert texts(table_of(read(pdf(lambda canvas: write(canvas, rows, 14))))) == rows


def test_two_columns_of_prose_are_no_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for x in (60, 310):
            lines(
                canvas, x, 700, [f"prose that fills the column line by line {n}" for n in range(9)]
            )

    assert all(element.type != "table" for element in read(pdf(draw)).elements)


def test_table_mode_none_leaves_the_structure_out_and_keeps_the_words(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.grid([100, 200, 300, 400], [620, 600, 580, 560])
        write(canvas, ROWS)

    element = read(pdf(draw), table_mode="none").elements[0]
    assert element.wire()["table"] is None
    assert "Oslo 700,000 454" in (element.text_representation or "")


def test_a_caption_becomes_the_title_of_its_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 100, 640, ["Table 1. Two cities"])
        canvas.grid([100, 200, 300, 400], [620, 600, 580, 560])
        write(canvas, ROWS)

    found = read(pdf(draw))
    assert [element.type for element in found.elements] == ["Caption", "table"]
    assert found.elements[1].properties["title"] == "Table 1. Two cities"


def test_tables_without_spans_are_pipes_in_markdown_and_others_html(read: Read) -> None:
    plain = read(b"a,b\n1,2\n3,4\n", "x.csv")
    assert (
        to_markdown(plain.elements, MarkdownOptions())
        == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"
    )
    spanned = read(
        b"<table><tr><th colspan=2>h</th></tr><tr><td>1</td><td>2</td></tr></table>", "x.html"
    )
    assert '<th colspan="2">h</th>' in str(to_markdown(spanned.elements, MarkdownOptions()))


def test_tables_of_one_width_do_not_swallow_the_text_between_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for top in (620, 400):
            for y in (top, top - 20, top - 60):
                canvas.line(100, y, 400, y)
            canvas.setFont("Helvetica", 10)
            for r, row in enumerate(ROWS):
                for c, text in enumerate(row):
                    canvas.drawString(105 + 100 * c, top - 14 - 20 * r, text)
        lines(canvas, 100, 530, ["What happened"], 14)
        lines(
            canvas, 100, 500, ["A line of prose over most of the width of both tables.", "And on."]
        )
        lines(canvas, 100, 440, ["Cities again"])

    found = read(pdf(draw)).elements
    kinds = [element.type for element in found]
    assert kinds.count("table") == 2
    assert kinds[0] == kinds[-1] == "table" and len(kinds) >= 4


def test_a_rule_under_the_running_header_is_not_the_head_of_a_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(100, 760, 400, 760)
        lines(canvas, 100, 720, ["Report on cities"], 16)
        for y in (620, 600, 580, 560):
            canvas.line(100, y, 400, y)
        write(canvas, ROWS)

    assert texts(table_of(read(pdf(draw)))) == ROWS
