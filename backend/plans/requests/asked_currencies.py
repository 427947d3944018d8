"""Reports amounts in one currency compared with values in another, since nothing is converted."""

from collections.abc import Iterator

from backend.language.tokens import tokenise
from backend.language.units import currency_code, measure_of
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.tables.mixed_units import currencies_of
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import NUMERIC
from workbench.contract.plan_nodes import (
    Aggregate,
    BasicFilter,
    Condition,
    bare_field,
    canonical_field,
    typed,
)


def with_asked_currencies(plan: Plan, request: str, vocabulary: Vocabulary) -> Plan:
    """The plan with a remark for each range of values in another currency than requested."""
    asked = _asked(request)
    if len(asked) != 1:
        return plan
    ((code, words),) = asked.items()
    lines = []
    for name in dict.fromkeys(_compared(plan)):
        if vocabulary.collection.fields.get(name) not in NUMERIC:
            continue
        currencies = _currencies(name, vocabulary)
        if currencies - {code}:
            several = " and ".join(sorted(map(str.upper, currencies)))
            label = bare_field(name).replace("_", " ")
            lines.append(f"{label} is in {several}, compared with “{words}” as plain numbers")
    known = plan.edit.warnings if plan.edit else []
    return plan.with_warnings(line for line in lines if line not in known) if lines else plan


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
