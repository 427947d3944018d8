"""Which fields there are at each step of a plan, and what kind of values they hold.

Documents have the properties of the DocSet; grouping and counting replace them by small tables
whose columns are under `properties.`.
"""

from collections.abc import Mapping, Sequence

from workbench.contract.plan_nodes import (
    TEXT,
    Aggregate,
    AggregateCollect,
    AggregateCount,
    Aggregation,
    Distinct,
    Fields,
    GroupBy,
    KMeanClustering,
    LLMClustering,
    LlmExtractEntity,
    TopK,
    Unroll,
    bare_field,
    canonical_field,
    row_field,
)
from workbench.contract.schema import SYNONYMS, PropertyKind

Columns = Mapping[str, PropertyKind]
"""Field names in the canonical spelling, with the kind of their values."""

NUMERIC: frozenset[PropertyKind] = frozenset({"int", "float"})
DATED: frozenset[PropertyKind] = frozenset({"date", "datetime"})


SIZE = ".count"
_CONFIDENCE = ".confidence"


def size_field(name: str) -> str:
    """The field with the number of values in an array: 0 if empty, null if unknown."""
    return name + SIZE


def sized_field(name: str, fields: Columns) -> str | None:
    """The array whose length a field contains; None if it is a field of its own.

    `fields` are those of the DocSet, or of documents in a plan, which include sizes.
    """
    array = name.removesuffix(SIZE)
    is_size = array != name and fields.get(array) == "array" and fields.get(name, "int") == "int"
    return array if is_size else None


def stored_field(name: str, fields: Columns) -> str | None:
    """The field of the DocSet behind a field: itself, or the one whose size or confidence it is."""
    if name in fields:
        return name
    whole = sized_field(name, fields) or name.removesuffix(_CONFIDENCE)
    return whole if whole in fields else None


def confidence_field(name: str) -> str:
    """The field with the confidence of another, 0 to 1; null if it is beyond doubt."""
    return name + _CONFIDENCE


def unit_field(name: str) -> str:
    """The field with the unit or currency that each number of another was read with."""
    return name + ".unit"


def doubted_field(name: str) -> str:
    """The field with the values of another that were removed as doubtful."""
    return name + ".doubted"


def trust_fields(fields: Columns) -> list[str]:
    """The confidences of these fields, then the units of their numbers."""
    units = [unit_field(name) for name, kind in fields.items() if kind in NUMERIC]
    return [*(confidence_field(name) for name in fields), *units]


def reserved_names(fields: Columns) -> frozenset[str]:
    """The names that say how far the values of these fields can be trusted.

    No property can have such a name; it works with and without the prefix of properties.
    """
    return frozenset([*trust_fields(fields), *map(doubted_field, fields)])


def field_in(name: str, columns: Columns, *, on_rows: bool) -> str:
    """The column that a field of a step means.

    In rows it is under `properties.`; in documents it is the property of that name, or else a field
    that an earlier step named so.
    """
    full = row_field(name) if on_rows else canonical_field(name)
    return full if full in columns or row_field(name) not in columns else row_field(name)


def document_columns(fields: Columns, derived: Columns | None = None) -> dict[str, PropertyKind]:
    """The fields of documents: those of the DocSet, the confidence of each, sizes of its arrays,
    those that every document has, and `derived` ones that a plan names.
    """
    sizes: dict[str, PropertyKind] = {
        size_field(name): "int" for name, kind in fields.items() if kind == "array"
    }
    sure: dict[str, PropertyKind] = {confidence_field(name): "float" for name in fields}
    always: dict[str, PropertyKind] = {
        "doc_id": "string", "properties.path": "string", TEXT: "string",
    }  # fmt: skip
    return {**always, **sure, **sizes, **(derived or {}), **fields}


def key_columns(group: GroupBy) -> list[str]:
    """The columns that identify the group of each row: the key, and its parts if several."""
    parts = map(row_field, group.keys) if len(group.keys) > 1 else ()
    return ["properties.key", *parts]


def columns_after(parsed: Fields, columns: Columns, keys: Sequence[str] = ()) -> Columns:
    """The output columns of a node, given its input columns; `keys` are those of groups."""
    match parsed:
        case LlmExtractEntity():
            kind = SYNONYMS.get(parsed.new_field_type.lower(), "string")
            return {**columns, "properties." + bare_field(parsed.new_field): kind}
        case KMeanClustering() | LLMClustering():
            return {**columns, "properties." + bare_field(parsed.new_field): "string"}
        case Unroll():
            return {**columns, field_in(parsed.field, columns, on_rows=False): "string"}
        case GroupBy():
            kinds = [_item_kind(name, columns) for name in parsed.keys]
            if parsed.bucket is not None:
                kinds[0] = "int" if parsed.bucket == "year" else "string"
            key, *parts = key_columns(parsed)
            kind = "array" if parts else kinds[0]
            return {**columns, key: kind, **dict(zip(parts, kinds, strict=False))}
        case TopK():
            return {"properties.key": _item_kind(parsed.field, columns), "properties.count": "int"}
        case Distinct():
            return {"properties.key": _item_kind(parsed.field, columns)}
        case Aggregate():
            made: dict[str, PropertyKind] = {
                row_field(item.column): measure_kind(item, columns) for item in parsed.aggregations
            }
            return {**{key: columns[key] for key in keys}, **made}
        case AggregateCount():
            return {**{key: columns[key] for key in keys}, "properties.count": "int"}
        case AggregateCollect():
            kept = {key: columns[key] for key in keys}
            return {**kept, "properties.count": "int", "properties.values": "array"}
    return columns


def _item_kind(name: str, columns: Columns) -> PropertyKind:
    """The type of a field's values; for an array that of its items."""
    kind = columns.get(field_in(name, columns, on_rows=False), "string")
    return "string" if kind == "array" else kind


def measure_kind(item: Aggregation, columns: Columns) -> PropertyKind:
    """The kind of the numbers in a computed column; days for the first or last of days."""
    if item.func in ("count", "distinct"):
        return "int"
    kind = columns.get(field_in(item.field or "", columns, on_rows=False), "float")
    return kind if item.func in ("min", "max") else "float"
