"""The app: one frame around seven screens, painted first and connected afterwards."""

import asyncio
import gc
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.command import CommandPalette
from textual.notifications import Notification, Notify, SeverityLevel
from textual.reactive import var
from textual.screen import Screen

from workbench.tui.connection import Connect, connector
from workbench.tui.harmless_screen import install as filter_screens
from workbench.tui.inert_pastes import install as filter_pastes
from workbench.tui.keys import KEYS, bindings, shown
from workbench.tui.lines import Line, Span, line
from workbench.tui.preferences import Preferences, read_preferences, settings_path, write_preference
from workbench.tui.styles import STYLES
from workbench.tui.terminal_graphics import Graphics, ask_terminal, cell_size
from workbench.tui.themes import THEMES, own_variables
from workbench.tui.typing_ahead import TypingAhead
from workbench.tui.widgets.top_bar import SCREENS

if TYPE_CHECKING:
    from workbench.contract.docsets import DocSetMetadata
    from workbench.sessions.sample_set import WriteSamples
    from workbench.sessions.upload_queue import Upload
    from workbench.sessions.workspace import Workspace
    from workbench.tui.screens.frame import Frame


def _screen(name: str) -> Callable[[], Screen[Any]]:
    """Loads a screen's module when the screen is first shown: each costs time before the paint."""

    def make() -> Screen[Any]:
        from importlib import import_module

        made: Screen[Any] = import_module(f"workbench.tui.screens.{name}").SCREEN()
        return made

    return make


_THEME = "Theme "
"""The prefix of the palette commands that change the theme."""
filter_screens()
filter_pastes()


class WorkbenchApp(App[None]):
    """`connect` makes the workspace, `clock` returns the time: tests can replace both.

    `docset` is the name or id of a DocSet to open at once, `graphics` the terminal's capabilities,
    `write_samples` writes the documents of the demo.
    """

    TITLE = "DocSet Workbench"
    CSS_PATH = STYLES / "frame.tcss"
    MODES: ClassVar[dict[str, Any]] = {name: _screen(name) for name, _ in SCREENS}
    DEFAULT_MODE = "docsets"
    BINDINGS: ClassVar[list[Any]] = [
        *bindings("app"),
        Binding("ctrl+p", "command_palette", "Palette", show=False, id="app.palette", system=True),
    ]

    workspace: var["Workspace | None"] = var(None, init=False)
    """The connection; None before the backend has responded."""
    docset: var["DocSetMetadata | None"] = var(None, init=False)
    """The DocSet that the screens work on."""
    trouble: var[str] = var("", init=False)
    """Why there is no connection, in words."""
    news: var[int] = var(0, init=False)
    """Counts what other programs, notebooks for instance, have written to the session file."""
    state: var[Line] = var((), init=False)
    """The right end of the status line."""

    def __init__(
        self,
        connect: Connect | None = None,
        *,
        clock: Callable[[], float] = time.time,
        preferences: Preferences | None = None,
        settings_file: Path | None = None,
        docset: str | None = None,
        graphics: Graphics | None = None,
        write_samples: "WriteSamples | None" = None,
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
        self.clock = clock
        self.settings_file = settings_file or settings_path()
        self.preferences = preferences or read_preferences(self.settings_file)
        self.wanted_docset = docset
        self.write_samples = write_samples
        self.frames: list[Frame] = []
        """The screens that were opened so far."""
        self.graphics = graphics or Graphics()
        self._connect = connect or connector(self.preferences)
        self._state_due = False
        self._size_due = False
        self._connecting = False
        self._was_away = False
        self._typed = TypingAhead(self, self._hand_on)
        for theme in THEMES:
            self.register_theme(theme)
        known = self.preferences.theme in self.available_themes
        # Set without its watchers, which would parse the stylesheets again before the paint.
        self.set_reactive(App.theme, self.preferences.theme if known else THEMES[0].name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.set_keymap(self.preferences.keymap)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return own_variables(self.current_theme)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._typed.take(event)
        else:
            await super().on_event(event)

    async def _hand_on(self, event: events.Key | events.Paste) -> None:
        if isinstance(event, events.Paste):
            from workbench.tui.widgets.path_input import text_for  # inputs load late

            event.text = text_for(self.focused, event.text)
        await super().on_event(event)

    def on_load(self) -> None:
        # Until the first paint much is made and nothing thrown away: collecting finds nothing.
        gc.disable()

    def _painted(self) -> None:
        gc.enable()
        self.connect_now()

    def on_mount(self) -> None:
        for problem in self.preferences.problems:
            self.notify(problem, title="Settings", severity="warning", timeout=12)
        self._write_state()
        self.call_after_refresh(self._painted)

    # -- connection -----------------------------------------------------------------------------

    @work(exclusive=True, group="connect")
    async def connect_now(self) -> None:
        """Finds or starts the backend; errors are shown on the screens until it works."""
        self.trouble = ""
        self._connecting = True
        try:
            workspace = await self._connect()
        except Exception as error:
            # Whatever went wrong, the person must read it here: it is shown nowhere else.
            self.trouble = str(error) or type(error).__name__
            self._write_state()
            return
        finally:
            self._connecting = False
        if self.workspace is not None:  # the backend came back, perhaps at another address
            self.workspace.switch_to(workspace.client)
            workspace.file.close()
            self.mutate_reactive(WorkbenchApp.workspace)
            return
        self.workspace = workspace
        workspace.watch.listen(lambda _: self._state_changed())
        workspace.uploader.listen(self._upload_changed)
        self.run_worker(workspace.watch.run(), group="watch")
        self.run_worker(workspace.uploader.run(), group="upload", exclusive=True)
        self.set_interval(1.0, self._look_after_backend)
        workspace.news.listen(self._news_came)
        self.run_worker(workspace.news.run(), group="watch")
        self._write_state()

    def _upload_changed(self, upload: "Upload") -> None:
        """Files that became documents enlarge the open DocSet: asks once a second at most."""
        self._state_changed()
        here = self.docset is not None and upload.docset_id == self.docset.docset_id
        if upload.state == "done" and here and not self._size_due:
            self._size_due = True
            self.set_timer(1.0, self._ask_size)

    @work(exclusive=True, group="size")
    async def _ask_size(self) -> None:
        from workbench.client.errors import WorkbenchError

        self._size_due = False
        docset = self.docset
        if docset is None or self.workspace is None:
            return
        with suppress(WorkbenchError):  # it is shown with the next one
            fresh = await self.workspace.client.docset(docset.docset_id)
            if self.docset is docset:
                self.docset = fresh

    def _look_after_backend(self) -> None:
        """A bundled backend that went away is started again."""
        workspace = self.workspace
        if workspace is None:
            return
        away = workspace.watch.channel == "waiting"
        if not away:
            for frame in self.frames:
                frame.backend_answers(came_back=self._was_away)
        self._was_away = away
        if away and workspace.server == "local" and not self._connecting:
            self.connect_now()
        self._write_state()

    def _news_came(self) -> None:
        self.news += 1

    async def on_unmount(self) -> None:
        gc.enable()
        if self.workspace is not None:
            running = [w for w in self.workers if w.group in ("watch", "upload")]
            for worker in running:
                worker.cancel()
            await asyncio.gather(*(worker.wait() for worker in running), return_exceptions=True)
            await self.workspace.close()
            # Callbacks that are still due find no workspace instead of a closed one.
            self.set_reactive(WorkbenchApp.workspace, None)

    # -- status ---------------------------------------------------------------------------------

    def _state_changed(self) -> None:
        """Many changes in a short time are written once."""
        if not self._state_due:
            self._state_due = True
            self.set_timer(0.1, self._write_state)

    def _write_state(self) -> None:
        self._state_due = False
        workspace = self.workspace
        if workspace is None:
            mark = Span("✗ ", "bad") if self.trouble else Span("◌ ", "dim")
            self.state = line(mark, Span("no backend" if self.trouble else "connecting", "dim"))
            return
        parts: list[Line] = [line(Span("● ", "good"), Span(workspace.server, "dim"))]
        if workspace.watch.channel == "waiting":
            words = "starting again" if self._connecting else "no answer"
            parts = [line(Span("● ", "bad"), Span(words, "bad"))]
        uploads = workspace.queue.counts()
        waiting = uploads.get("queued", 0) + uploads.get("sending", 0)
        failed = uploads.get("failed", 0)
        for number, word, role in (
            (waiting, "to send", "accent"),
            (workspace.watch.running, "running", "accent"),
            (failed, "failed", "bad"),
        ):
            if number:
                parts.append(line(Span(f"{number:,} {word}", "bad" if role == "bad" else "accent")))
        spans: list[Line] = []
        for part in parts:
            spans.extend([line(Span(" · ", "dim")), part] if spans else [part])
        self.state = line(*spans)

    @property
    def draws_maps(self) -> bool:
        """Whether pages are drawn as plain boxes: by wish, or for want of colours."""
        wish = self.preferences.pictures
        return wish == "boxes" or (wish == "auto" and self.no_color)

    @property
    def picture_level(self) -> str:
        """How pictures are shown: `kitty`, `sixel` or `halfblock`; by wish, or as the terminal can.

        Kitty's placeholders carry a number in their colour, which must arrive unchanged.
        """
        wish = self.preferences.pictures
        level = self.graphics.level if wish == "auto" else wish
        if level == "kitty" and self.console.color_system != "truecolor":
            return "halfblock"
        return level

    @property
    def cell_pixels(self) -> tuple[int, int]:
        """The size of a cell; letters may have been made larger since the start."""
        return cell_size() or self.graphics.cell

    def send_to_terminal(self, sequence: str) -> None:
        """Writes a sequence between two frames; Textual has no public way to do so."""
        driver = self._driver
        if driver is not None:
            driver.write(sequence)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Never as markup, whatever is requested: file names may contain brackets."""
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def action_help_quit(self) -> None:
        """Ctrl+C copies; people expect it to quit. Textual's own sentence has markup."""
        active = self.active_bindings.items()
        keys = [key for key, one in active if one.binding.action in ("quit", "app.quit")]
        if keys:
            self.notify(f"Press {keys[0]} to quit the app.", title="Do you want to quit?")

    def on_notify(self, event: Notify) -> None:
        """Drops notices that are already visible. This is not done in `notify`, because notices are
        queued before they are shown, and more may arrive meanwhile.
        """
        for notice in list(self._notifications):
            if _content(notice) == _content(event.notification):
                self._unnotify(notice, refresh=False)

    # -- going about ----------------------------------------------------------------------------

    def action_go(self, name: str) -> None:
        while len(self.screen_stack) > 1 and self.screen.is_modal:
            self.pop_screen()
        self.switch_mode(name)

    def open_docset(self, docset: "DocSetMetadata") -> None:
        """Opens a DocSet for all screens."""
        self.docset = docset

    def watch_docset(self, before: "DocSetMetadata | None", after: "DocSetMetadata | None") -> None:
        known = before.docset_id if before is not None else None
        if self.workspace is not None and after is not None and after.docset_id != known:
            self.workspace.last_docset = after.docset_id

    @work
    async def action_leave(self) -> None:
        """Ends the app; asks first where something would be lost."""
        unsaved = [words for frame in self.frames for words in frame.unsaved()]
        if unsaved:
            from workbench.tui.dialogs.confirm import Confirm

            if not await self.push_screen_wait(Confirm("Quit?", *map(line, unsaved))):
                return
        self.exit()

    def action_reload(self) -> None:
        if self.workspace is None:
            self.connect_now()
        elif (load := getattr(self.screen, "load", None)) is not None:
            load()

    def action_help(self) -> None:
        from workbench.tui.dialogs.help import HelpDialog

        self.push_screen(HelpDialog(self.screen))

    def action_guide(self) -> None:
        from workbench.tui.dialogs.guide import GuideDialog

        self.push_screen(GuideDialog(self.screen))

    def action_zoom(self) -> None:
        if (zoom := getattr(self.screen, "zoom", None)) is not None:
            zoom()

    def action_jump(self) -> None:
        from workbench.tui.dialogs.jump import JumpMode

        self.push_screen(JumpMode(self.screen))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: commands with keys, those of the current screen first; then themes."""
        here = getattr(screen, "place", "")
        elsewhere = {name: label for name, label in SCREENS if name != here and name in KEYS}
        for place in (here, "app", *elsewhere):
            for key in KEYS.get(place, ()):
                words = f"{key.description[:1].upper()}{key.description[1:]}"
                title = f"{elsewhere[place]}: {key.description}" if place in elsewhere else words
                keys = shown(self.preferences.keymap.get(key.id, key.keys))
                run = self._runner(key.action, place if place in elsewhere else None)
                yield SystemCommand(f"{title}  ({keys})", key.tooltip, run)
        for name in sorted(self.available_themes):
            yield SystemCommand(f"{_THEME}{name}", "Change the colors.", self._themer(name))

    def _runner(self, action: str, place: str | None) -> Callable[[], None]:
        """Runs the action on the current screen, or on that of `place`."""

        async def run() -> None:
            await self.screen.run_action(action)

        def start() -> None:
            if place is not None:
                self.action_go(place)
                self.screen.call_after_refresh(run)
            else:
                self.call_later(run)

        return start

    def _themer(self, name: str) -> Callable[[], None]:
        def wear() -> None:
            self.preferences.theme = self.theme = name
            if fault := self.keep(lambda file: write_preference(file, "theme", name)):
                self.notify(fault, title="Settings", severity="error")

        return wear

    def preview_theme(self, name: str | None) -> None:
        """Shows a theme without saving it; None restores the saved one."""
        wanted = name or self.preferences.theme
        self.theme = wanted if wanted in self.available_themes else THEMES[0].name

    def on_command_palette_option_highlighted(
        self, event: CommandPalette.OptionHighlighted
    ) -> None:
        """Previews a theme while the cursor is on it in the palette."""
        hit = getattr(event.highlighted_event.option, "hit", None)
        words = str(getattr(hit, "text", None) or getattr(hit, "display", ""))
        theme = words.removeprefix(_THEME)
        self.preview_theme(theme if words.startswith(_THEME) else None)

    def on_command_palette_closed(self) -> None:
        self.preview_theme(None)

    def keep(self, write: Callable[[Path], None]) -> str:
        """Writes to the settings file; returns an error sentence if that fails, else nothing."""
        try:
            write(self.settings_file)
        except OSError as error:
            return f"{self.settings_file} cannot be written: {error.strerror or error}."
        return ""


def _content(notice: Notification) -> tuple[str, str, str]:
    return notice.message, notice.title, notice.severity


def run(docset: str | None = None, write_samples: "WriteSamples | None" = None) -> None:
    """Runs the app until the person ends it; `docset` is the name or id of a DocSet to open,
    `write_samples` writes the documents of the demo.
    """
    preferences = read_preferences(settings_path())
    asks = preferences.pictures in ("auto", "sixel") and "NO_COLOR" not in os.environ
    graphics = ask_terminal() if asks else Graphics()
    WorkbenchApp(
        preferences=preferences, docset=docset, graphics=graphics, write_samples=write_samples
    ).run()
