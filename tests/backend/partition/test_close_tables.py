"""Tables close below other things, and tables whose rules are dashed."""

from backend.partition.page import Rect, Rule, Style, Word
from backend.partition.tables.aligned import parts_of
from backend.partition.tables.columns import find_columns
from backend.partition.tables.rulings import without_dashes

PARTIES = (
    ("Eastgate Partners of Northam", "Cobalt Solutions and Company", "Meridian Technologies Ltd."),
    ("190 Oak Avenue, East Gate", "103 Harbour Drive, Gate 4", "14 Station Road, third floor"),
    ("Foxbury, New South Wales 14911", "Wrenfield 72033, Northam", "Castlemere 94214, Sales"),
    ("Room 12 on the second floor", "The stores, behind the yard", "Room 7, by appointment"),
    ("Telephone 555 0149 11", "Telephone 555 0172 03", "Telephone 555 0194 21"),
)
ITEMS = (
    ("Line", "Part", "Description", "Qty", "Unit", "Cost"),
    ("10", "K-71", "Cable for the annual plan", "7", "EA", "190.12"),
    ("20", "K-72", "Bolts that fit the left wheel", "12", "EA", "88.40"),
    ("30", "K-73", "Bread", "40", "EA", "31.00"),
)


def row(texts: tuple[str, ...], places: tuple[float, ...], top: float) -> list[Word]:
    """A line of words without blanks in them, five points for each letter."""
    style = Style(10.0, "Helvetica")
    return [
        Word(text, Rect(x, top, x + 5 * len(text), top + 10), style)
        for text, x in zip(texts, places, strict=True)
    ]


def drawn(at: float, start: float, lengths: list[float], apart: float) -> list[Rule]:
    out = []
    for length in lengths:
        out.append(Rule(True, at, start, start + length))
        start += length + apart
    return out


def test_a_table_close_below_addresses_is_parted_from_them_and_keeps_its_columns() -> None:
    above = [row(texts, (60, 220, 380), 100 + 12 * at) for at, texts in enumerate(PARTIES)]
    below = [
        row(texts, (60, 110, 170, 340, 390, 440), 178 + 16 * at) for at, texts in enumerate(ITEMS)
    ]
    run = [word for line in above + below for word in line]
    parts = [{word.text for word in part} for part in parts_of(run)]
    assert parts == [
        {text for texts in PARTIES for text in texts},
        {text for texts in ITEMS for text in texts},
    ]


def test_rows_of_the_same_columns_are_not_parted_at_their_widest_white_space() -> None:
    lines = [row(texts, (60, 110, 170, 340, 390, 440), 100 + 16 * at + 9 * (at > 2))
             for at, texts in enumerate(ITEMS + ITEMS[1:])]  # fmt: skip
    parts = parts_of([word for line in lines for word in line])
    assert not any({word.text for word in part} == {*ITEMS[1]} for part in parts)
    assert all(len({word.box.y0 for word in part}) == len(lines) for part in parts)


def test_the_dashes_of_a_line_are_one_rule_and_lines_apart_stay_apart() -> None:
    dotted, dashed = drawn(50, 60, [0.7] * 200, 0.8), drawn(80, 60, [3] * 90, 2.5)
    whole = [Rule(True, 110, 60, 400), Rule(False, 60, 50, 110)]
    apart = drawn(50, 420, [0.7] * 10, 0.8)
    found = without_dashes([*dashed, *whole, *apart, *dotted])
    ends = sorted((rule.at, rule.start, round(rule.end, 1)) for rule in found if rule.horizontal)
    assert ends == [(50, 60, 359.2), (50, 420, 434.2), (80, 60, 552.5), (110, 60, 400)]
    assert whole[1] in found


def test_numbers_close_before_their_items_are_a_column_and_numbers_of_houses_are_not() -> None:
    names = ["Planks", "Hinges", "Lacquer", "Discs", "Glue", "Nails", "Rope"]
    items = [
        row((str(at + 8), name, "4.50"), (75 - 5 * len(str(at + 8)), 79, 200), 100 + 14 * at)
        for at, name in enumerate(names)
    ]
    streets = [
        row((str(at + 8), name, "4.50"), (60, 64 + 5 * len(str(at + 8)), 200), 100 + 14 * at)
        for at, name in enumerate(names)
    ]
    counts = [
        columns and columns.count
        for columns in (find_columns(items, 10.0), find_columns(streets, 10.0))
    ]
    assert counts == [3, 2]
