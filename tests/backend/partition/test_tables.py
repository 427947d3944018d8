"""Tables are found from rules, from pieces of rules and from white gutters, with their spans."""

from reportlab.pdfgen.canvas import Canvas

from backend.partition import Partition, to_markdown
from tests.backend.partition.conftest import Read, lines, pdf
from workbench.contract.elements import Table
from workbench.contract.partition_options import MarkdownOptions

ROWS = [["City", "People", "Area"], ["Oslo", "700,000", "454"], ["Rome", "2,800,000", "1,285"]]


def table_of(result: Partition) -> Table:
    tables = [element.table for element in result.elements if element.type == "table"]
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


def test_columns_need_no_vertical_rules(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for y in (620, 600, 555):
            canvas.line(100, y, 400, y)
        write(canvas, ROWS)

    assert texts(table_of(read(pdf(draw)))) == ROWS


def test_rules_painted_cell_by_cell_give_the_columns(read: Read) -> None:
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


def test_two_columns_of_prose_are_not_a_table(read: Read) -> None:
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

    partition = read(pdf(draw))
    assert [element.type for element in partition.elements] == ["Caption", "table"]
    assert partition.elements[1].properties["title"] == "Table 1. Two cities"


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

    elements = read(pdf(draw)).elements
    kinds = [element.type for element in elements]
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


def test_the_head_above_the_first_rule_belongs_to_the_table(read: Read) -> None:
    """Invoices often have one line below the head and one below each row, drawn cell by cell."""

    def draw(canvas: Canvas) -> None:
        edges = [100, 260, 300, 350, 410]
        rows = [["Thing", "Qty", "Unit price", "Amount"], ["Rope", "4", "88.50", "354.00"]]
        rows += [["Shackle", "12", "14.20", "170.40"], ["Fender", "6", "52.00", "312.00"]]
        canvas.setFont("Helvetica", 9.5)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                canvas.drawRightString(edges[c + 1] - 3, 606 - 20 * r, text)
                canvas.line(edges[c], 600 - 20 * r, edges[c + 1], 600 - 20 * r)

    table = table_of(read(pdf(draw)))
    assert texts(table)[0] == ["Thing", "Qty", "Unit price", "Amount"]
    assert table.num_rows == 4


def test_shaded_bars_over_parts_of_a_form_make_no_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for part in range(3):
            y = 700 - 120 * part
            canvas.setFillGray(0.2)
            canvas.rect(80, y - 4, 430, 16, stroke=0, fill=1)
            canvas.setFillGray(1)
            lines(canvas, 84, y, [f"{part + 1}. Part of the form"], 11)
            canvas.setFillGray(0)
            lines(canvas, 84, y - 30, ["Name and address"], 9)
            lines(canvas, 300, y - 30, ["Postcode"], 9)
            lines(canvas, 84, y - 60, ["I declare that the above is right and true to my word."], 9)

    assert "table" not in [element.type for element in read(pdf(draw)).elements]


def test_values_beside_the_middle_of_a_wrapped_label_are_one_row(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        rows = [("Revenue", "14,210", "13,006"), ("Cost of sales", "8,113", "7,940")]
        more = [("Other income", "88", "92"), ("Profit", "3,981", "2,947")]
        y = 700.0
        for label, *values in [*rows, ("", "2,204", "2,119"), *more]:
            if not label:
                wrapped = ["Administrative expenses, including depreciation", "of assets in use"]
                lines(canvas, 80, y + 6, wrapped)
            lines(canvas, 80, y, [label])
            for x, value in zip((360, 430), values, strict=True):
                canvas.drawRightString(x, y, value)
            y -= 30 if not label else 18 if label != "Cost of sales" else 30

    table = table_of(read(pdf(draw)))
    assert table.num_rows == 5
    assert texts(table)[2][0].endswith("of assets in use")
    assert texts(table)[2][-1] == "2,119"


def test_turned_heads_of_narrow_columns_are_in_their_cells(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.grid([100, 130, 160, 190], [700, 620, 600, 580])
        canvas.setFont("Helvetica", 9)
        for column, text in enumerate(("Cylinders", "Gears", "Doors")):
            canvas.saveState()
            canvas.translate(118 + 30 * column, 630)
            canvas.rotate(90)
            canvas.drawString(0, 0, text)
            canvas.restoreState()
            for row in range(2):
                canvas.drawString(110 + 30 * column, 606 - 20 * row, str(4 + row + column))
        lines(canvas, 100, 500, ["Some more text on this page, so that most of it is upright."] * 3)

    assert texts(table_of(read(pdf(draw))))[0] == ["Cylinders", "Gears", "Doors"]


def test_lines_on_both_sides_of_one_divider_are_rows(read: Read) -> None:
    """Only a frame and one upright rule are drawn; each line ends long before its border."""
    pairs = [("Name", "Maria"), ("Port", "Vik"), ("Length", "long"), ("Built", "at home")]

    def draw(canvas: Canvas) -> None:
        canvas.rect(60, 600, 300, 90)
        canvas.line(200, 600, 200, 690)
        for number, (name, value) in enumerate(pairs):
            lines(canvas, 66, 672 - 20 * number, [name])
            lines(canvas, 206, 672 - 20 * number, [value])

    (table,) = [e.table for e in read(pdf(draw)).elements if e.type == "table"]
    assert table is not None
    assert [cell.content for cell in table.cells] == [text for pair in pairs for text in pair]


def test_wrapped_text_on_both_sides_of_a_divider_is_one_row(read: Read) -> None:
    left = ["The boats that lie deep", "follow the tide and not", "the wind of the day."]
    right = ["Others follow the wind", "wherever it may blow in", "the summer months."]

    def draw(canvas: Canvas) -> None:
        canvas.rect(60, 640, 240, 50)
        canvas.line(180, 640, 180, 690)
        lines(canvas, 64, 676, left)
        lines(canvas, 184, 676, right)

    (table,) = [e.table for e in read(pdf(draw)).elements if e.type == "table"]
    assert table is not None and (table.num_rows, table.num_cols) == (1, 2)


def test_a_matrix_is_not_a_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 760, ["Let the weather of tomorrow depend on that of today by"])
        lines(canvas, 150, 700, ["A  ="])
        for row in range(3):
            for col in range(3):
                lines(canvas, 190 + 50 * col, 713 - 13 * row, [f"0.{row + col + 1}"])
        lines(canvas, 60, 640, ["where rows stand for the days."])

    assert all(element.type != "table" for element in read(pdf(draw)).elements)


def test_labels_of_upper_tiers_span_the_columns_below_them(read: Read) -> None:
    years = ["2022", "2023", "2022", "2023"]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for y in (630, 584, 530):
            canvas.line(95, y, 420, y)
        for x, text in ((237, "Clay"), (357, "Loam")):
            canvas.drawCentredString(x, 616, text)
        canvas.drawString(100, 604, "Variety")
        for row, texts in enumerate((years, ["10.2", "11.9", "20.4", "21.0"], ["3.1"] * 4)):
            for column, text in enumerate(texts):
                canvas.drawCentredString(207 + 60 * column, 592 - 20 * row, text)
        canvas.drawString(100, 572, "Aldren")
        canvas.drawString(100, 552, "Dorset")

    table = table_of(read(pdf(draw)))
    spans = {cell.content: (cell.rows, cell.cols) for cell in table.cells if cell.is_header}
    assert spans["Variety"] == ([0, 1], [0])
    assert (spans["Clay"], spans["Loam"]) == (([0], [1, 2]), ([0], [3, 4]))
    assert "2022" in spans and table.num_rows == 4


def test_totals_right_of_an_invoice_do_not_split_its_columns(read: Read) -> None:
    rows = [
        ["Item", "Count", "Price", "Amount"],
        ["Slates", "320", "2.85", "912.00"],
        ["Copper nails", "4", "17.40", "69.60"],
        ["Ridge tiles", "14", "9.10", "127.40"],
    ]

    def draw(canvas: Canvas) -> None:
        for at, row in enumerate(rows):
            for x, text in zip((110, 320, 370, 430), row, strict=True):
                canvas.drawRightString(x, 700 - 14 * at, text)
        for at, (label, value) in enumerate([("Goods", "1,109.00"), ("Tax", "221.80")]):
            canvas.drawString(420, 625 - 14 * at, label)
            canvas.drawRightString(550, 625 - 14 * at, value)

    hits = [texts(one.table) for one in read(pdf(draw)).elements if one.table]
    assert hits[0] == rows
