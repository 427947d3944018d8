"""A plan session as the plain values that the browser side of the plan editor draws."""

from collections.abc import Mapping, Sequence
from typing import Any

from backend.contract.elements import StoredElement
from backend.contract.plan import NodeEstimate
from backend.contract.plan_nodes import CATALOGUE, bare_field
from backend.contract.schema import Schema
from workbench.formats import is_number, value_words
from workbench.frames.runs import counted
from workbench.objects import PlanDraft
from workbench.objects.why import Why
from workbench.sessions.node_form import about, faults, form
from workbench.sessions.plan_changes import change_key
from workbench.sessions.plan_layout import graph_rows
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_sessions import Asked
from workbench.sessions.plan_versions import PlanVersion
from workbench.sessions.result_diff import RowChange, tally

_COMPARED = 50
_BESIDE = ("doc_ids", "citations")
_DOCUMENTS = 20
_READ = 200
_ORIGINS = {
    "question": "planned from the question",
    "hand": "changed by hand",
    "choice": "some changes refused",
}


def steps(session: PlanSession) -> list[dict[str, Any]]:
    """The rows of the graph, with what the last run of this version did there.

    `state` is that of the step in the run; `waiting` without a run.
    """
    plan = session.plan
    run = session.runs.get(session.versions.pointer)
    rows = []
    for row in graph_rows(plan) if plan is not None else []:
        node = row.node
        told = run.nodes.get(node.node_id) if run is not None else None
        expected = session.estimates.get(node.node_id)
        rows.append(
            {
                "id": node.node_id,
                "inputs": list(node.inputs),
                "kind": node.node_type + (" ≈" if row.approximate else ""),
                "summary": row.summary,
                "link": row.link,
                "result": row.is_result,
                "state": told.state if told is not None else "waiting",
                "rows": told.rows if told is not None else None,
                "ms": told.ms if told is not None else None,
                "expected": None if expected is None else _expected(expected),
                "notes": _notes(told.dropped or {}, told.warnings) if told is not None else "",
            }
        )
    return rows


def _expected(estimate: NodeEstimate) -> str:
    return f"{'' if estimate.exact else '≈ '}{counted(estimate.rows)}"


def _notes(dropped: Mapping[str, int], warnings: Sequence[str]) -> str:
    left_out = [f"{counted(number)} left out: {reason}" for reason, number in dropped.items()]
    return "\n".join([*left_out, *warnings])


def changes(session: PlanSession) -> list[dict[str, Any]]:
    """What the feedback behind the version proposed, and what was decided about it."""
    found = session.changes()
    return [
        {
            "key": change_key(change),
            "kind": change.kind,
            "line": line,
            "refused": session.decision(change) == "refused",
            "accepted": session.decision(change) == "accepted",
        }
        for change, line in zip(found.changes, found.lines, strict=True)
    ]


def remarks(session: PlanSession) -> list[dict[str, str]]:
    """What keeps the plan from running, what of the request was left out, what was assumed."""
    told = [{"kind": "bad", "text": f"Cannot run yet: {f.msg}"} for f in session.faults()]
    report = session.report
    if report is None:
        return told
    for clause in report.not_applied:
        told.append({"kind": "bad", "text": f"«{clause.clause}»: {clause.reason}"})
        if clause.suggestions:
            told.append({"kind": "dim", "text": f"try: {' · '.join(clause.suggestions)}"})
    return told + [{"kind": "warn", "text": warning} for warning in report.warnings]


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
    return f"“{version.feedback}”" if version.origin == "feedback" else _ORIGINS[version.origin]


def outcome(version: PlanVersion) -> str:
    """What the version answered when it was run as a whole; empty before."""
    told = version.outcome
    if told is None:
        return ""
    return counted(told["total"]) if told["kind"] == "rows" else str(told["value"])[:60]


def comparison(
    session: PlanSession, before: int, rows: Sequence[RowChange] | None
) -> dict[str, Any]:
    """What turns another version into the current one, and what became of the rows of its answer
    where both have run.
    """
    found = session.diff(before, session.versions.pointer)
    lines = zip(found.changes, found.lines, strict=True)
    told = [row for row in rows or () if row.fate != "same"][:_COMPARED]
    columns = list(dict.fromkeys(n for row in told for n in row.row if n not in _BESIDE))
    return {
        "title": f"version {before} → version {session.versions.pointer}",
        "lines": [{"kind": change.kind, "line": line} for change, line in lines],
        "answer": "" if rows is None else f"Rows of the answer: {tally(rows)}",
        "columns": ["", *map(bare_field, columns)],
        "rows": [
            [row.fate, *(_plain(row.row.get(name), name) for name in columns)] for row in told
        ],
    }


def node_form(draft: PlanDraft, node_id: int, schema: Schema) -> dict[str, Any]:
    """A step as a form; `faults` are what is wrong with it now, by field."""
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
    """The questions that can be taken up again; those without a plan are left out."""
    return [
        {"id": one.id, "text": one.question, "current": one.id == current}
        for one in asked
        if one.versions
    ]


def lineage(row: int, why: Why) -> dict[str, Any]:
    """The documents behind a row, each with the places where its values were read."""
    documents: dict[str, list[dict[str, Any]]] = {doc_id: [] for doc_id in why.doc_ids}
    for place in why.places:
        said = place.get("property")
        value = "" if said is None else f"{said} = {place.get('value')}"
        documents.setdefault(str(place["doc_id"]), []).append(
            {
                "words": value or str(place.get("text") or "")[:160],
                "page": place.get("page") or 1,
                "box": place.get("bbox"),
                "element": place.get("element_id"),
            }
        )
    told = [
        {"id": doc_id, "name": why.names.get(doc_id, doc_id), "places": places}
        for doc_id, places in documents.items()
    ]
    number = len(why.doc_ids)
    title = f"Behind row {row + 1}: {number:,} document{'' if number == 1 else 's'}"
    return {"title": title, "documents": told[:_DOCUMENTS], "left": max(0, number - _DOCUMENTS)}


def reading(elements: Sequence[StoredElement], chosen: str | None) -> list[dict[str, Any]]:
    """The elements of a document without pages, as many as one may read, around the chosen one."""
    place = next((at for at, element in enumerate(elements) if element.id == chosen), 0)
    start = max(0, place - _READ // 2)
    return [
        {"id": e.id, "kind": e.type, "text": e.text_representation or "", "box": e.bbox}
        for e in elements[start : start + _READ]
    ]


def output(
    title: str,
    node: int,
    window: Mapping[str, Any],
    labels: Mapping[str, str],
    offset: int,
    limit: int,
) -> dict[str, Any]:
    """A window of rows as the browser shows it; values that JSON cannot hold become text.

    What only says where a row comes from is left out: its lineage tells that better.
    """
    names = [name for name in window["columns"] if name not in _BESIDE]
    columns = [labels.get(bare_field(name), bare_field(name)) for name in names]
    rows = [[_plain(row.get(name), name) for name in names] for row in window["rows"]]
    whole = {"node": node, "offset": offset, "limit": limit, "total": window["total"]}
    return {"title": title, "columns": columns, "rows": rows, **whole}


def _plain(value: Any, name: str) -> Any:
    """Numbers as they are; everything else in words."""
    return value if value is None or is_number(value) else value_words(value, bare_field(name))
