"""A plan session as the plain values that the browser side of the plan editor draws."""

from collections.abc import Sequence
from typing import Any

from workbench.contract.coverage import coverage_words, distinct_coverage
from workbench.contract.elements import StoredElement
from workbench.contract.errors import Choice
from workbench.contract.plan import NodeEstimate
from workbench.contract.plan_nodes import CATALOGUE, bare_field
from workbench.contract.schema import Schema
from workbench.formats import MARK, counted, is_number, value_words
from workbench.frames.notes import not_used
from workbench.objects import PlanDraft
from workbench.sessions.filter_values import kin_words, listed_values
from workbench.sessions.node_form import about, faults, form
from workbench.sessions.plan_changes import change_key
from workbench.sessions.plan_layout import graph_rows
from workbench.sessions.plan_run import NodeProgress
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_sessions import Asked
from workbench.sessions.plan_versions import PlanVersion
from workbench.sessions.result_diff import RowChange, tally
from workbench.sessions.step_sentences import what_it_does
from workbench.sessions.understanding import understood

_COMPARED = 50
_BESIDE = ("doc_ids", "citations")
_READ = 200
_ORIGINS = {
    "question": "planned from the question",
    "reading": "one reading of the question",
    "hand": "changed by hand",
    "choice": "some changes refused",
}


def choices(of: str, request: str, readings: Sequence[Choice]) -> dict[str, Any]:
    """The readings of a request; `of` says whether it is a question or feedback."""
    return {
        "of": of,
        "request": request,
        "title": f"“{request}” may mean several things. Which do you mean?",
        "readings": [
            {"words": one.words, "warnings": list(one.edit.get("warnings") or [])}
            for one in readings
        ],
    }


def steps(session: PlanSession) -> list[dict[str, Any]]:
    """The rows of the graph, with the results of this version's last run.

    `state` is that of the step in the run; `waiting` without a run.
    """
    plan = session.plan
    run = session.runs.get(session.versions.pointer)
    rows = []
    for row in graph_rows(plan) if plan is not None else []:
        node = row.node
        step = run.nodes.get(node.node_id) if run is not None else None
        expected = session.estimates.get(node.node_id)
        rows.append(
            {
                "id": node.node_id,
                "inputs": list(node.inputs),
                "does": what_it_does(node) + (" ≈" if row.approximate else ""),
                "kind": node.node_type,
                "link": row.link,
                "result": row.is_result,
                "state": step.state if step is not None else "waiting",
                "rows": step.rows if step is not None else None,
                "ms": step.ms if step is not None else None,
                "expected": None if expected is None else _expected(expected),
                "notes": _notes(step) if step is not None else "",
                "partial": step is not None and any(not one.complete for one in step.coverage),
            }
        )
    return rows


def _expected(estimate: NodeEstimate) -> str:
    return f"{'' if estimate.exact else '≈ '}{counted(estimate.rows)} expected"


def _notes(step: NodeProgress) -> str:
    """What the step left out and why, a line each."""
    dropped = (step.dropped or {}).items()
    left_out = [f"{counted(number)} left out: {reason}" for reason, number in dropped]
    covered = [f"{coverage_words(item)}." for item in distinct_coverage(step.coverage)]
    return "\n".join([*covered, *left_out, *step.warnings])


def changes(session: PlanSession) -> list[dict[str, Any]]:
    """The changes that the feedback behind the version proposed, and the decisions about them."""
    proposed = session.changes()
    return [
        {
            "key": change_key(change),
            "kind": change.kind,
            "line": line,
            "refused": session.decision(change) == "refused",
            "accepted": session.decision(change) == "accepted",
        }
        for change, line in zip(proposed.changes, proposed.lines, strict=True)
    ]


def remarks(session: PlanSession) -> list[dict[str, str]]:
    """What prevents the plan from running, unused parts of the request, assumptions."""
    lines = [{"kind": "bad", "text": f"Cannot run yet: {f.msg}"} for f in session.faults()]
    if session.plan is not None:
        lines.insert(0, {"kind": "dim", "text": f"Understood as: {understood(session.plan)}."})
    report = session.report
    if report is None:
        return lines
    if report.unused:
        lines.append({"kind": "unused", "text": not_used(report.unused)})
    for clause in report.not_applied:
        lines.append({"kind": "bad", "text": f"“{clause.clause}”: {clause.reason}"})
        if clause.suggestions:
            lines.append({"kind": "dim", "text": f"try: {' · '.join(clause.suggestions)}"})
    return lines + [{"kind": "warn", "text": warning} for warning in report.warnings]


def filter_values(session: PlanSession) -> list[dict[str, Any]]:
    """The filters with a list of values: each value can be excluded or included."""
    plan = session.plan
    filters = []
    for row in graph_rows(plan) if plan is not None else []:
        if listed := listed_values(row.node):
            values = [
                {
                    "words": value_words(item.value, typed=True),
                    "included": item.accepted,
                    "added": item.added,
                }
                for item in listed
            ]
            field = bare_field(str(row.node.extras.get("field") or ""))
            filters.append(
                {
                    "node": row.node.node_id,
                    "field": field,
                    "kin": kin_words(row.node),
                    "values": values,
                }
            )
    return filters


def versions(session: PlanSession) -> list[dict[str, Any]]:
    """The tree of versions from the top; `depth` counts branches."""
    return [
        {
            "number": version.number,
            "depth": depth,
            "words": _words(version),
            "outcome": outcome(version),
            "current": version.number == session.versions.pointer,
        }
        for depth, version in session.versions.lineage()
    ]


def _words(version: PlanVersion) -> str:
    if version.origin in ("feedback", "reading") and version.feedback:
        return f"“{version.feedback}”"
    return _ORIGINS[version.origin]


def outcome(version: PlanVersion) -> str:
    """The answer of the version's last complete run; empty before."""
    result = version.outcome
    if result is None:
        return ""
    rows = result["kind"] == "rows"
    words = counted(result["total"]) if rows else value_words(result["value"])[:60]
    return f"{MARK} {words}, {result['range']}" if result.get("range") else words


def comparison(
    session: PlanSession, before: int, rows: Sequence[RowChange] | None
) -> dict[str, Any]:
    """The changes between two versions, and those of their answers' rows if both have run."""
    difference = session.diff(before, session.versions.pointer)
    lines = zip(difference.changes, difference.lines, strict=True)
    changed = [row for row in rows or () if row.fate != "same"][:_COMPARED]
    columns = list(dict.fromkeys(n for row in changed for n in row.row if n not in _BESIDE))
    return {
        "title": f"version {before} → version {session.versions.pointer}",
        "lines": [{"kind": change.kind, "line": line} for change, line in lines],
        "answer": "" if rows is None else f"Rows of the answer: {tally(rows)}",
        "columns": ["", *map(bare_field, columns)],
        "rows": [
            [row.fate, *(value_words(row.row.get(name), bare_field(name)) for name in columns)]
            for row in changed
        ],
        "numbers": [
            False,
            *(any(is_number(row.row.get(name)) for row in changed) for name in columns),
        ],
    }


def node_form(draft: PlanDraft, node_id: int, schema: Schema) -> dict[str, Any]:
    """A step as a form; `faults` are its current errors, by field."""
    plan = draft.plan
    node = plan.node(node_id)
    return {
        "version": draft.number,
        "node": node_id,
        "kind": node.node_type,
        "about": about(node),
        "fields": [vars(field) for field in form(plan, node_id, schema)],
        "faults": faults(plan, node, schema),
        "inputs": ", ".join(map(str, node.inputs)),
        "kinds": list(CATALOGUE),
    }


def questions(asked: Sequence[Asked], current: str) -> list[dict[str, Any]]:
    """The questions that can be resumed; those without a plan are left out."""
    return [
        {"id": one.id, "text": one.question, "current": one.id == current}
        for one in asked
        if one.versions
    ]


def reading(elements: Sequence[StoredElement], chosen: str | None) -> list[dict[str, Any]]:
    """The elements of a document without pages, as many as one may read, around the chosen one."""
    place = next((at for at, element in enumerate(elements) if element.id == chosen), 0)
    start = max(0, place - _READ // 2)
    return [
        {"id": e.id, "kind": e.type, "text": e.text_representation or "", "box": e.bbox}
        for e in elements[start : start + _READ]
    ]
