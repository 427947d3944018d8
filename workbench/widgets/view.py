"""What every widget does: share state with the browser, and work in the background.

A browser sends messages `{kind, …}`; each widget lists the kinds it understands, and reads their
fields through `Message`. Work runs in the
background loop, so a long cell does not block a widget, nor vice versa. An error becomes `trouble`,
a sentence that the widget shows.

Where no kernel runs (a notebook opened again, an exported page, a repository's viewer) a widget is
what `snapshot` made of its last state.
"""

import asyncio
import secrets
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets
from IPython.display import display

from workbench.client.background import background_loop
from workbench.client.errors import WorkbenchError
from workbench.frames.html import Markup
from workbench.pages.raster import NoPage
from workbench.sessions.pace import Pace
from workbench.widgets.message import Message
from workbench.widgets.saved_snapshot import SavedSnapshot

Handler = Callable[[Message, Sequence[bytes]], Awaitable[None]]

_PATIENCE = 1.0  # seconds
_SNAPSHOT = 1.0  # seconds from a change to its snapshot
_FOLDER = Path(__file__).parent


def script(*names: str) -> str:
    """The browser side of a widget: the shared `dom.js` and the files it is made of, as one module.

    They are joined here because a widget's module is sent as text and can import nothing.
    """
    return "".join((_FOLDER / f"{name}.js").read_text("utf-8") for name in ("dom", *names))


STYLE = (_FOLDER / "style.css").read_text("utf-8")


class View(anywidget.AnyWidget):
    """Base of the widgets. `busy` while work is running, `trouble` has the last error.

    Messages of the kinds in `quiet` are handled without a busy indicator.
    """

    _css = STYLE
    quiet: ClassVar[frozenset[str]] = frozenset()
    busy = traitlets.Bool(False).tag(sync=True)
    trouble = traitlets.Unicode("").tag(sync=True)
    snapshot_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, handlers: Mapping[str, Handler], **state: Any) -> None:
        super().__init__(**state, snapshot_id=secrets.token_hex(8))
        self._handlers = handlers
        self._under_way = 0
        self._due = False
        self._pace = Pace()
        self._snapshot_due = False
        self._below = SavedSnapshot(type(self).__name__, self.snapshot_id, self.snapshot)
        self._begun: list[Future[None]] = []
        self._stops: list[Callable[[], None]] = []
        self.on_msg(self._received)
        self.observe(self._snapshot_changed)

    def start(self, work: Coroutine[Any, Any, None], *, quiet: bool = False) -> "Future[None]":
        """Does `work` in the background."""
        begun = background_loop().start(self._guarded(work, quiet))
        self._begun = [*(work for work in self._begun if not work.done()), begun]
        return begun

    @abstractmethod
    def snapshot(self) -> Markup:
        """The widget as static HTML, from its current state without further requests."""

    def soon(self, draw: Callable[[], None]) -> None:
        """Calls `draw` a moment later in the background, once for all requests until then."""
        if not self._due:
            self._due = True
            background_loop().start(self._later(draw))

    def until_closed(self, *stops: Callable[[], None]) -> None:
        """The cleanup function for when the widget closes, as when its cell is run again."""
        self._stops += stops

    def close(self) -> None:
        """May be called again; ipywidgets does so when the object goes."""
        stops, self._stops = self._stops, []
        for stop in stops:
            stop()
        super().close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def _ipython_display_(self, **_: Any) -> None:
        """Displays the widget and its snapshot, after waiting briefly for begun work."""
        bundle = self._repr_mimebundle_()
        if bundle is None:
            return
        wait(self._begun, _PATIENCE)
        # The empty HTML is for viewers without widgets: they would show the plain text else.
        display({**bundle[0], "text/html": ""}, metadata=bundle[1], raw=True)  # type: ignore[no-untyped-call]
        self._below.show()

    def _snapshot_changed(self, change: Any) -> None:
        """Has the snapshot follow, once for all changes of a second."""
        if not self._snapshot_due:
            self._snapshot_due = True
            background_loop().start(self._follow_snapshot())

    async def _follow_snapshot(self) -> None:
        await asyncio.sleep(_SNAPSHOT)
        self._snapshot_due = False
        self._below.refresh()

    def _received(self, _: Any, content: Any, buffers: Sequence[Any]) -> None:
        kind = content.get("kind") if isinstance(content, dict) else None
        handler = self._handlers.get(kind) if isinstance(kind, str) else None
        if handler is not None:
            pieces = [bytes(buffer) for buffer in buffers or ()]
            self.start(_awaited(handler(Message(content), pieces)), quiet=kind in self.quiet)

    async def _later(self, draw: Callable[[], None]) -> None:
        await asyncio.sleep(self._pace.pause)
        self._due = False
        with self._pace.drawing():
            draw()

    async def _guarded(self, work: Coroutine[Any, Any, None], quiet: bool) -> None:
        """Reports any failure: on this thread it would go unnoticed."""
        if not quiet:
            self._under_way += 1
            self.busy, self.trouble = True, ""
        try:
            await work
        except (WorkbenchError, NoPage, LookupError, ValueError) as error:
            self.trouble = str(error)
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"
        finally:
            if not quiet:
                self._under_way -= 1
                self.busy = self._under_way > 0


async def _awaited(work: Awaitable[None]) -> None:
    await work
