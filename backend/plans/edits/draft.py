"""A plan while it is edited: an immutable graph with the few moves that all edits consist of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE, Flow, Node, flow_of, typed
from workbench.contract.plan_validation import walk


@dataclass(frozen=True)
class Draft:
    """Steps by id and the id of the result. Steps keep their ids, so that edits can be compared."""

    nodes: dict[int, Node] = field(default_factory=dict)
    result: int = 0

    @classmethod
    def of(cls, plan: Plan) -> "Draft":
        return cls({node.node_id: node for node in plan.nodes.values()}, plan.result_node)

    @property
    def result_node(self) -> int:
        return self.result

    def as_plan(self, plan: Plan) -> Plan:
        """`plan` with the steps of the draft, without steps that nothing uses."""
        nodes = {str(i): node for i, node in sorted(self.nodes.items())}
        made = plan.model_copy(update={"nodes": nodes, "result_node": self.result})
        kept = set(walk(made))
        return made.model_copy(
            update={"nodes": {key: node for key, node in nodes.items() if int(key) in kept}}
        )

    def renumbered(self) -> tuple["Draft", dict[int, int]]:
        """The draft with ids from 0 in execution order, and the new id of each old one."""
        place = {node.node_id: i for i, node in enumerate(self.used())}
        nodes = {
            place[node.node_id]: node.model_copy(
                update={
                    "node_id": place[node.node_id],
                    "inputs": [place[i] for i in node.inputs],
                }
            )
            for node in self.used()
        }
        return Draft(nodes, place[self.result]), place

    def spine(self) -> list[Node]:
        """The main line: the steps from the first source to the result, along first inputs."""
        line = [self.nodes[self.result]]
        while line[-1].inputs:
            line.append(self.nodes[line[-1].inputs[0]])
        return line[::-1]

    def used(self) -> Sequence[Node]:
        """All steps that the result depends on, sources first."""
        return self._used

    @cached_property
    def _used(self) -> tuple[Node, ...]:
        """Computed once, like `_users` and `_flows`: drafts never change."""
        order: dict[int, None] = {}

        def visit(node_id: int) -> None:
            if node_id not in order:
                for i in self.nodes[node_id].inputs:
                    visit(i)
                order[node_id] = None

        visit(self.result)
        return tuple(self.nodes[i] for i in order)

    def of_type(self, *kinds: str) -> list[Node]:
        """The steps of some types, sources first."""
        return [node for node in self.used() if node.node_type in kinds]

    def on_spine(self, *kinds: str) -> list[Node]:
        """Like `of_type`, but only on the main line, without the branches of joins and Math."""
        return [node for node in self.spine() if node.node_type in kinds]

    def users(self, node_id: int) -> list[Node]:
        """The steps that use the output of a step."""
        return self._users.get(node_id, [])

    @cached_property
    def _users(self) -> dict[int, list[Node]]:
        users: dict[int, list[Node]] = {}
        for node in self._used:
            for i in dict.fromkeys(node.inputs):
                users.setdefault(i, []).append(node)
        return users

    def flow(self, node_id: int) -> Flow:
        """The kind of output of a step."""
        if node_id not in self._flows:
            # Sources first: recursion from the end would visit shared steps again and again.
            for node in replace(self, result=node_id).used():
                if node.node_id not in self._flows:
                    incoming = [self._flows[i] for i in node.inputs]
                    kind = CATALOGUE[node.node_type]
                    self._flows[node.node_id] = flow_of(kind, incoming, typed(node))
        return self._flows[node_id]

    @cached_property
    def _flows(self) -> dict[int, Flow]:
        """Cached flows."""
        return {}

    @property
    def gives(self) -> Flow:
        """The kind of output of the whole plan."""
        return self.flow(self.result)

    def add(self, kind: str, inputs: list[int], description: str, **fields: Any) -> "Draft":
        """The draft with a new step that nothing uses yet; its id is `newest`."""
        node = Node.model_validate(
            {
                "node_type": kind,
                "node_id": self.newest + 1,
                "description": description,
                "inputs": inputs,
                **{name: value for name, value in fields.items() if value is not None},
            }
        )
        return replace(self, nodes={**self.nodes, node.node_id: node})

    @property
    def newest(self) -> int:
        return max(self.nodes, default=-1)

    def insert_after(self, node_id: int, kind: str, description: str, **fields: Any) -> "Draft":
        """The draft with a new step between a step and all its users."""
        users = self.users(node_id)
        made = self.add(kind, [node_id], description, **fields)
        new = made.newest
        nodes = dict(made.nodes)
        for user in users:
            inputs = [new if i == node_id else i for i in user.inputs]
            nodes[user.node_id] = user.model_copy(update={"inputs": inputs})
        return Draft(nodes, new if self.result == node_id else self.result)

    def append(self, kind: str, description: str, **fields: Any) -> "Draft":
        """The draft with a new last step."""
        made = self.add(kind, [self.result], description, **fields)
        return replace(made, result=made.newest)

    def change(self, node_id: int, description: str, **fields: Any) -> "Draft":
        """The draft with other fields in a step; None removes a field."""
        node = self.nodes[node_id].with_fields(description=description, **fields)
        return replace(self, nodes={**self.nodes, node_id: node})

    def remove(self, node_id: int) -> "Draft":
        """The draft without a step: its users use its first input. Sources cannot be removed."""
        node = self.nodes[node_id]
        source = node.inputs[0]
        nodes = {i: n for i, n in self.nodes.items() if i != node_id}
        for i, other in nodes.items():
            if node_id in other.inputs:
                inputs = [source if j == node_id else j for j in other.inputs]
                nodes[i] = other.model_copy(update={"inputs": inputs})
        return Draft(nodes, source if self.result == node_id else self.result)

    def without(self, *kinds: str) -> "Draft":
        """The draft without the steps of some types on the main line."""
        draft = self
        for node in self.spine():
            if node.node_type in kinds:
                draft = draft.remove(node.node_id)
        return draft

    def cut_after(self, node_id: int) -> "Draft":
        """The draft ending with a step."""
        return replace(self, result=node_id)

    def followed_by(self, later: "Draft") -> tuple["Draft", dict[int, int]]:
        """The draft with the steps of `later`, which has one source, behind the result; and the new
        ids of those steps.
        """
        shift = self.newest + 1
        place = {i: i + shift for i in later.nodes}
        place.update({node.node_id: self.result for node in later.sources()})
        made = {
            place[i]: node.model_copy(
                update={"node_id": place[i], "inputs": [place[j] for j in node.inputs]}
            )
            for i, node in later.nodes.items()
            if node.inputs
        }
        return Draft({**self.nodes, **made}, place[later.result]), place

    def sources(self) -> Iterator[Node]:
        """The steps without inputs."""
        return (node for node in self.used() if not node.inputs)
