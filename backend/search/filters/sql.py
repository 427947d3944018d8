"""Compiles a filter to an SQL condition on the documents table, for SQLite and PostgreSQL.

Paths and values are bound parameters; no text of the filter enters the statement.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    FromClause,
    String,
    and_,
    case,
    cast,
    exists,
    false,
    func,
    literal,
    not_,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.dialects.postgresql import JSONB, JSONPATH
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from backend.search.filters.patterns import glob, regex
from backend.search.filters.tree import (
    CONFIDENCE,
    And,
    Comparison,
    Condition,
    Expression,
    IsNull,
    Like,
    Not,
    OneOf,
    Or,
    Path,
    Value,
    boolean_of,
    rated,
)

Clause = ColumnElement[bool]


def to_sql(expression: Expression, documents: FromClause) -> Clause:
    """The condition on `documents`, a table or alias with a JSON column `properties`."""
    match expression:
        case And(parts):
            return and_(*(to_sql(part, documents) for part in parts))
        case Or(parts):
            return or_(*(to_sql(part, documents) for part in parts))
        case Not(inner):
            unknown = to_sql(IsNull(inner.path), documents)
            return not_(or_(unknown, to_sql(inner, documents)).self_group())
        case _:
            if (name := rated(expression.path)) is not None:
                inside = replace(expression, path=Path((name, CONFIDENCE)))
                return PropertyTest(documents.c.evidence, inside)
            return PropertyTest(documents.c.properties, expression)


def json_path(path: Path) -> str:
    """The path in the syntax SQLite and PostgreSQL share: `$."entity"."Accident Number"`."""
    return "$" + "".join("." + json.dumps(part, ensure_ascii=False) for part in path.parts)


class PropertyTest(ColumnElement[bool]):
    """One condition on one property, compiled differently for each database."""

    inherit_cache = False
    type = Boolean()

    def __init__(self, column: ColumnElement[Any], condition: Condition) -> None:
        self.column = column
        self.condition = condition

    @property
    def _from_objects(self) -> list[FromClause]:
        return list(self.column._from_objects)


@compiles(PropertyTest, "sqlite")
def _for_sqlite(test: PropertyTest, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(_sqlite(test.column, test.condition).self_group(), **options)


@compiles(PropertyTest, "postgresql")
def _for_postgresql(test: PropertyTest, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(_postgresql(test.column, test.condition).self_group(), **options)


def _sqlite(column: ColumnElement[Any], condition: Condition) -> Clause:
    place = literal(json_path(condition.path))
    kind = func.json_type(column, place, type_=String)
    if isinstance(condition, IsNull):
        is_empty = and_(kind == "array", func.json_array_length(column, place) == 0)
        return or_(func.coalesce(kind, "null", type_=String) == "null", is_empty)
    items = func.json_each(column, place).table_valued("type", "value")
    among = select(1).select_from(items).where(_sqlite_item(items.c.type, items.c.value, condition))
    alone = _sqlite_item(kind, func.json_extract(column, place), condition)
    return type_coerce(case((kind == "array", exists(among)), else_=alone), Boolean)


def _sqlite_item(
    kind: ColumnElement[Any], value: ColumnElement[Any], condition: Condition
) -> Clause:
    match condition:
        case Comparison(_, name, wanted):
            return _sqlite_compared(kind, value, name, wanted)
        case OneOf(_, values):
            return _sqlite_among(kind, value, values)
        case Like(_, pattern):
            return case((kind == "text", value.op("GLOB")(glob(pattern))), else_=false())
        case _:
            return false()


def _sqlite_compared(
    kind: ColumnElement[Any], value: ColumnElement[Any], name: str, wanted: Value
) -> Clause:
    if isinstance(wanted, datetime):
        compared = func.moment_in(value).op(name)(literal(_text(wanted)))
        return case((kind == "text", func.coalesce(compared, false())), else_=false())
    branches: list[tuple[Clause, Clause]] = []
    boolean = boolean_of(wanted)
    if boolean is not None and name == "=":
        branches.append((kind.in_(("true", "false")), value.op(name)(int(boolean))))
    if not isinstance(wanted, bool):
        kinds = ("text",) if isinstance(wanted, str) else ("integer", "real")
        branches.append((kind.in_(kinds), value.op(name)(literal(wanted))))
    return case(*branches, else_=false()) if branches else false()


def _sqlite_among(
    kind: ColumnElement[Any], value: ColumnElement[Any], wanted: Sequence[Value]
) -> Clause:
    """One test per type of value; a chain of thousands would be too deep for SQLite."""
    flags = {int(flag) for flag in map(boolean_of, wanted) if flag is not None}
    texts = [one for one in wanted if isinstance(one, str)]
    moments = [_text(one) for one in wanted if isinstance(one, datetime)]
    if moments:
        among = func.coalesce(func.moment_in(value).in_(moments), false())
        return case((kind == "text", among), else_=false())
    numbers = [one for one in wanted if not isinstance(one, bool | str | datetime)]
    return case(
        (kind.in_(("true", "false")), value.in_(flags)),
        (kind == "text", value.in_(texts)),
        (kind.in_(("integer", "real")), value.in_(numbers)),
        else_=false(),
    )


def _postgresql(column: ColumnElement[Any], condition: Condition) -> Clause:
    """A jsonpath test as a bound parameter; lax mode would look into the objects of an array."""
    path = json_path(condition.path)
    if isinstance(condition, IsNull):
        known = '@ != null && !(@.type() == "array" && @.size() == 0)'
        return not_(_path_exists(column, f"{path} ? ({known})"))
    test = _path_test(condition)
    alone, among = f"{path} ? ({test})", f"{path}[*] ? ({test})"
    return or_(_path_exists(column, alone), _path_exists(column, among))


def _path_exists(column: ColumnElement[Any], path: str) -> Clause:
    exists_there = func.jsonb_path_exists_tz(
        cast(column, JSONB),
        cast(literal(f"strict {path}", String), JSONPATH),
        cast(literal("{}", String), JSONB),
        literal(True),
        type_=Boolean,
    )
    # Strict mode gives null for a path that does not exist.
    return func.coalesce(exists_there, false(), type_=Boolean)


def _path_test(condition: Condition) -> str:
    match condition:
        case Comparison(_, name, wanted):
            return _path_compared(name, wanted)
        case OneOf(_, values):
            return " || ".join(_path_compared("=", wanted) for wanted in values)
        case Like(_, pattern):
            # jsonpath takes pattern options as a flag, not inside the pattern.
            return f'@ like_regex {json.dumps(regex(pattern).removeprefix("(?s)"))} flag "s"'
        case _:
            return "1 == 0"


def _path_compared(name: str, wanted: Value) -> str:
    spelt = "==" if name == "=" else name
    if isinstance(wanted, datetime):
        return f'(@.datetime() {spelt} "{_text(wanted)}".datetime())'
    tests: list[str] = []
    boolean = boolean_of(wanted)
    if boolean is not None and name == "=":
        # In jsonpath, null differs from both booleans.
        tests.append(f'(@.type() == "boolean" && @ {spelt} {json.dumps(boolean)})')
    if not isinstance(wanted, bool):
        tests.append(f"(@.type() == {_kind(wanted)} && @ {spelt} {json.dumps(wanted)})")
    return f"({' || '.join(tests)})" if tests else "1 == 0"


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _kind(wanted: Value) -> str:
    return '"string"' if isinstance(wanted, str) else '"number"'
