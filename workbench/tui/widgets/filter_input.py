"""The condition on properties, with proposals for what comes next while one types."""

from typing import ClassVar

from textual import on
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input

from workbench.contract.search import Completions


class FilterInput(Input):
    """Posts `Moved` when text or cursor change, and `Chosen` when another suggestion is selected.

    Down and up move through the suggestions, tab accepts the selected one; without suggestions tab
    moves to the next widget.
    """

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("down", "step(1)", "Next suggestion", show=False),
        Binding("up", "step(-1)", "Previous suggestion", show=False),
        Binding("tab", "take", "Accept the suggestion", show=False),
    ]

    class Moved(Message):
        """Suggestions are requested."""

        def __init__(self, text: str, cursor: int) -> None:
            super().__init__()
            self.text, self.cursor = text, cursor

    class Chosen(Message):
        """The proposals, and which of them is meant; none when they are over."""

        def __init__(self, proposals: Completions | None, place: int) -> None:
            super().__init__()
            self.proposals, self.place = proposals, place

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(placeholder=placeholder, id=id)
        self._proposals: Completions | None = None
        self._place = 0
        self._proposed_for = ""
        self._take_for: str | None = None

    def propose(self, text: str, proposals: Completions | None) -> None:
        """Shows suggestions for `text`, unless the input has changed meanwhile."""
        if self.has_focus and text == self.value:
            self._proposed_for = text
            self._set(proposals)
            if self._take_for == text:
                self.action_take()

    def action_step(self, by: int) -> None:
        if self._proposals is not None:
            self._place = (self._place + by) % len(self._proposals.items)
            self.post_message(self.Chosen(self._proposals, self._place))

    def action_take(self) -> None:
        proposals = self._proposals
        self._take_for = None
        if proposals is not None and self._proposed_for != self.value:
            self._take_for = self.value  # its proposals are under way; these fit another text
            return
        if proposals is None:
            self.screen.focus_next()
            return
        piece = proposals.items[self._place].text
        before, behind = self.value[: proposals.start] + piece, self.value[proposals.end :]
        # A piece is followed by a space, unless the next character closes a list.
        blank = "" if piece.endswith("(") or behind.startswith((" ", ")", ",")) else " "
        self._set(None)
        self.value = before + blank + behind
        self.cursor_position = len(before + blank)

    @on(Input.Changed)
    def _typed(self) -> None:
        if self.has_focus:
            self.post_message(self.Moved(self.value, self.cursor_position))

    def on_focus(self) -> None:
        self.post_message(self.Moved(self.value, self.cursor_position))

    def on_blur(self) -> None:
        self._set(None)

    def _set(self, proposals: Completions | None) -> None:
        self._proposals = proposals if proposals is not None and proposals.items else None
        self._place = 0
        self.post_message(self.Chosen(proposals, 0))
