"""Opens the workspace of the app: on the bundled backend, started if necessary, or a named server.

All of this happens after the first paint; the modules it needs are loaded here for the same reason.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.sessions.workspace import Workspace
    from workbench.tui.preferences import Preferences

Connect = Callable[[], Awaitable["Workspace"]]
"""Makes a workspace; raises WorkbenchError with a sentence when there is no server to be had."""


def connector(preferences: "Preferences") -> Connect:
    """A function that opens the workspace of the server in the preferences."""

    async def connect() -> "Workspace":
        return await asyncio.to_thread(_open, preferences.server, preferences.token)

    return connect


def _open(server: str | None, token: str | None) -> "Workspace":
    from workbench.client import AsyncClient
    from workbench.contract.location import data_dir, read_token
    from workbench.launch import ensure_backend
    from workbench.sessions.session_file import SessionFile
    from workbench.sessions.workspace import Workspace

    folder = data_dir()
    if server is None:
        backend = ensure_backend()
        client = AsyncClient(backend.url, backend.token)
    else:
        client = AsyncClient(server, token or read_token(folder) or "")
    return Workspace(client, SessionFile(folder / "sessions.sqlite"), server=server or "local")
