"""Descriptions of tasks, shared by app and notebooks."""

import re

from workbench.contract.tasks import TaskProgress, TaskSummary

ADDS = "add document"
_ACTIONS = (
    (re.compile(r"/docs$"), ADDS),
    (re.compile(r"/extract-properties$"), "extract properties"),
    (re.compile(r"/delete-properties$"), "delete properties"),
    (re.compile(r"/suggest-properties$"), "suggest properties"),
    (re.compile(r"/rereadings$"), "re-read values"),
    (re.compile(r"/embedding$"), "recompute the vectors with another model"),
    (re.compile(r"/partition$"), "partition"),
)


def action_words(task: TaskProgress | TaskSummary) -> str:
    """The action of a task."""
    return next((words for rule, words in _ACTIONS if rule.search(task.action)), task.action)


def task_title(task: TaskProgress) -> str:
    """The action of a task and its object."""
    return f"{action_words(task)} {task.name}" if task.name else action_words(task)
