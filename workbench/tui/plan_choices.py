"""The choices on the plans screen: versions and questions."""

from collections.abc import Sequence

from workbench.formats import ago, counted
from workbench.sessions.plan_sessions import Asked
from workbench.sessions.plan_versions import PlanVersions
from workbench.tui.dialogs.choose import Choice
from workbench.tui.lines import Span, dim, line
from workbench.tui.plan_words import outcome_words, version_line


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
            entry.id,
            line(Span(f"{entry.name}  ", "strong"), dim(entry.question))
            if entry.name
            else entry.question,
            f"{counted(entry.versions, 'version')} · {ago(now - entry.changed)}",
        )
        for entry in asked
    ]
