"""The documents of a DocSet as one table, one column for each property.

The table is kept between requests and named by a digest of the rows it was made from. Comparing
digests costs one pass over the raw rows, far less than reading their JSON, and leaves no way to
serve stale values: properties may be changed by any process at any time, and no log tells of it.
"""

import hashlib
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import polars as pl
from sqlalchemy import Text, cast, select

from backend.contract.errors import NotFound
from backend.contract.plan_columns import DATED, Columns
from backend.contract.plan_nodes import ENTITY
from backend.contract.plan_values import as_bool, as_date, as_number
from backend.contract.schema import PropertyKind, Schema
from backend.store.database import Database
from backend.store.tables import docsets, documents

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")
_KEPT = 8
ROW = "row"
"""Column with the place of a document in its collection; the key of lineage."""


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
    digest: str
    table: pl.DataFrame
    fields: Columns
    unreadable: dict[str, int]
    raw_properties: Sequence[str]

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
        listed = (
            select(
                documents.c.doc_id,
                documents.c.content_id,
                cast(documents.c.properties, Text),
            )
            .where(documents.c.docset_id == docset_id)
            .order_by(documents.c.sequence)
        )
        with self._database.reading() as connection:
            docset = connection.execute(described).one_or_none()
            if docset is None:
                raise NotFound(f"There is no DocSet {docset_id}.")
            rows = connection.execute(listed).all()
        digest = hashlib.blake2b(json.dumps([docset.name, docset.schema]).encode(), digest_size=16)
        for row in rows:
            digest.update(f"{row[0]}\0{row[1]}\0{row[2]}\0".encode())
        with self._lock:
            kept = self._kept.get(docset_id)
            if kept is not None and kept.digest == digest.hexdigest():
                self._kept.move_to_end(docset_id)
                return kept
        schema = Schema.model_validate(docset.schema or {"properties": []})
        made = read_collection(docset_id, docset.name, schema, digest.hexdigest(), list(rows))
        with self._lock:
            self._kept[docset_id] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made


def read_collection(
    docset_id: str, name: str, schema: Schema, digest: str, rows: Sequence[Any]
) -> Collection:
    """The table of `rows`, each `(doc_id, content_id, properties as JSON text)`."""
    parsed: list[dict[str, Any]] = [json.loads(row[2]) for row in rows]
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
    for key in dict.fromkeys([*declared, *(key for entity in entities for key in entity)]):
        values = [entity.get(key) for entity in entities]
        kind = _settle(declared.get(key), values)
        column = _column(ENTITY + key, kind, values)
        fields[ENTITY + key] = kind
        columns.append(column)
        lost = sum(value is not None for value in values) - (len(values) - column.null_count())
        if lost:
            unreadable[ENTITY + key] = lost
    table = pl.DataFrame(columns)
    return Collection(
        docset_id, name, schema, digest, table, fields, unreadable, [row[2] for row in rows]
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
