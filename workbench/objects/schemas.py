"""Accepts a schema as a dictionary of names and types, a pydantic class, or a dataclass.

Unknown types are rejected here. The service would accept them as custom types and extract only
text, so a misspelling would only show in the values.
"""

import dataclasses
import enum
import types
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ValidationError

from workbench.client.errors import Mistake
from workbench.contract.schema import SYNONYMS, PropertyKind, Schema
from workbench.nearest import close_to, suggestion

SchemaLike: TypeAlias = Schema | Mapping[str, Any] | Sequence[Mapping[str, Any]] | type[Any]
"""A `Schema`, its JSON form (the object, or only its list of properties), a pydantic class, a
dataclass, or `{"year": int, "state": ["WA", "AK"]}`."""

_PLAIN: dict[Any, str] = {
    bool: "bool", int: "int", float: "float", str: "string", date: "date", datetime: "datetime",
    list: "array", Any: "string",
}  # fmt: skip
_TYPE_KEYS = ("type", "field_type", "property_type")
_FORMS = (
    "A schema is a dictionary of names and types such as {'year': int, 'state': ['WA', 'AK']}, "
    "a pydantic class or a dataclass."
)


def schema_of(given: SchemaLike) -> Schema:
    """The schema in the contract's form.

    Types are words (`int`, `float`, `bool`, `string`, `date`, `datetime`), Python's own types,
    `list[int]`, a list of choices, a `Literal`, an `Enum`, or a dictionary or class for a
    nested object. `Annotated[int, "words"]` and pydantic's `Field(description=…)` describe a
    property.

    Raises Mistake for an unknown type and for anything that is not a schema.

    Example: schema_of({"year": int, "state": ["WA", "AK"]})
    """
    if isinstance(given, Schema):
        return given
    try:
        return Schema.model_validate({"properties": _properties(given)})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "properties")
        words = first["msg"].removeprefix("Value error, ")
        raise Mistake(f"The schema is wrong{f' at {place}' if place else ''}: {words}.") from None


def _properties(given: Any) -> list[Any]:
    """The properties in the contract's JSON form."""
    if isinstance(given, type):
        return [{"name": name, "type": shape} for name, shape in _fields(given).items()]
    if _is_list_of_properties(given):
        return [_wire(prop) for prop in given]
    if not isinstance(given, Mapping):
        raise Mistake(f"{given!r:.80} is not a schema. {_FORMS}")
    for key in ("properties", "fields"):
        listed = given.get(key)
        if _is_list_of_properties(listed):
            return [_wire(prop) for prop in listed]
    return [{"name": str(name), "type": _shape(kind, str(name))} for name, kind in given.items()]


def _is_list_of_properties(given: Any) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    return isinstance(given, Sequence) and all(isinstance(prop, Mapping) for prop in given)


def _wire(prop: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property in the contract's form; only a word that is close to a type is refused, since
    callers may have types of their own.
    """
    word = next((prop[key] for key in _TYPE_KEYS if key in prop), None)
    word = word.get("type") if isinstance(word, Mapping) else word
    if isinstance(word, str) and word.lower() not in SYNONYMS and close_to(word, SYNONYMS, 0.8):
        _refuse(word, str(prop.get("name")))
    return prop


def _fields(kind: type) -> dict[str, dict[str, Any]]:
    """The fields of a class as shapes; Mistake for an unsupported class."""
    if not (dataclasses.is_dataclass(kind) or issubclass(kind, BaseModel)):
        raise Mistake(f"The class {kind.__name__} is not a schema. {_FORMS}")
    hints = get_type_hints(kind, include_extras=True)
    described = _descriptions(kind)
    shapes: dict[str, dict[str, Any]] = {}
    for name in described:
        shapes[name] = _shape(hints[name], name)
        if described[name]:
            shapes[name]["description"] = described[name]
    return shapes


def _descriptions(kind: type) -> dict[str, str | None]:
    """The names of the fields with their descriptions."""
    if issubclass(kind, BaseModel):
        return {name: field.description for name, field in kind.model_fields.items()}
    return {
        field.name: field.metadata.get("description")
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]  # the caller looked
    }


def _shape(kind: Any, name: str) -> dict[str, Any]:
    """The type of a property in the contract's JSON form."""
    if isinstance(kind, str):
        if kind.lower() not in SYNONYMS:
            _refuse(kind, name)
        return {"type": kind.lower()}
    if isinstance(kind, Mapping):
        if isinstance(kind.get("type"), str):
            return dict(_wire({"name": name, **kind}))
        inner = [{"name": str(key), "type": _shape(value, key)} for key, value in kind.items()]
        return {"type": "object", "properties": inner}
    if isinstance(kind, list | tuple | set | frozenset):
        return {"type": "choice", "choices": list(kind)}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if isinstance(kind, type) and get_origin(kind) is None:
        if issubclass(kind, enum.Enum):
            return {"type": "choice", "choices": [member.value for member in kind]}
        inner = [{"name": key, "type": shape} for key, shape in _fields(kind).items()]
        return {"type": "object", "properties": inner}
    return _generic(kind, name)


def _generic(kind: Any, name: str) -> dict[str, Any]:
    """Types with parameters: `int | None`, `list[str]`, `Literal["WA", "AK"]`, `Annotated`."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        words = next((part for part in inside[1:] if isinstance(part, str)), None)
        shape = _shape(inside[0], name)
        return {**shape, "description": words} if words else shape
    if origin is Literal:
        return {"type": "choice", "choices": list(inside)}
    if origin in (Union, types.UnionType):
        some = [part for part in inside if part is not type(None)]
        if len(some) == 1:
            return _shape(some[0], name)
    if origin in (list, tuple, set, frozenset, Sequence) and inside:
        return {"type": "array", "item_type": _shape(inside[0], name)}
    raise Mistake(f"{kind!r} is not a type of a property ({name!r}). {_FORMS}")


def _refuse(word: str, name: str) -> None:
    hint = suggestion(word, SYNONYMS if close_to(word, SYNONYMS) else get_args(PropertyKind))
    raise Mistake(f"{word!r} is not a type of a property ({name!r}).{hint}")
