"""The canonical form of a plan, and the hash that names it.

This module alone decides when two plans are the same: ids, descriptions, defaults written out and
the order of filters next to each other do not matter; everything that changes the answer does. The
hash is the key of caches and of undo.
"""

import hashlib
import json
from typing import Any

from pydantic import ValidationError

from backend.contract.plan_nodes import CATALOGUE, Graph, Node, canonical_field, typed
from backend.contract.plan_validation import walk

_FIELD_NAMES = ("field", "field_one", "field_two", "primary_field", "distinct_field")


def plan_hash(plan: Graph) -> str:
    """SHA-256 of the canonical form, hex. The plan must have its nodes and no cycle."""
    text = json.dumps(canonical(plan), sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(plan: Graph) -> list[dict[str, Any]]:
    """The nodes in the order of their inputs, numbered from 0; the last one is the result."""
    order = walk(plan)
    users = _users(plan, order)
    bodies = {i: _body(plan.nodes[str(i)]) for i in order}
    for chain in _filter_chains(plan, order, users):
        ordered = sorted((bodies[i] for i in chain), key=lambda body: json.dumps(body, default=str))
        bodies.update(zip(chain, ordered, strict=True))
    number = {node_id: place for place, node_id in enumerate(order)}
    return [{**bodies[i], "inputs": [number[j] for j in plan.nodes[str(i)].inputs]} for i in order]


def _body(node: Node) -> dict[str, Any]:
    """Type and fields of a node without what does not matter."""
    extras = {name: value for name, value in node.extras.items() if value is not None}
    if node.node_type in CATALOGUE:
        try:
            parsed = typed(node)
            defaults = type(parsed).model_construct().model_dump()
        except ValidationError:
            defaults = {}
        extras = {k: v for k, v in extras.items() if k not in defaults or defaults[k] != v}
    for name in _FIELD_NAMES:
        if isinstance(extras.get(name), str):
            extras[name] = canonical_field(extras[name])
    return {"node_type": node.node_type, **extras}


def _users(plan: Graph, order: list[int]) -> dict[int, list[int]]:
    users: dict[int, list[int]] = {i: [] for i in order}
    for i in order:
        for j in plan.nodes[str(i)].inputs:
            users[j].append(i)
    return users


def _filter_chains(plan: Graph, order: list[int], users: dict[int, list[int]]) -> list[list[int]]:
    """Runs of filters that hand on only to each other: their order does not change the answer.

    A filter whose bound is the average of what comes in does not commute with others.
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
