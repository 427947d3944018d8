"""Screen 4: the server's tasks, and its messages."""

from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from workbench.client.errors import NotFound
from workbench.contract.tasks import TaskProgress
from workbench.formats import ago
from workbench.sessions.task_titles import task_title
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.dialogs.reading import Reading
from workbench.tui.formats import duration
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.task_words import (
    GLYPHS,
    WORDS,
    kept_line,
    message_line,
    result_text,
    state_of,
    title_line,
)
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.places import Places
from workbench.tui.widgets.table_list import Column, TableList

_EMPTY = (
    line(Span("No tasks.", "strong")),
    line(),
    line(dim("Uploads and property extraction appear here while they run.")),
)
_LOGGED = 200
_PLACES_EVERY = 2.0


class TasksScreen(Frame):
    place = "tasks"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "queue.tcss"]
    BINDINGS = bindings("tasks")

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Tasks", id="list-pane"):
                yield FilterBar("part of a name, a DocSet or a state")
                yield TableList[TaskProgress](self._columns(), lambda row: row.task_id, id="tasks")
            with Pane(title="Log", id="side", classes="inspector"):
                yield VerticalScroll(Static(id="about", classes="text"), classes="scroll")
        yield Places(title="Places", id="places")

    def on_mount(self) -> None:
        self._filter = ""
        self._follow = False
        self._due = False
        self._listening = False
        self._log: dict[str, list[tuple[float, str]]] = {}
        self._table.focus()
        self.set_interval(1.0, self._tick)
        self.set_interval(_PLACES_EVERY, self._follow_places)

    @property
    def _table(self) -> TableList[TaskProgress]:
        return self.query_one("#tasks", TableList)

    def show_waiting(self, words: Line) -> None:
        self._table.say(words)

    def load(self) -> None:
        if self.workspace is not None and not self._listening:
            self._listening = True
            for task in self.workspace.watch.tasks.values():
                self._note(task)
            self.workspace.watch.listen(self._changed)
            self._ask_for_places()
        self._show()

    def on_screen_resume(self) -> None:
        if self.workspace is not None:
            self._show()
            self._ask_for_places()

    def _changed(self, task: TaskProgress) -> None:
        self._note(task)
        if not self._due and self.is_current:
            self._due = True
            self.set_timer(0.1, self._show)

    def _note(self, task: TaskProgress) -> None:
        """Keeps the messages of the server about a task, each once."""
        log = self._log.setdefault(task.task_id, [])
        if task.message and (not log or log[-1][1] != task.message):
            log.append((task.finished or self.workbench.clock(), task.message))
            del log[:-_LOGGED]

    def _tick(self) -> None:
        """Ages grow by themselves."""
        if self.is_current and self.workspace and self.workspace.watch.running:
            self._table.refresh()

    def _follow_places(self) -> None:
        """Sends no requests on a single machine that has nothing to do."""
        watch = self.workspace.watch if self.workspace else None
        if watch is not None and (watch.running or self.query_one(Places).display):
            self._ask_for_places()

    @work(exclusive=True, group="places")
    async def _ask_for_places(self) -> None:
        if not self.is_current or self.workspace is None:
            return
        from workbench.client.errors import WorkbenchError  # loaded with the connection

        try:
            self.query_one(Places).show_state(await self.workspace.client.cluster())
        except WorkbenchError:  # the watch reports a lost server; others know no places
            self.query_one(Places).show_state(None)

    def _show(self) -> None:
        self._due = False
        if self.workspace is None:
            return
        watch = self.workspace.watch
        text = self._filter.lower()
        rows = [
            task
            for task in watch.newest_first()
            if text in f"{task_title(task)} {state_of(task)} {task.docset_name or ''}".lower()
        ]
        self._table.say(*(_EMPTY if not watch.tasks else (line(dim("No match.")),)))
        self._table.show_rows(rows)
        if self._follow:
            self._table.cursor = 0
        words = [
            f"{watch.running} running" if watch.running else "",
            f"{len(watch.tasks)} in total",
        ]
        if watch.channel == "polling":
            words.append("checked every second")
        count = " · ".join(filter(None, words)) if watch.tasks else ""
        self.query_one("#list-pane", Pane).retitle("Tasks", count)
        notice = self.query_one(Notice)
        if watch.channel == "waiting" and watch.trouble:
            notice.say(f"{watch.trouble} Trying again.", "warn")
        elif notice.words:
            notice.hush()
        self._about()

    # -- columns --------------------------------------------------------------------------------

    def _columns(self) -> list[Column[TaskProgress]]:
        return [
            Column("", lambda row: Span(*GLYPHS[state_of(row)]), 1),
            Column("task", title_line, weight=2),
            Column("DocSet", lambda row: dim(row.docset_name or ""), 20, from_width=100),
            Column("age", lambda row: dim(duration(self._now - row.submitted)), 6, "right"),
            Column("took", lambda row: dim(self._took(row)), 6, "right"),
            Column("", lambda row: message_line(row, self._now), weight=3),
        ]

    @property
    def _now(self) -> float:
        return self.workbench.clock()

    def _took(self, row: TaskProgress) -> str:
        return "" if row.started is None else duration((row.finished or self._now) - row.started)

    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._about)

    def _about(self) -> None:
        row = self._table.current
        lines: list[Line] = []
        if row is not None:
            lines = [
                line(Span(WORDS[state_of(row)], GLYPHS[state_of(row)][1])),
                line(dim(row.task_id)),
                line(dim(row.action)),
                *([line("DocSet ", row.docset_name)] if row.docset_name else []),
                line(),
            ]
            lines += self._history(row)
        self.query_one("#about", Static).update(as_content(lines))

    def _history(self, task: TaskProgress) -> list[Line]:
        """The history of the task, latest first: its states and messages."""
        stations = [
            (task.submitted, "submitted"),
            (task.started, "started"),
            (task.finished, WORDS[state_of(task)]),
        ]
        entries = [(moment, words) for moment, words in stations if moment is not None]
        entries += self._log.get(task.task_id, [])
        return [
            line(dim(f"{ago(self._now - moment):>10}  "), words)
            for moment, words in sorted(entries, reverse=True)
        ]

    # -- acting ---------------------------------------------------------------------------------

    @on(FilterBar.Narrowed)
    def _narrow(self, event: FilterBar.Narrowed) -> None:
        self._filter = event.text
        self._show()

    def action_filter(self) -> None:
        self.query_one(FilterBar).open()

    @work
    async def action_cancel(self) -> None:
        row = self._table.current
        if row is None or self.workspace is None or row.status not in ("queued", "running"):
            return
        if await self.app.push_screen_wait(Confirm(f"Cancel {task_title(row)}?", kept_line(row))):
            with self.reporting(self.query_one(Notice)):
                try:
                    await self.workspace.client.cancel(row.task_id)
                except NotFound:
                    self.notify("The task had already finished; press enter for its result.")

    @on(LineList.Opened)
    @work
    async def action_result(self) -> None:
        row = self._table.current
        if row is None or self.workspace is None:
            return
        if row.status == "cancelled":  # the server keeps no result of it
            self.notify(f"{task_title(row)} was cancelled, so there is no result.")
            return
        with self.reporting(self.query_one(Notice)):
            result = await self.workspace.client.result(row.task_id)
            if result.pending:
                self.notify("The task is still running.")
                return
            self.app.push_screen(Reading(task_title(row), result_text(result.body)))

    def action_follow(self) -> None:
        self._follow = not self._follow
        self.query_one("#list-pane", Pane).foot(
            "newest task stays selected" if self._follow else ""
        )
        self._show()

    def action_copy_id(self) -> None:
        row = self._table.current
        if row is not None:
            self.app.copy_to_clipboard(row.task_id)
            self.notify(row.task_id, title="Copied")


SCREEN = TasksScreen
