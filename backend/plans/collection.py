"""The documents of a DocSet as one table, one column for each property.

The table is kept between requests and named by a digest of the DocSet's description and of how far
its logs of documents and of changed properties go, which every process writes with what it changes.
"""

import hashlib
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any

import polars as pl
from pydantic_core import from_json
from sqlalchemy import Connection, Row, Select, Text, cast, select

from backend.contract.errors import NotFound
from backend.contract.plan_columns import DATED, Columns
from backend.contract.plan_nodes import ENTITY
from backend.contract.plan_values import as_bool, as_date, as_number
from backend.contract.schema import PropertyKind, Schema
from backend.store.database import Database
from backend.store.property_log import changed_after, last_change
from backend.store.tables import docsets, documents, operations

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")
_KEPT = 8
ROW = "row"
"""Column with the place of a document in its collection; the key of lineage."""


_MOST_CHANGED = 5_000


@dataclass(frozen=True)
class State:
    """How a DocSet is described, and how far its logs of documents and of properties go."""

    described: str
    operation: tuple[int, str]
    change: int

    @cached_property
    def digest(self) -> str:
        text = json.dumps([self.described, self.operation, self.change])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Collection:
    """All documents of a DocSet at one moment.

    `table` has the columns `row` (UInt32), `doc_id`, `content_id`, `properties.path` and one for
    each property under its canonical name. `unreadable` counts values that did not fit the kind of
    their property and are treated as unknown.
    """

    docset_id: str
    name: str
    schema: Schema
    state: State
    table: pl.DataFrame
    fields: Columns
    unreadable: dict[str, int]
    raw_properties: Sequence[str]

    @property
    def digest(self) -> str:
        """The name of this state."""
        return self.state.digest

    def properties(self, row: int) -> dict[str, Any]:
        """The properties of a document as they are on the wire."""
        value: dict[str, Any] = json.loads(self.raw_properties[row])
        return value


class Collections:
    """Reads collections and keeps the latest few."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[str, Collection] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, docset_id: str, account_id: str) -> Collection:
        """The collection as it is now; NotFound when the account has no such DocSet."""
        described = select(docsets.c.name, docsets.c.schema).where(
            docsets.c.docset_id == docset_id, docsets.c.account_id == account_id
        )
        with self._database.reading() as connection:
            docset = connection.execute(described).one_or_none()
            if docset is None:
                raise NotFound(f"There is no DocSet {docset_id}.")
            state = _state(connection, docset_id, docset)
            with self._lock:
                kept = self._kept.get(docset_id)
                if kept is not None and kept.digest == state.digest:
                    self._kept.move_to_end(docset_id)
                    return kept
            made = None if kept is None else _brought_up(kept, state, connection)
            if made is None:
                rows = connection.execute(_listed(docset_id)).all()
                schema = Schema.model_validate(docset.schema or {"properties": []})
                made = read_collection(docset_id, docset.name, schema, state, rows)
        with self._lock:
            self._kept[docset_id] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made


def _listed(docset_id: str) -> Select[Any]:
    """The documents of a DocSet in the order they came."""
    return (
        select(documents.c.doc_id, documents.c.content_id, cast(documents.c.properties, Text))
        .where(documents.c.docset_id == docset_id)
        .order_by(documents.c.sequence)
    )


def _state(connection: Connection, docset_id: str, docset: Row[Any, Any]) -> State:
    newest = (
        select(operations.c.sequence, operations.c.doc_id)
        .where(operations.c.docset_id == docset_id)
        .order_by(operations.c.sequence.desc())
        .limit(1)
    )
    operation = connection.execute(newest).one_or_none()
    described = json.dumps([docset.name, docset.schema])
    last = (0, "") if operation is None else (operation.sequence, operation.doc_id)
    return State(described, last, last_change(connection, docset_id))


def _brought_up(kept: Collection, state: State, connection: Connection) -> Collection | None:
    """The kept collection with the properties that were changed since; None when documents came
    or went, or so much has changed that it is read anew.
    """
    before = kept.state
    if (before.described, before.operation) != (state.described, state.operation):
        return None
    if before.change >= state.change:
        return None
    changed = changed_after(connection, kept.docset_id, before.change)
    if len(changed) > _MOST_CHANGED:
        return None
    rows = connection.execute(_listed(kept.docset_id).where(documents.c.doc_id.in_(changed))).all()
    part = read_collection(kept.docset_id, kept.name, kept.schema, state, rows, kept.fields)
    if part.fields != kept.fields or part.unreadable:
        return None
    ids = part.table.get_column("doc_id")
    places = kept.table.select("doc_id", ROW).join(
        ids.to_frame(), on="doc_id", how="inner", maintain_order="right"
    )
    moved = part.table.with_columns(places.get_column(ROW))
    stayed = kept.table.filter(~pl.col("doc_id").is_in(ids.implode()))
    raw = list(kept.raw_properties)
    for place, text in zip(places.get_column(ROW), part.raw_properties, strict=True):
        raw[place] = text
    table = pl.concat([stayed, moved]).sort(ROW)
    return replace(kept, state=state, table=table, raw_properties=raw)


def read_collection(
    docset_id: str,
    name: str,
    schema: Schema,
    state: State,
    rows: Sequence[Any],
    known: Columns | None = None,
) -> Collection:
    """The table of `rows`, each `(doc_id, content_id, properties as JSON text)`.

    `known` are the kinds that other documents of the DocSet have settled already.
    """
    parsed: list[dict[str, Any]] = [from_json(row[2]) for row in rows]
    entities = [
        entity if isinstance(entity := properties.get("entity"), dict) else {}
        for properties in parsed
    ]
    columns = [
        pl.Series(ROW, range(len(rows)), dtype=pl.UInt32),
        pl.Series("doc_id", [row[0] for row in rows], dtype=pl.String),
        pl.Series("content_id", [row[1] for row in rows], dtype=pl.String),
        pl.Series("properties.path", [_text(p.get("path")) for p in parsed], dtype=pl.String),
    ]
    fields: dict[str, PropertyKind] = {}
    unreadable: dict[str, int] = {}
    declared = {prop.name: prop.kind for prop in schema.properties}
    settled = {name.removeprefix(ENTITY): kind for name, kind in (known or {}).items()}
    names = [*settled, *declared, *(key for entity in entities for key in entity)]
    for key in dict.fromkeys(names):
        values = [entity.get(key) for entity in entities]
        kind = settled.get(key) or _settle(declared.get(key), values)
        column = _column(ENTITY + key, kind, values)
        fields[ENTITY + key] = kind
        columns.append(column)
        lost = sum(value is not None for value in values) - (len(values) - column.null_count())
        if lost:
            unreadable[ENTITY + key] = lost
    table = pl.DataFrame(columns)
    return Collection(
        docset_id, name, schema, state, table, fields, unreadable, [row[2] for row in rows]
    )


def _settle(declared: PropertyKind | None, values: Sequence[Any]) -> PropertyKind:
    """The kind that the values are read as: the declared one, or what they all look like."""
    known = [value for value in values if value is not None]
    if declared in ("bool", "int", "float", "date", "datetime", "array"):
        return declared
    if known and all(isinstance(value, bool) for value in known):
        return "bool"
    if known and all(isinstance(value, int) and not isinstance(value, bool) for value in known):
        return "int"
    if known and all(
        as_number(value) is not None and not isinstance(value, str) for value in known
    ):
        return "float"
    if known and all(isinstance(value, list) for value in known):
        return "array"
    # Dates are often declared as strings; reading them as days is what makes ranges work.
    if known and all(isinstance(v, str) and _ISO_DAY.fullmatch(v) and as_date(v) for v in known):
        return "date"
    return declared or "string"


def _column(name: str, kind: PropertyKind, values: Sequence[Any]) -> pl.Series:
    if kind == "bool":
        return pl.Series(
            name, [None if v is None else as_bool(v) for v in values], dtype=pl.Boolean
        )
    if kind in ("int", "float"):
        numbers = [as_number(value) for value in values]
        whole = kind == "int" and all(n is None or n == int(n) for n in numbers)
        return pl.Series(name, numbers, dtype=pl.Float64).cast(pl.Int64 if whole else pl.Float64)
    if kind in DATED:
        return pl.Series(
            name,
            [_moment(value, kind) for value in values],
            dtype=pl.Date if kind == "date" else pl.Datetime("us"),
        )
    if kind == "array":
        lists = [
            None if v is None else [_text(item) for item in (v if isinstance(v, list) else [v])]
            for v in values
        ]
        return pl.Series(name, lists, dtype=pl.List(pl.String))
    return pl.Series(name, [_text(value) for value in values], dtype=pl.String)


def _moment(value: Any, kind: PropertyKind) -> date | datetime | None:
    if kind == "date":
        return as_date(value)
    try:
        return datetime.fromisoformat(str(value)).replace(tzinfo=None)
    except ValueError:
        day = as_date(value)
        return None if day is None else datetime(day.year, day.month, day.day)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
