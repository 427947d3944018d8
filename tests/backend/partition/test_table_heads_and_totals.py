"""Heads whose rules are missing, totals below the last rule, and rules that values touch."""

import numpy as np
from reportlab.pdfgen.canvas import Canvas

from backend.partition.page import Rect, Rule, Style, Word
from backend.partition.strokes import rules_in
from backend.partition.tables.ruled import ruled_grid
from backend.partition.tables.shelf import Shelf
from tests.backend.partition.conftest import Read, pdf
from tests.backend.partition.test_tables import table_of, texts

BODY = [
    ["", "tons", "%", "tons", "%"],
    ["Rye", "12", "40", "14", "41"],
    ["Oats", "18", "60", "20", "59"],
]


def test_labels_of_a_ruled_head_without_rules_between_them_span_their_columns(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for y in (640, 620, 600, 580, 560):
            canvas.line(100, y, 400, y)
        for x in (100, 160, 400):
            canvas.line(x, 560, x, 640)
        for x in (220, 280, 340):
            canvas.line(x, 560, x, 620)
        for x, day in ((220, "3/31/2020"), (340, "3/31/2021")):
            canvas.drawCentredString(x, 626, day)
        for r, row in enumerate(BODY):
            for c, text in enumerate(row):
                canvas.drawString(105 + 60 * c, 606 - 20 * r, text)

    table = table_of(read(pdf(draw)))
    assert [(cell.content, cell.cols) for cell in table.cells if cell.rows[0] == 0][-2:] == [
        ("3/31/2020", [1, 2]),
        ("3/31/2021", [3, 4]),
    ]


def _open_table(head: list[list[tuple[float, str]]], canvas: Canvas) -> None:
    """A table with three rules: the lines of its head as (place, text), then rows of values."""
    canvas.setFont("Helvetica", 10)
    for y in (714, 709 - 14 * len(head), 604 - 14 * len(head)):
        canvas.line(95, y, 460, y)
    for r, line in enumerate(head):
        for x, text in line:
            canvas.drawString(x, 700 - 14 * r, text)
    for r, name in enumerate(("Barley", "Clover", "Maize", "Rye", "Oats", "Hops")):
        y = 690 - 14 * len(head) - 16 * r
        canvas.drawString(100, y, name)
        for c in range(4):
            canvas.drawRightString(240 + 70 * c, y, f"{37 * (r + 2) + 11 * c}")


_LOW = [(100, "Crop"), (210, "Tons"), (280, "Rank"), (350, "Tons"), (420, "Rank")]
_GROUPS = [(210, "Plan"), (350, "Outcome")]


def _spans(read: Read, *head: list[tuple[float, str]]) -> dict[str, tuple[list[int], list[int]]]:
    """Rows and columns of each label above the lowest line of a head."""
    table = table_of(read(pdf(lambda canvas: _open_table([*head, _LOW], canvas))))
    places = {cell.content: (cell.rows, cell.cols) for cell in table.cells}
    return {text: places.get(text, ([], [])) for line in head for _, text in line}


def test_labels_at_the_left_of_their_columns_span_those_whose_own_labels_repeat(read: Read) -> None:
    assert _spans(read, _GROUPS) == {"Plan": ([0], [1, 2]), "Outcome": ([0], [3, 4])}


def test_a_label_alone_in_its_line_spans_all_groups_if_it_begins_with_the_first(read: Read) -> None:
    assert _spans(read, [(210, "All holdings")], _GROUPS) == {
        "All holdings": ([0], [1, 2, 3, 4]),
        "Plan": ([1], [1, 2]),
        "Outcome": ([1], [3, 4]),
    }


def test_a_centred_label_over_a_group_spans_the_groups_and_not_the_column_in_the_middle(
    read: Read,
) -> None:
    head = [[(278, "All holdings")], [(100, "Crop"), *_GROUPS]]
    assert _spans(read, *head)["All holdings"] == ([0], [1, 2, 3, 4])


def test_the_first_line_of_a_broken_label_is_not_a_group(read: Read) -> None:
    low = [(100, "Crop"), (210, "graduate"), (280, "Rank"), (350, "graduate"), (420, "Rank")]
    head = [[(210, "Under-"), (350, "Under-")], low]
    table = table_of(read(pdf(lambda canvas: _open_table(head, canvas))))
    assert {len(cell.cols) for cell in table.cells if cell.rows[0] < 2} == {1}


def test_a_total_below_the_last_rule_is_a_row_of_the_table(read: Read) -> None:
    rows = [["Item", "2021", "2022"], ["Rents", "1,200", "1,350"], ["Fees", "300", "(80)"]]
    total = ["Net", "1,500", "1,270"]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.setFillGray(0.8)
        canvas.rect(95, 598, 305, 20, stroke=0, fill=1)
        canvas.setFillGray(0)
        for r, row in enumerate([*rows, total]):
            for c, text in enumerate(row):
                canvas.drawString(100 + 110 * c, 604 - 18 * r, text)
        canvas.line(95, 562, 400, 562)
        canvas.drawString(100, 500, "The words below are a paragraph of their own, not a row.")

    partition = read(pdf(draw))
    assert texts(table_of(partition)) == [*rows, total]
    assert partition.elements[-1].type == "Text"


def test_upright_rules_of_a_scan_are_whole_where_values_touch_them() -> None:
    page = np.full((1600, 1200, 3), 255, np.uint8)
    words: list[Rect] = []
    for row in range(8):
        y = 200 + 24 * row
        page[y - 1 : y + 1, 100:700] = 0
        if row < 7:
            words += [Rect(110, y, 302, y + 24), Rect(330, y, 502, y + 24)]
    for x in (100, 300, 500, 700):
        page[200 : 200 + 24 * 7, x - 1 : x + 1] = 0
    rules = rules_in(page, words)
    long = [rule for rule in rules if rule.end - rule.start > 160]
    upright = {round(rule.at / 100) for rule in long if not rule.horizontal}
    assert upright == {1, 3, 5, 7}
    level = {round((rule.at - 200) / 24) for rule in rules if rule.horizontal}
    assert level == set(range(8))


def test_the_cells_of_a_scanned_row_between_two_rules_need_not_be_level() -> None:
    """Sizes read from pictures differ, and with them the heights of words."""
    rows = [("Rye", "in May", "t/ha", "12", "40"), ("Oats", "in June", "t/ha", "18", "60")]
    rules = [Rule(True, 100.0 + 20 * r, 60, 460) for r in range(3)]
    rules += [Rule(False, 60.0 + 80 * c, 100, 140) for c in range(6)]
    words = []
    for r, row in enumerate(rows):
        for c, (text, offset) in enumerate(zip(row, (7, 7, 1, 7, 1), strict=True)):
            x, y = 66.0 + 80 * c, 100.0 + 20 * r + offset
            words.append(Word(text, Rect(x, y, x + 20, y + 9), Style(9.0, "ocr")))
    grid = ruled_grid(rules, Shelf(words))
    assert grid is not None
    assert [[cell.text for cell in row] for row in grid.by_row()] == [list(row) for row in rows]


def test_subtotals_without_labels_belong_to_the_rows_around_them(read: Read) -> None:
    """Their rules only cover the columns of values, which have labels to their left."""

    def draw(canvas: Canvas) -> None:
        rows = ["Larch 310 295", "Elm 85 90", " 395 385", "Glue 40 35", "Nails 15 20",
                "Hinges 21 19", " 76 74", "Sum 471 459"]  # fmt: skip
        canvas.setFont("Helvetica", 10)
        for r, row in enumerate(rows):
            y = 700 - 16 * r
            label, this, last = row.split(" ")
            canvas.drawString(70, y, label)
            for x, value in ((360, this), (450, last)):
                canvas.drawRightString(x, y, value)
            if not label or r == 7:
                canvas.line(310, y + 12, 450, y + 12)

    rows = texts(table_of(read(pdf(draw))))
    assert [row[0] for row in rows] == ["Larch", "Elm", "", "Glue", "Nails", "Hinges", "", "Sum"]
    assert [row[-1] for row in rows][-1] == "459"
