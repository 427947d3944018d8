"""The documents behind a step of a run, or behind one of its rows.

They are read from the stored run, so a number can be opened long after it was computed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from backend.plans.tables.collection import Collection
from workbench.contract.errors import Invalid
from workbench.contract.plan_columns import doubted_field
from workbench.contract.plan_nodes import canonical_field

State = Literal["used", "left_out"]


@dataclass(frozen=True)
class Asked:
    """Which documents are requested: of one row or all, by one field or all, and a window."""

    row: int | None = None
    field: str | None = None
    state: State = "used"
    offset: int = 0
    limit: int = 50


@dataclass(frozen=True)
class Behind:
    """A window of the documents, their total number, and the properties that matter.

    `fields` are bare names. Values with a confidence below `confidence_limit` are doubtful.
    """

    docset_id: str
    doc_ids: list[str]
    total: int
    fields: list[str]
    confidence_limit: float


def without_usable(reached: Sequence[pl.Series], field: str, collection: Collection) -> pl.Series:
    """The ids of those documents of all in `reached` that have no usable value of a field, doubtful
    values first.
    """
    name = canonical_field(field)
    if name not in collection.fields:
        msg = f"There is no property {field!r}."
        raise Invalid.at(("query", "field"), msg, "unknown_property")
    column = pl.col(name)
    blank = column.is_null()
    if isinstance(collection.table.schema[name], pl.List):
        blank = blank | (column.list.len() == 0)
    ids = pl.concat([pl.Series(dtype=pl.String), *reached])
    chosen = collection.table.filter(pl.col("doc_id").is_in(ids.implode()) & blank)
    if (doubted := doubted_field(name)) in chosen.columns:
        chosen = chosen.sort(pl.col(doubted).is_null(), maintain_order=True)
    return chosen.get_column("doc_id")
