"""Lists of JSON values as columns of a frame.

A property column gets its type from the schema. If a single value does not fit, the whole column
becomes text: a changed type is a nuisance, a lost value is an error. Columns without a schema get
the type their values share, or text when they share none.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from workbench.contract.numbers import only_finite
from workbench.contract.plan_values import in_utc
from workbench.contract.schema import PropertyShape, Schema
from workbench.frames.building import Values, column, shared_type

if TYPE_CHECKING:
    import polars as pl


def table_of(columns: Mapping[str, "pl.Series"]) -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame(dict(columns))


def of_type(values: Values, kind: str) -> "pl.Series":
    """A column of a fixed type, such as `int32`, for values that are known to fit."""
    import polars as pl

    if kind == "string":
        return _texts(values)
    kinds = {
        "bool": pl.Boolean(),
        "date": pl.Date(),
        "float64": pl.Float64(),
        "int32": pl.Int32(),
        "int64": pl.Int64(),
    }
    return column(values, kinds[kind])


def boxes(values: Sequence[Sequence[float] | None]) -> "pl.Series":
    """Boxes `[x1, y1, x2, y2]` in fractions of the page, as lists of exactly four numbers."""
    import polars as pl

    return column(values, pl.Array(pl.Float32, 4))


def instants(values: Iterable[str | datetime | None]) -> "pl.Series":
    """ISO 8601 texts as times in UTC, which is assumed without an offset."""
    import polars as pl

    return column([_instant(value) for value in values], pl.Datetime("us", "UTC"))


def inferred(values: Values) -> "pl.Series":
    """A column of the type that the values share, else text."""
    try:
        return column(values, shared_type(values))
    except (ValueError, TypeError, OverflowError):
        return _as_text(values)


def typed(values: Values, shape: PropertyShape) -> "pl.Series":
    """A column of the schema's type, else text."""
    kind = column_type(shape)
    if kind is None:
        return inferred(values)
    try:
        if shape.kind == "date" and (dates := _plain_dates(values)) is not None:
            return dates
        if not _have_type(values, shape):
            values = [None if value is None else _fit(value, shape) for value in values]
        return column(values, kind)
    except (ValueError, TypeError, OverflowError):
        return _as_text(values)


def _plain_dates(values: Values) -> "pl.Series | None":
    """Texts like 2023-06-30 as dates, five times as fast as singly; None if there are others."""
    import polars as pl

    try:
        texts = pl.Series(values=values, dtype=pl.String)
    except TypeError:
        return None
    dates = texts.str.to_date("%Y-%m-%d", strict=False)
    return dates if dates.dt.to_string("%Y-%m-%d").eq_missing(texts).all() else None


def property_columns(
    entities: Sequence[Mapping[str, Any]], schema: Schema | None, reserved: Iterable[str]
) -> dict[str, "pl.Series"]:
    """One column per property: those of the schema in its order, then others as they occur.

    A property whose name is `reserved` for another column is called `properties.entity.<name>`.
    """
    columns: dict[str, pl.Series] = {}
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


def column_type(shape: PropertyShape) -> "pl.DataType | None":
    """The column type of values of that shape; None for objects without declared fields."""
    import polars as pl

    if shape.kind == "array":
        inner = column_type(shape.item_type or PropertyShape())
        return None if inner is None else pl.List(inner)
    if shape.kind == "object":
        fields = {prop.name: column_type(prop) for prop in shape.properties or []}
        known = {name: kind for name, kind in fields.items() if kind is not None}
        return pl.Struct(known) if known and len(known) == len(fields) else None
    plain: dict[str, pl.DataType] = {
        "bool": pl.Boolean(),
        "int": pl.Int64(),
        "float": pl.Float64(),
        "date": pl.Date(),
        "datetime": pl.Datetime("us"),
    }
    return plain.get(shape.kind, pl.String())


def _have_type(values: Iterable[Any], shape: PropertyShape) -> bool:
    """Whether the values already have the type of the shape, and none must be converted."""
    kinds = set(map(type, values)) - {type(None)}
    if shape.kind == "array" and kinds <= {list}:
        items = chain.from_iterable(filter(None, values))
        return _have_type(items, shape.item_type or PropertyShape())
    plain = {"bool": bool, "int": int, "float": float}
    return shape.kind not in _CONVERTED and kinds <= {plain.get(shape.kind, str)}


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


def _as_text(values: Values) -> "pl.Series":
    return _texts([None if value is None else _text(value) for value in values])


def _texts(values: Values) -> "pl.Series":
    """A column of texts. Unpaired surrogates, which UTF-8 cannot encode, become `?`."""
    import polars as pl

    try:
        return column(values, pl.String())
    except UnicodeEncodeError:
        whole = [None if text is None else text.encode("utf-8", "replace") for text in values]
        return column([None if text is None else text.decode() for text in whole], pl.String())


_CONVERTED = ("array", "object", "date", "datetime")
"""Kinds of property whose values are converted one by one."""
_READERS: dict[str, Callable[[Any], Any]] = {
    "bool": _bool,
    "int": _int,
    "float": _float,
    "date": _date,
    "datetime": _datetime,
}
