"""The different values of one column, and what can be known of each whatever the documents do.

Values are only ever added, so whatever was worked out for the first of them stays right; it is
kept, and extended by the new ones when it is asked for again.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

Scalar: TypeAlias = str | int | float | bool
Floats: TypeAlias = npt.NDArray[np.float64]
Days: TypeAlias = npt.NDArray[np.datetime64]

_DAY = r"^\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_DAY_LENGTH = 10
_BYTES = 120  # of one value with what is kept of it, measured


class Values:
    """The values in order of first sight. May be read by several threads while one adds."""

    def __init__(self) -> None:
        self.items: list[Scalar] = []
        self._kept: dict[str, Any] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return _BYTES * len(self.items)

    def numbers(self, count: int) -> Floats:
        """The first `count` values as numbers; NaN for those that are none."""
        found: Floats = self._grown("numbers", count, _numbers, np.concatenate)
        return found

    def fractional(self, count: int) -> npt.NDArray[np.bool_]:
        """Whether the values are written as numbers with a fraction, be it 0."""
        found: npt.NDArray[np.bool_] = self._grown("fraction", count, _fractional, np.concatenate)
        return found

    def booleans(self, count: int) -> npt.NDArray[np.int8]:
        """1 and 0 for true and false; -1 for values that are neither."""
        found: npt.NDArray[np.int8] = self._grown("booleans", count, _booleans, np.concatenate)
        return found

    def days(self, count: int) -> Days:
        """The values as days; NaT for texts that do not begin with one, and all else."""
        found: Days = self._grown("days", count, _days, np.concatenate)
        return found

    def texts(self, count: int) -> pl.Series:
        """The values as texts; null for those that are none."""
        found: pl.Series = self._grown("texts", count, _texts, pl.concat)
        return found

    def folded(self, count: int) -> pl.Series:
        """All values as they are shown, in lower case."""
        found: pl.Series = self._grown("folded", count, _folded, pl.concat)
        return found

    def _grown(
        self,
        name: str,
        count: int,
        make: Callable[[Sequence[Scalar]], Any],
        join: Callable[[list[Any]], Any],
    ) -> Any:
        held = self._kept.get(name)
        if held is None:
            held = make(self.items[:count])
        elif len(held) < count:
            held = join([held, make(self.items[len(held) : count])])
        self._kept[name] = held
        return held[:count]


def shown(value: Scalar) -> str:
    """A value in text, as a filter writes it but for quotes."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _numbers(values: Sequence[Scalar]) -> Floats:
    return np.array([_number(value) for value in values], dtype=np.float64)


def _number(value: Scalar) -> float:
    if isinstance(value, str | bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _fractional(values: Sequence[Scalar]) -> npt.NDArray[np.bool_]:
    return np.array([isinstance(value, float) for value in values], dtype=np.bool_)


def _booleans(values: Sequence[Scalar]) -> npt.NDArray[np.int8]:
    flags = (value if isinstance(value, bool) else -1 for value in values)
    return np.fromiter(flags, dtype=np.int8, count=len(values))


def _texts(values: Sequence[Scalar]) -> pl.Series:
    return pl.Series([v if isinstance(v, str) else None for v in values], dtype=pl.String)


def _folded(values: Sequence[Scalar]) -> pl.Series:
    return pl.Series(map(shown, values), dtype=pl.String).str.to_lowercase()


def _days(values: Sequence[Scalar]) -> Days:
    text = pl.col("text")
    found = pl.DataFrame({"text": _texts(values)}).select(
        pl.when(text.str.contains(_DAY))
        .then(text.str.slice(0, _DAY_LENGTH))
        .str.to_date("%Y-%m-%d", strict=False)
    )
    days: Days = found.to_series().to_numpy().astype("datetime64[D]")
    return days
