"""Choosing one or several of a list, by moving or by typing a part of the name."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input

from workbench.client.errors import WorkbenchError
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, Part, Span, cut, dim, line, plain, spread, width_of
from workbench.tui.widgets.line_list import LineList


@dataclass(frozen=True)
class Choice:
    """`key` is the result; `note` is dimmed at the right end. A `rare` choice appears only when
    something is typed. One with `types` is no result: it types that text.
    """

    key: str
    label: Part
    note: str = ""
    rare: bool = False
    types: str = ""

    @property
    def text(self) -> str:
        return plain(line(self.label)) + " " + self.note


LookUp: TypeAlias = Callable[[str], Awaitable[Sequence[Choice]]]


class ChoiceList(LineList[Choice]):
    def __init__(self, marked: Collection[str] | None) -> None:
        super().__init__()
        self.chosen: set[str] | None = None if marked is None else set(marked)

    def key_of(self, row: Choice) -> str:
        return row.key

    def clicked(self, chain: int) -> None:
        if self.chosen is None:
            super().clicked(chain)
        elif chain == 1:
            self.action_open()

    def draw(self, row: Choice, index: int, width: int) -> Sequence[Line]:
        box: Part = ""
        if self.chosen is not None:
            box = Span("■ ", "accent") if row.key in self.chosen else dim("□ ")
        label = line(" ", box, row.label)
        room = max(width // 2, width - width_of(label) - 3)  # a long note leaves half to the name
        return (spread(label, line("  ", cut(line(dim(row.note)), room - 3), " "), width),)


class Choose(Dialog[list[str]]):
    """Returns the chosen keys, in the list's order; several if `marked`."""

    BINDINGS: ClassVar = [
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        marked: Iterable[str] | None = None,
        current: str | None = None,
        look_up: LookUp | None = None,
        empty: str = "There is nothing to choose from yet.",
        preview: Callable[[str], None] | None = None,
    ) -> None:
        """`look_up` finds further choices for the typed text, if not all could be listed. `empty`
        is shown if there are no choices. `preview` shows the effect of the choice under the cursor;
        the caller reverts it.
        """
        one, several = "enter choose  esc cancel", "enter on/off  esc done"
        super().__init__(title, one if marked is None else several)
        self._look_up = look_up
        self._empty = empty
        self._choices = list(choices)
        self._marked = None if marked is None else frozenset(marked)
        self._current = current
        self._preview = preview

    def body(self) -> ComposeResult:
        yield Input(placeholder="type to narrow the list")
        yield ChoiceList(self._marked)

    def on_mount(self) -> None:
        self.query_one(ChoiceList).say(line(dim(self._empty)))
        self.query_one(ChoiceList).show_rows(self._fitting(""))
        if self._current is not None:
            self.query_one(ChoiceList).move_to(self._current)
        self.query_one(ChoiceList).styles.height = min(16, max(3, len(self._choices)))

    def action_move(self, step: int) -> None:
        self.query_one(ChoiceList).cursor += step

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        choices = self.query_one(ChoiceList)
        choices.show_rows(self._fitting(event.value))
        choices.cursor = 0
        choices.say(line(dim("No match." if self._choices else self._empty)))
        if self._look_up is not None and event.value.strip():
            self._find_more(self._look_up, event.value)

    @on(LineList.Highlighted)
    def _show_preview(self) -> None:
        row = self.query_one(ChoiceList).current
        if self._preview is not None and row is not None:
            self._preview(row.key)

    def _fitting(self, text: str) -> list[Choice]:
        typed = text.lower().strip()
        words = typed.split()
        if not words:
            chosen = self.query_one(ChoiceList).chosen or ()
            return [c for c in self._choices if not c.rare or c.key in chosen]
        shown = [
            choice
            for choice in self._choices
            if not choice.types and all(word in choice.text.lower() for word in words)
        ]
        return sorted(shown, key=lambda choice: not choice.text.lower().startswith(typed))

    @work(exclusive=True)
    async def _find_more(self, look_up: LookUp, text: str) -> None:
        await asyncio.sleep(0.15)  # asked once the typing rests
        with suppress(WorkbenchError):  # the listed choices still work
            known = {choice.key for choice in self._choices}
            self._choices += [choice for choice in await look_up(text) if choice.key not in known]
            self.query_one(ChoiceList).show_rows(self._fitting(text))

    @on(Input.Submitted)
    @on(LineList.Opened)
    def _take(self) -> None:
        choices = self.query_one(ChoiceList)
        row = choices.current
        if row is None:
            return
        key = row.key
        if row.types:
            field = self.query_one(Input)
            field.value = row.types
            field.focus()
        elif choices.chosen is None:
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
