"""How the objects reach the server: coroutines of the client, run on the background loop."""

import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from backend.contract.location import data_dir
from workbench.client import AsyncClient
from workbench.client.background import background_loop
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile

Value = TypeVar("Value")


class Engine:
    """One client and one session file for this process; a forked child gets its own."""

    def __init__(self, connect: Callable[[], AsyncClient]) -> None:
        self.connect = connect
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._client = self.connect()
        self._file: SessionFile | None = None
        self._plans: dict[str, PlanSessions] = {}

    @property
    def client(self) -> AsyncClient:
        if self._process != os.getpid():
            self._begin()
        return self._client

    def run(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Value:
        """The value of `work`, for instance `lambda client: client.docset(docset_id)`."""
        return background_loop().run(work(self.client))

    def iterate(self, work: Callable[[AsyncClient], AsyncIterator[Value]]) -> Iterator[Value]:
        return background_loop().iterate(work(self.client))

    def plans(self, docset_id: str) -> PlanSessions:
        """The questions about a DocSet, in the file that the terminal app reads too."""
        client = self.client
        if self._file is None:
            self._file = SessionFile(data_dir() / "sessions.sqlite")
        if docset_id not in self._plans:
            self._plans[docset_id] = PlanSessions(client, docset_id, self._file)
        return self._plans[docset_id]

    def close(self) -> None:
        self.run(lambda client: client.aclose())
        if self._file is not None:
            self._file.close()
