"""The distinct values of one column, with derived forms that are computed once.

Values are only ever appended, so what was derived from the first ones stays valid and is extended
on demand.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.contract.plan_values import moment_in

Scalar: TypeAlias = str | int | float | bool
Floats: TypeAlias = npt.NDArray[np.float64]
Days: TypeAlias = npt.NDArray[np.datetime64]

_DAY = r"^\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_DAY_LENGTH = 10
_BYTES = 120  # per short value including derived forms, measured
_FORMS = 3  # a text is kept as it is, as a column and in lower case


class Values:
    """The values in order of first occurrence. Readable by several threads while one appends."""

    def __init__(self) -> None:
        self.items: list[Scalar] = []
        self._characters = 0
        self._cache: dict[str, Any] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return _BYTES * len(self.items) + _FORMS * self._characters

    def append(self, value: Scalar) -> int:
        """Adds a value, and returns its place."""
        self.items.append(value)
        self._characters += len(value) if isinstance(value, str) else 0
        return len(self.items) - 1

    def numbers(self, count: int) -> Floats:
        """The first `count` values as numbers; NaN for all others."""
        numbers: Floats = self._derived("numbers", count, _numbers, np.concatenate)
        return numbers

    def fractional(self, count: int) -> npt.NDArray[np.bool_]:
        """Whether each value is written as a number with a fraction, even .0."""
        flags: npt.NDArray[np.bool_] = self._derived("fraction", count, _fractional, np.concatenate)
        return flags

    def booleans(self, count: int) -> npt.NDArray[np.int8]:
        """1 and 0 for true and false; -1 for values that are neither."""
        flags: npt.NDArray[np.int8] = self._derived("booleans", count, _booleans, np.concatenate)
        return flags

    def days(self, count: int) -> Days:
        """The values as days; NaT for texts that do not begin with a date, and all others."""
        days: Days = self._derived("days", count, _days, np.concatenate)
        return days

    def texts(self, count: int) -> pl.Series:
        """The values as texts; null for all others."""
        texts: pl.Series = self._derived("texts", count, _texts, pl.concat)
        return texts

    def moments(self, count: int) -> Days:
        """The values as moments; NaT for texts that are none, and all others."""
        moments: Days = self._derived("moments", count, _moments, np.concatenate)
        return moments

    def readable(self, count: int, read: Callable[[Any], Any]) -> npt.NDArray[np.bool_]:
        """Whether `read` gives something for each value."""

        def flags(values: Sequence[Scalar]) -> npt.NDArray[np.bool_]:
            return np.array([read(value) is not None for value in values], dtype=np.bool_)

        known: npt.NDArray[np.bool_] = self._derived(read.__name__, count, flags, np.concatenate)
        return known

    def folded(self, count: int) -> pl.Series:
        """All values as displayed, in lower case."""
        folded: pl.Series = self._derived("folded", count, _folded, pl.concat)
        return folded

    def _derived(
        self,
        name: str,
        count: int,
        make: Callable[[Sequence[Scalar]], Any],
        join: Callable[[list[Any]], Any],
    ) -> Any:
        derived = self._cache.get(name)
        if derived is None:
            derived = make(self.items[:count])
        elif len(derived) < count:
            derived = join([derived, make(self.items[len(derived) : count])])
        self._cache[name] = derived
        return derived[:count]


def shown(value: Scalar) -> str:
    """A value as text, in filter syntax but without quotes."""
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


def _moments(values: Sequence[Scalar]) -> Days:
    return np.array([moment_in(value) for value in values], dtype="datetime64[us]")


def _days(values: Sequence[Scalar]) -> Days:
    text = pl.col("text")
    dates = pl.DataFrame({"text": _texts(values)}).select(
        pl.when(text.str.contains(_DAY))
        .then(text.str.slice(0, _DAY_LENGTH))
        .str.to_date("%Y-%m-%d", strict=False)
    )
    days: Days = dates.to_series().to_numpy().astype("datetime64[D]")
    return days
