"""What every frame can do: hand itself over as Arrow, Polars or pandas.

Arrow is made once, from lists of Python values; the others are made from Arrow, which for nested
columns is several times faster than building them from dictionaries, and shares the memory.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.frames.html import preview

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_SHOWN = 20


class Frame(ABC):
    """Rows with columns. Anything that reads the Arrow C stream protocol takes it as it is."""

    @abstractmethod
    def _table(self) -> "pa.Table":
        """Builds the Arrow table; called once."""

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    def shares(self) -> frozenset[str]:
        """Columns whose values are parts of one; they are shown in percent."""
        return frozenset()

    @cached_property
    def _arrow(self) -> "pa.Table":
        return self._table()

    def to_arrow(self) -> "pa.Table":
        return self._arrow

    def to_polars(self) -> "pl.DataFrame":
        import polars as pl

        return pl.DataFrame(self._arrow)

    def to_pandas(self, *, arrow_types: bool = False) -> "pd.DataFrame":
        """A pandas frame; with `arrow_types` its columns stay in Arrow memory."""
        import pandas as pd

        mapper = pd.ArrowDtype if arrow_types else None
        frame: pd.DataFrame = self._arrow.to_pandas(types_mapper=mapper)
        return frame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._arrow.__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """The first rows; everything in it is escaped and nothing is fetched for it."""
        head = self._arrow.slice(0, _SHOWN)
        rows = [list(row.values()) for row in head.to_pylist()]
        return preview(repr(self), head.column_names, rows, len(self), self.shares)
