"""The tasks of the server as a frame."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.contract.tasks import TaskSummary
from workbench.frames.columns import of_type, table_of
from workbench.frames.frame import Rows
from workbench.objects.engine import Engine
from workbench.objects.task import Task

if TYPE_CHECKING:
    import pyarrow as pa


class Tasks(Rows[Task]):
    """Open and recently finished tasks at the time of `Workbench.tasks`; each item is a `Task`.

    Columns: task_id, status (queued, running, done, cancelled), action (the path of the call),
    userdata.
    """

    def __init__(self, engine: Engine, listed: Mapping[str, TaskSummary]) -> None:
        self.summaries = dict(listed)
        self._items = [Task(engine, task_id) for task_id in listed]

    def title(self) -> str:
        open_ = sum(
            self.summaries[task.id].task_status in ("queued", "running") for task in self._items
        )
        return f"Tasks({len(self):,}, {open_:,} open)"

    def _table(self) -> "pa.Table":
        listed = self.summaries
        return table_of(
            {
                "task_id": of_type(list(listed), "string"),
                "status": of_type([one.task_status for one in listed.values()], "string"),
                "action": of_type([one.action for one in listed.values()], "string"),
                "userdata": of_type([one.userdata for one in listed.values()], "string"),
            }
        )
