"""Cells that are far apart: no word is lost, and blank cells between them cost nothing."""

import pytest

from tests.backend.partition.conftest import Read
from tests.reliability.growing_documents import sheet_row, xlsx

_CELLS = [(number * 7 % 16_001, number * 31 % 16_007) for number in range(16_000)]


def _xlsx() -> bytes:
    rows: dict[int, list[int]] = {}
    for row, col in _CELLS:
        rows.setdefault(row, []).append(col)
    return xlsx("".join(sheet_row(row, sorted(cols)) for row, cols in sorted(rows.items())))


def _sylk() -> bytes:
    cells = (f'C;Y{row + 1};X{col + 1};K"x{row}"\r\n' for row, col in _CELLS)
    return f"ID;PX\r\n{''.join(cells)}E\r\n".encode()


@pytest.mark.parametrize(("name", "data"), [("a.xlsx", _xlsx()), ("a.slk", _sylk())])
def test_scattered_cells_are_lines_of_text_without_blank_cells(
    read: Read, name: str, data: bytes
) -> None:
    result = read(data, name)
    words = " ".join(one.text_representation or "" for one in result.elements).split()
    assert {f"x{row}" for row, _ in _CELLS} <= set(words)
    assert not any(one.type == "table" for one in result.elements)
    assert any("far apart" in note for note in result.notes)


def test_a_large_table_with_some_blank_cells_stays_a_table(read: Read) -> None:
    rows = "".join(sheet_row(row, list(range(row % 4, 30, 4))) for row in range(1_000))
    result = read(xlsx(rows), "a.xlsx")
    (table,) = [one.table for one in result.elements if one.table is not None]
    assert (table.num_rows, table.num_cols) == (1_000, 30)


def test_a_cell_that_two_tables_reach_around_is_in_one_of_them(read: Read) -> None:
    shape = ("xx.x", "x.x.", ".xxx")
    places = [(row, col) for row, line in enumerate(shape) for col in range(4) if line[col] == "x"]
    cells = (f"C;Y{row + 1};X{col + 1};K{row}{col}\r\n" for row, col in places)
    result = read(f"ID;PX\r\n{''.join(cells)}E\r\n".encode(), "a.slk")
    (table,) = [one.table for one in result.elements if one.table is not None]
    assert [cell.content for cell in table.cells if cell.content] == [
        f"{10 * row + col}" for row, col in places
    ]
