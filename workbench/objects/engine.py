"""Connects the objects to the server: runs client coroutines on the background loop, and owns the
sessions shared with the terminal app.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from workbench.client import AsyncClient, WorkbenchError
from workbench.client.background import SharedWork, background_loop
from workbench.client.errors import fitting
from workbench.contract.location import data_dir
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace

Value = TypeVar("Value")


class Engine:
    """One client and one session file for this process; a forked child gets its own.

    `server` names the server in the session file: "local" for the bundled one, else its address.
    `news`, `tasks` and `uploads` keep these parts of the workspace up to date while somebody uses
    them.
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
        """The state of work with this server, in the file shared with the terminal app."""
        client = self.client
        if self._workspace is None:
            file = SessionFile(data_dir() / "sessions.sqlite")
            self._workspace = Workspace(client, file, server=self._server)
        return self._workspace

    def run(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Value:
        """The value of `work`, for example `lambda client: client.docset(docset_id)`.

        Our errors omit the traceback through event loop and network: the message says what is
        wrong, and a notebook shows the caller's own line.
        """
        try:
            with fitting():
                return background_loop().run(work(self.client))
        except WorkbenchError as error:
            raise error.with_traceback(None) from None

    async def awaiting(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Value:
        """The same for callers with their own event loop, which keeps running."""
        return await asyncio.wrap_future(background_loop().start(work(self.client)))

    def iterate(self, work: Callable[[AsyncClient], AsyncIterator[Value]]) -> Iterator[Value]:
        try:
            with fitting():
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
