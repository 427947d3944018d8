"""The outcome of a request in words: the report of an edit, or the refusal."""

import re
from collections.abc import Sequence

from backend.plans.reading.cascade import Unclear
from backend.plans.requests.journal import with_line
from workbench.contract.errors import FieldFault, Invalid
from workbench.contract.plan import EditReport, Plan, RefusedClause

_MOST_SUGGESTIONS = 12


def refusal(clause: str, problem: Unclear) -> RefusedClause:
    """A clause that was left out, with an alternative wording."""
    return RefusedClause(
        clause=clause,
        reason=problem.reason or str(problem),
        kind=problem.kind,
        suggestions=problem.suggestions[:_MOST_SUGGESTIONS],
    )


def not_understood(refused: Sequence[RefusedClause], loc: tuple[str, ...], request: str) -> Invalid:
    """The error for a request of which nothing was understood."""
    if not refused:
        msg = f"“{request}” asks for nothing that could be found or counted here."
        return Invalid.at(loc, msg, "not_understood")
    changes_a_plan = loc[-1] == "feedback"
    words = [_sentence(clause, changes_a_plan=changes_a_plan) for clause in refused]
    faults = zip(words, refused, strict=True)
    return Invalid([FieldFault(loc=list(loc), msg=msg, type=r.kind) for msg, r in faults])


def _sentence(refused: RefusedClause, *, changes_a_plan: bool) -> str:
    """Names the clause as well as the reason: the caller may show nothing else."""
    reason = refused.reason[:1].upper() + refused.reason[1:]
    clause = "" if refused.clause in reason else f" (in “{refused.clause}”)"
    hint = f" Known here: {', '.join(refused.suggestions)}." if refused.suggestions else ""
    end = "" if reason.endswith("?") and not clause else "."
    kept = " Nothing was changed." if changes_a_plan else ""
    return f"{reason}{clause}{end}{kept}{hint}"


def helpless(refused: Invalid, detail: str) -> Invalid:
    """The refusal, with the reason why the language model did not help."""
    first, *others = refused.faults
    msg = f"{first.msg} The language model could not help: {detail}."
    return Invalid([first.model_copy(update={"msg": msg}), *others])


def in_words(report: EditReport, lines: Sequence[str]) -> str:
    """The report as text, for callers that keep only the standard fields of a plan."""
    return "\n".join([*(f"Done: {line}." for line in lines), *_remarks(report)])


def with_remarks_in_words(plan: Plan, report: EditReport | None) -> Plan:
    """The plan with those remarks of a report in its text that are not there yet."""
    text = plan.llm_plan or ""
    present = set(text.splitlines())
    for line in _remarks(report or EditReport()):
        text = text if line in present else with_line(text, line)
    return plan.model_copy(update={"llm_plan": text})


def _remarks(report: EditReport) -> list[str]:
    lines = []
    for item in report.not_applied:
        hint = f" Known here: {', '.join(item.suggestions)}." if item.suggestions else ""
        lines.append(f"Not done: “{item.clause}”: {item.reason}.{hint}")
    lines += [f"Note: {warning}." for warning in report.warnings]
    if report.unused:
        lines.append(f"Not used: {', '.join(f'“{word}”' for word in report.unused)}.")
    return lines


def remarks_in(text: str) -> EditReport:
    """The remarks in the text of a plan: `in_words`, read back."""
    report = EditReport()
    for line in text.splitlines():
        kind, _, rest = line.partition(": ")
        if kind == "Note":
            report.warnings.append(rest.removesuffix("."))
        elif kind == "Not used":
            report.unused += _QUOTED.findall(rest)
        elif kind == "Not done":
            clause, _, reason = rest.removeprefix("“").partition("”: ")
            reason = reason.partition(". Known here: ")[0].removesuffix(".")
            refused = RefusedClause(clause=clause, reason=reason, kind="not_understood")
            report.not_applied.append(refused)
    return report


_QUOTED = re.compile(r"“([^”]++)”")
