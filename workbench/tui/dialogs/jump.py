"""Jump mode: a letter on every pane; pressing it goes there."""

from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from workbench.tui.styles import STYLES

_LETTERS = "asdfghjklqwertyuiopzxcvbnm"


class JumpMode(ModalScreen[None]):
    """Any other key cancels."""

    CSS_PATH = STYLES / "jump.tcss"

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        places = [widget for widget in below.focus_chain if widget.region.height > 0]
        self._targets: dict[str, Widget] = dict(zip(_LETTERS, places, strict=False))

    def compose(self) -> ComposeResult:
        for letter, widget in self._targets.items():
            mark = Static(letter.upper(), classes="letter")
            mark.absolute_offset = widget.region.offset
            yield mark

    def on_key(self, event: events.Key) -> None:
        event.stop()
        target = self._targets.get(event.key)
        self.dismiss(None)
        if target is not None:
            target.focus()

    def on_click(self) -> None:
        self.dismiss(None)
