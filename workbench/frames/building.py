"""Lists of Python values as Polars columns of a given type, and the type that values share.

Polars converts flat lists of one type fastest, and drops some values of nested ones on its own
criteria. So nested values are split here: a list is built from its items, an object from its
fields.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

Values = Sequence[Any]
_EXACT = 2**53
"""Larger integers may lose digits as floats."""


def column(values: Values, kind: "pl.DataType") -> "pl.Series":
    """The values as a column of that type, null for None.

    Raises TypeError or OverflowError for a value that does not fit, UnicodeEncodeError for a text
    that UTF-8 cannot encode.
    """
    import polars as pl

    if isinstance(kind, pl.List):
        return _lists(values, kind.inner)
    if isinstance(kind, pl.Array):
        return _arrays(values, kind)
    if isinstance(kind, pl.Struct):
        return _objects(values, {field.name: field.dtype for field in kind.fields})
    return pl.Series(values=values, dtype=kind)


def shared_type(values: Iterable[Any]) -> "pl.DataType":
    """The type that the values share; text where all are None. Raises TypeError if they share none.

    Integers and floats are floats if those are exact. Objects have the fields of all of them.
    """
    import polars as pl

    known = [value for value in values if value is not None]
    kinds = set(map(type, known))
    if kinds == {list}:
        return pl.List(shared_type(chain.from_iterable(known)))
    if kinds == {dict}:
        return _shared_fields(known)
    if kinds == {int, float}:
        if any(isinstance(value, int) and abs(value) > _EXACT for value in known):
            raise TypeError("an integer is too large for a float")
        return pl.Float64()
    plain: dict[type, pl.DataType] = {
        str: pl.String(),
        bool: pl.Boolean(),
        int: pl.Int64(),
        float: pl.Float64(),
        date: pl.Date(),
        datetime: pl.Datetime("us"),
    }
    if len(kinds) > 1 or not kinds <= plain.keys():
        raise TypeError("the values share no type")
    return plain[kinds.pop()] if kinds else pl.String()


def _shared_fields(objects: Sequence[Mapping[str, Any]]) -> "pl.DataType":
    import polars as pl

    names = dict.fromkeys(chain.from_iterable(objects))
    if not names or "\0" in "".join(names):
        raise TypeError("the objects have no fields that Arrow can name")
    return pl.Struct({name: shared_type(one.get(name) for one in objects) for name in names})


def _lists(values: Sequence[Sequence[Any] | None], inner: Any) -> "pl.Series":
    """Lists, made by grouping their items by row; rows without items are added afterwards."""
    import polars as pl

    lengths = pl.Series([len(items) if items else 0 for items in values], dtype=pl.UInt32)
    items = column(list(chain.from_iterable(filter(None, values))), inner)
    every = pl.DataFrame({"row": pl.arange(len(values), dtype=pl.UInt32, eager=True)})
    rows = every.select(pl.col("row").repeat_by(lengths).explode()).filter(
        pl.col("row").is_not_null()
    )
    filled = rows.with_columns(items=items).group_by("row", maintain_order=True).agg("items")
    joined = every.join(filled, on="row", how="left", maintain_order="left")["items"]
    empty = pl.lit([], dtype=pl.List(inner))
    return _unless_missing(values, pl.select(pl.coalesce(joined, empty)).to_series())


def _arrays(values: Sequence[Sequence[Any] | None], kind: "pl.Array") -> "pl.Series":
    """Lists of the same number of items."""
    known = [items for items in values if items is not None]
    if not set(map(len, known)) <= {kind.size}:
        raise TypeError(f"a list does not have {kind.size} items")
    nothing = (None,) * kind.size
    whole = known if None not in values else [nothing if one is None else one for one in values]
    items = column(list(chain.from_iterable(whole)), kind.inner)  # type: ignore[arg-type]
    return _unless_missing(values, items.reshape((len(values), kind.size)))


def _unless_missing(values: Values, made: "pl.Series") -> "pl.Series":
    """What was made of the values, null in place of None."""
    import polars as pl

    if None not in values:
        return made
    known = pl.Series([value is not None for value in values], dtype=pl.Boolean)
    return pl.select(pl.when(known).then(made)).to_series()


def _objects(values: Sequence[Mapping[str, Any] | None], fields: Mapping[str, Any]) -> "pl.Series":
    import polars as pl

    parts = {
        name: column([None if one is None else one.get(name) for one in values], kind)
        for name, kind in fields.items()
    }
    return _unless_missing(values, pl.DataFrame(parts).to_struct())
