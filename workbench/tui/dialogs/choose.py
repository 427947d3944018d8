"""Choosing one or several of a list, by moving or by typing a part of the name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input

from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, Part, Span, cut, dim, line, plain, spread, width_of
from workbench.tui.widgets.line_list import LineList


@dataclass(frozen=True)
class Choice:
    """`key` is what is answered; `note` stands dim at the right end."""

    key: str
    label: Part
    note: str = ""

    @property
    def text(self) -> str:
        return plain(line(self.label)) + " " + self.note


class ChoiceList(LineList[Choice]):
    def __init__(self, marked: Collection[str] | None) -> None:
        super().__init__()
        self.chosen: set[str] | None = None if marked is None else set(marked)

    def key_of(self, row: Choice) -> str:
        return row.key

    def draw(self, row: Choice, index: int, width: int) -> Sequence[Line]:
        box: Part = ""
        if self.chosen is not None:
            box = Span("■ ", "accent") if row.key in self.chosen else dim("□ ")
        label = line(" ", box, row.label)
        room = max(width // 2, width - width_of(label) - 3)  # a long note leaves half to the name
        return (spread(label, line("  ", cut(line(dim(row.note)), room - 3), " "), width),)


class Choose(Dialog[list[str]]):
    """Answers the keys that were chosen; with `marked`, several can be, and the order is the
    list's.
    """

    BINDINGS: ClassVar = [
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        marked: Collection[str] | None = None,
        current: str | None = None,
    ) -> None:
        super().__init__(title, "enter  esc" if marked is None else "enter on/off  esc done")
        self._choices = list(choices)
        self._marked = marked
        self._current = current

    def body(self) -> ComposeResult:
        yield Input(placeholder="type to narrow the list")
        yield ChoiceList(self._marked)

    def on_mount(self) -> None:
        self.query_one(ChoiceList).show_rows(self._choices)
        if self._current is not None:
            self.query_one(ChoiceList).move_to(self._current)
        self.query_one(ChoiceList).styles.height = min(16, max(3, len(self._choices)))

    def action_move(self, step: int) -> None:
        self.query_one(ChoiceList).cursor += step

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        typed = event.value.lower().strip()
        words = typed.split()
        shown = [c for c in self._choices if all(word in c.text.lower() for word in words)]
        shown.sort(key=lambda choice: not choice.text.lower().startswith(typed))
        choices = self.query_one(ChoiceList)
        choices.show_rows(shown)
        choices.cursor = 0
        choices.say(line(dim("Nothing here has that in its name.")))

    @on(Input.Submitted)
    @on(LineList.Opened)
    def _take(self) -> None:
        choices = self.query_one(ChoiceList)
        key = choices.current_key
        if key is None:
            return
        if choices.chosen is None:
            self.dismiss([key])
        else:
            choices.chosen ^= {key}
            choices.refresh()

    def action_cancel(self) -> None:
        chosen = self.query_one(ChoiceList).chosen
        if chosen is None:
            self.dismiss(None)
        else:
            self.dismiss([choice.key for choice in self._choices if choice.key in chosen])
