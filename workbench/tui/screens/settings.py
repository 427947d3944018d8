"""Screen 7: the settings of the app, written to the settings file as they are changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from workbench.client.errors import WorkbenchError
from workbench.sessions.local_models import LocalModel, local_models
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.key_editor import KeyEditor
from workbench.tui.lines import Line, Span, as_content, dim, line, wrap
from workbench.tui.preferences import (
    DENSITIES,
    PICTURES,
    theme_names,
    write_key,
    write_model,
    write_preference,
)
from workbench.tui.screens.frame import Frame
from workbench.tui.server_words import NAME_WIDTH, offer_lines, server_lines
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.table_list import Column, TableList

Name = Literal["theme", "density", "pictures", "auto_run", "keys", "model", "server", "token"]
_ON_OFF = {True: "on", False: "off"}


@dataclass(frozen=True)
class Setting:
    """A setting for display. `help` says what it does and when it takes effect."""

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
        self._chat: str | None = None
        """The language model of the server."""
        self._local: list[LocalModel] = []
        self._server: list[Line] = []
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
        client, server = self.workspace.client, self.workspace.server
        try:
            health, capabilities = await client.health(), await client.capabilities()
            lines = server_lines(server, health, capabilities, self.workbench.clock())
            self._chat = capabilities.get("chat_model")
        except WorkbenchError as error:
            lines = [line(dim("address  "), server), line(Span(str(error), "bad"))]
        if server == "local" and self._chat is None:
            self._local = await local_models()
            if self._local:
                lines += [(), *offer_lines(self._local, str(self.workbench.settings_file))]
        self._server = lines
        self._show_server()
        self._show()

    def on_resize(self) -> None:
        self._show_server()

    def _show_server(self) -> None:
        """Long values wrap below their beginning."""
        width = max(20, self.query_one("#side", Pane).size.width - 3)
        lines: list[Line] = []
        for words in self._server:
            indent = NAME_WIDTH + 1 if words and words[0].role == "dim" else 0
            lines += [_kept(piece) for piece in wrap(words, width, indent=indent)]
        self.query_one("#server", Static).update(as_content(lines))

    def _show(self) -> None:
        preferences = self.workbench.preferences
        changed = len(preferences.keymap)
        self._table.show_rows(
            [
                Setting("theme", self.app.theme, "Colors."),
                Setting("density", preferences.density, "The space between rows."),
                Setting("pictures", preferences.pictures, "How pages are drawn."),
                Setting(
                    "auto_run",
                    _ON_OFF[preferences.auto_run],
                    "Run plans under half a second.",
                ),
                Setting(
                    "keys",
                    f"{changed} changed" if changed else "as shipped",
                    "The key of each command.",
                ),
                Setting(
                    "model",
                    self._chat or (f"none; {len(self._local)} found" if self._local else "none"),
                    "A language model; none is needed.",
                ),
                Setting(
                    "server",
                    preferences.server or "bundled",
                    "Another server, after a restart.",
                ),
                Setting(
                    "token",
                    "••••••••" if preferences.token else "from the data folder",
                    "Its access token, after a restart.",
                ),
            ]
        )
        words = [str(self.workbench.settings_file)]
        self.query_one("#list-pane", Pane).retitle("Settings", words[0])

    async def _choose_model(self) -> None:
        """One of the models of this machine, written to the settings file."""
        if not self._local:
            where = "Name one under [models.chat] in the settings file."
            self.notify(where if self._chat else f"No model was found on this machine. {where}")
            return
        choices = [
            Choice(str(place), one.model, f"{one.server} at {one.url}")
            for place, one in enumerate(self._local)
        ]
        answer = await self.app.push_screen_wait(Choose("Use a language model", choices))
        if answer:
            one = self._local[int(answer[0])]
            problem = self.workbench.keep(lambda path: write_model(path, one.url, one.model))
            outcome = f"{one.model} is used once the backend restarts: run workbench stop."
            self.query_one(Notice).say(problem or outcome, "bad" if problem else "good")

    @on(LineList.Opened)
    @work
    async def _change(self) -> None:
        row = self._table.current
        if row is None:
            return
        if row.name == "keys":
            keymap = self.workbench.preferences.keymap
            await self.app.push_screen_wait(KeyEditor(keymap, self._keep_key))
            self._show()
            return
        if row.name == "model":
            await self._choose_model()
            return
        offered: dict[str, Sequence[str]] = {
            "theme": theme_names(), "density": DENSITIES, "pictures": PICTURES,
            "auto_run": tuple(_ON_OFF.values()),
        }  # fmt: skip
        if row.name in offered:
            choices = [Choice(n, n, "now" if n == row.value else "") for n in offered[row.name]]
            title = row.name.replace("_", " ").capitalize()
            wear = self.workbench.preview_theme if row.name == "theme" else None
            answer = await self.app.push_screen_wait(
                Choose(title, choices, current=row.value, preview=wear)
            )
            if wear is not None:
                wear(None)
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
        kept = value == "on" if name == "auto_run" else value or None
        if fault := app.keep(lambda file: write_preference(file, name, kept)):
            self.query_one(Notice).say(fault, "bad")
            return
        if name == "theme":
            app.preferences.theme = app.theme = value
        elif name == "auto_run":
            app.preferences.auto_run = value == "on"
        else:
            setattr(app.preferences, name, value or None)
        if name == "density":
            for frame in app.frames:
                for listed in frame.query(LineList):
                    listed.set_density()
        self._show()

    def _keep_key(self, key_id: str, keys: str | None) -> str:
        """Assigns other keys to a command; returns an error message if not saved."""
        app = self.workbench
        fault = app.keep(lambda file: write_key(file, key_id, keys))
        if not fault:
            if keys is None:
                app.preferences.keymap.pop(key_id, None)
            else:
                app.preferences.keymap[key_id] = keys
            app.set_keymap(app.preferences.keymap)
        return fault


def _kept(words: Line) -> Line:
    """With blanks at the beginning that no later wrapping drops."""
    blank = words and not words[0].text.strip()
    return (dim("\u00a0" * len(words[0].text)), *words[1:]) if blank else words


_COLUMNS: list[Column[Setting]] = [
    Column("setting", lambda row: Span(row.name.replace("_", " "), "strong"), 10),
    Column("value", lambda row: Span(row.value, "accent"), 20),
    Column("", lambda row: dim(row.help), weight=3, from_width=56),
]

SCREEN = SettingsScreen
