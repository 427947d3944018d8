"""Versions of a plan, their runs and their answers in words."""

from collections.abc import Mapping

from workbench.contract.plan import NodeEstimate, Plan
from workbench.contract.plan_diff import NodeChange
from workbench.formats import MARK, counted, value_words
from workbench.sessions.field_names import field_label
from workbench.sessions.plan_layout import spoken, summary
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_versions import PlanVersion
from workbench.tui.formats import duration
from workbench.tui.lines import Line, Span, line

_QUICK_MS = 500


def place_among_versions(session: PlanSession | None) -> str:
    """`v4 of 6   u undo`."""
    if session is None or session.current is None:
        return ""
    versions = session.versions
    moves = ("u undo  " if versions.can_undo else "") + ("U redo  " if versions.can_redo else "")
    return f"v{versions.pointer} of {len(versions.all)}   {moves}".rstrip()


def plan_words(
    version: PlanVersion | None, run: PlanRun | None, estimates: Mapping[int, NodeEstimate]
) -> str:
    """`7 nodes · ≈`; before a run its estimated cost, during a run its progress."""
    if version is None:
        return ""
    words = counted(len(version.plan.nodes), "step")
    if run is not None and run.state == "running":
        done = sum(progress.state == "done" for progress in run.nodes.values())
        return f"{words} · {done} of {len(run.nodes)} done · X stops"
    if run is None and estimates:
        return " · ".join([words, *_cost(estimates)])
    return words + (" · ≈" if run is not None and run.approximate else "")


def is_quick(estimates: Mapping[int, NodeEstimate]) -> bool:
    """Whether a plan is cheap enough to run unasked."""
    return bool(estimates) and sum(one.ms for one in estimates.values()) < _QUICK_MS


def _cost(estimates: Mapping[int, NodeEstimate]) -> list[str]:
    """`about 2 s`, and how many texts are read where any are."""
    seconds = sum(one.ms for one in estimates.values()) / 1000
    texts = sum(one.texts_read for one in estimates.values())
    reads = [f"reads {counted(texts, 'text')}"] if texts else []
    return [f"about {duration(max(seconds, 0.01))}", *reads]


def outcome_words(version: PlanVersion) -> str:
    """The answer of the version, if it has run."""
    outcome = version.outcome
    if outcome is None:
        return ""
    is_table = outcome["kind"] == "rows"
    words = counted(outcome["total"], "row") if is_table else value_words(outcome["value"])[:40]
    return f"{MARK} {words}, {outcome['range']}" if outcome.get("range") else words


def answer_change(before: PlanVersion | None, after: PlanVersion) -> str:
    """How the answer changed, once both versions have run."""
    if before is None or before.outcome is None or after.outcome is None:
        return ""
    return f"answer  {outcome_words(before)} → {outcome_words(after)}"


def version_line(depth: int, version: PlanVersion, pointer: int) -> Line:
    """A version in the tree of all versions."""
    origin = {
        "question": "planned from the question",
        "feedback": f"“{version.feedback}”",
        "reading": f"one reading of “{version.feedback}”"
        if version.feedback
        else "one reading of the question",
        "hand": "changed by hand",
        "choice": f"some changes of v{version.proposal} rejected",
    }[version.origin]
    here = Span("● " if version.number == pointer else "○ ", "accent")
    return line("  " * depth, here, Span(f"v{version.number}  ", "strong"), origin)


def change_words(change: NodeChange, before: Plan, after: Plan) -> str:
    """What a step does, in the words of the graph; for a changed one, before and after."""
    if change.kind == "changed":
        old, new = before.nodes.get(str(change.before)), after.nodes.get(str(change.after))
        nested = any(isinstance(f.old, list) or isinstance(f.new, list) for f in change.fields)
        if nested and old is not None and new is not None:
            return f"{summary(old)} → {summary(new)}"
        return field_changes(change)
    plan, node_id = (after, change.after) if change.after is not None else (before, change.before)
    node = plan.nodes.get(str(node_id))
    if node is None:
        return change.line
    words = summary(node) or node.description or ""
    if change.kind == "moved":
        return f"{words}  now after {', '.join(map(str, node.inputs))}"
    return words


def field_changes(change: NodeChange) -> str:
    """`property city → state, largest first nothing → yes`."""
    return ", ".join(
        f"{field_label(field.field)} {_short(field.old)} → {_short(field.new)}"
        for field in change.fields
    )


def _short(value: object) -> str:
    text = value_words(value, typed=True)
    return (spoken(text) if text.startswith("properties.") else text) or "nothing"
