"""Arrow tables as pandas frames without loss of types.

By default the conversion turns integers with gaps into floats (so an id loses its last digits), and
dates into a column of Python objects without date methods.
"""

from typing import TYPE_CHECKING

from workbench.client.errors import Mistake

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def pandas_frame(table: "pa.Table", *, arrow: bool = False) -> "pd.DataFrame":
    """The table as a pandas frame; with `arrow` all columns have Arrow types.

    Raises Mistake without pandas.
    """
    import pyarrow as pa

    try:
        import pandas as pd
    except ImportError:
        raise Mistake("pandas is not installed: pip install pandas.") from None

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
