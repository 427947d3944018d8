"""A line to narrow a list with, out of sight until `/` is pressed."""

from typing import ClassVar

from textual import on
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input


class FilterBar(Input):
    """Posts `Narrowed` on every change; enter keeps the filter, escape removes it."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("escape", "leave", "clear filter", show=True)
    ]

    class Narrowed(Message):
        """The text has changed; `entered` when enter was pressed."""

        def __init__(self, text: str, *, entered: bool) -> None:
            super().__init__()
            self.text, self.entered = text, entered

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, classes="filter")
        self.display = False

    def open(self) -> None:
        self.display = True
        self.focus()

    def take_away(self) -> None:
        """Removes the filter; the focus does not move."""
        self.value = ""
        self.display = False

    def action_leave(self) -> None:
        self.value = ""
        self._close()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Narrowed(self.value, entered=False))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Narrowed(self.value, entered=True))
        self._close()

    def _close(self) -> None:
        self.display = bool(self.value)
        self.screen.focus_next()
