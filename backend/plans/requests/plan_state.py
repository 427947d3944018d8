"""The current state of a plan, as far as follow-ups refer to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import gathered, keys_of, lifted, measures_of, share_parts
from backend.plans.reading.phrasing import Measure
from workbench.contract.plan_nodes import Aggregation, BasicFilter, Flow, Node, canonical_field


@dataclass(frozen=True)
class PlanState:
    """A plan with its parts: `bounds` are conditions on groups, `lines` is its limit, `counted` the
    field of which it counts the values, `share` its part of a share, None if it has none.
    """

    draft: Draft
    gives: Flow
    filters: tuple[BasicFilter, ...]
    bounds: tuple[BasicFilter, ...]
    keys: tuple[str, ...]
    measures: tuple[Aggregation, ...]
    order: str | None
    limited: bool
    lines: int | None
    shown: tuple[str, ...]
    counted: str | None
    share: tuple[BasicFilter, ...] | None

    @property
    def linear(self) -> bool:
        """Whether each step uses only the one before it."""
        return len(self.draft.used()) == len(self.draft.spine())

    @property
    def counts(self) -> bool:
        """Whether the answer is a number of documents or of values."""
        return bool(self.draft.on_spine("Count"))

    @property
    def divides(self) -> bool:
        """Whether the answer is one number divided by another, such as the share of a total."""
        return any(n.extras.get("operation") == "divide" for n in self.draft.on_spine("Math"))

    @property
    def parts(self) -> frozenset[str]:
        """The fields by which parts of groups are told apart: `share of pumps by town`."""
        return frozenset(test.field for item in self.measures for test in item.where if test.field)

    def filtered(self, field: str) -> bool:
        return any(condition.field == field for condition in self.filters)

    def kind(self) -> str:
        """The kind of answer that the plan gives."""
        if self.share is not None:
            return "share"
        if self.gives == "docs":
            first = "first " if self.limited else ""
            return f"{first}documents"
        if self.keys:
            return "one group" if self.limited else "groups"
        if self.counts:
            return "count"
        return "figure" if self.measures else str(self.gives)

    def figure(self) -> Measure | None:
        """The only measure that the plan computes besides counts."""
        results = [item for item in self.measures if item.field is not None]
        return Measure(results[0].func, results[0].field) if len(results) == 1 else None


def state_of(draft: Draft) -> PlanState:
    """The parts of a plan that words can refer to."""
    draft = lifted(draft)
    sorts = draft.on_spine("Sort")
    aggregates = draft.on_spine("Aggregate")
    shown = draft.on_spine("Project", "Distinct")
    share = share_parts(draft)
    limits = draft.on_spine("Limit")
    counts = [node for node in draft.on_spine("Count") if node.extras.get("distinct_field")]
    return PlanState(
        draft=draft,
        gives=draft.gives,
        filters=tuple(map(condition_of, document_filters(draft))),
        bounds=tuple(map(condition_of, _of_groups(draft))),
        keys=tuple(keys_of(draft)),
        measures=tuple(measures_of(aggregates[-1])) if aggregates else (),
        order=canonical_field(str(sorts[-1].extras.get("field"))) if sorts else None,
        limited=bool(limits),
        lines=_lines(limits),
        counted=next((canonical_field(str(n.extras["distinct_field"])) for n in counts), None),
        shown=_fields(shown[-1].extras) if shown else (),
        share=None if share is None else tuple(share[1]),
    )


def _of_groups(draft: Draft) -> Sequence[Node]:
    spine = draft.on_spine("BasicFilter")
    return [node for node in spine if draft.flow(node.node_id) == "rows"]


def _lines(limits: Sequence[Node]) -> int | None:
    count = limits[-1].extras.get("num_records") if limits else None
    return count if isinstance(count, int) else None


def _fields(extras: dict[str, object]) -> tuple[str, ...]:
    named = extras.get("fields") or [extras.get("field")]
    items: Sequence[object] = named if isinstance(named, list) else []
    return tuple(canonical_field(str(name)) for name in items)


def documents_of(draft: Draft) -> Draft:
    """The documents that a plan is about, as `gathered`."""
    return gathered(lifted(draft))
