"""Keeps amounts in the currency that a question names with a number: nothing is converted.

Where no property states the currency, a remark says that the numbers are compared as they are.
"""

from collections.abc import Iterator

from backend.language.tokens import tokenise
from backend.language.units import currency_code, measure_of
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import AddFilter, op_name
from backend.plans.reading.comparing import one_of
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.tables.mixed_units import currencies_of, stated_as
from workbench.contract.plan import AppliedClause, EditReport, Plan
from workbench.contract.plan_columns import NUMERIC
from workbench.contract.plan_nodes import (
    Aggregate,
    BasicFilter,
    Condition,
    bare_field,
    canonical_field,
    typed,
)


def with_asked_currencies(
    plan: Plan, request: str, vocabulary: Vocabulary, before: Plan | None = None
) -> Plan:
    """The plan with only values in the currency that its ranges are asked in, or else with a remark
    for each range of values in another. What follows the plan `before` gets no further step.
    """
    asked = _asked(request)
    if len(asked) != 1:
        return plan
    ((code, words),) = asked.items()
    mixed = [
        name
        for name in dict.fromkeys(_compared(plan))
        if vocabulary.collection.fields.get(name) in NUMERIC
        and _currencies(name, vocabulary) - {code}
    ]
    field, values = stated_as(code, vocabulary.collection) or ("", [])
    tested = [step for step in map(typed, plan.nodes.values()) if isinstance(step, BasicFilter)]
    if any(canonical_field(step.field) == field for step in tested):
        return plan
    if mixed and values and before is None and not any(step.any_of for step in tested):
        return _kept_in(plan, one_of(field, values), words)
    lines = []
    for name in mixed:
        several = " and ".join(sorted(map(str.upper, _currencies(name, vocabulary))))
        label = bare_field(name).replace("_", " ")
        lines.append(f"{label} is in {several}, compared with “{words}” as plain numbers")
    known = plan.edit.warnings if plan.edit else []
    return plan.with_warnings(line for line in lines if line not in known) if lines else plan


def _kept_in(plan: Plan, condition: BasicFilter, words: str) -> Plan:
    """The plan with only what is in the currency that some words name."""
    draft, node_id, _ = apply(Draft.of(plan), AddFilter(condition), words)
    report = plan.edit or EditReport()
    step = AppliedClause(clause=words, op=op_name(AddFilter(condition)), node=node_id)
    draft, place = draft.renumbered()
    applied = [
        item.model_copy(update={"node": None if item.node is None else place.get(item.node)})
        for item in (*report.applied, step)
    ]
    made = draft.as_plan(plan)
    made = made.model_copy(update={"edit": report.model_copy(update={"applied": applied})})
    kept = condition.query if condition.values is None else " or ".join(map(str, condition.values))
    label = bare_field(condition.field).replace("_", " ")
    return made.with_warnings([f"kept only where {label} is {kept}, because of “{words}”"])


def _currencies(name: str, vocabulary: Vocabulary) -> frozenset[str]:
    """The currencies of a field's values, as read or according to its name or description."""
    read = currencies_of(name, vocabulary.collection)
    if read:
        return read
    prop = vocabulary.get(name)
    unit = None if prop is None or prop.unit is None else prop.unit.name
    return frozenset({unit} if unit and measure_of(unit) == "money" else ())


def _compared(plan: Plan) -> Iterator[str]:
    """The fields that are compared with a number."""
    for node in plan.nodes.values():
        match typed(node):
            case BasicFilter() as step:
                for test in [step, *(step.any_of or [])]:
                    yield from _range_of(test, step.field)
            case Aggregate() as step:
                for item in step.aggregations:
                    for test in item.where:
                        yield from _range_of(test, test.field or "")


def _range_of(test: Condition, field: str) -> Iterator[str]:
    if test.range_filter and not test.is_date:
        yield canonical_field(test.field or field)


def _asked(request: str) -> dict[str, str]:
    """The currencies beside the numbers of a request, with their words: `eur` for `500 euros`."""
    asked: dict[str, str] = {}
    tokens = tokenise(request)
    for i, token in enumerate(tokens):
        if token.kind != "number":
            continue
        before, behind = tokens[i - 1 : i] if i else [], tokens[i + 1 : i + 2]
        for beside in (*before, *behind):
            if (code := currency_code(beside.text)) is not None:
                start, end = min(token.start, beside.start), max(token.end, beside.end)
                asked[code] = request[start:end]
        if (code := currency_code(token.text[:1])) is not None:
            asked[code] = token.text
    return asked
