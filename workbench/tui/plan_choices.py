"""What there is to choose from on the plans screen: versions, questions, documents behind a row."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_sessions import Asked
from workbench.sessions.plan_versions import PlanVersions
from workbench.tui.dialogs.choose import Choice
from workbench.tui.formats import duration, plural
from workbench.tui.lines import Span, dim, line
from workbench.tui.plan_words import outcome_words, version_line
from workbench.tui.provenance import place_of


def version_choices(versions: PlanVersions) -> list[Choice]:
    """The tree of versions, by number; what each answered at the right."""
    return [
        Choice(
            str(version.number),
            version_line(depth, version, versions.pointer),
            outcome_words(version),
        )
        for depth, version in versions.lineage()
    ]


def question_choices(asked: Sequence[Asked], now: float) -> list[Choice]:
    """Earlier questions, by session id."""
    return [
        Choice(
            found.id,
            line(Span(f"{found.name}  ", "strong"), dim(found.question))
            if found.name
            else found.question,
            f"{plural(found.versions, 'version')} · {duration(now - found.changed)} ago",
        )
        for found in asked
    ]


def document_choices(
    doc_ids: Sequence[str],
    names: Mapping[str, str],
    row: Mapping[str, Any],
    run: PlanRun | None,
) -> list[Choice]:
    """The documents behind a row, by id; where it was read at the right."""
    return [
        Choice(doc_id, names.get(doc_id, doc_id), place_of(doc_id, row, run).words)
        for doc_id in doc_ids
    ]
