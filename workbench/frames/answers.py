"""Column names for the documents and rows of a plan or a projected search.

A property has its own name wherever it comes from, a document's file name is `name`, and the key of
a group has the name of the grouped property. If two columns would share a name, the second keeps
its full path.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from workbench.contract.inner_properties import inner_properties
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import confidence_field
from workbench.contract.plan_nodes import (
    ENTITY,
    Distinct,
    GroupBy,
    Node,
    TopK,
    bare_field,
    row_field,
)
from workbench.contract.schema import PropertyShape, Schema
from workbench.frames.columns import inferred, of_type, typed

if TYPE_CHECKING:
    import polars as pl

Row = Mapping[str, Any]
Keys = Mapping[str, str | None]
"""Better column names by field; None for a redundant column."""

KEY = "properties.key"
_FIXED = {"doc_id": "doc_id", "properties.path": "name", "properties.page_count": "pages"}
_KINDS = {"doc_id": "string", "properties.path": "string", "properties.page_count": "int32"}
_NESTED = ("properties", "elements", "evidence")
_CONFIDENCE = confidence_field("")


def flat(row: Row) -> dict[str, Any]:
    """A document or row of an answer with one field per value: `properties.entity.state`."""
    fields = {name: value for name, value in row.items() if name not in _NESTED}
    bag = row.get("properties")
    if not isinstance(bag, Mapping):
        return fields
    fields |= {f"properties.{name}": value for name, value in bag.items() if name != "entity"}
    entity = bag.get("entity")
    if isinstance(entity, Mapping):
        fields |= {f"{ENTITY}{name}": value for name, value in entity.items()}
    return fields


def answer_columns(
    rows: Sequence[Row],
    fields: Sequence[str],
    keys: Keys | None = None,
    schema: Schema | None = None,
    extremes: Mapping[str, str] | None = None,
) -> dict[str, "pl.Series"]:
    """One column per field of flat rows, with the types of the schema; `extremes` are the
    properties behind columns with their lowest or highest values.
    """
    shapes: dict[str, PropertyShape] = {} if schema is None else {**inner_properties(schema)}
    shapes |= {prop.name: prop for prop in schema.properties} if schema is not None else {}
    columns: dict[str, pl.Series] = {}
    for title, field in _titles(fields, keys or {}):
        values = [row.get(field) for row in rows]
        shape = _shape(title, field, keys or {}, shapes)
        if extremes and field in extremes:
            shape = shapes.get(extremes[field])
        if field in _KINDS and _fits(values, _KINDS[field]):
            columns[title] = of_type(values, _KINDS[field])
        else:
            columns[title] = inferred(values) if shape is None else typed(values, shape)
    return columns


def fields_of(rows: Sequence[Row], schema: Schema | None = None) -> list[str]:
    """The fields of flat rows: those of every document, the schema's in order, then others."""
    occurring = dict.fromkeys(name for row in rows for name in row)
    first = [name for name in _FIXED if name in occurring]
    known = [ENTITY + prop.name for prop in schema.properties] if schema is not None else []
    own = [name for name in occurring if not name.startswith(ENTITY)]
    ordered = [*first, *own, *(name for name in known if name in occurring), *occurring]
    return list(dict.fromkeys(ordered))


def key_names(plan: Plan | None, node_id: int) -> Keys:
    """Names for the group keys of a step: `state`, `event_date_month`, the parts of composites."""
    group = None if plan is None else _grouping(plan, node_id)
    if group is None:
        return {}
    if not isinstance(group, GroupBy):
        return {KEY: bare_field(group.field)}
    grain = f"_{group.bucket}" if group.bucket else ""
    names = [bare_field(name) for name in group.keys]
    first = names[0] + grain
    if len(names) == 1:
        return {KEY: first}
    return {KEY: None, row_field(names[0]): first}


def _grouping(plan: Plan, node_id: int) -> "GroupBy | TopK | Distinct | None":
    """The step that created the groups in the output of a step."""
    node: Node | None = plan.nodes.get(str(node_id))
    kinds: dict[str, type[GroupBy | TopK | Distinct]] = {
        "GroupBy": GroupBy,
        "TopK": TopK,
        "Distinct": Distinct,
    }
    for _ in plan.nodes:  # an invalid plan may have a cycle
        if node is None:
            return None
        if (kind := kinds.get(node.node_type)) is not None:
            try:
                return kind.model_validate(node.extras)
            except ValidationError:
                return None
        node = plan.nodes.get(str(node.inputs[0])) if node.inputs else None
    return None


def _titles(fields: Sequence[str], keys: Keys) -> Iterator[tuple[str, str]]:
    """The name of each column with its field; fields that every document has take precedence."""
    used = {_FIXED[field] for field in fields if field in _FIXED}
    for field in fields:
        if field in _FIXED:
            yield _FIXED[field], field
            continue
        title = keys[field] if field in keys else _own_name(field)
        if title is None:
            continue
        title = title if title not in used else field
        used.add(title)
        yield title, field


def _own_name(field: str) -> str:
    name = field.removesuffix(_CONFIDENCE)
    return bare_field(name) if name == field else f"{bare_field(name)}_confidence"


def _shape(
    title: str, field: str, keys: Keys, shapes: Mapping[str, PropertyShape]
) -> PropertyShape | None:
    """The schema's shape for a column: of properties, and of keys that are property values."""
    if field.startswith(ENTITY):
        return shapes.get(field.removeprefix(ENTITY))
    shape = shapes.get(title) if keys.get(field) == title else None
    if shape is not None and shape.kind == "array":
        return shape.item_type  # groups by a list are groups by its items
    return shape


def _fits(values: Sequence[Any], kind: str) -> bool:
    wanted = str if kind == "string" else int
    return all(value is None or isinstance(value, wanted) for value in values)
