"""The base of all frames: conversion to Polars, Arrow and pandas.

The Polars frame is built once, from lists of Python values; the others are made from it. pandas
comes with the extra `notebook`, pyarrow with `arrow`, and only what needs them imports them.
"""

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from workbench.client.errors import Mistake, UnknownName
from workbench.frames.files import write_file
from workbench.frames.handover import arrow_table, arrow_typed, pandas_frame
from workbench.frames.html import preview
from workbench.nearest import suggestion

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from workbench.frames.charts import ChartKind, Plot

Row = TypeVar("Row")
SHOWN = 10
"""Rows in a notebook."""


class Frame(ABC):
    """Rows with columns. Anything that reads the Arrow C stream protocol accepts it directly."""

    @abstractmethod
    def _table(self) -> "pl.DataFrame":
        """Builds the Polars frame; called once."""

    @abstractmethod
    def __len__(self) -> int: ...

    _part_of: "tuple[Frame, range] | None" = None
    """For a slice, its whole and its rows: it has the types of the whole."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._data.columns

    @property
    def shares(self) -> Mapping[str, int]:
        """Columns in percent, with the factor: 100 for fractions, 1 for values in percent."""
        return {}

    def remarks(self) -> list[str]:
        """What accompanies the rows into files, one text per line; empty except for answers.

        Example: hits.remarks()
        """
        return []

    @cached_property
    def _data(self) -> "pl.DataFrame":
        if self._part_of is None:
            return self._table()
        whole, rows = self._part_of
        if rows.step == 1:
            return whole._data.slice(rows.start, len(rows))
        return whole._data[list(rows)]

    def to_arrow(self) -> "pa.Table":
        """A pyarrow table, with the remarks of an answer in its metadata. Raises Mistake without
        pyarrow.

        Example: hits.to_arrow()
        """
        return arrow_table(self._data, self.remarks())

    def to_polars(self) -> "pl.DataFrame":
        """A Polars frame.

        Example: hits.to_polars()
        """
        return self._data.clone()

    def to_pandas(self, *, arrow: bool = False) -> "pd.DataFrame":
        """A pandas frame. Dates are datetime64; integers and booleans with missing values have
        pandas' nullable types. With `arrow` all columns have Arrow types. Raises Mistake without
        pandas, and with `arrow` without pyarrow.

        Example: docset.documents().to_pandas(arrow=True)
        """
        return arrow_typed(self.to_arrow()) if arrow else pandas_frame(self._data)

    def write(self, path: "str | Path") -> "Path":
        """Writes the file `path` in the format of its extension (parquet, csv, jsonl, xlsx,
        arrow), and returns its path. Lists and objects become text in CSV and Excel.
        Raises Mistake for another extension.

        Example: hits.write("hits.csv")
        """
        return write_file(self._data, path, self.remarks())

    def plot(
        self,
        x: str | None = None,
        y: str | None = None,
        *,
        color: str | None = None,
        kind: "ChartKind | None" = None,
        log: bool = False,
    ) -> "Plot":
        """A chart, drawn by the notebook. `x`, `y` and `color` name columns; without them groups
        are drawn by their key and first measure, and documents or hits are counted.

        `kind` is `bar`, `line` or `point`; by default dates are a line or, counted by year, month
        or day, bars; names are bars, two numbers points. `log` makes the scale of `y` logarithmic.

        Raises UnknownName for a wrong column, Mistake if there is nothing to draw.

        Example: docset.documents().plot("year")
        """
        from workbench.frames.charts import plot_of

        return plot_of(self._data, x, y, color=color, kind=kind, log=log)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refuses NumPy, and with it `pd.DataFrame(frame)`, which would lose names and types."""
        raise Mistake("Use .to_pandas(), .to_polars() or .to_arrow() to convert a frame.")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """With Arrow's common types if pyarrow is installed, else with those of Polars."""
        try:
            return self.to_arrow().__arrow_c_stream__(requested_schema)
        except Mistake:
            return self._data.__arrow_c_stream__(requested_schema)

    @abstractmethod
    def title(self) -> str:
        """A one-line summary.

        Example: hits.title()
        """

    def __repr__(self) -> str:
        """The title and the first rows, as wide as the terminal."""
        if not len(self):
            return self.title()
        return f"{self.title()}\n{self._plain()}"

    def _plain(self) -> str:
        """The first rows as text."""
        from workbench.frames.plain import ROWS, plain_table

        return plain_table(self._data.head(ROWS), len(self), shares=self.shares)

    def _repr_html_(self) -> str:
        """The first rows, fully escaped and without external resources."""
        rows = self._data.head(SHOWN).rows()
        return preview(self.title(), self.columns, rows, len(self), self.shares)


class Rows(Frame, Generic[Row]):
    """A frame with one item per row.

    `frame[0]` is an item, `frame[-1]` the last, `frame[:10]` a frame of ten, `frame["state"]` a
    column as a Polars series; iteration yields the items.
    """

    _items: Sequence[Row]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Row]:
        return (self._row(at) for at in range(len(self)))

    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> Self: ...
    @overload
    def __getitem__(self, key: str) -> "pl.Series": ...
    def __getitem__(self, key: int | slice | str) -> "Row | Self | pl.Series":
        """IndexError for a missing row, UnknownName (a KeyError) for a column, else Mistake."""
        if isinstance(key, str):
            return self._column(key)
        rows = range(len(self))
        try:
            return self._sliced(rows[key]) if isinstance(key, slice) else self._row(rows[key])
        except TypeError:
            chosen = f"{key!r:.80}"
            raise Mistake(
                f"Rows are chosen by number, a column by name, not by {chosen}."
            ) from None
        except IndexError:
            last = f"the last is {len(self) - 1:,}" if len(self) else "there are none"
            raise IndexError(f"There is no row {key}: {last}.") from None

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    def _row(self, at: int) -> Row:
        return self._items[at]

    def _cut(self, rows: range) -> None:
        """Keeps only those rows; called on a fresh copy."""
        self._items = [self._items[at] for at in rows]

    def _places(self) -> Sequence[int]:
        """The position of each row in the frame that this one was cut from."""
        if self._part_of is None:
            return range(len(self))
        whole, rows = self._part_of
        places = whole._places() if isinstance(whole, Rows) else range(len(whole))
        return [places[at] for at in rows]

    def _sliced(self, rows: range) -> Self:
        part = copy.copy(self)
        part.__dict__.pop("_data", None)
        part._part_of = (self, rows)
        part._cut(rows)
        return part

    def _column(self, name: str) -> "pl.Series":
        if name not in self.columns:
            near = suggestion(name, self.columns)
            raise UnknownName(f"There is no column {name!r}.{near}")
        return self._data[name]
