"""A dialog that asks before something is destroyed."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, Static

from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, as_content


class Confirm(Dialog[bool]):
    """Lists what is removed and what stays; `y`, or the typed name if one is required, confirms."""

    BINDINGS: ClassVar = [
        Binding("y", "agree", "Yes", show=False),
        Binding("n", "cancel", "No", show=False),
    ]
    shape = "-danger"

    def __init__(self, title: str, *words: Line, typed: str | None = None) -> None:
        super().__init__(title, "type the name  enter ok  esc cancel" if typed else "y yes  n no")
        self._words = words
        self._typed = typed

    def body(self) -> ComposeResult:
        yield Static(as_content(self._words))
        if self._typed is not None:
            yield Input(placeholder=self._typed)

    def action_agree(self) -> None:
        if self._typed is None:
            self.dismiss(True)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if event.value.strip() == self._typed:
            self.dismiss(True)
        else:
            event.input.add_class("-wrong")
