"""Frames as pyarrow tables and pandas frames, without loss of types.

Polars' own conversion turns integers with gaps into floats (so an id loses its last digits), dates
into Python objects without date methods, and needs pyarrow, which takes more space than all of our
own code.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.client.errors import Mistake
from workbench.frames.notes import METADATA

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_EXTRA = "pip install 'docset-workbench[{}]'"


def arrow_table(frame: "pl.DataFrame", notes: Sequence[str] = ()) -> "pa.Table":
    """The frame as a pyarrow table with the notes in its metadata. Raises Mistake without pyarrow.

    Texts and lists have Arrow's common types instead of the large ones of Polars, which not every
    program reads.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise Mistake(f"pyarrow is not installed: {_EXTRA.format('arrow')}.") from None
    table = frame.to_arrow()
    fields = [pa.field(field.name, _common_type(field.type)) for field in table.schema]
    noted = {METADATA: json.dumps(list(notes), ensure_ascii=False)} if notes else None
    return table.cast(pa.schema(fields)).replace_schema_metadata(noted)


def _common_type(kind: "pa.DataType") -> "pa.DataType":
    import pyarrow as pa

    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_large_list(kind):
        return pa.list_(_common_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _common_type(field.type)) for field in kind])
    return kind


def pandas_frame(frame: "pl.DataFrame") -> "pd.DataFrame":
    """The frame in pandas, with lists and objects as Python's. Mistake without pandas."""
    pandas = _pandas()
    columns = dict(enumerate(map(_pandas_values, frame.get_columns())))
    made: pd.DataFrame = pandas.DataFrame(columns, index=pandas.RangeIndex(frame.height))
    return made.set_axis(frame.columns, axis=1)


def arrow_typed(table: "pa.Table") -> "pd.DataFrame":
    """The table in pandas, with Arrow types in all columns. Raises Mistake without pandas."""
    whole: pd.DataFrame = table.to_pandas(types_mapper=_pandas().ArrowDtype)
    return whole


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise Mistake(f"pandas is not installed: {_EXTRA.format('notebook')}.") from None
    return pandas


def _pandas_values(column: "pl.Series") -> Any:
    """The values of a column as pandas keeps them, missing ones marked as such."""
    import polars as pl

    pandas = _pandas()
    kind = column.dtype
    if isinstance(kind, pl.Datetime):
        local = column.dt.convert_time_zone("UTC") if kind.time_zone else column
        instants = pandas.Series(local.dt.replace_time_zone(None).to_numpy())
        return instants.dt.tz_localize("UTC") if kind.time_zone else instants
    if kind == pl.Date:
        return column.cast(pl.Datetime("ms")).to_numpy()
    if kind.is_integer() or kind == pl.Boolean:
        if not column.null_count():
            return column.to_numpy()
        return pandas.array(column.to_list(), dtype="boolean" if kind == pl.Boolean else str(kind))
    if kind.is_float():
        return column.to_numpy()
    text = pandas.Series(["a"]).dtype
    return pandas.Series(column.to_list(), dtype=text if kind == pl.String else object)
