"""Keeps the remarks on earlier requests in the report of a plan, as long as they hold.

The answer to a follow-up still rests on the question: a word of it that was not used is no more
used than before, and an assumption stands as long as the steps are there that it was about.
"""

from backend.language.tokens import tokenise
from backend.language.words import FUNCTION_WORDS, stem
from backend.plans.requests.report import remarks_in
from backend.plans.requests.unused import reflected_words, words_of_plan, words_of_step
from backend.plans.tables.collection import Collection
from workbench.contract.plan import EditReport, Plan

_ANEW = frozenset({"start_over", "undo", "redo"})
"""Operations after which the earlier plan is gone."""


def remarks_of(plan: Plan) -> EditReport:
    """What is remarked about a plan: its report, or its text for callers without the report."""
    return plan.edit or remarks_in(plan.llm_plan or "")


def with_standing(
    plan: Plan, before: Plan, earlier: EditReport, feedback: str, collection: Collection
) -> Plan:
    """The plan after feedback with the `earlier` remarks on the plan `before` that still hold."""
    report = plan.edit or EditReport()
    if any(item.op in _ANEW for item in report.applied):
        return plan
    named = _content(feedback)
    waiting = [word for word in earlier.unused if stem(word) not in named]
    used = reflected_words(plan, collection, waiting)
    left_out = [
        f"“{item.clause}” was not applied: {item.reason}"
        for item in earlier.not_applied
        if item.kind != "no_change"
    ]
    lines = [
        line
        for line in (*earlier.warnings, *left_out)
        if named.isdisjoint(_quoted(line)) and _holds(line, plan, before, collection)
    ]
    report = report.model_copy(
        update={
            "warnings": list(dict.fromkeys([*lines, *report.warnings])),
            "unused": [word for word in waiting if word.lower() not in used],
        }
    )
    return plan.model_copy(update={"edit": report})


def _holds(line: str, plan: Plan, before: Plan, collection: Collection) -> bool:
    """Whether the plan still has a step that a remark is about: one with as many of its words as
    any step had before. A remark about no step holds until all words that it quotes are used.
    """
    content = _content(line)
    then, now = (
        max(len(content & words_of_step(node, collection)) for node in one.nodes.values())
        for one in (before, plan)
    )
    quoted = _quoted(line)
    return now >= then if then else not quoted or not quoted <= words_of_plan(plan, collection)


def _quoted(line: str) -> set[str]:
    """The stems of the words in quotation marks."""
    parts = (part.split("”")[0] for part in line.split("“")[1:])
    return {word for part in parts for word in _content(part)}


def _content(text: str) -> set[str]:
    """The stems of the words of a text that carry its meaning."""
    return {t.stem for t in tokenise(text) if t.kind != "sign" and t.lower not in FUNCTION_WORDS}
