"""The tasks of the server as a frame."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.contract.tasks import TaskSummary
from workbench.frames.columns import of_type, table_of
from workbench.frames.frame import Rows
from workbench.objects.engine import Engine
from workbench.objects.task import Task
from workbench.sessions.task_titles import action_words

if TYPE_CHECKING:
    import polars as pl

_DOCSET = re.compile(r"/docsets/([^/]+)")


class Tasks(Rows[Task]):
    """Open and recently finished tasks at the time of `Workbench.tasks`; each item is a `Task`.

    Columns: task_id, status (queued, running, done, cancelled), work (`add document`), docset_id,
    action (the path of the call), userdata.
    """

    def __init__(self, engine: Engine, listed: Mapping[str, TaskSummary]) -> None:
        self.summaries = dict(listed)
        self._items = [Task(engine, task_id) for task_id in listed]

    def title(self) -> str:
        open_ = sum(
            self.summaries[task.id].task_status in ("queued", "running") for task in self._items
        )
        return f"Tasks({len(self):,}, {open_:,} open)"

    def _table(self) -> "pl.DataFrame":
        listed = self.summaries
        return table_of(
            {
                "task_id": of_type(list(listed), "string"),
                "status": of_type([one.task_status for one in listed.values()], "string"),
                "work": of_type([action_words(one) for one in listed.values()], "string"),
                "docset_id": of_type([_docset_id(one.action) for one in listed.values()], "string"),
                "action": of_type([one.action for one in listed.values()], "string"),
                "userdata": of_type([one.userdata for one in listed.values()], "string"),
            }
        )


def _docset_id(action: str) -> str | None:
    """The DocSet that the path of a call names."""
    match = _DOCSET.search(action)
    return match[1] if match else None
