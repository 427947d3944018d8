"""Checks a submitted schema beyond its form.

Stored schemas are not checked again: a DocSet stays readable when a rule is added here.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from backend.extraction.type_names import meant_type
from backend.extraction.validators import ExpressionError, compile_validator
from backend.extraction.value_faults import value_fault
from workbench.contract.derived_fields import derived_field, derived_kind
from workbench.contract.errors import FieldFault
from workbench.contract.inner_properties import declared_kinds
from workbench.contract.plan_columns import reserved_names
from workbench.contract.plan_nodes import ENTITY, canonical_field
from workbench.contract.schema import PropertyShape, RegexValidator, Schema

MOST_LEVELS = 16
"""How deep types may be nested, so that the schema stays within the limit on JSON depth."""

_RESERVED = {"confidence": "the confidence", "unit": "the units", "doubted": "doubtful values"}


def schema_faults(
    schema: Schema, loc: Sequence[str | int] = ("body", "schema")
) -> list[FieldFault]:
    """The faults of a schema, nested properties included.

    There is one for each unreadable expression, misspelt type, default of the wrong type, object
    with two properties of one name and reserved name, and for types nested too deep. `loc` is the
    schema's place in the request.
    """
    faults: list[FieldFault] = []
    for index, prop in enumerate(schema.properties):
        faults += _faults(prop, [*loc, "properties", index], 1)
    return [*faults, *name_faults(schema, loc)]


def name_faults(schema: Schema, loc: Sequence[str | int] = ("body", "schema")) -> list[FieldFault]:
    """One fault for each name, of a property or of a part of one, that means something else in
    questions: how far other properties can be trusted, what is computed from them, or a document's
    own fields; and for each that is confused with others, because not all of it shows.
    """
    faults = []
    for prop in schema.properties:
        for name in (prop.name, *_inner_names(prop)):
            if (msg := _unclear(name)) is not None:
                faults.append(FieldFault(loc=[*loc, "properties"], msg=msg, type="unclear_name"))
        if canonical_field(prop.name) != ENTITY + prop.name:
            msg = f"{prop.name!r} is reserved for {_OWN.get(prop.name, _FULL)}; choose another name"
            faults.append(FieldFault(loc=[*loc, "properties"], msg=msg, type="reserved_name"))
    fields = {ENTITY + name: kind for name, kind in declared_kinds(schema).items()}
    reserved = reserved_names(fields)
    for field in sorted(fields):
        name, derived = field.removeprefix(ENTITY), derived_field(field)
        if field in reserved:
            whole, _, word = name.rpartition(".")
            meaning = f"{_RESERVED[word]} of {whole!r}"
        elif derived is not None and derived_kind(derived, fields) is not None:
            meaning = derived.words
        else:
            continue
        msg = f"{name!r} is reserved for {meaning}; choose another name"
        faults.append(FieldFault(loc=[*loc, "properties"], msg=msg, type="reserved_name"))
    return faults


def _inner_names(shape: PropertyShape) -> Iterator[str]:
    if shape.item_type is not None:
        yield from _inner_names(shape.item_type)
    for inner in shape.properties or ():
        yield inner.name
        yield from _inner_names(inner)


def _unclear(name: str) -> str | None:
    """Why a name cannot be told from others that look the same."""
    unseen = next((c for c in name if c != " " and (c.isspace() or not _shows(c))), None)
    if unseen is not None:
        return f"{name!r:.80} has a character that does not show (U+{ord(unseen):04X})"
    if name != " ".join(name.split()):
        return f"{name!r:.80} has a blank at its beginning or end, or several in a row"
    return None


def _shows(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character) not in ("Cc", "Cf")


_JOINERS = "\u200c\u200d"
"""They change how letters of Persian, Hindi and others are written."""
_OWN = {"doc_id": "the id of a document", "text_representation": "the text of a document"}
_FULL = "the full names of properties"


def _faults(shape: PropertyShape, loc: list[str | int], level: int) -> list[FieldFault]:
    if level > MOST_LEVELS:
        msg = f"types are nested deeper than {MOST_LEVELS} levels"
        return [FieldFault(loc=loc, msg=msg, type="too_deep")]
    faults = [*_own_faults(shape, loc)]
    if shape.item_type is not None:
        faults += _faults(shape.item_type, [*loc, "item_type"], level + 1)
    for index, inner in enumerate(shape.properties or []):
        faults += _faults(inner, [*loc, "properties", index], level + 1)
    return faults


def _own_faults(shape: PropertyShape, loc: list[str | int]) -> Iterator[FieldFault]:
    if (meant := meant_type(shape.custom_type)) is not None:
        msg = f"there is no type {shape.custom_type!r}: did you mean {meant!r}?"
        yield FieldFault(loc=[*loc, "type"], msg=msg, type="property_type")
    for index, validator in enumerate(shape.validators):
        try:
            compile_validator(validator)
        except ExpressionError as error:
            key = "regex" if isinstance(validator, RegexValidator) else "expression"
            where = [*loc, "validators", index, key]
            yield FieldFault(loc=where, msg=str(error), type=f"{validator.type}_syntax")
    if (wrong := value_fault(shape.default, shape, [*loc, "default"])) is not None:
        yield wrong
    named = Counter(inner.name for inner in shape.properties or [])
    if twice := sorted(name for name, count in named.items() if count > 1):
        msg = f"property named twice: {', '.join(twice)}"
        yield FieldFault(loc=[*loc, "properties"], msg=msg, type="value_error")
