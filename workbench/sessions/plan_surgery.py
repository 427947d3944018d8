"""A plan changed by hand: a step inserted or removed.

The plan stays connected: users of a step use the new one behind it, or the input of a removed one.
Validation happens elsewhere, so that a person may pass through invalid plans on the way to a valid
one.
"""

from collections.abc import Sequence

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE, MAX_NODES, Node
from workbench.contract.plan_validation import walk


def fresh_node(plan: Plan, kind: str, inputs: Sequence[int] = ()) -> Node:
    """A step of that kind with an id of its own and no fields yet. Raises KeyError for its kind."""
    CATALOGUE[kind]
    node_id = max((node.node_id for node in plan.nodes.values()), default=-1) + 1
    return Node(node_type=kind, node_id=node_id, inputs=list(inputs))


def put_behind(plan: Plan, node_id: int, node: Node) -> Plan:
    """Inserts `node` between step `node_id` and its users; behind the result it becomes the result.

    A source has no inputs, so it stays unconnected until a step uses it. Raises ValueError with a
    sentence for a plan that is full.
    """
    if len(plan.nodes) >= MAX_NODES:
        raise ValueError(f"A plan has at most {MAX_NODES} steps: remove one first.")
    if CATALOGUE[node.node_type].arity[1] == 0:
        return _with(plan, [*plan.nodes.values(), node.model_copy(update={"inputs": []})])
    users = [_refed(user, node_id, node.node_id) for user in plan.nodes.values()]
    wired = node.model_copy(update={"inputs": [node_id]})
    result = node.node_id if plan.result_node == node_id else plan.result_node
    return _with(plan, [*users, wired], result)


def take_out(plan: Plan, node_id: int) -> Plan:
    """Removes a step: its first input feeds its users. Sources that only it used are removed too.

    Raises ValueError with a sentence for a step that cannot be bypassed.
    """
    node = plan.node(node_id)
    users = [user for user in plan.nodes.values() if node_id in user.inputs]
    if not node.inputs and (users or plan.result_node == node_id):
        needed = ", ".join(str(user.node_id) for user in users)
        raise ValueError(
            f"Step {node_id} is a source: rewire {needed} first."
            if needed
            else "A plan needs at least one step."
        )
    source = node.inputs[0] if node.inputs else None
    rest = [
        user if source is None else _refed(user, node_id, source)
        for user in plan.nodes.values()
        if user.node_id != node_id
    ]
    result = source if plan.result_node == node_id and source is not None else plan.result_node
    return _without_orphans(_with(plan, rest, result), node)


def _above(plan: Plan, node_id: int) -> list[int]:
    """The step and all steps before it."""
    return walk(plan.model_copy(update={"result_node": node_id}))


def _refed(node: Node, before: int, after: int) -> Node:
    inputs = list(dict.fromkeys(after if source == before else source for source in node.inputs))
    return node.model_copy(update={"inputs": inputs})


def _without_orphans(plan: Plan, gone: Node) -> Plan:
    """Removes the steps that only the removed step used."""
    used = set(walk(plan))
    left: set[int] = set()
    for source in gone.inputs[1:]:
        left |= set(_above(plan, source)) - used
    return _with(plan, [node for node in plan.nodes.values() if node.node_id not in left])


def _with(plan: Plan, nodes: Sequence[Node], result: int | None = None) -> Plan:
    """The plan with those steps."""
    keyed = {str(node.node_id): node for node in sorted(nodes, key=lambda node: node.node_id)}
    wanted = plan.result_node if result is None else result
    return plan.model_copy(update={"nodes": keyed, "result_node": wanted})
