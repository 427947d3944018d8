"""A table of a document as a frame: header rows become names, spans are filled in, cells typed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backend.contract.documents import Document
from backend.contract.elements import Table
from workbench.frames.cells import column_of
from workbench.frames.columns import inferred, table_of
from workbench.frames.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa


class TableFrame(Frame):
    """A table of a document with the columns it has on the page.

    Header rows become column names (several are joined by ` / `); a cell that spans fills each
    place it covers. Columns without a header are called `column_1` and so on, equal names get
    numbers. A column in which every cell is a number or a date has that type; the unit of its
    numbers, where they all have the same, goes into its name (`Share (%)`). `as_text` gives the
    cells as they stand on the page.
    """

    def __init__(self, table: Table, page: int | None = None, *, typed: bool = True) -> None:
        self.table = table
        self.page = page
        self.typed = typed

    def as_text(self) -> "TableFrame":
        """The same table with all values as the texts that stand on the page."""
        return TableFrame(self.table, self.page, typed=False)

    def __len__(self) -> int:
        return self.table.num_rows - len(self._header_rows())

    def __repr__(self) -> str:
        place = f" on page {self.page}" if self.page else ""
        title = f" {self.table.caption!r}" if self.table.caption else ""
        return f"TableFrame({len(self)} x {self.table.num_cols}{place}{title})"

    def _table(self) -> "pa.Table":
        grid = self._grid()
        headers = self._header_rows()
        body = [row for number, row in enumerate(grid) if number not in headers]
        heads = [grid[number] for number in sorted(headers)]
        places = range(self.table.num_cols)
        names = [_joined(head[place] for head in heads) for place in places]
        texts = [[row[place] for row in body] for place in places]
        if not self.typed:
            named = zip(_distinct(names), texts, strict=True)
            return table_of({name: inferred(column) for name, column in named})
        columns = [column_of(column) for column in texts]
        units = [column.unit for column in columns]
        titles = [_with_unit(name, unit) for name, unit in zip(names, units, strict=True)]
        named_columns = zip(_distinct(titles), columns, strict=True)
        return table_of({name: column.values for name, column in named_columns})

    def _grid(self) -> list[list[str | None]]:
        grid: list[list[str | None]] = [
            [None] * self.table.num_cols for _ in range(self.table.num_rows)
        ]
        for cell in self.table.cells:
            for row in cell.rows:
                for column in cell.cols:
                    grid[row][column] = cell.content
        return grid

    def _header_rows(self) -> set[int]:
        """The rows at the top in which every cell is a header."""
        plain = {row for cell in self.table.cells if not cell.is_header for row in cell.rows}
        marked = {row for cell in self.table.cells if cell.is_header for row in cell.rows}
        headers: set[int] = set()
        for row in range(self.table.num_rows):
            if row in plain or row not in marked:
                break
            headers.add(row)
        return headers


def tables_of(document: Document) -> list[TableFrame]:
    """The tables of a document that was fetched with its original elements."""
    originals: Sequence[Mapping[str, Any]] = document.properties.get("_original_elements") or []
    return [
        TableFrame(
            Table.model_validate(original["table"]),
            (original.get("properties") or {}).get("page_number"),
        )
        for original in originals
        if original.get("table")
    ]


def _joined(parts: Iterator[str | None]) -> str:
    """Header cells of one column from top to bottom, a spanning one once."""
    return " / ".join(dict.fromkeys(part.strip() for part in parts if part and part.strip()))


def _with_unit(name: str, unit: str) -> str:
    return f"{name} ({unit})" if name and unit and unit not in name else name


def _distinct(names: Sequence[str]) -> list[str]:
    used: set[str] = set()
    out: list[str] = []
    for place, name in enumerate(names, 1):
        base = name or f"column_{place}"
        title, number = base, 1
        while title in used:
            number += 1
            title = f"{base}_{number}"
        used.add(title)
        out.append(title)
    return out
