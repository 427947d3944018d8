"""Reports values that a plan takes from a word which most documents contain.

`products` in a question about contracts may be the distributor that was read as PRODUCTS in one of
them, but it hardly is, so the answer has to state it. A request that names the property means it.
"""

from collections.abc import Iterator

from backend.language.words import stem, words
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import BasicFilter, canonical_field, typed

_FEW = 0.5
"""The share of documents up to which a value is rare beside its word."""


def with_common_values(
    plan: Plan, request: str, vocabulary: Vocabulary, before: Plan | None = None
) -> Plan:
    """The plan with a remark for each rare value whose word most documents contain.

    Values that the plan `before` tested are not reported again, nor those of properties that the
    request names.
    """
    asked = set(map(stem, words(request)))
    old = set(_tested(before)) if before is not None else set()
    most = _FEW * vocabulary.collection.table.height
    lines = []
    for name, value in dict.fromkeys(_tested(plan)):
        prop, parts = vocabulary.get(name), words(value)
        rare = vocabulary.values.counts.get(name, {}).get(value, 0) <= most
        common = len(parts) == 1 and stem(parts[0]) in vocabulary.frequent
        if prop is None or not (rare and common) or (name, value) in old:
            continue
        if name not in vocabulary.values.chosen and asked.isdisjoint(prop.parts):
            lines.append(f"read “{value}” as {prop.label}, although most documents have that word")
    return plan.with_warnings(lines) if lines else plan


def _tested(plan: Plan) -> Iterator[tuple[str, str]]:
    """The texts that filters look for, each with its field."""
    for node in plan.nodes.values():
        step = typed(node)
        if not isinstance(step, BasicFilter):
            continue
        for test in (step, *(step.any_of or [])):
            for value in [*(test.values or ()), test.query]:
                if isinstance(value, str):
                    yield canonical_field(test.field or step.field), value
