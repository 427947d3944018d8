"""A longer text to read: the result of a task, an error in full."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from workbench.tui.dialogs.dialog import Dialog


class Reading(Dialog[None]):
    """Shows the text; `y` copies it."""

    BINDINGS: ClassVar = [Binding("y", "copy", "Copy", show=False)]
    shape = "-tall"

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title, "y copy  esc close")
        self._text = text

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="scroll"):
            yield Static(Content(self._text))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._text)
        self.notify("Copied.")
