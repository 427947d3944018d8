"""Reports how wide a number such as `around 20` was read, since the words leave it open."""

from collections.abc import Iterator

from backend.language.numerals import numeral_at
from backend.language.tokens import tokenise
from backend.plans.edits.wording import say_condition
from backend.plans.reading.comparing import AROUND
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import BasicFilter, typed
from workbench.contract.plan_values import as_number

_ABOUT = frozenset({"about", "around", "roughly", "approximately", "circa", "nearly"})
_OR_SO = frozenset({("or", "so"), ("or", "thereabouts")})


def with_margins(plan: Plan, request: str, before: Plan | None = None) -> Plan:
    """The plan with a remark for each approximate number of the request that became a range; what
    the plan `before` had is not reported again.
    """
    known = set() if before is None else set(_margins(before))
    new = [margin for margin in dict.fromkeys(_margins(plan)) if margin not in known]
    read = zip(_approximate(request), new, strict=False)
    lines = [f"read “{phrase}” as {margin}" for phrase, margin in read]
    return plan.with_warnings(lines) if lines else plan


def _approximate(request: str) -> Iterator[str]:
    """The approximate numbers of a request with the words that say so."""
    tokens = tokenise(request)
    for i in range(len(tokens)):
        number = numeral_at(tokens, i)
        if number is None:
            continue
        words = [token.text for token in tokens[i : number.end]]
        behind = tuple(token.lower for token in tokens[number.end : number.end + 2])
        if i and tokens[i - 1].lower in _ABOUT:
            yield " ".join([tokens[i - 1].text, *words])
        elif behind in _OR_SO:
            yield " ".join([*words, *behind])


def _margins(plan: Plan) -> Iterator[str]:
    """The conditions of a plan that are a number with the usual margin on both sides, in words."""
    for node in plan.nodes.values():
        step = typed(node)
        if not isinstance(step, BasicFilter) or not step.range_filter:
            continue
        low, high = as_number(step.start), as_number(step.end)
        if low is not None and high is not None and low < high:
            middle = (low + high) / 2
            if abs(high - middle - abs(middle) * AROUND) <= 1e-9 * abs(high):
                yield say_condition(step)
