"""Screen 7: the settings of the app, written to the settings file as they are changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from workbench.client.errors import WorkbenchError
from workbench.formats import value_words
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.keys import shown
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.preferences import PICTURES, theme_names, write_preference
from workbench.tui.screens.frame import Frame
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.table_list import Column, TableList

Name = Literal["theme", "pictures", "auto_run", "server", "token"]
_ON_OFF = {True: "on", False: "off"}


@dataclass(frozen=True)
class Setting:
    """A setting as it is shown. `help` says what it does and when it takes effect."""

    name: Name
    value: str
    help: str


class SettingsScreen(Frame):
    place = "settings"

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Settings", id="list-pane"):
                yield TableList[Setting](_COLUMNS, lambda row: row.name, id="settings")
            with Pane(title="Server", id="side", classes="inspector"):
                yield VerticalScroll(Static(id="server", classes="text"), classes="scroll")

    def on_mount(self) -> None:
        self._show()
        self._table.focus()
        self.query_one("#list-pane", Pane).foot("enter change")

    @property
    def _table(self) -> TableList[Setting]:
        return self.query_one("#settings", TableList)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        self._show()
        if self.workspace is None:
            return
        lines: list[Line] = [line(dim("server  "), self.workspace.server)]
        try:
            for source in (self.workspace.client.health, self.workspace.client.capabilities):
                lines += _pairs(await source())
        except WorkbenchError as error:
            lines.append(line(Span(str(error), "bad")))
        self.query_one("#server", Static).update(as_content([*lines, (), *self._keys()]))

    def _keys(self) -> list[Line]:
        keymap = self.workbench.preferences.keymap
        lines = [line(Span("Your keys", "strong"))]
        lines += [line(dim(f"{name}  "), shown(keys)) for name, keys in keymap.items()]
        if not keymap:
            lines.append(line(dim('none; for instance  [keys]  "docsets.new" = "i"')))
        return lines

    def _show(self) -> None:
        preferences = self.workbench.preferences
        self._table.show_rows(
            [
                Setting("theme", self.app.theme, "Colours."),
                Setting("pictures", preferences.pictures, "How pages are drawn."),
                Setting(
                    "auto_run",
                    _ON_OFF[preferences.auto_run],
                    "Run plans by themselves when they take less than half a second.",
                ),
                Setting(
                    "server",
                    preferences.server or "bundled",
                    "Address of another server. Takes effect at the next start.",
                ),
                Setting(
                    "token",
                    "••••••••" if preferences.token else "from the data folder",
                    "Access token of that server. Takes effect at the next start.",
                ),
            ]
        )
        words = [str(self.workbench.settings_file)]
        self.query_one("#list-pane", Pane).retitle("Settings", words[0])

    @on(LineList.Opened)
    @work
    async def _change(self) -> None:
        row = self._table.current
        if row is None:
            return
        offered: dict[str, Sequence[str]] = {
            "theme": theme_names(), "pictures": PICTURES, "auto_run": tuple(_ON_OFF.values()),
        }  # fmt: skip
        if row.name in offered:
            choices = [Choice(n, n, "now" if n == row.value else "") for n in offered[row.name]]
            title = row.name.replace("_", " ").capitalize()
            answer = await self.app.push_screen_wait(Choose(title, choices, current=row.value))
            value = answer[0] if answer else None
        else:
            asked = Ask(
                row.name.capitalize(), row.help + " Leave empty for the default.", may_be_empty=True
            )
            value = await self.app.push_screen_wait(asked)
        if value is not None:
            self._write(row.name, value)

    def _write(self, name: Name, value: str) -> None:
        app = self.workbench
        try:
            kept = value == "on" if name == "auto_run" else value or None
            write_preference(app.settings_file, name, kept)
        except OSError as error:
            reason = error.strerror or error
            self.query_one(Notice).say(f"{app.settings_file} cannot be written: {reason}.", "bad")
            return
        if name == "theme":
            app.preferences.theme = app.theme = value
        elif name == "pictures":
            app.preferences.pictures = value
        elif name == "auto_run":
            app.preferences.auto_run = value == "on"
        else:
            setattr(app.preferences, name, value or None)
        self._show()


def _pairs(table: dict[str, object]) -> list[Line]:
    """A JSON object as lines; objects in it are set in."""
    lines: list[Line] = []
    for name, value in table.items():
        if isinstance(value, dict):
            lines.append(line(dim(name)))
            lines += [line("  ", piece) for piece in _pairs(value)]
        else:
            lines.append(line(dim(f"{name}  "), value_words(value, name)))
    return lines


_COLUMNS: list[Column[Setting]] = [
    Column("setting", lambda row: Span(row.name, "strong"), 10),
    Column("value", lambda row: Span(row.value, "accent"), weight=2),
    Column("", lambda row: dim(row.help), weight=3, from_width=56),
]

SCREEN = SettingsScreen
