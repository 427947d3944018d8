"""Where one says in words what should be different."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static


class FeedbackBox(Horizontal):
    """Enter sends; the words stay until they were understood. Escape leaves them."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("escape", "leave", "Back", show=False)
    ]

    class Sent(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """Escape was pressed."""

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("›", "$primary"), classes="mark")
        yield Input(placeholder="what should be different?  only 2023 · by state · top 5 · undo")
        yield Static(Content.styled("enter send", "$dim"), classes="mark")

    def open(self) -> None:
        self.query_one(Input).focus()

    def clear(self) -> None:
        self.query_one(Input).clear()

    @on(Input.Submitted)
    def _send(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Sent(event.value.strip()))

    def action_leave(self) -> None:
        self.post_message(self.Left())
