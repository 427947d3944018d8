"""Dialogs for editing a plan by hand, and the resulting plan."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE, Node, bare_field
from workbench.contract.schema import Schema
from workbench.contract.search import Facet
from workbench.formats import value_words
from workbench.sessions.filter_values import kin_words, listed_values, with_places
from workbench.sessions.node_form import about, form
from workbench.sessions.plan_layout import summary
from workbench.sessions.plan_surgery import fresh_node, put_behind, take_out
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.dialogs.node_editor import NodeEditor
from workbench.tui.lines import Span, dim, line

if TYPE_CHECKING:
    from textual.app import App

Values = Mapping[str, Sequence[Any]]


async def changed_node(
    app: "App[Any]",
    plan: Plan,
    node_id: int,
    schema: Schema | None,
    values: Values,
    *,
    focus: str | None = None,
) -> Plan | None:
    """The plan with that step changed in its form; None if it was cancelled."""
    node = plan.node(node_id)
    changed = await app.push_screen_wait(NodeEditor(plan, node_id, schema, values, focus=focus))
    return None if changed is None or changed == node else _replaced(plan, changed)


async def added_node(
    app: "App[Any]", plan: Plan, behind: int, schema: Schema | None, values: Values
) -> Plan | None:
    """The plan with a new step behind another one."""
    answer = await app.push_screen_wait(Choose(f"New step after {behind}", kind_choices()))
    if not answer:
        return None
    wider = put_behind(plan, behind, fresh_node(plan, answer[0], [behind]))
    node = wider.node(max(map(int, wider.nodes)))
    if not form(wider, node.node_id):
        return wider
    filled = await app.push_screen_wait(NodeEditor(wider, node.node_id, schema, values))
    return None if filled is None else _replaced(wider, filled)


async def revalued_plan(app: "App[Any]", plan: Plan, node_id: int) -> Plan | None:
    """The plan with a filter that accepts fewer or more of its listed values; None if it was
    cancelled. Raises ValueError with a sentence if no value is left.
    """
    node = plan.node(node_id)
    listed = listed_values(node)
    if not listed:
        raise ValueError("This step has no list of values. Press enter to edit it.")
    choices = [
        Choice(str(place), value_words(item.value, typed=True), "added" if item.added else "")
        for place, item in enumerate(listed)
    ]
    accepted = {str(place) for place, item in enumerate(listed) if item.accepted}
    name = bare_field(str(node.extras.get("field") or "value"))
    title = " ".join(filter(None, [f"Values of {name}:", kin_words(node) or "which to accept"]))
    chosen = await app.push_screen_wait(Choose(title, choices, marked=accepted))
    if chosen is None or set(chosen) == accepted:
        return None
    return _replaced(plan, with_places(node, list(map(int, chosen))))


async def plan_without(app: "App[Any]", plan: Plan, node_id: int) -> Plan | None:
    """The plan without a step, after a question. Raises ValueError with a sentence."""
    shorter = take_out(plan, node_id)
    node = plan.node(node_id)
    gone = [plan.nodes[key] for key in plan.nodes.keys() - shorter.nodes.keys()]
    words = [
        line(Span(f"{n.node_id} {n.node_type}  ", "strong"), dim(summary(n)))
        for n in sorted(gone, key=lambda n: n.node_id)
    ]
    kept = line(dim("This makes a new version; u undoes it."))
    question = Confirm(f"Remove {node.node_type}?", *words, line(), kept)
    return shorter if await app.push_screen_wait(question) else None


def kind_choices() -> list[Choice]:
    """Every kind of step with its sentence."""
    return [
        Choice(
            name,
            line(Span(f"{name:<20}", "strong"), dim(_sentence(name))),
            "≈" if kind.approximate else "",
        )
        for name, kind in CATALOGUE.items()
    ]


def values_of(facets: Sequence[Facet]) -> dict[str, list[Any]]:
    """The commonest values of each property, by its bare name."""
    return {bare_field(facet.field): [one.value for one in facet.values] for facet in facets}


_SENTENCES = {
    "AggregateCount": "Counts the documents of each group.",
    "AggregateCollect": "Lists the documents of each group.",
    "Count": "Counts documents or rows, or different values.",
    "DataLoader": "The documents of a file beside the DocSet.",
    "Distinct": "The different values of a property.",
    "KMeanClustering": "Clusters documents with similar texts.",
    "LLMClustering": "Clusters values that mean the same.",
    "Project": "Keeps only some columns.",
    "Sort": "Sorts documents or rows.",
    "SummarizeData": "Summarizes the rows in words.",
    "Unroll": "A row for each item of a list.",
}
"""For kinds whose fields have no sentence of their own."""


def _sentence(kind: str) -> str:
    if kind in _SENTENCES:
        return _SENTENCES[kind]
    return about(Node(node_type=kind, node_id=0)).partition(". ")[0].rstrip(".") + "."


def _replaced(plan: Plan, node: Node) -> Plan:
    return plan.model_copy(update={"nodes": {**plan.nodes, str(node.node_id): node}})
