"""Questions written in SQL: their detection, and their plan with a report."""

import re
from datetime import UTC, datetime

from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.impossible import refuse_endless
from backend.plans.requests.journal import mark_of, marked
from workbench.contract.errors import Invalid
from workbench.contract.plan import AppliedClause, EditReport, Plan
from workbench.contract.plan_validation import validate

_READ_SQL = "read_sql"
"""The operation of the report that marks the request as SQL."""
_REMARK = "read as SQL, not as English"

_SELECT = re.compile(r"\s*select\b", re.IGNORECASE)
_CERTAIN = re.compile(
    r"\s*select\s+(?:(?:distinct|all|top\s*+(?:\(\s*+)?\d+(?:\s*\))?)\s+)*(?:\*|\w+\s?\()",
    re.IGNORECASE,
)
_WITH = re.compile(r"\s*with\s+(?:recursive\s+)?\w+\s+as\s*\(", re.IGNORECASE)
_WRITING = re.compile(
    r"\s*(?:delete\s+from|insert\s+into|update\s+\S+\s+set|(?:drop|alter|create|truncate)\s+table"
    r"|create\s+view)\b",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"""[<>=*]|\w\s?\(|\bgroup\s+by\b|\border\s+by\b|\blimit\s+\d|\bis\s+(?:not\s+)?null\b
    |\b(?:like|in|between)\s*[('"]|'\s*in\s+\w+\s*$|^\s*select\s+distinct\s+[\w.]+\s+from\s
    |\bwhere\s+(?:[\w.]+|"[^"]+")\s+(?:not\s+)?between\s
    |^\s*select\s+[\w.]+(?:\s*,\s*[\w.]+)*\s+from\s+[a-z]\s*;?\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Characters that English sentences do not have."""
_FRAGMENT = re.compile(
    r"\s*(?P<head>(?:count|sum|avg|min|max|median)\s?\(|from\s+[\w.]+\s+(?:where|group|order|limit)\b"
    r"|where\s|group\s+by\s|order\s+by\s)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\(\s*\d[\d.\s]*(?:,[\d.\s]+)+\)")
_CODE = re.compile(
    r"\w\([^)]*\)|'[^']*'|[<>=]=?\s?[\w'\"-]|\bis\s+(?:not\s+)?null\b", re.IGNORECASE
)


def begins_as_sql(text: str) -> bool:
    """Whether a request is a whole SQL statement, rather than a sentence with the word `select`."""
    if _WRITING.match(text) or _WITH.match(text) or _CERTAIN.match(text):
        return True
    return _SELECT.match(text) is not None and _SIGN.search(text) is not None


def sql_plan(
    question: str,
    vocabulary: Vocabulary,
    now: float,
    loc: tuple[str, ...] = ("body", "query"),
    *,
    fragments: bool = True,
) -> Plan | None:
    """The plan of an SQL question; None for all others.

    `fragments` also allows incomplete statements without `select`. Invalid at `loc` names what a
    plan cannot do.
    """
    whole = begins_as_sql(question)
    text = question if whole else _completed(question) if fragments else None
    if text is None:
        return None
    if _WRITING.match(text):
        msg = "The only SQL statement allowed is SELECT: a question changes no documents."
        raise Invalid.at(loc, msg, "out_of_scope")
    refuse_endless(_LIST.sub(lambda numbers: numbers[0].replace(",", ", "), text), loc)
    from backend.plans.requests.sql_select import Select, parsed
    from backend.plans.requests.sql_terms import SqlFault

    certain = whole and (_CERTAIN.match(text) or _WITH.match(text)) is not None
    try:
        statement = parsed(text)
        select = Select(statement, vocabulary, datetime.fromtimestamp(now, UTC).date())
        return _reported(select.plan(question), select.notes, vocabulary, loc)
    except SqlFault as fault:
        if not certain and (not whole or fault.perhaps_english):
            return None
        raise Invalid.at(loc, f"This was read as SQL: {fault}.", fault.kind) from fault


def _completed(text: str) -> str | None:
    """Completes a fragment of a statement; None if it may as well be English."""
    head = _FRAGMENT.match(text)
    if head is None or not _CODE.search(text):
        return None
    beginning = head["head"].lower()
    if beginning.startswith(("from", "where", "group", "order")):
        return f"select * {text}"
    return f"select {text}"


def _reported(plan: Plan, notes: list[str], vocabulary: Vocabulary, loc: tuple[str, ...]) -> Plan:
    """The plan as far as it can run, with the report that it was read as SQL."""
    verdict = validate(plan, vocabulary.collection.fields)
    if verdict.faults:
        reasons = "; ".join(dict.fromkeys(fault.msg for fault in verdict.faults))
        raise Invalid.at(loc, f"This was read as SQL: {reasons}.", verdict.faults[0].type)
    report = plan.edit or EditReport()
    warnings = [_REMARK, *dict.fromkeys(notes)]
    select = AppliedClause(clause="SELECT", op=_READ_SQL, node=plan.result_node)
    report = report.model_copy(update={"applied": [select, *report.applied], "warnings": warnings})
    steps = [f"{i}. {node.description}" for i, node in enumerate(plan.nodes.values(), 1)]
    words = "\n".join([*steps, *(f"Note: {warning}." for warning in warnings)])
    return plan.model_copy(update={"edit": report, "llm_plan": marked(words, 0)})


def is_sql(plan: Plan) -> bool:
    """Whether a new plan was read from SQL, by its report or its text alone."""
    applied = (plan.edit or EditReport()).applied
    return any(item.op == _READ_SQL for item in applied) or (
        mark_of(plan) == 0 and f"Note: {_REMARK}." in (plan.llm_plan or "")
    )
