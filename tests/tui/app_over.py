"""The app over a client without a server, in a terminal that is the same everywhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.tui.fake_client import NOW
from workbench.sessions.sample_set import WriteSamples
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace
from workbench.tui.app import WorkbenchApp
from workbench.tui.preferences import Preferences
from workbench.tui.terminal_graphics import Graphics


def app_over(
    client: Any,
    folder: Path,
    *,
    prepare: Callable[[Workspace], None] | None = None,
    preferences: Preferences | None = None,
    docset: str | None = None,
    failing: Exception | None = None,
    graphics: Graphics | None = None,
    write_samples: WriteSamples | None = None,
) -> WorkbenchApp:
    """An app whose clock stands still; `prepare` fills the workspace before it opens, `failing` is
    raised in place of a connection.
    """

    async def connect() -> Workspace:
        if failing is not None:
            raise failing
        file = SessionFile(folder / "sessions.sqlite")
        workspace = Workspace(client, file, clock=lambda: NOW, timer=lambda: 0.0)
        if prepare is not None:
            prepare(workspace)
        return workspace

    return WorkbenchApp(
        connect,
        clock=lambda: NOW,
        preferences=preferences or Preferences(auto_run=False),
        settings_file=folder / "settings.toml",
        docset=docset,
        graphics=graphics,
        write_samples=write_samples,
    )
