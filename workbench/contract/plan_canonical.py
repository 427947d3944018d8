"""The canonical form of a plan, and the hash that names it.

This module alone decides when two plans are the same: ids, descriptions, defaults written out and
the order of filters next to each other do not matter; everything that changes the answer does. The
hash is the key of caches and of undo.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from workbench.contract.plan_nodes import (
    CATALOGUE,
    Aggregation,
    BasicFilter,
    Fields,
    Flow,
    Graph,
    Node,
    SortKey,
    canonical_field,
    row_field,
    typed,
)
from workbench.contract.plan_validation import validate, walk

_FIELD_NAMES = frozenset(
    {
        "field", "field_one", "field_two", "primary_field", "distinct_field", "start_field",
        "end_field",
    }
)  # fmt: skip
_FIELD_LISTS = frozenset({"fields", "per"})
_INSIDE: Mapping[str, type[Fields]] = {
    "any_of": BasicFilter, "aggregations": Aggregation, "where": BasicFilter, "then": SortKey,
}  # fmt: skip
"""The types of the items in the lists of steps."""
_NOTHING = object()


def plan_hash(plan: Graph) -> str:
    """SHA-256 of the canonical form, hex. The plan must have its nodes and no cycle."""
    return hashlib.sha256(_text(canonical(plan)).encode()).hexdigest()


def canonical(plan: Graph) -> list[dict[str, Any]]:
    """The nodes in the order of their inputs, numbered from 0; the last one is the result."""
    order = walk(plan)
    users = _users(plan, order)
    flows = validate(plan, None).flows
    bodies = {i: _body(plan.nodes[str(i)], flows) for i in order}
    for chain in _filter_chains(plan, order, users):
        ordered = sorted((bodies[i] for i in chain), key=_text)
        bodies.update(zip(chain, ordered, strict=True))
    number = {node_id: place for place, node_id in enumerate(order)}
    return [{**bodies[i], "inputs": [number[j] for j in plan.nodes[str(i)].inputs]} for i in order]


def _text(value: Any) -> str:
    """JSON that does not depend on the order in which fields were written."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def _body(node: Node, flows: Mapping[int, Flow]) -> dict[str, Any]:
    """The type of a node, and those of its fields that affect the answer."""
    on_rows = bool(node.inputs) and flows.get(node.inputs[0]) == "rows"
    extras = {name: value for name, value in node.unchecked.items() if value is not None}
    if node.node_type in CATALOGUE:
        try:
            defaults = _defaults(type(typed(node)))
        except ValidationError:
            defaults = {}
        extras = {k: v for k, v in extras.items() if k not in defaults or defaults[k] != v}
    spell = row_field if on_rows else canonical_field
    named = {name: _spelled(name, value, spell) for name, value in extras.items()}
    return {"node_type": node.node_type, **named}


@cache
def _defaults(fields: type[Fields]) -> dict[str, Any]:
    return fields.model_construct().model_dump()


def _spelled(key: str, value: Any, spell: Callable[[str], str]) -> Any:
    """A value with all names of fields spelled alike, except in another engine's queries."""
    if key in _FIELD_NAMES and isinstance(value, str):
        return spell(value)
    if isinstance(value, list):
        if key in _FIELD_LISTS:
            return [spell(item) if isinstance(item, str) else item for item in value]
        if key in _INSIDE:
            return [_spelled(key, item, spell) for item in value]
    if isinstance(value, dict) and key in _INSIDE:
        inside = _INSIDE[key].model_fields
        defaults = {name: field.get_default() for name, field in inside.items()}
        kept = {
            name: inner
            for name, inner in value.items()
            if inner is not None and defaults.get(name, _NOTHING) != inner
        }
        return {name: _spelled(name, inner, spell) for name, inner in kept.items()}
    return value


def _users(plan: Graph, order: list[int]) -> dict[int, list[int]]:
    users: dict[int, list[int]] = {i: [] for i in order}
    for i in order:
        for j in plan.nodes[str(i)].inputs:
            users[j].append(i)
    return users


def _filter_chains(plan: Graph, order: list[int], users: dict[int, list[int]]) -> list[list[int]]:
    """Chains of filters whose outputs nothing else uses: their order does not change the answer.

    A filter whose bound is the average of its input does not commute with others.
    """
    chains: list[list[int]] = []
    for i in order:
        node = plan.nodes[str(i)]
        if node.node_type != "BasicFilter" or {"start_at", "end_at"} & node.extras.keys():
            continue
        previous = node.inputs[0] if node.inputs else None
        if chains and chains[-1][-1] == previous and users[chains[-1][-1]] == [i]:
            chains[-1].append(i)
        else:
            chains.append([i])
    return chains
