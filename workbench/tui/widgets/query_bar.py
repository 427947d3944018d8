"""The search line: words, kind of search, what to find, and a condition."""

from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from workbench.sessions.search_kinds import KIND_WORDS, THING_WORDS
from workbench.sessions.search_session import SearchState
from workbench.tui.widgets.entry_input import EntryInput
from workbench.tui.widgets.filter_input import FilterInput

_ANY = "a condition"


class QueryBar(Horizontal):
    """Enter in either input asks; escape gives the focus back to the hits."""

    _example = ""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("escape", "leave", "to the hits", show=True)
    ]

    class Asked(Message):
        """The person wants an answer to `query` under the condition `where`."""

        def __init__(self, query: str, where: str) -> None:
            super().__init__()
            self.query, self.where = query, where

    class Left(Message):
        """Escape was pressed."""

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("/", "$primary"), classes="mark")
        yield EntryInput(placeholder="what to search for", id="query")
        yield Static(id="kind")
        yield Static(Content.styled("where", "$dim"), classes="mark")
        yield FilterInput(_ANY, id="where")

    def show(self, state: SearchState) -> None:
        for name, value in (("#query", state.query), ("#where", state.where)):
            field = self.query_one(name, Input)
            if not field.has_focus and field.value != value:
                field.value = value
        what = THING_WORDS[state.return_type]
        self.query_one("#kind", Static).update(
            Content.assemble((KIND_WORDS[state.kind], "$primary"), ("  ", ""), (what, "$secondary"))
        )

    def suggest(self, condition: str) -> None:
        """Shows a condition that this DocSet can answer, until one is typed."""
        self._example = condition
        self._show_example()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_example)

    def _show_example(self) -> None:
        """As much as fits: half an example would not help."""
        field = self.query_one("#where", Input)
        hint = f"such as {self._example}" if self._example else _ANY
        field.placeholder = hint if cell_len(hint) < field.content_size.width else _ANY

    def wait(self) -> None:
        """Takes the focus where nothing was asked yet."""
        self.query_one("#query", EntryInput).take_focus(unasked=True)

    def focus_query(self) -> None:
        self.query_one("#query", EntryInput).take_focus(unasked=False)

    def focus_where(self, place: int | None = None) -> None:
        """Goes to the condition, and there to a character."""
        field = self.query_one("#where", Input)
        field.focus()
        if place is not None:
            field.selection = Selection.cursor(place)

    @on(Input.Submitted)
    def _ask(self, event: Input.Submitted) -> None:
        event.stop()
        query, where = (self.query_one(name, Input).value for name in ("#query", "#where"))
        self.post_message(self.Asked(query, where))

    def action_leave(self) -> None:
        self.post_message(self.Left())
