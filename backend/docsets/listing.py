"""Document list filters: `filter_dict` and `comparator` as an SQL condition.

`filter_dict` is an object of names and values, all of which must match; `comparator` compares each
name with its value (`=` by default). A name is a metadata field or a path into the properties, such
as `properties.entity.state`. Properties compare as in a `properties_filter`; one that no document
has is missing in all. The public interface names these parameters without explaining them; this is
our interpretation. `in` compares metadata with a list, for example to get some documents at once.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, true

from backend.search.filters import Expression, Path, to_sql
from backend.search.filters.kinds import fitted
from backend.search.filters.names import path_shapes
from backend.search.filters.tree import Comparison, IsNull, Like, Not
from backend.store.tables import documents
from workbench.contract.errors import Invalid
from workbench.contract.schema import PropertyShape, Schema

_COLUMNS = {
    "doc_id": documents.c.doc_id,
    "name": documents.c.name,
    "content_type": documents.c.content_type,
    "size": documents.c.size,
}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "like": lambda column, value: column.contains(str(value), autoescape=True),
    "in": lambda column, values: column.in_(values),
}
_SYNONYMS = {"": "=", "==": "=", "eq": "=", "<>": "!=", "ne": "!=", "lt": "<", "le": "<=",
             "gt": ">", "ge": ">="}  # fmt: skip


def condition(
    wanted: Mapping[str, Any], comparator: str | None, schema: Schema | None
) -> ColumnElement[bool]:
    """The condition on documents with that schema. Invalid names the wrong parameter."""
    word = (comparator or "").strip().lower()
    sign = _SYNONYMS.get(word, word)
    if sign not in _COMPARE:
        known = ", ".join(_COMPARE)
        raise Invalid.at(("query", "comparator"), f"must be one of {known}", "bad_comparator")
    shapes = path_shapes(schema)
    return and_(true(), *(_clause(name, sign, value, shapes) for name, value in wanted.items()))


def _clause(
    name: str, sign: str, value: Any, shapes: Mapping[Path, PropertyShape]
) -> ColumnElement[bool]:
    if sign == "in":
        plain = isinstance(value, list) and all(isinstance(v, str) for v in value)
        if name not in ("doc_id", "name", "content_type") or not plain:
            raise _bad("'in' compares doc_id, name or content_type with a list of texts")
        among: ColumnElement[bool] = _COMPARE[sign](_COLUMNS[name], value)
        return among
    if isinstance(value, int) and abs(value) >= 2**63:
        raise _bad(f"the value of {name[:100]!r} is too large: at most 18 digits are compared")
    if isinstance(value, dict | list):
        raise _bad(f"the value of {name[:100]!r} must be a text, a number, true, false or null")
    if sign == "like" and value == "":
        raise _bad("every text contains an empty one: give 'like' some text")
    if name in _COLUMNS:
        if value is None or isinstance(value, bool):
            raise _bad(f"the value of {name!r} must be a text or a number")
        clause: ColumnElement[bool] = _COMPARE[sign](_COLUMNS[name], value)
        return clause
    head, *parts = name.split(".")
    if head != "properties" or not parts or not all(parts):
        raise _bad(f"{name[:100]!r} is neither metadata ({', '.join(_COLUMNS)}) nor properties.…")
    try:
        whole = fitted(_on_property(Path(tuple(parts)), sign, value), shapes)
    except Invalid as error:
        raise _bad(error.faults[0].msg.partition(": ")[2]) from error
    return to_sql(whole, documents)


def _on_property(path: Path, sign: str, value: Any) -> Expression:
    if value is None:
        if sign not in ("=", "!="):
            raise _bad(f"null is compared with = or != only, and not {path.text!r} by {sign}")
        return IsNull(path) if sign == "=" else Not(IsNull(path))
    if sign == "like":
        return Like(path, str(value))
    if sign == "!=":
        return Not(Comparison(path, "=", value))
    return Comparison(path, sign, value)  # type: ignore[arg-type]


def _bad(message: str) -> Invalid:
    return Invalid.at(("query", "filter_dict"), message, "bad_filter_dict")
