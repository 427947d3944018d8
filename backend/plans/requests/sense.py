"""Checks whether conditions and groups make sense for the documents.

Conditions that select nothing or everything, and groups of single documents, are rarely meant. They
are tried on a sample, each once.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from backend.plans.tables.collection import Collection
from backend.plans.tables.conditions import expression
from backend.plans.tables.derived_values import with_derived
from workbench.contract.derived_fields import derived_columns, sources_of
from workbench.contract.plan_columns import document_columns
from workbench.contract.plan_nodes import BasicFilter, canonical_field

Mask = npt.NDArray[np.bool_]

_SAMPLE = 2_000
_FEW, _ALONE = 10, 0.7
"""With at least this many documents, groups are hollow if this share of the values is distinct."""


class Sense:
    """Checks of conditions and groups on a sample, each once."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self._masks: dict[str, Mask | None] = {}
        self._hollow: dict[tuple[str, ...], bool] = {}

    def of(self, conditions: Sequence[BasicFilter]) -> dict[str, float]:
        """Whether conditions select nothing or everything."""
        masks = self._masks_of(conditions)
        found: dict[str, float] = {}
        if any(mask.all() for mask in masks or ()):
            found["answer: a condition that all fulfil"] = 1.0
        if masks and not np.logical_and.reduce(masks).any():
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
        was, now = self._passing(before), self._passing(after)
        if was is None or now is None:
            return found
        if not now.any():
            found["answer: empty" if was.any() else "answer: empty as before"] = 1.0
        elif np.array_equal(now, was):
            found["answer: the same documents"] = 1.0
        return found

    def count(self, conditions: Sequence[BasicFilter]) -> int | None:
        """How many documents satisfy all conditions; None if it is not known for all."""
        passing = self._passing(conditions)
        if passing is None or len(passing) < self.collection.table.height:
            return None
        return int(passing.sum())

    def certainly(self, conditions: Sequence[BasicFilter]) -> int | None:
        """A key for the documents that satisfy all conditions; None if not known for all."""
        relative = any(map(_is_relative, conditions))
        passing = None if relative else self._passing(conditions)
        if passing is None or len(passing) < self.collection.table.height:
            return None
        return hash(passing.tobytes())

    def _passing(self, conditions: Sequence[BasicFilter]) -> Mask | None:
        """Which documents of a sample satisfy all conditions; None if that is not known."""
        if not conditions:
            return np.ones(
                len(range(0, self.collection.table.height, _every(self.collection))), bool
            )
        masks = self._masks_of(conditions)
        return None if masks is None else np.logical_and.reduce(masks)

    def _masks_of(self, conditions: Sequence[BasicFilter]) -> list[Mask] | None:
        """Which documents satisfy each condition that does not depend on the others."""
        masks = [self._mask(c) for c in conditions if not _is_relative(c)]
        known = [mask for mask in masks if mask is not None]
        return known if known and len(known) == len(masks) else None

    def _mask(self, condition: BasicFilter) -> Mask | None:
        name = condition.model_dump_json(exclude_defaults=True)
        if name not in self._masks:
            self._masks[name] = _satisfied(condition, self.collection)
        return self._masks[name]

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


def _is_relative(condition: BasicFilter) -> bool:
    """Whether a condition compares with the average or median of the documents before it."""
    return bool(condition.start_at or condition.end_at)


def _satisfied(condition: BasicFilter, collection: Collection) -> Mask | None:
    """Which documents of a sample satisfy a condition; None if its fields are not stored."""
    condition = condition.model_copy(update={"field": canonical_field(condition.field)})
    asked = {
        canonical_field(field)
        for part in (condition, *(condition.any_of or []))
        for field in (part.field, part.start_field, part.end_field)
        if field
    }
    derived = derived_columns(asked, collection.fields)
    columns = document_columns(collection.fields, derived)
    needed = {
        source for name in asked for source in (sources_of(name) if name in derived else [name])
    }
    if not needed.issubset(collection.table.columns) or not collection.table.height:
        return None
    sample, every = collection.table.select(sorted(needed)), _every(collection)
    sample = sample if every == 1 else sample.gather_every(every)
    sample = with_derived(sample, derived, collection.fields)
    return sample.select(expression(condition, condition.field, columns)).to_series().to_numpy()
