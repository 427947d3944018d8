"""Tasks of the server in words: their action, progress and outcome.

The time left is shown only if it can be estimated: for a task that counts, once it has done enough.
"""

import json
from typing import Any

from workbench.contract.tasks import TaskProgress
from workbench.sessions.task_titles import ADDS, action_words
from workbench.sessions.task_watch import failed
from workbench.tui.formats import bar, duration
from workbench.tui.lines import Line, Role, Span, dim, line

BAR = 6
"""Cells of a bar of progress."""
_ENOUGH_SECONDS = 2.0
_ENOUGH_DONE = 3
GLYPHS: dict[str, tuple[str, Role]] = {
    "queued": ("○", "dim"),
    "running": ("◐", "accent"),
    "done": ("●", "good"),
    "failed": ("✗", "bad"),
    "cancelled": ("−", "warn"),
}
WORDS = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
}


def state_of(task: TaskProgress) -> str:
    """The task's status, with failures distinguished from successes."""
    return "failed" if failed(task) else task.status


def title_line(task: TaskProgress) -> Line:
    """The same for a list: the action comes first, and is omitted for added files."""
    what = action_words(task)
    return line(task.name, dim(f"  {what}" if what != ADDS else "")) if task.name else line(what)


def message_line(task: TaskProgress, now: float) -> Line:
    """The latest news of a task: its progress or outcome."""
    if failed(task):
        return line(Span(task.message or f"status {task.outcome}", "bad"))
    if task.status in ("queued", "running"):
        return progress_line(task, now)
    return line(dim(task.message or WORDS[task.status]))


def progress_line(task: TaskProgress, now: float) -> Line:
    """The progress of a waiting or running task: `███░░░ 3 of 12 pages, 8 s left`."""
    if task.status != "running" or not task.total:
        return line(dim(task.message or WORDS[state_of(task)]))
    done = task.done or 0
    left = seconds_left(task, now)
    words = f"  {done:,} of {task.total:,} {task.unit or ''}".rstrip()
    words += "" if left is None else f", {duration(left)} left"
    return line(Span(bar(done / task.total, BAR), "accent"), dim(words))


def seconds_left(task: TaskProgress, now: float) -> float | None:
    """The remaining time at the pace so far; None while that is unknown."""
    if task.started is None or not task.total or not task.done or task.status != "running":
        return None
    gone = now - task.started
    if gone < _ENOUGH_SECONDS or task.done < min(_ENOUGH_DONE, task.total):
        return None
    return gone / task.done * max(0, task.total - task.done)


def kept_line(task: TaskProgress) -> Line:
    """What a cancellation keeps: only jobs over many documents keep their results so far."""
    if task.unit == "documents" and task.done and task.total:
        return line(Span(f"{task.done:,} of {task.total:,} documents done", "good"), " and kept.")
    if task.unit == "pages":
        return line("Its work so far is not kept. ", dim("The file itself is not changed."))
    return line(dim("It has not started yet."))


def result_text(body: Any) -> str:
    """A result as text to read."""
    return body if isinstance(body, str) else json.dumps(body, indent=2, ensure_ascii=False)
