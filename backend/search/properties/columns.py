"""The values at one property path, each distinct value stored once.

A column is two parallel arrays: row and value code. A row is a document. A list gives it several
entries, an uncountable value (an object or a very long text) the code OTHER, null and an empty list
no entry. Rows ascend and arrays only grow, so a view never changes.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from backend.search.properties.values import Days, Floats, Scalar, Values

Integers: TypeAlias = npt.NDArray[np.int32]
Counts: TypeAlias = npt.NDArray[np.intp]
Mask: TypeAlias = npt.NDArray[np.bool_]

OTHER: Final = -1
"""The code of a value that exists but cannot be counted."""

LONGEST: Final = 10_000
"""Characters of a text that is kept in memory. Longer ones stay in the database, which then judges
filters on their property; kept three times over, a few hundred would take all memory."""

_ABSENT = -2
_PLAIN = frozenset((str, int, float, type(None)))
# Booleans equal numbers in Python, but not in a document.
_BOOLEAN_KEYS: Final = {True: (True,), False: (False,)}
_OTHER_KEY: Final = ("other",)
_WIDEST = 2.0**53  # beyond it floats skip integers


class Column:
    """The values at one path, growing as documents arrive."""

    def __init__(self) -> None:
        self._codes: dict[Any, int] = {None: _ABSENT}
        self._values = Values()
        self._rows = Growing()
        self._facts = Growing()
        self._has_lists = False
        self._is_cut = False

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._rows.size + self._facts.size + self._values.size

    def put(self, rows: Integers, values: Sequence[Any]) -> None:
        """Appends the values of further rows, one each."""
        if _PLAIN.issuperset(map(type, values)):
            facts = self._coded(values)
        else:
            pairs = [(row, key) for row, value in enumerate(values) for key in self._keys(value)]
            rows = rows[[row for row, _ in pairs]]
            facts = self._coded([key for _, key in pairs])
        present = facts != _ABSENT
        self._rows.extend(rows[present])
        self._facts.extend(facts[present])

    def view(self) -> "ColumnView":
        """An immutable view of the present state."""
        count = len(self._values.items)
        rows, facts = self._rows.view(), self._facts.view()
        return ColumnView(self._values, count, rows, facts, self._has_lists, self._is_cut)

    def _keys(self, value: Any) -> Iterable[Any]:
        """The keys of a value: itself, its list items, or OTHER."""
        if isinstance(value, bool):
            return (_BOOLEAN_KEYS[value],)
        if isinstance(value, list):
            if not value:
                return ()
            self._has_lists = True
            items = (self._keys(item) for item in value if isinstance(item, str | int | float))
            return {key for keys in items for key in keys} or (_OTHER_KEY,)
        return (_OTHER_KEY,) if isinstance(value, dict) else (value,)

    def _coded(self, keys: Sequence[Any]) -> Integers:
        codes = self._codes
        new = [key for key in dict.fromkeys(keys) if key not in codes]
        codes.update((key, self._new_code(key)) for key in new)
        coded = np.fromiter(map(codes.__getitem__, keys), dtype=np.int32, count=len(keys))
        for key in filter(_is_long, new):
            del codes[key]
            self._is_cut = True
        return coded

    def _new_code(self, key: Any) -> int:
        infinite = isinstance(key, float) and not math.isfinite(key)
        if key is _OTHER_KEY or infinite or _is_long(key):
            return OTHER
        return self._values.append(key[0] if isinstance(key, tuple) else key)


def _is_long(key: Any) -> bool:
    return isinstance(key, str) and len(key) > LONGEST


@dataclass(frozen=True)
class ColumnView:
    """One state of a column. `rows` and `facts` are parallel; a fact is the index of its value
    among the first `count` of `values`, or OTHER. A column `is_cut` if it lacks long texts.
    """

    values: Values
    count: int
    rows: Integers
    facts: Integers
    has_lists: bool
    is_cut: bool = False

    def value(self, place: int) -> Scalar:
        return self.values.items[place]

    def counts(self, chosen: Mask, usable: Mask | None = None) -> tuple[Counts, int]:
        """How many of the chosen rows have each value, and how many have any; with `usable`, only
        values that it is true for count.
        """
        present = chosen[self.rows]
        if usable is not None:
            # One more for OTHER, whose place is the last.
            present &= np.append(usable, False)[self.facts]
        facts = self.facts[present]
        holders = _distinct(self.rows[present]) if self.has_lists else len(facts)
        # Shifted by one to make room for OTHER.
        return np.bincount(facts + 1, minlength=self.count + 1)[1:], holders

    @property
    def numbers(self) -> Floats:
        """The values as numbers; NaN for all others."""
        return self.values.numbers(self.count)

    @property
    def booleans(self) -> npt.NDArray[np.int8]:
        """1 and 0 for true and false; -1 for values that are neither."""
        return self.values.booleans(self.count)

    @property
    def texts(self) -> pl.Series:
        """The values as texts; null for all others."""
        return self.values.texts(self.count)

    @property
    def days(self) -> Days:
        """The values as days; NaT for all others."""
        return self.values.days(self.count)

    @property
    def moments(self) -> Days:
        """The values as moments in UTC; NaT for all others."""
        return self.values.moments(self.count)

    @cached_property
    def ranks(self) -> npt.NDArray[np.intp]:
        """The sort position of each value: booleans and numbers, then texts."""
        numbers = np.where(self.booleans >= 0, self.booleans, self.numbers)
        others = np.flatnonzero(~np.isnan(numbers))
        texts = self.texts.arg_sort(nulls_last=True).to_numpy()[: self.count - len(others)]
        ranks = np.empty(self.count, dtype=np.intp)
        ranks[others[np.argsort(numbers[others], kind="stable")]] = np.arange(len(others))
        ranks[texts] = np.arange(len(others), self.count)
        return ranks

    @cached_property
    def is_dated(self) -> bool:
        """Whether there are texts and each begins with a date."""
        texts = self.count - self.texts.null_count()
        return texts > 0 and texts == int(np.count_nonzero(~np.isnat(self.days)))

    @cached_property
    def is_exact(self) -> bool:
        """Whether `numbers` are exact, with no value rounded."""
        return not bool((np.abs(self.numbers) >= _WIDEST).any())


class Growing:
    """A growable array of integers."""

    def __init__(self, kind: type[np.signedinteger[Any]] = np.int32) -> None:
        self._used = 0
        self._data: npt.NDArray[Any] = np.empty(0, dtype=kind)

    def __len__(self) -> int:
        return self._used

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return self._data.nbytes

    def extend(self, more: npt.ArrayLike) -> None:
        more = np.asarray(more, dtype=self._data.dtype)
        stop = self._used + len(more)
        if stop > len(self._data):
            # A new array: views keep the old one.
            grown = np.empty(max(stop, 2 * len(self._data)), dtype=self._data.dtype)
            grown[: self._used] = self._data[: self._used]
            self._data = grown
        self._data[self._used : stop] = more
        self._used = stop

    def view(self) -> npt.NDArray[Any]:
        return self._data[: self._used]


def _distinct(ascending: Integers) -> int:
    return int(np.count_nonzero(np.diff(ascending))) + 1 if len(ascending) else 0
