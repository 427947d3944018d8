"""Every command with its keys, which can be changed; keys already in use are refused."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, Static

from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.keys import KEYS, Key, key_fault, shown
from workbench.tui.lines import Line, Span, as_content, dim, fit, line, spread
from workbench.tui.widgets.line_list import LineList

_PLACE, _NAME, _KEY = 11, 15, 14

Keep = Callable[[str, str | None], str]
"""Stores the keys of a command, None for its defaults; returns why it could not, or ""."""


class KeyList(LineList[Key]):
    keymap: dict[str, str]

    def key_of(self, row: Key) -> str:
        return row.id

    def draw(self, row: Key, index: int, width: int) -> Sequence[Line]:
        own = self.keymap.get(row.id)
        left = line(
            fit(line(dim(f" {row.id.partition('.')[0]}")), _PLACE),
            fit(line(row.description), _NAME),
            fit(line(Span(shown(own or row.keys), "changed" if own else "accent")), _KEY),
            dim(row.tooltip),
        )
        return (spread(left, line(dim(" changed ") if own else ""), width),)


class KeyEditor(Dialog[None]):
    """`keymap` is changed along with what `keep` stores."""

    shape = "-tall"
    BINDINGS: ClassVar = [
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
        Binding("delete", "reset", "Reset", show=False, priority=True),
    ]

    def __init__(self, keymap: dict[str, str], keep: Keep) -> None:
        super().__init__("Keys", "enter new key  del as before  esc done")
        self._keymap = keymap
        self._keep = keep

    def body(self) -> ComposeResult:
        yield Input(placeholder="type to narrow the list")
        yield KeyList()
        yield Static(id="fault")

    def on_mount(self) -> None:
        self._list.keymap = self._keymap
        self._list.say(line(dim("No match.")))
        self._narrow()

    @property
    def _list(self) -> KeyList:
        return self.query_one(KeyList)

    @on(Input.Changed)
    def _narrow(self) -> None:
        words = self.query_one(Input).value.lower().split()
        keys = [key for place in KEYS.values() for key in place]
        self._list.show_rows([key for key in keys if all(word in _text(key) for word in words)])

    def action_move(self, step: int) -> None:
        self._list.cursor += step

    @on(Input.Submitted)
    @on(LineList.Opened)
    @work
    async def _change(self) -> None:
        row = self._list.current
        if row is None:
            return
        pressed = await self.app.push_screen_wait(PressKey(row))
        if pressed is not None:
            self._set(row, pressed)

    def action_reset(self) -> None:
        row = self._list.current
        if row is not None and row.id in self._keymap:
            self._set(row, None)

    def _set(self, row: Key, keys: str | None) -> None:
        fault = key_fault(row.id, keys, self._keymap) or self._keep(row.id, keys)
        self.query_one("#fault", Static).update(as_content([line(Span(fault, "bad"))]))
        self._list.refresh()


class PressKey(Dialog[str]):
    """Returns the key that is pressed."""

    def __init__(self, key: Key) -> None:
        super().__init__(key.description.capitalize(), "esc cancel")
        self._key = key

    def body(self) -> ComposeResult:
        yield Static(as_content([line(self._key.tooltip), line(dim("Press the new key."))]))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None if event.key == "escape" else event.key)


def _text(key: Key) -> str:
    return f"{key.id} {key.description} {key.tooltip} {shown(key.keys)}".lower()
