"""Checks and changes the DocSets that a plan's sources name: only the one it runs on."""

from collections.abc import Iterator

from workbench.contract.errors import FieldFault
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node

_DOCSET_ID = "wb:ds-"


def other_docsets(plan: Plan, docset_id: str) -> Iterator[FieldFault]:
    """A fault for each step whose `index` names another DocSet than `docset_id`."""
    for key, node in plan.nodes.items():
        if (named := _other_docset(node, docset_id)) is not None:
            msg = (
                f"the step names the DocSet {named}, but a plan reads only the one it runs on:"
                f" name {docset_id}, or leave index out"
            )
            loc: list[str | int] = ["body", "plan", "nodes", key, "index"]
            yield FieldFault(loc=loc, msg=msg, type="other_docset")


def moved_to(plan: Plan, docset_id: str) -> Plan:
    """The plan with `docset_id` in all sources that name another DocSet.

    Example: moved_to(plan, clone.docset_id)
    """
    nodes = {
        key: node if _other_docset(node, docset_id) is None else node.with_fields(index=docset_id)
        for key, node in plan.nodes.items()
    }
    return plan.model_copy(update={"nodes": nodes})


def _other_docset(node: Node, docset_id: str) -> str | None:
    named = node.extras.get("index")
    other = isinstance(named, str) and named.startswith(_DOCSET_ID) and named != docset_id
    return named if other else None
