"""A table of a document as a frame: header rows become names, spans are filled in, cells typed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.contract.documents import Document
from workbench.contract.elements import Table
from workbench.frames.cells import column_of
from workbench.frames.columns import inferred, table_of
from workbench.frames.frame import Rows

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Place:
    """The position of a table: its document, page (from 1) and number (from 0)."""

    doc_id: str = ""
    name: str = ""
    page: int | None = None
    number: int = 0


class TableFrame(Rows[Mapping[str, Any]]):
    """A table of a document with the columns it has on the page.

    Header rows become column names (several are joined by ` / `); a spanning cell fills every place
    it covers. Columns without a header are called `column_1` and so on; equal names get numbers. A
    column in which every cell is a number or a date gets that type; a common unit of its numbers
    becomes part of its name (`Share (%)`). Without `strict` a column gets the type of most of its
    cells, and a column `Share (%) as text` has the text of the others. `as_text` returns the cells
    as printed on the page.
    """

    def __init__(
        self,
        table: Table,
        place: Place | None = None,
        *,
        typed: bool = True,
        strict: bool = True,
    ) -> None:
        self.table = table
        self.place = place or Place()
        self.typed = typed
        self.strict = strict
        self._count = table.num_rows - len(self._header_rows())

    def as_text(self) -> "TableFrame":
        """The same table with all values as printed on the page.

        Example: table.as_text().to_polars()
        """
        return TableFrame(self.table, self.place, typed=False)

    @property
    def page(self) -> int | None:
        """The page number, from 1."""
        return self.place.page

    @property
    def caption(self) -> str | None:
        """The text above or below the table."""
        return self.table.caption

    def __len__(self) -> int:
        return self._count

    def _row(self, at: int) -> Mapping[str, Any]:
        row: Mapping[str, Any] = self._data.row(at, named=True)
        return row

    def _cut(self, rows: range) -> None:
        self._count = len(rows)

    def title(self) -> str:
        of = f" of {self.place.name}" if self.place.name else ""
        place = f" on page {self.page}{of}" if self.page else of
        title = f" {self.table.caption!r}" if self.table.caption else ""
        return f"TableFrame({len(self)} x {self.table.num_cols}{place}{title})"

    def _table(self) -> "pl.DataFrame":
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
        columns = [column_of(column, strict=self.strict) for column in texts]
        units = [column.unit for column in columns]
        titles = [_with_unit(name, unit) for name, unit in zip(names, units, strict=True)]
        named_columns: dict[str, pl.Series] = {}
        used = _distinct(titles)
        for name, one in zip(used, columns, strict=True):
            named_columns[name] = one.values
            if one.odd is not None:
                named_columns[_distinct([*used, f"{name} as text"])[-1]] = one.odd
        return table_of(named_columns)

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


def tables_of(document: Document, *, strict: bool = True) -> list[TableFrame]:
    """The tables of a document that was fetched with its original elements."""
    originals: Sequence[Mapping[str, Any]] = document.properties.get("_original_elements") or []
    tables = [original for original in originals if original.get("table")]
    name = str(document.properties.get("path") or document.id)
    return [
        TableFrame(
            Table.model_validate(original["table"]),
            Place(document.id, name, (original.get("properties") or {}).get("page_number"), number),
            strict=strict,
        )
        for number, original in enumerate(tables)
    ]


def tables_by_text(document: Document) -> dict[str, TableFrame]:
    """The same by the text of their element, which stored elements share."""
    originals: Sequence[Mapping[str, Any]] = document.properties.get("_original_elements") or []
    texts = [one.get("text_representation") or "" for one in originals if one.get("table")]
    return dict(zip(texts, tables_of(document), strict=True))


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
