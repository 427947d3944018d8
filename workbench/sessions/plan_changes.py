"""Removes refused changes from a plan.

This module alone decides what it means to refuse a change: a changed step gets its old fields, an
added step is bypassed, a removed step is reinserted before the step that used it, a moved step gets
its old inputs. The result keeps the ids of the new plan if possible, so that the next difference is
small.
"""

from collections.abc import Collection

from workbench.contract.plan import Plan
from workbench.contract.plan_diff import NodeChange, PlanDiff, align
from workbench.contract.plan_nodes import Node
from workbench.sessions.plan_layout import all_steps


def change_key(change: NodeChange) -> str:
    """The identity of a change between two fixed plans."""
    return f"{change.kind}:{change.before}:{change.after}"


def without(before: Plan, after: Plan, changes: PlanDiff, refused: Collection[str]) -> Plan:
    """`after` without the refused changes (by `change_key`); the other changes stay."""
    undone = [change for change in changes.changes if change_key(change) in refused]
    draft = _Draft(before, after)
    removed = {c.before for c in undone if c.kind == "removed" and c.before is not None}
    for node_id in reversed(all_steps(before)):
        if node_id in removed:
            draft.bring_back(node_id)
    for change in undone:
        if change.kind == "added" and change.after is not None:
            draft.bridge_over(change.after)
    for change in undone:
        if change.kind in ("changed", "moved") and change.after is not None:
            draft.restore(change)
    return draft.plan()


class _Draft:
    """The new plan while changes are being removed; `now` finds steps of the old plan in it."""

    def __init__(self, before: Plan, after: Plan) -> None:
        self.before = before
        self.after = after
        self.nodes = {node.node_id: node for node in after.nodes.values()}
        self.result = after.result_node
        self.now = {old: new for new, old in align(before, after).items()}

    def bring_back(self, old_id: int) -> None:
        """Reinserts a removed step before its old user; a former result becomes the result."""
        old = self.before.node(old_id)
        fresh = old_id if old_id not in self.nodes else max(self.nodes) + 1
        users = [
            (self.now[user.node_id], place)
            for user in self.before.nodes.values()
            for place, source in enumerate(user.inputs)
            if source == old_id and user.node_id in self.now
        ]
        inputs = [self.now[i] for i in old.inputs if i in self.now]
        for user_id, place in users:
            user = self.nodes[user_id]
            if place < len(user.inputs):
                if len(old.inputs) == 1:
                    inputs = [user.inputs[place]]
                wired = [*user.inputs[:place], fresh, *user.inputs[place + 1 :]]
            else:
                wired = [*user.inputs, fresh]
            self.nodes[user_id] = user.model_copy(update={"inputs": wired})
        if not users:
            if len(old.inputs) == 1:
                inputs = [self.result]
            self.result = fresh
        self.nodes[fresh] = old.model_copy(update={"node_id": fresh, "inputs": inputs})
        self.now[old_id] = fresh

    def bridge_over(self, node_id: int) -> None:
        """Takes an added step out; its users are fed by its first input."""
        node = self.nodes.pop(node_id)
        source = node.inputs[0] if node.inputs else None
        for user in list(self.nodes.values()):
            if node_id in user.inputs:
                wired = [source if i == node_id else i for i in user.inputs]
                kept = [i for i in wired if i is not None]
                self.nodes[user.node_id] = user.model_copy(update={"inputs": kept})
        if self.result == node_id and source is not None:
            self.result = source

    def restore(self, change: NodeChange) -> None:
        """Gives a step its old fields and, when it was moved, its old inputs."""
        if change.after not in self.nodes or change.before is None:
            return
        now = self.nodes[change.after]
        old = self.before.node(change.before)
        inputs = now.inputs
        if change.kind == "moved":
            inputs = [self.now[i] for i in old.inputs if i in self.now]
        fields = {**old.model_dump(), "node_id": now.node_id, "inputs": inputs}
        self.nodes[change.after] = Node.model_validate(fields)

    def plan(self) -> Plan:
        nodes = {str(node_id): node for node_id, node in sorted(self.nodes.items())}
        return self.after.model_copy(
            update={"nodes": nodes, "result_node": self.result, "edit": None}
        )
