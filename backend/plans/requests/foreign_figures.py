"""Numbers in continental notation: converted if unambiguous, otherwise both are offered."""

from collections.abc import Callable

from backend.language.figures import Spelling, spellings
from backend.plans.requests.offering import choices_of
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.plan import Plan


def in_english_figures(
    request: str, read: Callable[[str], Plan], loc: tuple[str, ...], before: Plan | None = None
) -> Plan:
    """The result of `read` for the request in English notation, with a remark on each conversion.

    Invalid with a choice for each reading if both make sense, worded as changes of `before` if
    there is such a plan.
    """
    *others, english = spellings(request)
    if not others:
        return _remarked(read(english.text), english)
    (continental,) = others
    plans: list[Plan] = []
    for way in (continental, english):
        try:
            plans.append(_remarked(read(way.text), way))
        except Invalid:
            if way is english and not plans:
                raise
    if len(offered := choices_of(plans, before)) < 2:
        return plans[-1]
    figures = [(old, new) for old, new in continental.changes if (old, new) not in english.changes]
    both = ", ".join(f"“{old}” can be {new} or {_as_english(old)}" for old, new in figures)
    words = " or ".join(f"“{choice.words}”" for choice in offered)
    msg = f"{both}: choose {words}, or write it in another way (in “{request}”)."
    raise Invalid([FieldFault(loc=list(loc), msg=msg, type="ambiguous", choices=offered)])


def _as_english(figure: str) -> str:
    return figure.replace(",", " and ")


def _remarked(plan: Plan, way: Spelling) -> Plan:
    if not way.changes:
        return plan
    return plan.with_warnings(f"read “{old}” as {new}" for old, new in way.changes)
