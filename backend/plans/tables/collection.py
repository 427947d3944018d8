"""The documents of a DocSet as one table, with a column for each property, at one moment.

Tables are cached between requests and kept current: see `following`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from backend.plans.tables.value_rules import ValueRules
from workbench.contract.plan_columns import Columns
from workbench.contract.schema import Schema

ROW = "row"
"""Column with the row number of a document in its collection; the key of lineage."""
SEQUENCE = "sequence"
"""Column with the number by which documents are ordered."""
PATH = "properties.path"
IDENTITY = ("doc_id", "content_id", PATH)
"""Columns that identify the document of a line."""
RAW = "properties"
"""Column with the properties of a document as JSON text."""


@dataclass(frozen=True)
class Mark:
    """The newest entry of a log, with its document: a number alone may be of another history."""

    sequence: int = 0
    doc_id: str = ""


@dataclass(frozen=True)
class State:
    """The description of a DocSet, and the positions in its logs of documents and properties."""

    described: str
    operation: Mark
    change: Mark

    @cached_property
    def digest(self) -> str:
        """A hash that names the state."""
        parts = [self.described, self.operation.sequence, self.operation.doc_id]
        text = json.dumps([*parts, self.change.sequence, self.change.doc_id])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Collection:
    """All documents of a DocSet at one moment.

    `table` has a line for each document in order of arrival, with the columns `sequence`, `doc_id`,
    `content_id`, `properties.path`, `properties` (JSON text) and one for each property under its
    canonical name, without the values that its `rules` exclude, followed by the columns of `trust`.
    `unreadable` counts values that do not have the type of their property and are treated as
    unknown. `memo` caches what was computed about this moment. `files` are Arrow files of the table
    before the rules, if there are any.
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
    files: tuple[Path, ...] = field(default=(), compare=False)

    @property
    def digest(self) -> str:
        """A hash that names this state."""
        return self.state.digest

    def properties(self, row: int) -> dict[str, Any]:
        """The properties of a document in their wire form."""
        value: dict[str, Any] = json.loads(self.table.get_column(RAW)[row])
        return value
