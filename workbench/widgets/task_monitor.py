"""The server's tasks in a notebook cell, kept current while the widget is shown."""

import time
from collections.abc import Sequence
from typing import Any

import traitlets

from workbench.contract.tasks import TaskProgress
from workbench.formats import ago
from workbench.frames.html import Markup, preview
from workbench.objects import Workbench
from workbench.sessions.task_titles import action_words
from workbench.sessions.task_watch import failed
from workbench.widgets.message import Message
from workbench.widgets.view import View, script

_SHOWN = 50


class TaskMonitor(View):
    """Follows the tasks until it is closed, for instance by running its cell again."""

    _esm = script("task_monitor")
    tasks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)

    def __init__(self, workbench: Workbench) -> None:
        engine = workbench.engine
        self._client = engine.client
        self._watch = engine.workspace.watch
        super().__init__({"cancel": self._cancel})
        self.until_closed(self._watch.listen(lambda _: self.soon(self._show)), engine.tasks.hold())
        self._show()

    def snapshot(self) -> Markup:
        names = ("name", "docset", "status", "message")
        lines = [tuple(task[name] for name in names) for task in self.tasks]
        return preview(
            f"Tasks: {self.summary}", ("name", "DocSet", "status", ""), lines, len(lines)
        )

    async def _cancel(self, message: Message, _: Sequence[bytes]) -> None:
        await self._client.cancel(message.text("task"))

    def _show(self) -> None:
        with self.hold_sync():
            self.summary = f"{self._watch.running} open · {self._watch.failed} failed"
            newest = sorted(self._watch.newest_first(), key=_rank)
            self.tasks = [_line(task, time.time()) for task in newest[:_SHOWN]]


def _rank(task: TaskProgress) -> int:
    """What runs comes before what waits, and both before what has ended."""
    return {"running": 0, "queued": 1}.get(task.status, 2)


def _line(task: TaskProgress, now: float) -> dict[str, Any]:
    open_ = task.status in ("queued", "running")
    moment = task.finished or task.started or task.submitted
    return {
        "id": task.task_id,
        "name": task.name or action_words(task),
        "docset": task.docset_name or "",
        "status": "failed" if failed(task) else task.status,
        "done": task.done,
        "total": task.total,
        "unit": task.unit or "",
        "message": task.message or "",
        "open": open_,
        "age": ago(now - moment),
    }
