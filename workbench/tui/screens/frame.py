"""What all screens share: the first and last line, news of the connection, and telling errors."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.dom import DOMNode
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from workbench.formats import counted
from workbench.tui.ending_work import EndsItsWork
from workbench.tui.lines import Line, Span, line
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.status_line import StatusLine
from workbench.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from workbench.client.errors import WorkbenchError
    from workbench.contract.docsets import DocSetMetadata
    from workbench.sessions.workspace import Workspace
    from workbench.tui.app import WorkbenchApp


WIDE = 100
"""From this width on the inspectors have room beside the lists."""
_REST_SECONDS = 0.05
_SURE_SECONDS = 5
"""A line that has just broken may still count as whole."""


class Frame(EndsItsWork, Screen[None]):
    """A screen composes its `body` and fills it in `load()`, called when there is something to ask.

    `place` is its name in the table of keys.
    """

    place: ClassVar[str]
    AUTO_FOCUS = ""
    """Each screen gives the focus itself: an input that had it for a moment would keep its text."""
    numbers_lead_away: ClassVar[bool] = True
    """Whether the numbers are the keys of the other screens here too."""
    needs_docset: ClassVar[bool] = False
    """Whether `load()` waits for an open DocSet."""
    _resting: Timer | None = None
    _loaded_of: str | None = None
    _gone = ""
    """The last report that the backend does not answer."""
    _answered = 0

    def body(self) -> ComposeResult:
        yield from ()

    def load(self) -> object:
        """Fetches the contents of the screen from the server; only called while connected."""
        return None

    def show_waiting(self, words: Line) -> None:
        """Shows why there is nothing yet."""

    def when_at_rest(self, act: Callable[[], object]) -> None:
        """Calls `act` once the cursor has rested for a moment. The panes beside a list are laid out
        anew for each row, which costs more than the list itself and must not slow down a moving
        cursor.
        """
        if self._resting is not None:
            self._resting.stop()

        def rested() -> None:
            self._resting = None
            act()

        self._resting = self.set_timer(_REST_SECONDS, rested)

    @property
    def is_moving(self) -> bool:
        """Whether something waits for the cursor to rest."""
        return self._resting is not None

    def action_widen(self) -> None:
        from workbench.tui.widgets.filter_bar import FilterBar  # inputs load late

        for bar in self.query(FilterBar):
            bar.take_away()

    # -- one pane alone -------------------------------------------------------------------------

    def zoom(self) -> None:
        """Gives the screen to the pane that has the focus, or takes it back."""
        if self.query(".-zoomed"):
            self.unzoom()
            return
        pane = next((w for w in self._focused_path() if isinstance(w, Pane)), None)
        if pane is None:
            self.notify("Go to a pane first: press tab.")
            return
        for node in pane.ancestors_with_self:
            if node is self or not isinstance(node.parent, Widget):
                break
            node.add_class("-zoomed")
            for beside in node.parent.children:
                if beside is not node and (isinstance(beside, Pane) or beside.query(Pane)):
                    beside.add_class("-aside")

    def unzoom(self) -> None:
        """All panes are in sight again."""
        for name in ("-zoomed", "-aside"):
            self.query(f".{name}").remove_class(name)

    def _focused_path(self) -> Iterable[DOMNode]:
        return self.focused.ancestors_with_self if self.focused is not None else ()

    def unsaved(self) -> list[str]:
        """What would be lost if the app ended now, a sentence each."""
        return []

    def take_news(self) -> None:
        """Another program has written to the session file, and the open sessions were reloaded."""

    def compose(self) -> ComposeResult:
        yield TopBar(self.place, numbered=self.numbers_lead_away)
        yield from self.body()
        yield StatusLine()

    def on_mount(self) -> None:
        self.workbench.frames.append(self)
        self.watch(self.app, "workspace", self._situation_changed)
        self.watch(self.app, "trouble", self._situation_changed, init=False)
        self.watch(self.app, "docset", self._docset_changed)
        self.watch(self.app, "state", self._state_changed)
        self.watch(self.app, "news", self.take_news, init=False)

    @property
    def workbench(self) -> "WorkbenchApp":
        return cast("WorkbenchApp", self.app)

    @property
    def workspace(self) -> "Workspace | None":
        return self.workbench.workspace

    @property
    def docset(self) -> "DocSetMetadata | None":
        return self.workbench.docset

    @contextmanager
    def reporting(self, notice: Notice) -> Iterator[None]:
        """Shows refusals, connection errors and oversized requests in `notice`."""
        # Loaded with the connection, not before.
        from workbench.client.errors import WorkbenchError, fitting

        try:
            with fitting():
                yield
        except WorkbenchError as error:
            notice.say(self.words_for(error), "bad")

    def backend_answers(self, *, came_back: bool) -> None:
        """Called every second: removes the report of a backend that answers again."""
        if not self._gone:
            return
        self._answered += 1
        if came_back or self._answered >= _SURE_SECONDS:
            for notice in self.query(Notice):
                if notice.words == self._gone:
                    notice.hush()
            self._gone, self._answered = "", 0

    def words_for(self, error: "WorkbenchError") -> str:
        """The error in words; if the server is unreachable, also what is kept and what to do."""
        if _is_gone(error) and self.workspace is not None:
            local = self.workspace.server == "local"
            what = "The backend does not answer and is being restarted." if local else error
            self._gone = f"{what} Nothing on screen is lost; try again in a moment."
            return self._gone
        return str(error).removeprefix("properties_filter: ")  # a name of the wire

    @on(TopBar.Chosen)
    def _go(self, event: TopBar.Chosen) -> None:
        self.workbench.action_go(event.name)

    def _situation_changed(self) -> None:
        if self.workspace is not None:
            if self.needs_docset and self.docset is None:
                self.show_waiting(
                    line("No DocSet is open. Press ", Span("1", "accent"), " to choose one.")
                )
            else:
                self._loaded_of = self.docset.docset_id if self.docset else None
                self.load()
        elif self.workbench.trouble:
            self.show_waiting(
                line(
                    Span(self.workbench.trouble, "bad"), "  ", Span("f5", "accent"), " tries again."
                )
            )
        else:
            self.show_waiting(line(Span("Starting the backend …", "dim")))

    def _docset_changed(self, docset: "DocSetMetadata | None") -> None:
        label = ""
        if docset is not None:
            label = f"{docset.name} · {counted(docset.size or 0, 'doc')}"
        self.query_one(TopBar).docset = label
        opened = docset.docset_id if docset is not None else None
        if self.needs_docset and self.workspace is not None and opened != self._loaded_of:
            self._loaded_of = opened
            self._situation_changed()

    def _state_changed(self, state: Line) -> None:
        self.query_one(StatusLine).state = state


def _is_gone(error: "WorkbenchError") -> bool:
    from workbench.client.errors import ConnectionFailed  # loaded with the connection

    return isinstance(error, ConnectionFailed) and not error.sent
