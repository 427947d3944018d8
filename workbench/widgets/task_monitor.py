"""The server's tasks in a notebook cell, kept current while the widget is shown."""

from collections.abc import Sequence
from typing import Any

import traitlets

from backend.contract.tasks import TaskProgress
from workbench.client.background import background_loop
from workbench.objects import Workbench
from workbench.sessions.task_watch import TaskWatch, failed
from workbench.widgets.view import Message, View, script

_SHOWN = 50


class TaskMonitor(View):
    """Follows the tasks until it is closed, for instance by running its cell again."""

    _esm = script("task_monitor")
    tasks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)

    def __init__(self, workbench: Workbench) -> None:
        self._watch = TaskWatch(workbench.engine.client)
        self._client = workbench.engine.client
        super().__init__({"cancel": self._cancel})
        self._stop = self._watch.listen(self._changed)
        # Not `start`: that would show the widget as busy for as long as it follows.
        self._following = background_loop().start(self._watch.run())

    def close(self) -> None:
        """May be called again; ipywidgets does so when the object goes."""
        self._following.cancel()
        stop, self._stop = self._stop, _nothing
        stop()
        super().close()

    async def _cancel(self, message: Message, _: Sequence[bytes]) -> None:
        await self._client.cancel(str(message["task"]))

    def _changed(self, _: TaskProgress) -> None:
        with self.hold_sync():
            self.summary = f"{self._watch.running} under way · {self._watch.failed} failed"
            self.tasks = [_line(task) for task in self._watch.newest_first()[:_SHOWN]]


def _nothing() -> None:
    return None


def _line(task: TaskProgress) -> dict[str, Any]:
    open_ = task.status in ("queued", "running")
    return {
        "id": task.task_id,
        "name": task.name or task.action,
        "status": "failed" if failed(task) else task.status,
        "done": task.done,
        "total": task.total,
        "unit": task.unit or "",
        "message": task.message or "",
        "open": open_,
    }
