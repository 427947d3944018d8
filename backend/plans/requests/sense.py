"""Checks whether conditions and groups make sense for the documents.

Conditions that select nothing or everything, and groups of single documents, are rarely meant. They
are tried on a sample, each once.
"""

from collections.abc import Sequence

import polars as pl

from backend.plans.tables.collection import Collection
from backend.plans.tables.conditions import expression
from backend.plans.tables.derived_values import with_derived
from workbench.contract.derived_fields import derived_columns, sources_of
from workbench.contract.plan_columns import document_columns
from workbench.contract.plan_nodes import BasicFilter, canonical_field

_SAMPLE = 2_000
_FEW, _ALONE = 10, 0.7
"""With at least this many documents, groups are hollow if this share of the values is distinct."""


class Sense:
    """Checks of conditions and groups on a sample, each once."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self._passing: dict[str, pl.DataFrame | None] = {}
        self._together: dict[str, pl.Series] = {}
        self._hollow: dict[tuple[str, ...], bool] = {}

    def of(self, conditions: Sequence[BasicFilter]) -> dict[str, float]:
        """Whether conditions select nothing or everything."""
        passing = self.passing(conditions)
        found: dict[str, float] = {}
        if passing is None:
            return found
        if any(passing.get_column(name).all() for name in passing.columns):
            found["answer: a condition that all fulfil"] = 1.0
        if not self._all_of(conditions, passing).any():
            found["answer: empty"] = 1.0
        return found

    def between(
        self, before: Sequence[BasicFilter], after: Sequence[BasicFilter]
    ) -> dict[str, float]:
        """Whether an edit of conditions empties the answer or does not change it."""
        if list(before) == list(after):
            return {}
        found = {k: n for k, n in self.of([c for c in after if c not in before]).items()
                 if k != "answer: empty"}  # fmt: skip
        whole = self._all()
        was, now = (
            None if given is None else self._all_of(conditions, given)
            for conditions in (before, after)
            for given in [self.passing(conditions) if conditions else whole]
        )  # fmt: skip
        if was is None or now is None:
            return found
        if not now.any():
            found["answer: empty" if was.any() else "answer: empty as before"] = 1.0
        elif now.equals(was):
            found["answer: the same documents"] = 1.0
        return found

    def count(self, conditions: Sequence[BasicFilter]) -> int | None:
        """How many documents satisfy all conditions; None if it is not known for all."""
        passing = self.passing(conditions) if conditions else self._all()
        if passing is None or passing.height < self.collection.table.height:
            return None
        return int(self._all_of(conditions, passing).sum())

    def certainly(self, conditions: Sequence[BasicFilter]) -> int | None:
        """A key for the documents that satisfy all conditions; None if not known for all."""
        relative = any(c.start_at or c.end_at for c in conditions)
        known = self.passing(conditions) if conditions else self._all()
        passing = None if relative else known
        if passing is None or passing.height < self.collection.table.height:
            return None
        return hash(tuple(self._all_of(conditions, passing)))

    def passing(self, conditions: Sequence[BasicFilter]) -> pl.DataFrame | None:
        """Which documents of a sample satisfy each condition; None if that is not known."""
        name = repr(conditions)
        if name not in self._passing:
            self._passing[name] = _passing(conditions, self.collection)
        return self._passing[name]

    def _all_of(self, conditions: Sequence[BasicFilter], passing: pl.DataFrame) -> pl.Series:
        """Which documents satisfy all conditions; `passing` has a column for each."""
        name = repr(conditions)
        if name not in self._together:
            together = passing.select(pl.all_horizontal(pl.all()).alias("all")).to_series()
            self._together[name] = together
        return self._together[name]

    def _all(self) -> pl.DataFrame:
        size = len(range(0, self.collection.table.height, _every(self.collection)))
        return pl.DataFrame({"0": [True] * size})

    def hollow(self, fields: tuple[str, ...]) -> bool:
        """Whether nearly every document would be its own group."""
        if fields not in self._hollow:
            self._hollow[fields] = _hollow(fields, self.collection)
        return self._hollow[fields]


def _every(collection: Collection) -> int:
    return max(1, collection.table.height // _SAMPLE)


def _hollow(fields: tuple[str, ...], collection: Collection) -> bool:
    return any(_mostly_different(field, collection) for field in fields)


def _mostly_different(field: str, collection: Collection) -> bool:
    if field not in collection.table.columns:
        return False
    column = collection.table.get_column(field).gather_every(_every(collection)).drop_nulls()
    if column.dtype.is_nested() or len(column) < _FEW:
        return False
    return bool(column.n_unique() / len(column) > _ALONE)


def _passing(conditions: Sequence[BasicFilter], collection: Collection) -> pl.DataFrame | None:
    """Which documents of a sample satisfy each condition."""
    named = [
        c.model_copy(update={"field": canonical_field(c.field)})
        for c in conditions
        if not (c.start_at or c.end_at)
    ]
    asked = {
        canonical_field(field)
        for c in named
        for part in (c, *(c.any_of or []))
        for field in (part.field, part.start_field, part.end_field)
        if field
    }
    derived = derived_columns(asked, collection.fields)
    columns = document_columns(collection.fields, derived)
    needed = {
        source for name in asked for source in (sources_of(name) if name in derived else [name])
    }
    if not named or not needed.issubset(collection.table.columns) or not collection.table.height:
        return None
    sample, every = collection.table.select(sorted(needed)), _every(collection)
    sample = sample if every == 1 else sample.gather_every(every)
    sample = with_derived(sample, derived, collection.fields)
    return sample.select(expression(c, c.field, columns).alias(str(i)) for i, c in enumerate(named))
