"""Which fields there are at each step of a plan, and what kind of values they hold.

Documents bring the properties of the DocSet; grouping and counting replace them by small tables
whose columns stand under `properties.`.
"""

from collections.abc import Mapping

from backend.contract.plan_nodes import (
    ENTITY,
    TEXT,
    Aggregate,
    Distinct,
    Fields,
    GroupBy,
    KMeanClustering,
    LLMClustering,
    LlmExtractEntity,
    TopK,
    bare_field,
    canonical_field,
    row_field,
)
from backend.contract.schema import SYNONYMS, PropertyKind

Columns = Mapping[str, PropertyKind]
"""Field names in the canonical spelling, with the kind of their values."""

NUMERIC: frozenset[PropertyKind] = frozenset({"int", "float"})
DATED: frozenset[PropertyKind] = frozenset({"date", "datetime"})


_SIZE = ".count"


def size_field(name: str) -> str:
    """The field that holds how many values an array has: 0 where it is empty or missing."""
    return name + _SIZE


def sized_field(name: str, fields: Columns) -> str | None:
    """The array whose number of values a field holds; None when it is a field of its own."""
    array = name.removesuffix(_SIZE)
    return array if name not in fields and array != name and fields.get(array) == "array" else None


def document_columns(fields: Columns) -> dict[str, PropertyKind]:
    """The fields of documents: those of the DocSet, sizes of its arrays, and those that every
    document has.
    """
    sizes: dict[str, PropertyKind] = {
        size_field(name): "int" for name, kind in fields.items() if kind == "array"
    }
    always: dict[str, PropertyKind] = {
        "doc_id": "string", "properties.path": "string", TEXT: "string",
    }  # fmt: skip
    return {**always, **sizes, **fields}


def columns_after(parsed: Fields, columns: Columns, grouped: bool) -> Columns:
    """The columns that a node hands on, given those that came in."""
    match parsed:
        case LlmExtractEntity():
            kind = SYNONYMS.get(parsed.new_field_type.lower(), "string")
            return {**columns, "properties." + bare_field(parsed.new_field): kind}
        case KMeanClustering() | LLMClustering():
            return {**columns, "properties." + bare_field(parsed.new_field): "string"}
        case GroupBy():
            named: dict[str, PropertyKind] = {
                row_field(key): columns.get(canonical_field(key), "string")
                for key in (parsed.keys if len(parsed.keys) > 1 else [])
            }
            return {**columns, "properties.key": _key_kind(parsed, columns), **named}
        case TopK():
            kind = columns.get(canonical_field(parsed.field), "string")
            return {"properties.key": kind, "properties.count": "int"}
        case Distinct():
            return {"properties.key": columns.get(canonical_field(parsed.field), "string")}
        case Aggregate():
            keys = {k: v for k, v in columns.items() if not k.startswith(ENTITY)} if grouped else {}
            keys.pop(TEXT, None)
            keys.pop("doc_id", None)
            made: dict[str, PropertyKind] = {
                row_field(item.column): _measure_kind(item.func, item.field, columns)
                for item in parsed.aggregations
            }
            return {**keys, **made}
        case _ if grouped:
            return {
                "properties.key": columns.get("properties.key", "string"),
                "properties.count": "int",
                "properties.values": "array",
            }
    return columns


def _key_kind(group: GroupBy, columns: Columns) -> PropertyKind:
    if group.bucket is not None:
        return "int" if group.bucket == "year" else "string"
    return columns.get(canonical_field(group.field), "string")


def _measure_kind(func: str, name: str | None, columns: Columns) -> PropertyKind:
    if func in ("count", "distinct"):
        return "int"
    kind = columns.get(canonical_field(name or ""), "float")
    return kind if func in ("min", "max") else "float"
