"""Reads a follow-up clause by clause if it is not understood as a whole.

Each clause changes the plan that the clauses before it lead to: `drop the limit, then book a van`.
What is understood is applied; the rest is reported. A clause never undoes an earlier one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backend.plans.edits.operations import AddFilter, Operation
from backend.plans.reading.sorts import is_number
from backend.plans.requests.choose import Candidate
from backend.plans.requests.contrary import refuse_contrary
from backend.plans.requests.report import in_words
from workbench.contract.errors import Invalid
from workbench.contract.plan import AppliedClause, EditReport, Plan, RefusedClause

_BETWEEN = re.compile(
    r"\s*(?:(?<=[^\d\W])[.;!?]+(?=\s)|;|(?<=[^\d]),|,(?=\s)|\s(?=(?:and|but|then)\s))"
    r"(?:\s*(?:and|but|then|also)(?=\s))*\s*",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(r"(?:not|rather|instead|than|as opposed)\b", re.IGNORECASE)
"""What such words begin belongs to the clause before."""
_POINTING = re.compile(r"\b(?:it|that|this|them|those|these|one)\b", re.IGNORECASE)
_MOST = 4
"""The maximum number of clauses: each is read several times."""
_DONE = re.compile(r"^Done: (.*)\.$", re.MULTILINE)


@dataclass
class _Progress:
    plan: Plan
    operations: list[Operation] = field(default_factory=list)
    report: EditReport = field(default_factory=EditReport)
    lines: list[str] = field(default_factory=list)


def clauses_of(text: str) -> list[range]:
    """The positions of the clauses of a text."""
    gaps = [match.span() for match in _BETWEEN.finditer(text)]
    gaps = [(a, b) for a, b in gaps if not _CONTRASTED.match(text, b)]
    starts = [0, *(end for _, end in gaps)]
    ends = [*(start for start, _ in gaps), len(text.rstrip(" .!?"))]
    return [range(a, b) for a, b in zip(starts, ends, strict=True) if a < b]


def in_turn(
    before: Plan,
    text: str,
    read: Callable[[Plan, str], Candidate | Invalid],
    loc: tuple[str, ...],
) -> Plan | None:
    """The plan after all clauses that `read` understands, with a report on the others; None if
    there are none, if an earlier clause would lose its effect, or if a number would be ignored.
    Raises Contrary if clauses contradict each other.
    """
    clauses = clauses_of(text)
    if not 2 <= len(clauses) <= _MOST:
        return None
    made = _Progress(before)
    place = 0
    while place < len(clauses):
        place = _next(clauses, place, text, made, read, loc)
    left = " ".join(item.clause for item in made.report.not_applied)
    if not made.report.applied or not _all_hold(made) or any(map(is_number, left.split())):
        return None
    words = in_words(made.report, made.lines)
    return made.plan.model_copy(update={"edit": made.report, "llm_plan": words})


def _next(
    clauses: Sequence[range],
    place: int,
    text: str,
    made: _Progress,
    read: Callable[[Plan, str], Candidate | Invalid],
    loc: tuple[str, ...],
) -> int:
    """Applies the longest sequence of clauses from `place` on that is understood, or reports the
    first of them; the position behind.
    """
    refused: Invalid | None = None
    last = len(clauses) if place else len(clauses) - 1
    for end in range(last, place, -1):
        part = text[clauses[place].start : clauses[end - 1].stop]
        result = read(made.plan, part)
        if isinstance(result, Invalid):
            refused = result
        elif not (result.skipped or _starts_over(result.plan) or _points_at_a_gap(part, made)):
            _apply(result, part, made, loc)
            return end
    clause = text[clauses[place].start : clauses[place].stop]
    fault = refused.faults[0] if refused is not None else None
    reason = "this was not understood" if fault is None else fault.msg.rstrip(".")
    made.report.not_applied.append(
        RefusedClause(clause=clause, reason=reason, kind="not_understood")
    )
    return place + 1


def _points_at_a_gap(part: str, made: _Progress) -> bool:
    """Whether a clause may refer to an earlier one that was not understood."""
    return bool(made.report.not_applied and _POINTING.search(part))


def _apply(result: Candidate, part: str, made: _Progress, loc: tuple[str, ...]) -> None:
    refuse_contrary(made.operations, result.operations, part, loc)
    report = result.plan.edit or EditReport()
    made.plan = result.plan
    made.operations += result.operations
    made.report.applied += [
        AppliedClause(clause=part, op=item.op, node=item.node) for item in report.applied
    ]
    made.report.not_applied += report.not_applied
    made.report.warnings += report.warnings
    made.lines += _DONE.findall(result.plan.llm_plan or "")


def _starts_over(plan: Plan) -> bool:
    return any(item.op == "start_over" for item in (plan.edit or EditReport()).applied[:1])


def _all_hold(made: _Progress) -> bool:
    """Whether no two clauses add conditions on the same property: names in a list are one wish."""
    fields = [op.condition.field for op in made.operations if isinstance(op, AddFilter)]
    return len(fields) == len(set(fields))
