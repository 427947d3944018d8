"""The documents of a DocSet as one table, one column for each property, at one moment.

Tables are kept between requests and follow the record: see `following`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from backend.plans.tables.value_rules import ValueRules
from workbench.contract.plan_columns import Columns
from workbench.contract.schema import Schema

ROW = "row"
"""Column with the place of a document in its collection; the key of lineage."""
PATH = "properties.path"
IDENTITY = ("doc_id", "content_id", PATH)
"""Columns that tell what document a line is."""
RAW = "properties"
"""Column with the properties of a document as JSON text."""


@dataclass(frozen=True)
class Mark:
    """The newest entry of a log, with its document: the number alone could be another history's,
    after a database was restored from a copy.
    """

    sequence: int = 0
    doc_id: str = ""


@dataclass(frozen=True)
class State:
    """How a DocSet is described, and how far its logs of documents and of properties go."""

    described: str
    operation: Mark
    change: Mark

    @cached_property
    def digest(self) -> str:
        """The name of the state."""
        parts = [self.described, self.operation.sequence, self.operation.doc_id]
        text = json.dumps([*parts, self.change.sequence, self.change.doc_id])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Collection:
    """All documents of a DocSet at one moment.

    `table` has a line for each document in the order they came, with the columns `sequence`,
    `doc_id`, `content_id`, `properties.path`, `properties` (JSON text) and one for each property
    under its canonical name, without the values that its `rules` rule out; beside them stand the
    columns of `trust`. `unreadable` counts values that did not fit the kind of their property and
    are treated as unknown. `memo` keeps what was worked out about this moment.
    """

    docset_id: str
    name: str
    schema: Schema
    state: State
    table: pl.DataFrame
    fields: Columns
    unreadable: Mapping[str, int]
    rules: ValueRules = field(default_factory=ValueRules)
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def digest(self) -> str:
        """The name of this state."""
        return self.state.digest

    def properties(self, row: int) -> dict[str, Any]:
        """The properties of a document as they are on the wire."""
        value: dict[str, Any] = json.loads(self.table.get_column(RAW)[row])
        return value
