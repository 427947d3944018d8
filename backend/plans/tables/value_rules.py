"""Which values of a DocSet count, and under which spelling, as its owner has decided.

The rules are stored in the properties of the DocSet, so they are copied and backed up with it:
`confidence_limit` (0 to 1), and the merges, which define equivalent spellings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from backend.plans.tables.trust import trusted
from workbench.contract.coverage import (
    CONFIDENCE_LIMIT,
    MERGEABLE,
    Merge,
    agreed_spellings,
    merges_of,
)
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_nodes import canonical_field

LIMIT = "confidence_limit"


@dataclass(frozen=True)
class ValueRules:
    """`limit` is the minimum confidence that counts; `merged` maps spellings to replacements."""

    limit: float = CONFIDENCE_LIMIT
    merged: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, properties: Mapping[str, Any] | None, limit: float = CONFIDENCE_LIMIT
    ) -> "ValueRules":
        """The rules of a DocSet; malformed ones are ignored."""
        properties = properties or {}
        own = properties.get(LIMIT)
        if isinstance(own, int | float) and not isinstance(own, bool) and 0 <= own <= 1:
            limit = float(own)
        return cls(limit, _merged(merges_of(properties)))

    def with_limit(self, limit: float | None) -> "ValueRules":
        """The same rules with the limit of a request, if it has one."""
        return self if limit is None else replace(self, limit=limit)

    def applied(self, table: pl.DataFrame, fields: Columns) -> pl.DataFrame:
        """The table with only the values that count, in their agreed spelling."""
        table = trusted(table, fields, self.limit)
        named = {name: of for name, of in self.merged.items() if fields.get(name) in MERGEABLE}
        return table.with_columns(
            pl.col(name).replace(dict(of))
            if fields[name] != "array"
            else pl.col(name).list.eval(pl.element().replace(dict(of)))
            for name, of in named.items()
        )


def _merged(merges: Sequence[Merge]) -> dict[str, dict[str, str]]:
    by_field: dict[str, list[Merge]] = {}
    for merge in merges:
        by_field.setdefault(canonical_field(merge.field), []).append(merge)
    return {name: agreed_spellings(own) for name, own in by_field.items()}
