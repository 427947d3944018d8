"""An answer, its basis and the documents behind it, as plain values for the browser side of the
plan editor. Numbers and dates are formatted here, so that they look the same everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.contract.coverage import field_words
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import bare_field
from workbench.formats import (
    MARK,
    column_words,
    confidence_words,
    counted,
    is_number,
    unit_words,
    value_words,
)
from workbench.frames.notes import AnswerNotes
from workbench.frames.shares import VALUE, percent_columns
from workbench.sessions.evidence import EvidenceLine, EvidenceTrail
from workbench.sessions.merging import MergeChoice
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.readings import is_doubtful
from workbench.sessions.step_sentences import measure_names

_BESIDE = ("doc_ids", "citations")
_QUOTE = 240


@dataclass(frozen=True)
class ColumnFacts:
    """Facts about a step's columns, by bare name: better names, units, factors to percent."""

    labels: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    shares: Mapping[str, int] = field(default_factory=dict)

    def words(self, name: str, values: Sequence[Any]) -> list[str]:
        """The values of a column as people write them, numbers with their unit."""
        bare = bare_field(name)
        written, unit = (
            column_words(bare, values, percent=self.shares.get(name, 0)),
            self.units.get(bare),
        )
        return [
            f"{written(value)} {unit_words(value, unit)}"
            if unit and is_number(value)
            else written(value)
            for value in values
        ]


def column_facts(plan: Plan, node_id: int, done: PlanRun | None) -> ColumnFacts:
    """The facts about a step's columns from the run of a plan."""
    labels = {} if done is None else done.labels
    units = {} if done is None else done.units_of(node_id)
    return ColumnFacts({**measure_names(plan), **labels}, units, percent_columns(plan, node_id))


def output(
    title: str,
    node: int,
    window: Mapping[str, Any],
    facts: ColumnFacts,
    offset: int,
    limit: int,
) -> dict[str, Any]:
    """A window of rows as the browser shows it, every value in words; `numbers` are columns that
    are aligned as such. One number is `number`, and needs no table.

    Columns that only state a row's origin are left out: its lineage shows that better.
    """
    names = [name for name in window["columns"] if name not in _BESIDE]
    if "properties.path" in names:
        names = [name for name in names if name != "doc_id"]
    columns = [facts.labels.get(bare_field(name), bare_field(name)) for name in names]
    values = [[row.get(name) for row in window["rows"]] for name in names]
    words = [facts.words(name, column) for name, column in zip(names, values, strict=True)]
    return {
        "title": title,
        "node": node,
        "columns": columns,
        "rows": [list(row) for row in zip(*words, strict=True)],
        "numbers": [any(map(is_number, column)) for column in values],
        "number": _number(window["rows"], facts),
        "offset": offset,
        "limit": limit,
        "total": window["total"],
    }


def _number(rows: list[Mapping[str, Any]], facts: ColumnFacts) -> dict[str, Any] | None:
    """The answer if it is one number, and how many documents are behind it."""
    if len(rows) != 1 or VALUE not in rows[0]:
        return None
    value = rows[0][VALUE]
    unit = facts.units.get(VALUE, "")
    written = value_words(value, percent=facts.shares.get(VALUE, 0))
    words = "no value" if value is None else f"{written} {unit_words(value, unit)}".rstrip()
    return {"words": words, "documents": len(rows[0].get("doc_ids") or ())}


def notes(of: AnswerNotes) -> dict[str, Any]:
    """The notes beside the answer; a footnote names its step and property."""
    return {
        "mark": MARK if of.range else "",
        "range": of.range,
        "story": of.story,
        "unused": of.not_used,
        "footnotes": [vars(note) for note in of.footnotes],
        "warnings": list(of.warnings),
    }


def merges(choices: Sequence[MergeChoice]) -> list[dict[str, Any]]:
    """The spellings that are proposed to count as one, and those that do."""
    return [{"words": one.words, "agreed": one.agreed} for one in choices]


def lineage(title: str, trail: EvidenceTrail) -> dict[str, Any]:
    """The documents that are here of a trail, each with its values and where these were read."""
    documents: dict[str, dict[str, Any]] = {}
    for line in trail.lines:
        document = documents.setdefault(
            line.doc_id, {"id": line.doc_id, "name": line.name, "places": []}
        )
        if line.value is not None:
            document["places"].append(_place(line))
    return {
        "title": f"{title}: {counted(trail.total, 'document')}",
        "documents": list(documents.values()),
        "left": max(0, trail.total - trail.documents),
    }


def _place(line: EvidenceLine) -> dict[str, Any]:
    value = line.value
    assert value is not None
    missing = value.state == "missing" and value.value is None
    sure = "corrected by hand" if value.corrected else confidence_words(value.confidence)
    words = value_words(value.value, value.field)
    unit = f" {unit_words(value.value, value.unit)}" if value.unit else ""
    return {
        "name": "" if missing else field_words(value.field),
        "words": line.why if missing else f"{words}{unit}{line.since and f' ({line.since})'}",
        "sure": sure,
        "doubtful": missing or is_doubtful(value.confidence),
        "quote": " ".join((value.quote or "").split())[:_QUOTE],
        "page": line.page,
        "box": value.bbox,
        "element": value.element_id,
    }
