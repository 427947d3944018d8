"""The values at paths of nested JSON objects, as Arrow columns.

Arrow parses all objects at once with its own types, which is much faster than looking at each value
in Python. If the objects are inconsistent that fails, and each path is read separately.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from workbench.contract.schema import PropertyShape
from workbench.frames.columns import arrow_type, boxes, inferred, of_type, typed

if TYPE_CHECKING:
    import pyarrow as pa


class Nested:
    """A list of JSON objects. Places are paths of keys; a missing value is null."""

    def __init__(self, items: Sequence[Mapping[str, Any]]) -> None:
        self._items = items

    def names(self, *path: str) -> list[str]:
        """The keys of the objects at a path, in order of occurrence."""
        import pyarrow as pa

        column = self._read(*path)
        if column is not None and pa.types.is_struct(column.type):
            return [field.name for field in column.type]
        return list(dict.fromkeys(chain.from_iterable(filter(None, self.values(*path)))))

    def values(self, *path: str) -> list[Any]:
        """The values at a path, in Python."""
        values: list[Any] = list(self._items)
        for key in path:
            values = [value.get(key) if value else None for value in values]
        return values

    def column(self, kind: str, *path: str) -> "pa.Array":
        """The values at a path, which are known to fit that type, such as `int32`."""
        import pyarrow as pa

        column = self._read(*path)
        if column is None:
            return of_type(self.values(*path), kind)
        return column.cast(pa.type_for_alias(kind))

    def boxes(self, *path: str) -> "pa.Array":
        import pyarrow as pa

        column = self._read(*path)
        if column is None or pa.types.is_null(column.type):
            return boxes(self.values(*path))
        return column.cast(pa.list_(pa.float32(), 4))

    def inferred(self, *path: str) -> "pa.Array":
        """The values at a path with the type that they share, else as text."""
        column = self._read(*path)
        return inferred(self.values(*path)) if column is None or _is_empty(column) else column

    def typed(self, shape: PropertyShape, *path: str) -> "pa.Array":
        """The values at a path with the schema's type, else as text.

        Types inferred by Arrow are only converted if nothing can be lost: integers to floats, texts
        to dates.
        """
        import pyarrow as pa

        column, wanted = self._read(*path), arrow_type(shape)
        if column is None:
            return typed(self.values(*path), shape)
        if column.type == wanted:
            return column
        steps = {(pa.int64(), pa.float64()), (pa.string(), wanted)}
        if (column.type, wanted) in steps and shape.kind in ("float", "date", "datetime"):
            try:
                return column.cast(wanted)
            except pa.ArrowInvalid:
                pass  # some texts that Arrow cannot parse; the others may still be converted
        return typed(self.values(*path), shape)

    def _read(self, *path: str) -> "pa.Array | None":
        """The values at a path as parsed by Arrow; all null if there is no such path."""
        import pyarrow as pa
        import pyarrow.compute as pc

        column = self._whole
        for key in path:
            if column is None or not pa.types.is_struct(column.type):
                return None
            if column.type.get_field_index(key) < 0:
                return pa.nulls(len(self._items))
            column = pc.struct_field(column, key)
        return column

    @cached_property
    def _whole(self) -> "pa.Array | None":
        import pyarrow as pa

        try:
            return pa.array(self._items)
        except (ValueError, OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
            return None


def _is_empty(column: "pa.Array") -> bool:
    """Whether Arrow has no values to infer a type from."""
    import pyarrow as pa

    return bool(pa.types.is_null(column.type)) or column.type == pa.struct([])
