"""Frames as pyarrow tables and pandas frames, without loss of types.

pyarrow's own conversion turns integers with gaps into floats (so an id loses its last digits), and
dates into a column of Python objects without date methods.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.client.errors import Mistake
from workbench.frames.notes import METADATA

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_EXTRA = "pip install 'docset-workbench[notebook]'"


def arrow_table(frame: "pl.DataFrame", notes: Sequence[str] = ()) -> "pa.Table":
    """The frame as a pyarrow table with the notes in its metadata. Raises Mistake without pyarrow.

    Texts and lists have Arrow's common types instead of the large ones of Polars, which not every
    program reads.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise Mistake(f"pyarrow is not installed: {_EXTRA}.") from None
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


def pandas_frame(table: "pa.Table", *, arrow: bool = False) -> "pd.DataFrame":
    """The table as a pandas frame; with `arrow` all columns have Arrow types.

    Raises Mistake without pandas.
    """
    import pyarrow as pa

    try:
        import pandas as pd
    except ImportError:
        raise Mistake(f"pandas is not installed: {_EXTRA}.") from None

    if arrow:
        whole: pd.DataFrame = table.to_pandas(types_mapper=pd.ArrowDtype)
        return whole
    frame: pd.DataFrame = table.to_pandas(date_as_object=False)
    nullable = {
        pa.bool_(): pd.BooleanDtype(),
        pa.int8(): pd.Int8Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
    }
    for at, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        if column.null_count and column.type in nullable:
            frame.isetitem(at, column.to_pandas(types_mapper=nullable.get).rename(name))
    return frame
