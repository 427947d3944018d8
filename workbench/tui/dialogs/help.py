"""The keys of the focused widget, generated from the table of keys."""

from collections.abc import Mapping
from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.keys import KEYS, TABLES, Key, shown
from workbench.tui.lines import Line, Span, as_content, dim, fit, line, wrap

_AROUND = 8
"""What border, padding and scrollbar of the dialog take."""
_KEYS, _SENTENCE, _NAME = 15, 56, 20
_TITLES = {
    "app": "Everywhere",
    "docsets": "DocSets",
    "list": "In every list",
    "table": "In tables of many columns",
}


class HelpDialog(Dialog[None]):
    shape = "-tall"

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__("Keys", "↑ ↓ scroll  esc close")
        self._place = getattr(about, "place", "")
        self._keymap = about.app._keymap

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="scroll"):
            width = min(100, self.app.size.width * 95 // 100) - _AROUND
            yield Static(as_content(help_lines(self._place, self._keymap, width)))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def help_lines(place: str, keymap: Mapping[str, str], width: int) -> list[Line]:
    """Each key with its sentence: the place's, then lists', then the app's, in `width` cells."""
    lines: list[Line] = []
    table = ("table",) if place in TABLES else ()
    for name in dict.fromkeys((place, *table, "list", "app")):
        if name not in KEYS:
            continue
        if lines:
            lines.append(())
        lines.append(line(Span(_TITLES.get(name, name.capitalize()), "strong")))
        lines += [row for key in KEYS[name] for row in _lines(key, keymap, width)]
    hint = "F1 opens the guide. To change a key, press 7 and choose keys."
    lines += [(), *wrap(line(dim(hint)), width)]
    return lines


def _lines(key: Key, keymap: Mapping[str, str], width: int) -> list[Line]:
    """Keys, sentence and name in columns; on narrow screens the name follows the sentence."""
    keys = fit(line(Span(f"  {shown(keymap.get(key.id, key.keys))}", "accent")), _KEYS)
    sentence = line(key.tooltip)
    if width >= _KEYS + _SENTENCE + _NAME:
        return [line(keys, fit(sentence, _SENTENCE), dim(key.id))]
    return wrap(line(keys, sentence, "  ", dim(key.id)), width, indent=_KEYS)
