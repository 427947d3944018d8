"""The box around every question."""

from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from workbench.tui.ending_work import EndsItsWork
from workbench.tui.styles import STYLES

Answer = TypeVar("Answer")


class Dialog(EndsItsWork, ModalScreen[Answer | None]):
    """A question with a title; escape answers None. Subclasses compose their `body`."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("escape", "cancel", "Cancel", show=False)
    ]
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "dialogs.tcss"]
    shape: ClassVar[str] = ""

    def __init__(self, title: str, foot: str = "") -> None:
        super().__init__()
        self._title = title
        self._foot = foot

    def body(self) -> ComposeResult:
        yield from ()

    def compose(self) -> ComposeResult:
        with Vertical(classes=f"dialog {self.shape}") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content(self._foot)
            yield from self.body()

    def action_cancel(self) -> None:
        self.dismiss(None)
