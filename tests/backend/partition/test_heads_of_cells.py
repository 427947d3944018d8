"""The head of a table in an office file, and what a cell says of its number."""

import pytest

from backend.partition.formats.heads import mark_heads
from backend.partition.formats.number_formats import number_format
from tests.backend.partition.conftest import Read
from tests.backend.partition.samples import cell, sheets
from workbench.contract.elements import TableCell

Spans = tuple[str, int, int]


def head_of(*rows: list[str | Spans]) -> int:
    """How many rows are the head of a table whose cells are texts or (text, down, across)."""
    cells: list[TableCell] = []
    claimed: set[tuple[int, int]] = set()
    for number, row in enumerate(rows):
        col = 0
        for reported in row:
            text, down, across = reported if isinstance(reported, tuple) else (reported, 1, 1)
            while (number, col) in claimed:
                col += 1
            claimed |= {(number + i, col + j) for i in range(down) for j in range(across)}
            cells.append(
                TableCell(
                    content=text,
                    rows=list(range(number, number + down)),
                    cols=list(range(col, col + across)),
                )
            )
            col += across
    mark_heads(cells)
    return len({cell.rows[0] for cell in cells if cell.is_header})


def test_the_first_row_is_the_head_of_a_table_that_has_others() -> None:
    assert head_of(["Mill", "Built"], ["Oude Molen", "1744"]) == 1
    assert head_of(["Mill", "Built"]) == 0


def test_a_header_continues_below_cells_that_group_columns() -> None:
    assert head_of([("Mill", 2, 1), ("Flour", 1, 2)], ["rye", "oats"], ["De Roos", "5", "6"]) == 2
    assert head_of(["", ("Flour", 1, 2)], ["Mill", "2021", "2022"], ["De Roos", "5", "6"]) == 2
    assert head_of([("Mills of the coast", 1, 2)], ["Mill", "Built"], ["De Roos", "1820"]) == 2


def test_a_wide_cell_over_values_is_the_whole_head() -> None:
    assert head_of([("Flour", 1, 2), "Price"], ["rye", "fine", "2.5"], ["oats", "raw", "2"]) == 1
    assert head_of(["Mill", ("Words", 1, 2)], ["a", "b", "c"], ["d", "e", "f"]) == 1
    assert head_of([("Mill", 2, 1), "Deep"], ["Shallow"], ["Other", "None"]) == 1


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ("General", 0.1, "0.1"),
        ("0.0%", 0.1667, "16.67%"),
        ("#,##0.00;(#,##0.00)", -1200.5, "-1200.5"),
        ('#,##0.00\\ "kg"', 2.5, "2.5 kg"),
        ("[$€-407] #,##0", 7, "€ 7"),
        ("_-* #,##0.00\\ _€_-", 3, "3"),
        ("00000", 1234, "01234"),
        ("0.00E+00", 12345, "12345"),
        ("# ?/?", 0.5, "0.5"),
    ],
)
def test_a_number_keeps_its_digits_and_gets_the_unit_of_its_format(
    code: str, number: float, shown: str
) -> None:
    assert number_format(code).of(number) == shown


def test_percent_and_currency_of_a_sheet_are_read(read: Read) -> None:
    styles = (
        '<numFmts count="1"><numFmt numFmtId="170" formatCode="&quot;Fr.&quot;\\ 0"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="170"/></cellXfs>'
    )
    rows = '<row><c r="A1" s="1"><v>0.25</v></c><c r="B1" s="2"><v>-4</v></c></row>'
    rows += '<row><c r="A2" s="9"><v>0.5</v></c></row>'
    partition = read(sheets(f"<sheetData>{rows}</sheetData>", styles=styles))
    (table,) = [element.table for element in partition.elements if element.table]
    assert [cell.content for cell in table.cells] == ["25%", "-Fr. 4", "0.5", ""]


def test_an_isolated_merged_line_of_a_sheet_is_text(read: Read) -> None:
    merged = '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>'
    partition = read(sheets(f"<sheetData><row>{cell('A1', 'Mills')}</row></sheetData>{merged}"))
    assert [element.type for element in partition.elements] == ["Section-header", "Text"]
