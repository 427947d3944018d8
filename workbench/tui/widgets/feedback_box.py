"""The input for feedback in words."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from workbench.tui.widgets.lockable_input import LockableInput


class FeedbackBox(Horizontal):
    """Enter sends; the text stays until it was understood. Escape leaves the box. Up and down
    browse earlier feedback, which the owner sets as `past`, the latest last.
    """

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("escape", "leave", "to the plan", show=True),
        Binding("up", "recall(-1)", "Earlier feedback", show=False),
        Binding("down", "recall(1)", "Later feedback", show=False),
    ]
    past: Sequence[str] = ()
    _place = 0

    class Sent(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """Escape was pressed."""

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("›", "$primary"), classes="mark")
        yield LockableInput(placeholder="what should change?  top 5 · sort by name · undo")
        yield Static(Content.styled("enter send  ↑ earlier", "$dim"), classes="mark")

    @property
    def field(self) -> LockableInput:
        return self.query_one(LockableInput)

    def open(self) -> None:
        self._place = len(self.past)
        self.query_one(Input).focus()

    def clear(self) -> None:
        self.query_one(Input).clear()

    @on(Input.Submitted)
    def _send(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Sent(event.value.strip()))

    def action_recall(self, step: int) -> None:
        self._place = max(0, min(len(self.past), self._place + step))
        field = self.query_one(Input)
        field.value = self.past[self._place] if self._place < len(self.past) else ""
        field.cursor_position = len(field.value)

    def action_leave(self) -> None:
        self.post_message(self.Left())
