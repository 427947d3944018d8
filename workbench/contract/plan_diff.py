"""The difference of two plans, in terms of their steps.

This module alone decides which step of the new plan is which step of the old one: the same id with
the same type, else the same type about the same field, else the same type in the same order.
Whatever has no partner was added or removed; partners whose fields differ were changed; partners
that come after other steps than before were moved. Plans have few steps, so no general tree
difference is needed, and matching by role keeps the answer stable while ids are renumbered.
"""

from collections.abc import Callable, Hashable, Set
from typing import Any, Literal

from pydantic import Field

from workbench.contract.plan_nodes import Graph, Node, bare_field
from workbench.contract.wire import Wire

ChangeKind = Literal["added", "removed", "changed", "moved"]


class FieldChange(Wire):
    """One field of a step that is different; null means that the field is absent."""

    field: str
    old: Any = None
    new: Any = None


class NodeChange(Wire):
    """What happened to one step. `before` and `after` are its ids, null if it is new or gone."""

    kind: ChangeKind
    node_type: str
    before: int | None = None
    after: int | None = None
    fields: list[FieldChange] = Field(default=[], max_length=2000)
    line: str


class PlanDiff(Wire):
    """All changes: removed steps first, then the others in the order of the new plan."""

    changes: list[NodeChange] = Field(default=[], max_length=2000)

    @property
    def lines(self) -> list[str]:
        """The changes as lines that begin with `+`, `-`, `~` or `>`."""
        marks = {"added": "+", "removed": "-", "changed": "~", "moved": ">"}
        return [f"{marks[change.kind]} {change.line}" for change in self.changes]


def diff(before: Graph, after: Graph) -> PlanDiff:
    """What turns `before` into `after`. Any two plans can be compared, sound or not."""
    partner = align(before, after)
    kept = set(partner.values())
    removed = [_removed(node) for node in before.nodes.values() if node.node_id not in kept]
    turned = _moved(after, partner, before, frozenset())
    turned |= _moved(after, partner, before, kept - {partner[i] for i in turned})
    others = [
        _compare(node, partner, before, moved=node.node_id in turned)
        for node in after.nodes.values()
    ]
    return PlanDiff(changes=removed + [change for change in others if change is not None])


def align(before: Graph, after: Graph) -> dict[int, int]:
    """For each step of the new plan that has one, the id of its partner in the old plan."""
    roles: list[Callable[[Node], Hashable]] = [
        lambda node: (node.node_id, node.node_type),
        lambda node: (node.node_type, _subject(node)),
        lambda node: node.node_type,
    ]
    partner: dict[int, int] = {}
    for role in roles:
        free: dict[Hashable, list[int]] = {}
        paired = set(partner.values())
        for old in before.nodes.values():
            if old.node_id not in paired:
                free.setdefault(role(old), []).append(old.node_id)
        for new in after.nodes.values():
            if new.node_id not in partner and free.get(role(new)):
                partner[new.node_id] = free[role(new)].pop(0)
    return partner


def say(node: Node) -> str:
    """A step in a few words: its own description, or its type and subject."""
    if node.description:
        return node.description
    subject = _subject(node)
    return f"{node.node_type} of {bare_field(subject)}" if subject else node.node_type


def _subject(node: Node) -> str:
    return str(node.extras.get("field") or node.extras.get("question") or "")


def _removed(node: Node) -> NodeChange:
    return NodeChange(
        kind="removed", node_type=node.node_type, before=node.node_id, line=f"removed: {say(node)}"
    )


def _moved(after: Graph, partner: dict[int, int], before: Graph, staying: Set[int]) -> set[int]:
    """The steps with inputs that could not be reached by merely taking out steps before them,
    other than those of the old plan that are `staying`.
    """
    moved: set[int] = set()
    for node in after.nodes.values():
        # An input that is new is a change of that input, not of the step behind it.
        known = [partner[i] for i in node.inputs if i in partner]
        if node.node_id not in partner or len(known) != len(node.inputs):
            continue
        old = _old(node, partner, before)
        if known != old.inputs and _reordered(old, known, before, staying):
            moved.add(node.node_id)
    return moved


def _old(node: Node, partner: dict[int, int], before: Graph) -> Node:
    # By the node's own id: an unsound plan may keep it under another key.
    return next(n for n in before.nodes.values() if n.node_id == partner[node.node_id])


def _compare(
    node: Node, partner: dict[int, int], before: Graph, *, moved: bool
) -> NodeChange | None:
    """The change of one step of the new plan, None if it is unchanged."""
    if node.node_id not in partner:
        return NodeChange(
            kind="added", node_type=node.node_type, after=node.node_id, line=f"added: {say(node)}"
        )
    old = _old(node, partner, before)
    fields = _field_changes(old, node)
    if not fields and not moved:
        return None
    details = ", ".join(f"{c.field}: {_show(c.old)} -> {_show(c.new)}" for c in fields)
    return NodeChange(
        kind="changed" if fields else "moved",
        node_type=node.node_type,
        before=old.node_id,
        after=node.node_id,
        fields=fields,
        line=f"changed: {say(node)} ({details})" if fields else f"moved: {say(node)}",
    )


def _reordered(old: Node, inputs: list[int], before: Graph, staying: Set[int]) -> bool:
    """Whether `inputs` could not be reached by merely taking steps out before `old`."""
    reachable: set[int] = set()
    waiting = list(old.inputs)
    while waiting:
        i = waiting.pop()
        if i not in reachable and str(i) in before.nodes:
            reachable.add(i)
            waiting.extend(() if i in staying else before.nodes[str(i)].inputs)
    return not reachable.issuperset(inputs)


def _field_changes(old: Node, new: Node) -> list[FieldChange]:
    names = dict.fromkeys([*old.unchecked, *new.unchecked])
    return [
        FieldChange(field=name, old=old.unchecked.get(name), new=new.unchecked.get(name))
        for name in names
        if old.unchecked.get(name) != new.unchecked.get(name)
    ]


def _show(value: Any) -> str:
    """A value in words: `avg of cost` for a column that is computed, a list by its items."""
    match value:
        case None:
            return "nothing"
        case str():
            return bare_field(value)
        case list():
            return ", ".join(map(_show, value)) or "nothing"
        case {"func": func}:
            of = f"{func} of {_show(value['field'])}" if value.get("field") else str(func)
            of += " in percent" if value.get("percent") is True else ""
            tests = [_show(test) for test in value.get("where") or []]
            return f"{of} where {' and '.join(tests)}" if tests else of
        case {"field": str() as field, **rest} if rest.keys() == {"descending"}:
            return f"{bare_field(field)} {'down' if rest['descending'] else 'up'}"
        case dict():
            given = {name: inner for name, inner in value.items() if inner is not None}
            return " ".join(f"{name} {_show(inner)}" for name, inner in given.items())
        case _:
            return str(value)
