"""XLSX files that Excel would not write so: every cell is read, or a remark says what is not."""

from backend.partition import Partition
from tests.backend.partition.conftest import Read
from tests.backend.partition.samples import sheets


def grids(result: Partition) -> list[list[tuple[int, int, str]]]:
    """Of each table the row, the column and the text of its filled cells."""
    return [
        [(cell.rows[0], cell.cols[0], cell.content) for cell in e.table.cells if cell.content]
        for e in result.elements
        if e.table is not None
    ]


def word(text: str, reference: str | None = None) -> str:
    """A cell with a text."""
    place = "" if reference is None else f' r="{reference}"'
    return f'<c{place} t="inlineStr"><is><t>{text}</t></is></c>'


def row(*cells: str) -> str:
    return f"<row>{''.join(cells)}</row>"


def sheet(*rows: str) -> bytes:
    return sheets(f"<sheetData>{''.join(rows)}</sheetData>")


def test_rows_and_cells_without_references_follow_one_another(read: Read) -> None:
    head = row(word("port"), word("land"), word("ships"))
    (grid,) = grids(read(sheet(head, row(word("Kiel"), "<c/>", "<c><v>12</v></c>"))))
    assert grid == [(0, 0, "port"), (0, 1, "land"), (0, 2, "ships"), (1, 0, "Kiel"), (1, 2, "12")]


def test_cells_without_a_reference_go_on_from_those_with_one(read: Read) -> None:
    rows = row(word("port", "C5"), word("ships")), row(word("12", "D6"), word("large"))
    (grid,) = grids(read(sheet(*rows, row(word("7", "D7")))))
    assert grid == [(0, 0, "port"), (0, 1, "ships"), (1, 1, "12"), (1, 2, "large"), (2, 1, "7")]
