"""Lists of JSON values as Arrow columns.

A property column gets its type from the schema. If a single value does not fit, the whole column
becomes text: a type that changes is a nuisance, a value that disappears is a lie. Columns without a
schema get the type their values share, or text when they share none.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from workbench.contract.numbers import only_finite
from workbench.contract.plan_values import in_utc
from workbench.contract.schema import PropertyShape, Schema

if TYPE_CHECKING:
    import pyarrow as pa

Values = Sequence[Any]


def table_of(columns: Mapping[str, "pa.Array"]) -> "pa.Table":
    import pyarrow as pa

    return pa.table(dict(columns))


def of_type(values: Iterable[Any], kind: str) -> "pa.Array":
    """A column of a fixed Arrow type, such as `int32`, for values that are known to fit."""
    import pyarrow as pa

    if kind == "string":
        return _texts(values)
    return pa.array(values, pa.type_for_alias(kind))


def boxes(values: Iterable[Sequence[float] | None]) -> "pa.Array":
    """Boxes `[x1, y1, x2, y2]` in fractions of the page, as lists of exactly four numbers."""
    import pyarrow as pa

    return pa.array(values, pa.list_(pa.float32(), 4))


def instants(values: Iterable[str | datetime | None]) -> "pa.Array":
    """ISO 8601 texts as times in UTC, which is assumed without an offset."""
    import pyarrow as pa

    return pa.array([_instant(value) for value in values], pa.timestamp("us", "UTC"))


def inferred(values: Values) -> "pa.Array":
    """A column of the type that the values share, else text."""
    import pyarrow as pa

    try:
        column = pa.array(values)
    except (ValueError, OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
        return _as_text(values)
    empty = pa.types.is_null(column.type) or column.type == pa.struct([])
    return _as_text(values) if empty else column


def typed(values: Values, shape: PropertyShape) -> "pa.Array":
    """A column of the schema's type, else text."""
    import pyarrow as pa

    try:
        fitted = [None if value is None else _fit(value, shape) for value in values]
        return pa.array(fitted, arrow_type(shape))
    except (ValueError, TypeError, OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
        return _as_text(values)


def property_columns(
    entities: Sequence[Mapping[str, Any]], schema: Schema | None, reserved: Iterable[str]
) -> dict[str, "pa.Array"]:
    """One column per property: those of the schema in its order, then others as they occur.

    A property whose name is `reserved` for another column is called `properties.entity.<name>`.
    """
    columns: dict[str, pa.Array] = {}
    for title, name, shape in property_titles(schema, chain.from_iterable(entities), reserved):
        values = [entity.get(name) for entity in entities]
        columns[title] = inferred(values) if shape is None else typed(values, shape)
    return columns


def property_titles(
    schema: Schema | None, occurring: Iterable[str], reserved: Iterable[str]
) -> Iterator[tuple[str, str, PropertyShape | None]]:
    """Title, name and shape (where the schema has one) of each property column."""
    shapes = {prop.name: prop for prop in schema.properties} if schema is not None else {}
    used = set(reserved)
    for name in dict.fromkeys(chain(shapes, occurring)):
        title = f"properties.entity.{name}" if name in used else name
        yield title, name, shapes.get(name)


# -- from JSON to the type a schema states --------------------------------------------------------


def arrow_type(shape: PropertyShape) -> "pa.DataType":
    """The Arrow type of values of that shape."""
    import pyarrow as pa

    if shape.kind == "array":
        return pa.list_(arrow_type(shape.item_type or PropertyShape()))
    if shape.kind == "object":
        inner = shape.properties or []
        return pa.struct([(prop.name, arrow_type(prop)) for prop in inner])
    if shape.kind == "datetime":
        return pa.timestamp("us")
    plain = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), "date": pa.date32()}
    return plain.get(shape.kind, pa.string())


def _fit(value: Any, shape: PropertyShape) -> Any:
    """The value converted to the shape; ValueError or TypeError when that is impossible."""
    if shape.kind == "array":
        item = shape.item_type or PropertyShape()
        if not isinstance(value, list):
            raise TypeError("not a list")
        return [None if part is None else _fit(part, item) for part in value]
    if shape.kind == "object":
        if not isinstance(value, dict):
            raise TypeError("not an object")
        parts = ((prop, value.get(prop.name)) for prop in shape.properties or [])
        return {prop.name: None if part is None else _fit(part, prop) for prop, part in parts}
    read: Callable[[Any], Any] = _READERS.get(shape.kind, _text)
    return read(value)


def fits(value: Any, shape: PropertyShape) -> bool:
    """Whether a value already has that shape; text that could be converted does not."""
    plain = {"bool": bool, "int": int, "float": (int, float)}.get(shape.kind, str)
    if not only_finite(value):
        return False
    if shape.kind not in ("array", "object"):
        right = isinstance(value, plain)  # type: ignore[arg-type]
        if not right or (isinstance(value, bool) and shape.kind != "bool"):
            return False
    try:
        _fit(value, shape)
    except (ValueError, TypeError, OverflowError):
        return False
    if shape.kind == "array":
        item = shape.item_type or PropertyShape()
        return all(part is None or fits(part, item) for part in value)
    if shape.kind == "object":
        inner = {prop.name: prop for prop in shape.properties or []}
        return all(
            name in inner and (part is None or fits(part, inner[name]))
            for name, part in value.items()
        )
    return True


def _bool(value: Any) -> bool:
    word = str(value).lower()
    if word not in ("true", "false"):
        raise ValueError("neither true nor false")
    return word == "true"


def _int(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError("not a whole number")
    return int(value)


def _float(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError("not a number")
    return float(value)


def _date(value: Any) -> date:
    return datetime.fromisoformat(str(value)).date()


def _datetime(value: Any) -> datetime:
    """Local time as written; times with an offset are converted to UTC."""
    return in_utc(datetime.fromisoformat(str(value)))


def _instant(value: str | datetime | None) -> datetime | None:
    if value is None:
        return None
    read = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _as_text(values: Values) -> "pa.Array":
    return _texts([None if value is None else _text(value) for value in values])


def _texts(values: Iterable[str | None]) -> "pa.Array":
    """A column of texts. Unpaired surrogates, which UTF-8 cannot encode, become `?`."""
    import pyarrow as pa

    listed = list(values)
    try:
        return pa.array(listed, pa.string())
    except UnicodeEncodeError:
        whole = [None if text is None else text.encode("utf-8", "replace") for text in listed]
        return pa.array(whole, pa.binary()).cast(pa.string())


_READERS: dict[str, Callable[[Any], Any]] = {
    "bool": _bool,
    "int": _int,
    "float": _float,
    "date": _date,
    "datetime": _datetime,
}
