"""SQL expressions that differ between SQLite and PostgreSQL, other than those of filters."""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Integer,
    String,
    Tuple,
    cast,
    func,
    literal,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB, JSONPATH

from backend.search.filters import Path
from backend.search.filters.sql import json_path
from backend.store.tables import documents


def listed(
    connection: Connection, among: ColumnElement[Any], values: Collection[str] | Collection[int]
) -> ColumnElement[bool]:
    """Whether a column's value is one of `values`, passed as a single bound parameter."""
    packed = literal(json.dumps(list(values)), String)
    return listed_in(connection.dialect.name, among, packed)


def listed_in(
    dialect: str, among: ColumnElement[Any], packed: ColumnElement[str]
) -> ColumnElement[bool]:
    """Whether a column's value is an item of a JSON array."""
    if dialect == "sqlite":
        return among.in_(select(func.json_each(packed).table_valued("value").c.value))
    item = func.json_array_elements_text(cast(packed, JSON)).column_valued("item")
    return among.in_(select(cast(item, among.type)))


def pairs_listed_in(dialect: str, among: Tuple, packed: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether a (text, integer) pair is an item of a JSON array of such pairs."""
    if dialect == "sqlite":
        value = func.json_each(packed).table_valued("value").c.value
        pair = select(func.json_extract(value, "$[0]"), func.json_extract(value, "$[1]"))
        return among.in_(pair)
    item = func.json_array_elements(cast(packed, JSON)).column_valued("item")
    return among.in_(select(item.op("->>")(0), cast(item.op("->>")(1), Integer)))


def gathered(connection: Connection, values: ColumnElement[Any]) -> ColumnElement[str]:
    """The values of all rows as one JSON array in text form."""
    if connection.dialect.name == "sqlite":
        return func.json_group_array(values, type_=String)
    return func.coalesce(cast(func.json_agg(values), String), "[]")


def exists_at(connection: Connection, path: Path, among: ColumnElement[bool]) -> bool:
    """Whether any of the documents `among` has something at a path, null included."""
    place = literal(json_path(path), String)
    if connection.dialect.name == "sqlite":
        exists: ColumnElement[bool] = func.json_type(documents.c.properties, place).is_not(None)
    else:
        exists = func.jsonb_path_exists(cast(documents.c.properties, JSONB), cast(place, JSONPATH))
    rows = select(documents.c.sequence).where(among, exists).limit(1)
    return connection.execute(rows).first() is not None


def property_names(connection: Connection, path: Path, among: ColumnElement[bool]) -> list[str]:
    """The property names inside the objects at a path of the documents `among`, sorted."""
    place = literal(json_path(path), String)
    if connection.dialect.name == "sqlite":
        names = func.json_each(documents.c.properties, place).table_valued("key")
    else:
        inside = func.jsonb_path_query_first(
            cast(documents.c.properties, JSONB), cast(place, JSONPATH)
        )
        names = func.jsonb_object_keys(inside).table_valued("key").render_derived()
    query = select(names.c.key).select_from(documents.join(names, true())).where(among)
    return [str(name) for name in connection.scalars(query.distinct().order_by(names.c.key))]
