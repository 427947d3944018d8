"""Bodies of asynchronous tasks."""

from typing import Literal

from pydantic import BaseModel

TaskStatus = Literal["queued", "running", "done", "cancelled"]


class TaskAccepted(BaseModel):
    """Answer of every submit: the task is durable from this moment."""

    task_id: str


class TaskSummary(BaseModel):
    """A task in the list. `action` is the path that was submitted, `userdata` the caller's text."""

    action: str
    task_status: TaskStatus
    userdata: str | None = None


class TaskList(BaseModel):
    tasks: dict[str, TaskSummary]


class TaskProgress(BaseModel):
    """Extension: the progress of a task. Sent as the data of `task` events.

    Times are seconds since 1970; `done` of `total` counts `unit` (pages or documents); both are
    null while nothing is known. `outcome` is the HTTP status of the finished call. `docset_id` and
    `docset_name` are of the DocSet that the task works on, if any; the name is null once that is
    deleted. `sequence` grows with every change of any task and is the event id to resume from.
    """

    task_id: str
    action: str
    status: TaskStatus
    submitted: float
    started: float | None = None
    finished: float | None = None
    done: int | None = None
    total: int | None = None
    unit: str | None = None
    message: str | None = None
    outcome: int | None = None
    name: str | None = None
    docset_id: str | None = None
    docset_name: str | None = None
    sequence: int
