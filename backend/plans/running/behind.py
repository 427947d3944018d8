"""The documents behind a step of a run, or behind one of its rows: how a number is opened.

It looks at what was kept of the run, so a number can be opened long after it was computed.
"""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from backend.plans.tables.collection import Collection
from backend.plans.tables.trust import doubted_field
from workbench.contract.errors import Invalid, NotFound
from workbench.contract.plan_nodes import canonical_field

State = Literal["used", "left_out"]


@dataclass(frozen=True)
class Asked:
    """Which documents are asked for: those of one row or all, by one field or all, and a window."""

    row: int | None = None
    field: str | None = None
    state: State = "used"
    offset: int = 0
    limit: int = 50


@dataclass(frozen=True)
class Behind:
    """Some of the documents, how many there are, and which of their properties matter.

    `fields` are bare names; `confidence_limit` tells which values are doubtful.
    """

    docset_id: str
    doc_ids: list[str]
    total: int
    fields: list[str]
    confidence_limit: float


def ids_in(frame: pl.LazyFrame, row: int | None) -> list[str]:
    """The documents of a kept table: of one of its rows, or of all, in order and each once."""
    names = frame.collect_schema().names()
    column = "doc_ids" if "doc_ids" in names else "doc_id"
    if column not in names:
        return []
    kept = frame.select(column)
    if row is not None:
        kept = kept.slice(row, 1)
    table = kept.collect()
    if row is not None and not table.height:
        raise NotFound(f"The step has no row {row}.")
    found = table.get_column(column)
    if column == "doc_ids":
        found = found.explode()
    return found.drop_nulls().unique(maintain_order=True).to_list()


def without_usable(doc_ids: list[str], field: str, collection: Collection) -> list[str]:
    """Those of the documents that have no usable value of a field, those with a guess first."""
    name = canonical_field(field)
    if name not in collection.fields:
        msg = f"There is no property {field!r}."
        raise Invalid.at(("query", "field"), msg, "unknown_property")
    column = pl.col(name)
    blank = column.is_null()
    if isinstance(collection.table.schema[name], pl.List):
        blank = blank | (column.list.len() == 0)
    chosen = collection.table.filter(pl.col("doc_id").is_in(doc_ids) & blank)
    if (doubted := doubted_field(name)) in chosen.columns:
        chosen = chosen.sort(pl.col(doubted).is_null(), maintain_order=True)
    return chosen.get_column("doc_id").to_list()
