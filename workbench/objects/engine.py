"""How the objects reach the server: coroutines of the client, run on the background loop, and the
sessions that they share with the terminal app.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from workbench.client import AsyncClient, WorkbenchError
from workbench.client.background import SharedWork, background_loop
from workbench.contract.location import data_dir
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace

Value = TypeVar("Value")


class Engine:
    """One client and one session file for this process; a forked child gets its own.

    `server` names the server in the session file: "local" for the bundled one, else its address.
    `news`, `tasks` and `uploads` keep the parts of the workspace current for as long as somebody
    holds them.
    """

    def __init__(self, connect: Callable[[], AsyncClient], server: str) -> None:
        self.connect = connect
        self._server = server
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._client = self.connect()
        self._workspace: Workspace | None = None
        self.news = SharedWork(lambda: self.workspace.news.run())
        self.tasks = SharedWork(lambda: self.workspace.watch.run())
        self.uploads = SharedWork(lambda: self.workspace.uploader.run())

    @property
    def client(self) -> AsyncClient:
        if self._process != os.getpid():
            self._begin()
        return self._client

    @property
    def workspace(self) -> Workspace:
        """What goes on with this server, in the file that the terminal app reads too."""
        client = self.client
        if self._workspace is None:
            file = SessionFile(data_dir() / "sessions.sqlite")
            self._workspace = Workspace(client, file, server=self._server)
        return self._workspace

    def run(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Value:
        """The value of `work`, for instance `lambda client: client.docset(docset_id)`.

        Errors of ours come without the way they took through the event loop and the network: the
        sentence says what is wrong, and a notebook shows the caller's own line above it.
        """
        try:
            return background_loop().run(work(self.client))
        except WorkbenchError as error:
            raise error.with_traceback(None) from None

    async def awaiting(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Value:
        """The same for whoever has an event loop of their own, which goes on meanwhile."""
        return await asyncio.wrap_future(background_loop().start(work(self.client)))

    def iterate(self, work: Callable[[AsyncClient], AsyncIterator[Value]]) -> Iterator[Value]:
        try:
            yield from background_loop().iterate(work(self.client))
        except WorkbenchError as error:
            raise error.with_traceback(None) from None

    def plans(self, docset_id: str) -> PlanSessions:
        """The questions about a DocSet."""
        return self.workspace.plans(docset_id)

    def close(self) -> None:
        self.run(lambda client: client.aclose())
        if self._workspace is not None:
            self._workspace.file.close()
