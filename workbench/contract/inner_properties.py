"""Properties inside objects and lists of objects, as named in plans: `address.city`, `lines.item`.

A part of an object is a field of its own kind; the parts of a list of objects are an array.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.contract.schema import PropertyKind, Schema, SchemaProperty

_NESTED: frozenset[PropertyKind] = frozenset({"object", "array"})


def inner_properties(schema: Schema) -> dict[str, SchemaProperty]:
    """The properties one level inside others, by names with a dot; an equal name comes first."""
    own = {prop.name for prop in schema.properties}
    return {name: prop for name, prop in _inner(schema) if name not in own}


def _inner(schema: Schema) -> Iterator[tuple[str, SchemaProperty]]:
    for outer in schema.properties:
        item = outer.item_type if outer.kind == "array" else outer
        for part in (item.properties if item is not None else None) or []:
            if part.kind in _NESTED:
                continue
            listed = {"kind": "array"} if outer.kind == "array" else {}
            yield f"{outer.name}.{part.name}", part.model_copy(update=listed)


def declared_kinds(schema: Schema) -> dict[str, PropertyKind]:
    """The kinds of all properties of a schema by their bare names, inner ones last."""
    kinds = {prop.name: prop.kind for prop in schema.properties}
    return {**kinds, **{name: prop.kind for name, prop in inner_properties(schema).items()}}


def inner_value(value: Any, part: str) -> Any:
    """The value of an object's key; for a list of objects, the list of their values."""
    if isinstance(value, Mapping):
        return value.get(part)
    if isinstance(value, list):
        values = [item[part] for item in value if isinstance(item, Mapping) and part in item]
        return [item for item in values if item is not None] or None
    return None


def outer_name(name: str, declared: Mapping[str, PropertyKind]) -> tuple[str, str] | None:
    """The object that an inner property belongs to and its name inside; None for other names."""
    for place, letter in enumerate(name):
        if letter == "." and declared.get(name[:place]) in _NESTED:
            return name[:place], name[place + 1 :]
    return None
