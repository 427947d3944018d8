"""Decides which plans answer alike, so that their probabilities add up.

Plans that select the same documents and differ only in what they show, in the order of a list that
nothing cuts off, or in a number of documents beside other figures, are one reading in several
forms. So are a list of different values and the documents with only that property shown.
"""

from dataclasses import dataclass
from typing import Self

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import measures_of, wire_aggregations
from backend.plans.requests.sense import Sense
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_nodes import Node, canonical_field


@dataclass(frozen=True)
class Answers:
    """What a plan answers: the name of what it finds, the names of all forms of that, and the order
    of a list that nothing cuts off.
    """

    found: str = ""
    forms: frozenset[str] = frozenset({""})
    order: str = ""

    @classmethod
    def named(cls, *names: str, order: str = "") -> Self:
        """The answers with some names, that of what is found first."""
        return cls(names[0], frozenset(names), order)

    @property
    def core(self) -> str:
        """The name of the answer, whatever is shown of it."""
        return self.found + self.order

    def alike(self, other: "Answers") -> bool:
        """Whether another answers the same, perhaps in another form or without an order."""
        ordered = self.order == other.order or not (self.order and other.order)
        return ordered and not self.forms.isdisjoint(other.forms)


def answers_of(plan: Plan, sense: Sense) -> Answers:
    """The answers of a plan."""
    draft = Draft.of(plan)
    last = draft.nodes[draft.result]
    listed = last.extras.get("fields") if last.node_type == "Project" else None
    if last.node_type == "Distinct":
        listed = [last.extras.get("field")]
        draft = draft.remove(last.node_id)
    draft, order = _bare(draft)
    found = _found(draft, plan, sense)
    if not listed or len(listed) != 1:
        return Answers.named(found, order=order)
    values = f"{canonical_field(str(listed[0]))} of {found}"
    names = (values,) if last.node_type == "Distinct" else (found, values)
    return Answers.named(*names, order=order)


def _found(draft: Draft, plan: Plan, sense: Sense) -> str:
    """The name of what a plan finds, without its form."""
    if len(draft.used()) > len(draft.spine()):
        return plan_hash(draft.as_plan(plan))
    nodes = document_filters(draft)
    firsts = {node.node_id for node in (*draft.sources(), *nodes)}
    queried = any(node.extras.get("query_text") for node in draft.sources())
    conditions = list(map(condition_of, nodes))
    selected = None
    if not queried and all(firsts.issuperset(node.inputs) for node in nodes):
        selected = sense.certainly(conditions)
    if selected is None or (conditions and not sense.count(conditions)):
        return plan_hash(draft.as_plan(plan))
    for node in nodes:
        draft = draft.remove(node.node_id)
    return f"{plan_hash(draft.as_plan(plan))} {selected}"


def _bare(draft: Draft) -> tuple[Draft, str]:
    """The draft without columns, orders that nothing is cut off by, and unused counts; and those
    orders.
    """
    draft = draft.without("Project")
    used = repr([node.extras for node in draft.used() if node.node_type != "Aggregate"])
    cut, order = False, ""
    for node in reversed(draft.spine()):
        cut = cut or node.node_type == "Limit"
        if node.node_type == "Sort" and not cut:
            draft, order = draft.remove(node.node_id), order + repr(node.extras)
        if node.node_type == "Aggregate":
            draft = _uncounted(draft, node, used)
    return draft, order


def _uncounted(draft: Draft, node: Node, used: str) -> Draft:
    """The draft without the number of documents that a step computes beside other figures."""
    computed = measures_of(node)
    kept = [m for m in computed if m.func != "count" or m.field or m.where or m.column in used]
    if not kept or len(kept) == len(computed):
        return draft
    return draft.change(node.node_id, "", aggregations=wire_aggregations(kept))
