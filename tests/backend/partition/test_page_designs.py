"""Newspapers, cards, panels and shaded tables: designs where white space alone misleads."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf

WORDS = "the orchard council met in spring and agreed to plant a hedge along the river by autumn"


def texts(result: object) -> list[str]:
    return [element.text_representation or "" for element in result.elements]  # type: ignore[attr-defined]


def order(result: object, names: list[str]) -> list[str]:
    """The names in the order in which they are read."""
    whole = "\n".join(texts(result))
    return sorted(names, key=whole.index)


def card(canvas: Canvas, x: float, y: float, name: str, *, bold: bool = True) -> None:
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", 11)
    canvas.drawString(x, y, name)
    lines(canvas, x, y - 16, [WORDS[:30], WORDS[30:58], WORDS[58:]], 9)


def test_cards_in_frames_are_read_row_by_row(read: Read) -> None:
    names = ["Mulch", "Store", "Strips", "Night", "Sheep", "Tanks"]

    def draw(canvas: Canvas) -> None:
        for index, name in enumerate(names):
            x, y = 50 + 170 * (index % 3), 700 - 100 * (index // 3)
            canvas.roundRect(x - 8, y - 60, 160, 80, 6)
            card(canvas, x, y, name, bold=False)

    assert order(read(pdf(draw)), names) == names


def test_a_line_below_frames_is_read_after_all_of_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for index, name in enumerate(("Sold", "Water", "Growers")):
            canvas.setFillGray(0.9)
            canvas.rect(50 + 170 * index, 640, 150, 80, stroke=0, fill=1)
            canvas.setFillGray(0)
            card(canvas, 60 + 170 * index, 700, name)
        lines(canvas, 50, 620, ["Source: survey of growers", "More in the annex."], 8)

    names = ["Sold", "Water", "Growers", "Source"]
    assert order(read(pdf(draw)), names) == names


def test_entries_with_level_headings_are_read_row_by_row(read: Read) -> None:
    names = ["Aldren", "Brisk", "Cox", "Dorset"]

    def draw(canvas: Canvas) -> None:
        for index, name in enumerate(names):
            card(canvas, 60 + 250 * (index % 2), 700 - 90 * (index // 2), name)

    assert order(read(pdf(draw)), names) == names


def test_columns_that_change_down_the_page_are_read_part_by_part(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for column, name in enumerate(("first", "second")):
            lines(canvas, 50 + 260 * column, 780, [f"{name} {WORDS[:40]}"] * 20)
        for column, name in enumerate(("left", "middle", "right")):
            lines(canvas, 50 + 172 * column, 480, [f"{name} {WORDS[:22]}"] * 12)

    names = ["first", "second", "left", "middle", "right"]
    partition = read(pdf(draw))
    assert order(partition, names) == names
    assert [text.split()[0] for text in texts(partition)] == names


def test_columns_of_prose_between_rules_are_not_a_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(50, 800, 545, 800)
        canvas.line(50, 560, 545, 560)
        for column in range(3):
            rows = [WORDS[start : start + 30] for start in range(4, 30)][:17]
            lines(canvas, 50 + 170 * column, 780, rows)

    assert "table" not in [element.type for element in read(pdf(draw)).elements]


def test_rows_below_a_shaded_head_belong_to_its_table(read: Read) -> None:
    rows = [["Serving", "Amount", "Share"], ["Energy", "410", "21"], ["Sugar", "44", "49"]]

    def draw(canvas: Canvas) -> None:
        canvas.setFillGray(0.85)
        for column in range(3):
            canvas.rect(100 + 90 * column, 694, 90, 20, stroke=0, fill=1)
        canvas.setFillGray(0)
        canvas.setFont("Helvetica", 10)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                canvas.drawString(106 + 90 * c, 700 - 20 * r, text)

    table = read(pdf(draw)).elements[0].table
    assert table is not None
    assert [cell.content for cell in table.cells] == [text for row in rows for text in row]


def rows_at(canvas: Canvas, x: float, y: float, rows: list[list[str]], step: float = 16) -> None:
    canvas.setFont("Helvetica", 10)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            canvas.drawString(x + 90 * c, y - step * r, text)


HOURS = [["April", "10–17"], ["July", "9–19"], ["October", "10–16"], ["March", "12–15"]]


def test_a_table_without_rules_in_one_column_of_a_page_is_recognized(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 50, 780, [WORDS[start : start + 44] for start in range(30)], 10)
        lines(canvas, 320, 780, [WORDS[start : start + 40] for start in range(5)], 10)
        rows_at(canvas, 320, 690, HOURS)

    tables = [element.table for element in read(pdf(draw)).elements if element.type == "table"]
    assert [[c.content for c in table.cells] for table in tables if table] == [
        HOURS[0] + HOURS[1] + HOURS[2] + HOURS[3]
    ]


def test_a_larger_line_between_two_tables_is_in_neither(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        rows_at(canvas, 60, 780, [["Field", "1,204"], ["Depth", "20"], ["Area", "7"]])
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(60, 729, "Results")
        rows_at(canvas, 60, 710, [["Lead", "31", "low"], ["Zinc", "12", "low"], ["Iron", "9", "-"]])

    elements = read(pdf(draw)).elements
    assert [element.table is not None for element in elements] == [True, False, True]
    assert elements[1].text_representation == "Results"


def test_addresses_next_to_each_other_are_not_a_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        blocks = ["Sender", "Vale Nursery", "Orchard Way"], ["Goods for", "Hill Farm", "Mill Lane"]
        for column, block in enumerate([*blocks, ["Carrier", "North Line", "Station Road"]]):
            lines(canvas, 60 + 160 * column, 780, block)

    partition = read(pdf(draw))
    assert "table" not in [element.type for element in partition.elements]
    assert (
        order(partition, ["Orchard Way", "Goods for", "Mill Lane", "Carrier"])[0] == "Orchard Way"
    )
