"""The keys of what has the focus, written from the table of keys."""

from collections.abc import Mapping
from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.keys import KEYS, Key, shown
from workbench.tui.lines import Line, Span, as_content, dim, fit, line

_TITLES = {"app": "Everywhere", "list": "In every list"}


class HelpDialog(Dialog[None]):
    shape = "-tall"

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__("Keys", "↑ ↓ scroll  esc")
        self._place = getattr(about, "place", "")
        self._keymap = about.app._keymap

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="scroll"):
            yield Static(as_content(help_lines(self._place, self._keymap)))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def help_lines(place: str, keymap: Mapping[str, str]) -> list[Line]:
    """Each key with its sentence: those of the place first, then of lists, then of the app."""
    lines: list[Line] = []
    for name in dict.fromkeys((place, "list", "app")):
        if name not in KEYS:
            continue
        if lines:
            lines.append(())
        lines.append(line(Span(_TITLES.get(name, name.capitalize()), "strong")))
        lines += [_line(key, keymap) for key in KEYS[name]]
    lines += [
        (),
        line(dim("Bind other keys in the [keys] table of the settings file, by these names.")),
    ]
    return lines


def _line(key: Key, keymap: Mapping[str, str]) -> Line:
    keys = shown(keymap.get(key.id, key.keys))
    return line(
        fit(line(Span(f"  {keys}", "accent")), 16),
        fit(line(key.tooltip), 56),
        "  ",
        dim(key.id),
    )
