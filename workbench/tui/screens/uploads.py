"""Screen 3: the upload queue. Failed ones stay in sight until they are retried or removed."""

from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from workbench.contract.tasks import TaskProgress
from workbench.formats import ago, counted
from workbench.sessions.pace import Pace
from workbench.sessions.upload_queue import Upload, UploadState
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.dialogs.reading import Reading
from workbench.tui.formats import bar, byte_size, count
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Role, Span, as_content, dim, line, plain
from workbench.tui.screens.adding import AddingFrame
from workbench.tui.styles import STYLES
from workbench.tui.task_words import BAR, progress_line
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.table_list import Column, TableList

_EMPTY = (
    line(Span("The queue is empty.", "strong")),
    line(),
    line("Press ", Span("a", "accent"), " to add files to the open DocSet, or drop files here."),
    line(dim("The queue is saved: it continues after a restart.")),
)

GLYPHS: dict[UploadState, tuple[str, Role]] = {
    "queued": ("○", "dim"),
    "sending": ("◐", "accent"),
    "partitioning": ("◑", "accent"),
    "done": ("●", "good"),
    "failed": ("✗", "bad"),
    "duplicate": ("≡", "warn"),
    "cancelled": ("−", "warn"),
}
_ORDER: tuple[UploadState, ...] = (
    "sending", "partitioning", "queued", "failed", "duplicate", "cancelled", "done",
)  # fmt: skip
_UNDER_WAY = _ORDER[:3]


class UploadsScreen(AddingFrame):
    place = "uploads"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "queue.tcss"]
    BINDINGS = bindings("uploads")

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Uploads", id="list-pane"):
                yield FilterBar("part of a name or a state")
                yield TableList[Upload](self._columns(), lambda row: row.id, id="uploads")
            with Pane(title="Upload", id="side", classes="inspector"):
                yield VerticalScroll(Static(id="about", classes="text"), classes="scroll")

    def on_mount(self) -> None:
        self._filter = ""
        self._due = False
        self._pace = Pace()
        self._listening = False
        self._table.focus()

    @property
    def _table(self) -> TableList[Upload]:
        return self.query_one("#uploads", TableList)

    def show_waiting(self, words: Line) -> None:
        self._table.say(words)

    def load(self) -> None:
        if self.workspace is not None and not self._listening:
            self._listening = True
            self.workspace.uploader.listen(lambda _: self._changed())
        self._show()

    def on_screen_resume(self) -> None:
        if self.workspace is not None:
            self._show()

    def take_news(self) -> None:
        self._changed()

    def _changed(self) -> None:
        """Many changes in a short time are drawn once."""
        if not self._due and self.is_current:
            self._due = True
            self.set_timer(self._pace.pause, self._show)

    def _show(self) -> None:
        self._due = False
        with self._pace.drawing():
            self._draw()

    def _draw(self) -> None:
        if self.workspace is None:
            return
        uploads = self.workspace.queue.uploads()
        text = self._filter.lower()
        rows = [u for u in uploads if text in u.name.lower() or text in u.state]
        rows.sort(key=lambda upload: _ORDER.index(upload.state))
        self._table.say(*(_EMPTY if not uploads else (line(dim("No match.")),)))
        at_top, before = self._table.cursor == 0, self._table.current
        self._table.show_rows(rows)
        after = self._table.current
        if at_top and before is not None and after is not None and after.state == "done":
            # A user who watches the queue does not follow a finished file down, since there is
            # nothing left to do with it. The cursor stays with any other file.
            self._table.cursor = 0
        pane = self.query_one("#list-pane", Pane)
        done = sum(upload.state == "done" for upload in uploads)
        pane.retitle("Uploads", f"{count(done)} of {count(len(uploads))} done" if uploads else "")
        pane.foot(_open(uploads))
        self._show_trouble()
        self._about()

    def _show_trouble(self) -> None:
        notice = self.query_one(Notice)
        trouble = self.workspace.uploader.trouble if self.workspace else None
        waiting = self.workspace.queue.counts().get("queued", 0) if self.workspace else 0
        if trouble and waiting:
            notice.say(
                f"{trouble} {counted(waiting, 'upload')} will continue automatically.", "warn"
            )
        elif notice.words:
            notice.hush()

    # -- columns --------------------------------------------------------------------------------

    def _columns(self) -> list[Column[Upload]]:
        return [
            Column("", lambda row: Span(*GLYPHS[row.state]), 1),
            Column("file", lambda row: row.name),
            Column("size", lambda row: dim(byte_size(row.size) if row.size else ""), 7, "right"),
            Column("", self._stage),
        ]

    def _progress(self, row: Upload) -> TaskProgress | None:
        return self.workspace.uploader.progress(row) if self.workspace else None

    def _stage(self, row: Upload) -> Line:
        if row.state == "failed":
            return line(Span(row.reason or "failed", "bad"))
        if row.state == "duplicate":
            return line(Span(row.reason or "duplicate", "warn"))
        if row.state == "sending" and self.workspace:
            sent = self.workspace.uploader.sent(row)
            drawn = Span(bar(sent / row.size, BAR), "accent") if row.size else ""
            return line(drawn, dim(f"  sending {byte_size(sent)}"))
        if row.state == "partitioning":
            task = self._progress(row)
            waits = line(dim("waiting for the server"))
            return progress_line(task, self.workbench.clock()) if task else waits
        return line(dim(row.reason or row.state))

    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._about)

    def _about(self) -> None:
        row = self._table.current
        self.query_one("#side", Pane).retitle(row.name if row else "Upload")
        lines = about(row, self.workbench.clock()) if row else []
        self.query_one("#about", Static).update(as_content(lines))

    @on(LineList.Opened)
    def _read(self) -> None:
        """Shows all details of an upload, even if the inspector is collapsed."""
        row = self._table.current
        if row is not None:
            lines = about(row, self.workbench.clock())
            self.app.push_screen(Reading(row.name, "\n".join(map(plain, lines))))

    # -- acting ---------------------------------------------------------------------------------

    @on(FilterBar.Narrowed)
    def _narrow(self, event: FilterBar.Narrowed) -> None:
        self._filter = event.text
        self._show()

    def action_filter(self) -> None:
        self.query_one(FilterBar).open()

    def show_uploads(self) -> None:
        self._show()

    def action_retry(self) -> None:
        row = self._table.current
        if row is not None and self.workspace is not None:
            self._retried(self.workspace.queue.retry([row.id]))

    def action_retry_all(self) -> None:
        if self.workspace is not None:
            self._retried(self.workspace.queue.retry())

    def _retried(self, number: int) -> None:
        if self.workspace is not None and number:
            self.workspace.uploader.wake()
        self._show()
        if not number:
            self.notify("Nothing to retry.")

    @work
    async def action_cancel(self) -> None:
        row, workspace = self._table.current, self.workspace
        if row is None or workspace is None:
            return
        if row.state not in _UNDER_WAY:
            self.notify(f"{row.name} is not being uploaded.")
            return
        kept = line(dim("The file on your disk is not touched. You can retry the upload later."))
        if not await self.app.push_screen_wait(Confirm(f"Cancel upload of {row.name}?", kept)):
            return
        now = workspace.queue.get(row.id)
        if now is None or now.state not in _UNDER_WAY:
            self.notify(f"{row.name} finished before it could be cancelled.")
        else:
            with self.reporting(self.query_one(Notice)):
                await workspace.uploader.cancel(now)
        self._show()

    def action_clear(self) -> None:
        if self.workspace is not None:
            self.notify(f"{counted(self.workspace.queue.clear_done(), 'upload')} removed.")
            self._show()

    def action_forget(self) -> None:
        row = self._table.current
        if row is not None and self.workspace is not None:
            self.workspace.queue.forget([row.id])
            self._show()


def _open(uploads: list[Upload]) -> str:
    """`2 sending · 40 queued · 1 failed`: the unfinished uploads, in list order."""
    numbers = [(state, sum(u.state == state for u in uploads)) for state in _ORDER[:-1]]
    return " · ".join(f"{count(number)} {state}" for state, number in numbers if number)


def about(row: Upload, now: float) -> list[Line]:
    """An upload in full: reason, source, and outcome."""
    glyph, role = GLYPHS[row.state]
    lines = [line(Span(f"{glyph} {row.state}", role), dim(f"  {byte_size(row.size)}")), line()]
    if row.reason:
        lines += [line(Span(row.reason, role if role != "dim" else "")), line()]
    lines.append(line(dim(row.source)))
    lines.append(line(dim(f"added {ago(now - row.added)}")))
    if row.attempts > 1:
        lines.append(line(dim(f"sent {row.attempts} times")))
    for name, value in (("task", row.task_id), ("document", row.doc_id)):
        if value:
            lines.append(line(dim(f"{name} {value}")))
    if row.state in ("failed", "duplicate", "cancelled"):
        lines += [line(), line(Span("r", "accent"), dim(" retry   "),
                               Span("d", "accent"), dim(" remove from the list"))]  # fmt: skip
    return lines


SCREEN = UploadsScreen
