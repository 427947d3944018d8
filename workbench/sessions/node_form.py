"""A step of a plan as a form: its fields, their possible values, and its faults.

A form consists of text: `form` writes the fields of a step for editing, `read` parses such texts
into a step. An empty text means the default. The choices follow from the types of the catalogue and
from the step's input columns.
"""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from workbench.contract.derived_fields import worth_proposing
from workbench.contract.inner_properties import declared_kinds
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns, confidence_field, document_columns
from workbench.contract.plan_nodes import (
    CATALOGUE,
    ENTITY,
    TEXT,
    Aggregation,
    Node,
    Scalar,
    SortKey,
    bare_field,
    canonical_field,
    row_field,
)
from workbench.contract.plan_validation import Verdict, validate
from workbench.contract.schema import PropertyKind, Schema
from workbench.sessions.correcting import written
from workbench.sessions.field_names import field_label, is_usual, with_labels

FieldKind = Literal[
    "text", "value", "number", "choice", "property", "names", "values", "measures", "orders", "json"
]
"""`value` is a word, a number or true or false; `names` and `values` are lists with commas;
`measures` are functions with their field, for instance `count, avg wind_speed`; `orders` are
properties with a way, for instance `state, date down`."""

_PROPERTY = (
    "field", "field_one", "field_two", "primary_field", "distinct_field", "start_field",
    "end_field",
)  # fmt: skip
_PROPERTIES = ("fields", "per")
_HIDDEN = ("index", "kin")  # the DocSet, which a plan cannot leave; spellings have their own list
_WORDS: frozenset[PropertyKind | None] = frozenset({"string", "choice"})


@dataclass(frozen=True)
class FormField:
    """One field. `text` is the current value, empty for the default, which `default` names.

    `choices` are all possible values of a choice field, and suggestions for other kinds. `label` is
    the display name; a `usual` field is shown even if it is empty.
    """

    name: str
    kind: FieldKind
    text: str
    default: str
    required: bool
    choices: tuple[str, ...] = ()
    label: str = ""
    usual: bool = False

    @property
    def at_hand(self) -> bool:
        """Whether a form shows it at once, and not behind `more fields`."""
        return self.required or bool(self.text) or self.usual


def form(plan: Plan, node_id: int, schema: Schema | None = None) -> list[FormField]:
    """The fields of a step: required ones, then those that are set, often set, and the others."""
    node = plan.node(node_id)
    kind = CATALOGUE.get(node.node_type)
    known = kind.fields.model_fields if kind else {}
    columns = incoming(plan, node_id, schema)
    fields = [
        _field(node.node_type, name, info, node.extras.get(name), columns)
        for name, info in known.items()
        if name not in _HIDDEN
    ]
    fields += [
        FormField(name, "json", written(value), "", required=False, label=field_label(name))
        for name, value in node.unchecked.items()
        if name not in known
    ]
    return sorted(fields, key=lambda f: (not f.required, not f.text, not f.usual))


def read(plan: Plan, node_id: int, texts: Mapping[str, str], schema: Schema | None = None) -> Node:
    """The step with the typed fields; missing ones, and texts that `form` wrote, are unchanged."""
    node = plan.node(node_id)
    columns = incoming(plan, node_id, schema)
    about_field = texts.get("field", str(node.extras.get("field") or ""))
    wordy = columns.get(_spelled(about_field, columns)) in _WORDS
    values: dict[str, Any] = {}
    for field in form(plan, node_id, schema):
        typed = texts.get(field.name, field.text).strip()
        if typed != field.text:
            values[field.name] = _value(typed, field.kind, wordy, columns)
    if values.keys() & {"start", "end", "start_field", "end_field"}:
        values.setdefault("range_filter", True)  # a bound alone would change nothing
    if values:
        values["description"] = None  # it described the step before the change
    return node.with_fields(**values)


def faults(plan: Plan, node: Node, schema: Schema | None = None) -> dict[str, str]:
    """The faults of the plan with `node` in it: sentences by field, others under ""."""
    problems: dict[str, list[str]] = {}
    for fault in _verdict(plan, node, schema).faults:
        own = str(node.node_id) in map(str, fault.loc[3:4])
        name = str(fault.loc[4]).partition(".")[0] if own and len(fault.loc) > 4 else ""
        problems.setdefault(name, []).append(fault.msg.removeprefix(f"{name}: "))
    return {name: "; ".join(messages) for name, messages in problems.items()}


def is_misfed(plan: Plan, node: Node) -> bool:
    """Whether an input of the step does not exist, or depends on the step itself."""
    kinds = {fault.type for fault in _verdict(plan, node, None).faults}
    return not kinds.isdisjoint(("unknown_input", "cycle"))


def _verdict(plan: Plan, node: Node, schema: Schema | None) -> Verdict:
    nodes = {**plan.nodes, str(node.node_id): node}
    return validate(plan.model_copy(update={"nodes": nodes}), _columns(schema))


def about(node: Node) -> str:
    """What steps of this kind do, in a few sentences; empty for an unknown kind."""
    kind = CATALOGUE.get(node.node_type)
    words = " ".join((kind.fields.__doc__ or "").split()) if kind else ""
    return with_labels(words, node.node_type)


def incoming(plan: Plan, node_id: int, schema: Schema | None) -> Columns:
    """The input columns of a step; those of documents for a source. Empty without a schema."""
    columns = _columns(schema)
    if columns is None:
        return {}
    node = plan.node(node_id)
    if not node.inputs:
        return document_columns(columns, worth_proposing(columns))
    reached = validate(plan, columns).columns.get(node.inputs[0], {})
    # What can be worked out from documents is not proposed for the rows of a small table.
    return {**worth_proposing(columns), **reached} if TEXT in reached else reached


def _columns(schema: Schema | None) -> Columns | None:
    """A DocSet without properties provides no information about fields."""
    if schema is None or not schema.properties:
        return None
    return {f"{ENTITY}{name}": kind for name, kind in declared_kinds(schema).items()}


# -- one field ------------------------------------------------------------------------------------


def _field(step: str, name: str, info: FieldInfo, value: Any, columns: Columns) -> FormField:
    kind, choices = _kind(name, info.annotation)
    if kind == "property" or name in _PROPERTIES:
        # A value is meant more often than how sure it is.
        sure = {confidence_field(column) for column in columns}
        named = sorted(columns, key=lambda column: column in sure)
        choices = tuple(_in_words(column, columns) for column in named)
    default = "" if info.is_required() or info.default in (None, [], "") else written(info.default)
    text = _WRITERS.get(kind, written)(value)
    label, usual = field_label(name, step), is_usual(name, step)
    return FormField(name, kind, text, default, info.is_required(), choices, label, usual)


def _kind(name: str, annotation: Any) -> tuple[FieldKind, tuple[str, ...]]:
    """The text of a field of that name and type."""
    if name in _PROPERTY:
        return "property", ()
    options = _options(annotation)
    literals = [value for option in options for value in get_args(option)]
    if options and all(get_origin(option) is Literal for option in options):
        return "choice", tuple(map(str, literals))
    if options == [bool]:
        return "choice", ("true", "false")
    if set(options) <= {int, float}:
        return "number", ()
    if len(options) == 1 and options[0] in _KINDS:
        return _KINDS[options[0]], ()
    return "value" if set(options) <= _SCALARS else "json", ()


_NAMED = " as "
"""The separator between a measure and the name of its column."""
_SCALARS = set(get_args(Scalar))
_KINDS: Mapping[Any, FieldKind] = {
    str: "text",
    list[str]: "names",
    list[Scalar]: "values",
    list[Aggregation]: "measures",
    list[SortKey]: "orders",
}


def _options(annotation: Any) -> list[Any]:
    """The members of a union without None and without their limits."""
    if get_origin(annotation) is Annotated:
        return _options(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [one for o in get_args(annotation) if o is not type(None) for one in _options(o)]
    return [annotation]


# -- values and texts -----------------------------------------------------------------------------


def as_value(text: str) -> Any:
    """The typed value: JSON if it parses, else text; None for an empty field."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _measures(items: Any) -> str:
    """`count, avg wind_speed as average wind`; JSON where that cannot express it."""
    if not isinstance(items, list) or not all(map(_is_plain_measure, items)):
        return written(items)
    return ", ".join(map(_measure_words, items))


def _is_plain_measure(item: Any) -> bool:
    if not isinstance(item, dict) or {k for k, v in item.items() if v} - {"func", "field", "name"}:
        return False
    written = f"{item.get('field') or ''} {item.get('name') or ''}"
    return "," not in written and _NAMED not in written


def _measure_words(item: Mapping[str, Any]) -> str:
    words = f"{item.get('func')} {bare_field(item.get('field') or '')}".strip()
    return f"{words}{_NAMED}{item['name']}" if item.get("name") else words


def _orders(items: Any) -> str:
    """`state, date down`; JSON where that cannot express it."""
    plain = isinstance(items, list) and all(
        isinstance(item, dict) and isinstance(item.get("field"), str) for item in items
    )
    if not plain:
        return written(items)
    keys = (bare_field(k["field"]) + (" down" if k.get("descending") else "") for k in items)
    return ", ".join(keys)


def _order(text: str, columns: Columns) -> dict[str, Any]:
    name, _, way = text.rpartition(" ")
    if name and way in ("down", "up"):
        return {"field": _spelled(name.strip(), columns), "descending": way == "down"}
    return {"field": _spelled(text, columns), "descending": False}


def _joined(items: Any) -> str:
    """`WA, AK`; JSON where a comma or a list inside would mislead."""
    plain = isinstance(items, list) and not any(
        isinstance(item, list | dict) or "," in str(item) for item in items
    )
    return ", ".join(map(written, items)) if plain else written(items)


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "property": lambda name: bare_field(name) if isinstance(name, str) else written(name),
    "names": lambda names: _joined(
        [bare_field(name) if isinstance(name, str) else name for name in names or []]
    ),
    "values": _joined,
    "measures": _measures,
    "orders": _orders,
}


def _value(text: str, kind: FieldKind, wordy: bool, columns: Columns) -> Any:
    """The value of a text. For a text property, digits stay text."""
    if not text:
        return None
    if kind == "property":
        return _spelled(text, columns)
    if kind == "text" or (kind == "value" and wordy):
        return text
    if text.startswith("[") or kind not in ("names", "values", "measures", "orders"):
        return as_value(text)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if kind == "measures":
        return [_measure(part, columns) for part in parts]
    if kind == "orders":
        return [_order(part, columns) for part in parts]
    if kind == "values":
        return parts if wordy else [as_value(part) for part in parts]
    return [_spelled(part, columns) for part in parts]


def _measure(text: str, columns: Columns) -> dict[str, str]:
    words, _, name = text.partition(_NAMED)
    func, _, field = words.strip().partition(" ")
    measure = {"func": func}
    if field:
        measure["field"] = _spelled(field.strip(), columns)
    if name.strip():
        measure["name"] = name.strip()
    return measure


def _in_words(column: str, columns: Columns) -> str:
    """The shortest name that means this column."""
    bare = bare_field(column)
    return bare if _spelled(bare, columns) == column else column


def _spelled(name: str, columns: Columns) -> str:
    """A field as plans spell it: of documents, or else of the small tables behind a grouping."""
    if not columns:
        return name
    return canonical_field(name) if TEXT in columns else row_field(name)
