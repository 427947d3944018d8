"""The schema of a DocSet: three spellings in, two out, one form inside.

Callers write a property as `{name, field_type, …}` (the specification), `{name, property_type,
…}` (what the public client sends for plain schemas) or `{name, type: {type, …}}` (needed for
arrays, choices, objects and validators). The code uses only `SchemaProperty`, with all
attributes flat. Answers use the second spelling for plain properties and the third for the
others; readers understand both.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    SerializationInfo,
    model_serializer,
    model_validator,
)

from workbench.contract.wire import (
    Correct,
    Plain,
    PropertyName,
    Wire,
    composed,
    keys_of,
    refuse_slips,
)

MOST_PROPERTIES = 500
"""How many properties a schema, or an object in one, may have."""
PropertyKind = Literal[
    "bool", "int", "float", "string", "date", "datetime", "array", "choice", "object", "custom"
]

SYNONYMS: dict[str, PropertyKind] = {
    "bool": "bool", "boolean": "bool",
    "int": "int", "integer": "int",
    "float": "float", "number": "float", "double": "float",
    "string": "string", "str": "string", "text": "string",
    "date": "date", "datetime": "datetime",
    "array": "array", "list": "array",
    "choice": "choice", "object": "object", "struct": "object", "custom": "custom",
}  # fmt: skip


class RegexValidator(Correct):
    """The value must match the whole of `regex`."""

    model_config = ConfigDict(extra="allow")
    type: Literal["regex"] = "regex"
    regex: str = Field(max_length=2000)
    n_retries: int = Field(default=0, ge=0)


class BooleanExpValidator(Correct):
    """The value, called `x`, must satisfy `expression`, for instance `x > 0`."""

    model_config = ConfigDict(extra="allow")
    type: Literal["boolean_exp"] = "boolean_exp"
    expression: str = Field(max_length=2000)
    n_retries: int = Field(default=0, ge=0)


Validator = Annotated[RegexValidator | BooleanExpValidator, Field(discriminator="type")]

# Attributes that only the nested spelling can carry.
_NESTED_ONLY = (
    "required", "extraction_instructions", "source", "validators",
    "choices", "item_type", "properties", "format",
)  # fmt: skip


def _with_spellings(schema: dict[str, Any]) -> None:
    """Describes the spellings that requests may use: the code has only `kind`."""
    fields = schema.get("properties", {})
    if "kind" not in fields:
        return
    fields["kind"].pop("default", None)
    names = [*SYNONYMS]
    plain = {"type": "string", "maxLength": 200, "examples": names}
    for name in ("property_type", "field_type"):
        fields[name] = {**plain, "description": "The type, or a custom one; instead of `kind`."}
    nested = {"type": "object", "description": "The type with its attributes.", "properties": {
        "type": plain}, "required": ["type"]}  # fmt: skip
    fields["type"] = {"anyOf": [plain, nested], "description": "The same; instead of `kind`."}
    schema["anyOf"] = [{"required": [name]} for name in (*_TYPE_NAMES, "kind")]


_TYPE_NAMES = "property_type", "field_type", "type"


class PropertyShape(Wire):
    """The type of a value: of the items of an array, or of a property."""

    model_config = ConfigDict(extra="ignore", json_schema_extra=_with_spellings)

    kind: PropertyKind = "string"
    custom_type: str | None = None
    """The caller's own type if `kind` is custom; it is returned unchanged."""
    required: bool = False
    description: str | None = None
    default: Any = None
    extraction_instructions: str | None = None
    examples: Plain[Any] | None = Field(default=None, max_length=1000)
    source: dict[str, Any] | None = None
    validators: list[Validator] = Field(default=[], max_length=20)
    choices: Plain[Any] | None = Field(default=None, max_length=10_000)
    item_type: "PropertyShape | None" = None
    properties: "list[SchemaProperty] | None" = Field(default=None, max_length=MOST_PROPERTIES)
    format: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_wire(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        read = _flat(data)
        refuse_slips(read, (*keys_of(cls), *_TYPE_NAMES))
        return read

    @model_validator(mode="after")
    def _complete(self) -> "PropertyShape":
        if self.choices is not None:
            self.choices = [composed(one) if isinstance(one, str) else one for one in self.choices]
        if self.kind == "choice" and not self.choices:
            raise ValueError("a choice needs a list of choices")
        if self.kind == "object" and not self.properties:
            raise ValueError("an object needs a list of properties")
        if self.kind == "array" and self.item_type is None:
            self.item_type = PropertyShape.model_validate({"kind": "string"})
        return self

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """The fields that are set, the name first: most are not."""
        unset = {name: field.default for name, field in type(self).model_fields.items()}
        given = [(name, value) for name, value in super().__repr_args__()
                 if name == "kind" or value != unset.get(name or "")]  # fmt: skip
        return iter(sorted(given, key=lambda argument: argument[0] != "name"))

    def nested(self) -> dict[str, Any]:
        """The third spelling's `type` object."""
        out: dict[str, Any] = {
            "type": self.kind,
            "required": self.required,
            "description": self.description,
            "default": self.default,
            "extraction_instructions": self.extraction_instructions,
            "examples": self.examples,
            "source": self.source,
            "validators": [validator.model_dump() for validator in self.validators],
        }
        if self.kind == "choice" or (self.kind == "string" and self.choices):
            out["choices"] = self.choices
        if self.kind == "array" and self.item_type is not None:
            out["item_type"] = self.item_type.nested()
        if self.kind == "object":
            out["properties"] = [
                {"name": inner.name, "type": inner.nested()} for inner in self.properties or []
            ]
        if self.kind in ("date", "datetime") and self.format is not None:
            out["format"] = self.format
        if self.kind == "custom":
            out["custom_type"] = self.custom_type or "custom"
        return out

    @property
    def plain(self) -> bool:
        """Whether the second spelling can express it."""
        return self.kind not in ("array", "choice", "object") and not any(
            getattr(self, name) for name in _NESTED_ONLY
        )

    @model_serializer(mode="plain")
    def _write_wire(self, info: SerializationInfo) -> dict[str, Any]:
        return self.nested()


class SchemaProperty(PropertyShape):
    """A named property of a DocSet schema. Names may hold spaces."""

    name: PropertyName = Field(min_length=1, max_length=200)

    @model_serializer(mode="plain")
    def _write_wire(self, info: SerializationInfo) -> dict[str, Any]:
        if not self.plain:
            return {"name": self.name, "type": self.nested()}
        return {
            "name": self.name,
            "property_type": (self.custom_type or "custom") if self.kind == "custom" else self.kind,
            "default": self.default,
            "description": self.description,
            "examples": self.examples,
        }


class Schema(Wire):
    """The schema of a DocSet: its properties in order. Requests may call the list `fields`."""

    properties: list[SchemaProperty] = Field(max_length=MOST_PROPERTIES)

    @model_validator(mode="before")
    @classmethod
    def _accept_fields(cls, data: Any) -> Any:
        if isinstance(data, dict) and "properties" not in data and "fields" in data:
            return {**data, "properties": data["fields"]}
        return data

    @model_validator(mode="after")
    def _unique_names(self) -> "Schema":
        names = [prop.name for prop in self.properties]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"property named twice: {', '.join(twice)}")
        return self

    def get(self, name: str) -> SchemaProperty | None:
        """The property of that name, or None."""
        return next((prop for prop in self.properties if prop.name == name), None)


def _check_one_type(data: dict[str, Any]) -> None:
    """Refuses two names of the type that mean different types."""
    nested = data.get("type")
    given = {name: data.get(name) for name in ("kind", *_TYPE_NAMES)}
    given["type"] = nested.get("type") if isinstance(nested, dict) else nested
    words = {name: word for name, word in given.items() if isinstance(word, str) and word}
    if len({SYNONYMS.get(word.lower(), word) for word in words.values()}) > 1:
        listed = ", ".join(f"{name} {word[:80]!r}" for name, word in words.items())
        raise ValueError(f"several types are given, {listed}: leave out all but one")


def _flat(data: dict[str, Any]) -> dict[str, Any]:
    """Any spelling of a property in the flat form."""
    _check_one_type(data)
    if "kind" in data:
        return data
    nested = data.get("type")
    if isinstance(nested, dict):
        merged = {**nested, **({"name": data["name"]} if "name" in data else {})}
    else:
        word = data.get("property_type", data.get("field_type", nested))
        merged = {**data, "type": word}
    word = merged.pop("type", None)
    merged.pop("property_type", None)
    merged.pop("field_type", None)
    if not isinstance(word, str) or not word:
        raise ValueError(
            "the property type is missing: give field_type, property_type, type or kind"
        )
    kind = SYNONYMS.get(word.lower(), "custom")
    merged["kind"] = kind
    if kind == "custom" and word.lower() != "custom":
        merged.setdefault("custom_type", word)
    if merged.get("validators") is None:
        merged.pop("validators", None)
    return merged
