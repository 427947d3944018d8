"""The tables of some documents: as a list, and with all their rows in one frame."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.formats import counted
from workbench.frames.columns import of_type, table_of
from workbench.frames.frame import Rows
from workbench.frames.tables import TableFrame

if TYPE_CHECKING:
    import polars as pl


class Tables(Rows[TableFrame]):
    """The tables, in the order of their documents and pages; `tables[0]` is the first as a frame.

    Columns: doc_id, name, page, table (its number in the document, from 0), caption, rows,
    columns (their names).
    """

    def __init__(self, tables: Sequence[TableFrame]) -> None:
        self._items = list(tables)

    def rows(self) -> "TableRows":
        """The rows of all tables in one frame; columns of the same name are merged.

        Example: docset.tables().rows().to_polars()
        """
        return TableRows(self._items)

    def title(self) -> str:
        documents = len({table.place.doc_id for table in self._items})
        return f"Tables({len(self):,} of {counted(documents, 'document')})"

    def _table(self) -> "pl.DataFrame":
        places = [table.place for table in self._items]
        return table_of(
            {
                "doc_id": of_type([place.doc_id for place in places], "string"),
                "name": of_type([place.name for place in places], "string"),
                "page": of_type([place.page for place in places], "int32"),
                "table": of_type([place.number for place in places], "int32"),
                "caption": of_type([table.caption for table in self._items], "string"),
                "rows": of_type([len(table) for table in self._items], "int64"),
                "columns": of_type([", ".join(table.columns) for table in self._items], "string"),
            }
        )


class TableRows(Rows[dict[str, Any]]):
    """The rows of several tables. Columns: doc_id, name, page, table, then those of the tables.

    A column with different types in different tables is a float if all are numbers, else text. A
    table column named like one of the first four gets the prefix `table `.
    """

    def __init__(self, tables: Sequence[TableFrame]) -> None:
        self._tables = list(tables)
        self._count = sum(map(len, self._tables))

    def __len__(self) -> int:
        return self._count

    def _row(self, at: int) -> dict[str, Any]:
        row: dict[str, Any] = self._data.row(at, named=True)
        return row

    def _cut(self, rows: range) -> None:
        self._count = len(rows)

    def title(self) -> str:
        return f"TableRows({len(self):,} of {counted(len(self._tables), 'table')})"

    def _table(self) -> "pl.DataFrame":
        fixed: dict[str, list[Any]] = {"doc_id": [], "name": [], "page": [], "table": []}
        for table in self._tables:
            place, count = table.place, len(table)
            values = (place.doc_id, place.name, place.page, place.number)
            for column, value in zip(fixed.values(), values, strict=True):
                column += [value] * count
        names = dict.fromkeys(name for table in self._tables for name in table.columns)
        columns = {
            name: of_type(values, "int32" if name in ("page", "table") else "string")
            for name, values in fixed.items()
        }
        for name in names:
            title = f"table {name}" if name in fixed else name
            columns[title] = _stacked([_column(table, name) for table in self._tables])
        return table_of(columns)


def _column(table: TableFrame, name: str) -> "pl.Series":
    """The column of that name, or as many nulls."""
    import polars as pl

    if name not in table.columns:
        return pl.Series([None] * len(table), dtype=pl.Null)
    return table[name]


def _stacked(parts: Sequence["pl.Series"]) -> "pl.Series":
    """All parts as one column, with their common type, else numbers, else text."""
    import polars as pl

    kinds = {part.dtype for part in parts if part.dtype != pl.Null}
    numbers = all(kind.is_numeric() for kind in kinds)
    if len(kinds) != 1:
        kinds = {pl.Float64()} if kinds and numbers else {pl.String()}
    (kind,) = kinds
    return pl.concat([part.cast(kind) for part in parts])
