"""A dialog for one line of text."""

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.widgets.notice import Notice


class Ask(Dialog[str]):
    """Returns the text, stripped. `check` returns a sentence if a text is not acceptable."""

    def __init__(
        self,
        title: str,
        words: str = "",
        *,
        value: str = "",
        placeholder: str = "",
        check: Callable[[str], str | None] | None = None,
        may_be_empty: bool = False,
    ) -> None:
        super().__init__(title, "enter ok  esc cancel")
        self._words = words
        self._value = value
        self._placeholder = placeholder
        self._check = check
        self._may_be_empty = may_be_empty

    def body(self) -> ComposeResult:
        if self._words:
            yield Static(Content(self._words))
        yield Input(self._value, placeholder=self._placeholder)
        yield Notice()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        fault = self._check(text) if self._check else None
        if fault:
            self.query_one(Notice).say(fault, "bad")
        elif text or self._may_be_empty:
            self.dismiss(text)
