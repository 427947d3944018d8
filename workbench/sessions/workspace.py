"""The state of work with one server: its client, tasks, uploads, searches and plans."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.sessions.originals import Originals
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.search_session import SearchSession
from workbench.sessions.session_file import SessionFile
from workbench.sessions.session_watch import SessionWatch
from workbench.sessions.task_watch import TaskWatch
from workbench.sessions.upload_queue import UploadQueue
from workbench.sessions.uploader import Uploader

if TYPE_CHECKING:
    from workbench.client import AsyncClient


class Workspace:
    """`server` is its name in the session file: "local" if bundled, else its address."""

    def __init__(
        self,
        client: "AsyncClient",
        file: SessionFile,
        *,
        server: str = "local",
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.client = client
        self._former: list[AsyncClient] = []
        self.file = file
        self.news = SessionWatch(file)
        """Reports changes of the sessions by other programs; `run()` it to stay up to date."""
        self.news.listen(self._reload)
        self.server = server
        self.clock = clock
        self._timer = timer
        self.watch = TaskWatch(client, clock=clock)
        self.queue = UploadQueue(file, server=server, clock=clock)
        self.uploader = Uploader(self.queue, client, self.watch, clock=clock)
        self.originals = Originals(client)
        self._searches: dict[str, SearchSession] = {}
        self._plans: dict[str, PlanSessions] = {}

    def search(self, docset_id: str) -> SearchSession:
        """The stored search of that DocSet."""
        if docset_id not in self._searches:
            self._searches[docset_id] = SearchSession(
                self.client, docset_id, self.file, clock=self.clock, timer=self._timer
            )
        return self._searches[docset_id]

    def plans(self, docset_id: str) -> PlanSessions:
        """The questions about that DocSet."""
        if docset_id not in self._plans:
            self._plans[docset_id] = PlanSessions(
                self.client, docset_id, self.file, clock=self.clock
            )
        return self._plans[docset_id]

    @property
    def last_docset(self) -> str | None:
        """The id of the DocSet that was open last."""
        rows = self.file.rows("SELECT docset_id FROM last_docsets WHERE server = ?", (self.server,))
        return str(rows[0]["docset_id"]) if rows else None

    @last_docset.setter
    def last_docset(self, docset_id: str) -> None:
        with self.file.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO last_docsets (server, docset_id) VALUES (?, ?)",
                (self.server, docset_id),
            )

    def _reload(self) -> None:
        for plans in self._plans.values():
            plans.reload()

    def switch_to(self, client: "AsyncClient") -> None:
        """Continues with another client, for instance when the backend came back at a new address.

        The former one is closed at the end: calls may still be under way on it.
        """
        self._former.append(self.client)
        self.client = client
        self.watch.client = self.uploader.client = self.originals.client = client
        for search in self._searches.values():
            search.client = client
        for plans in self._plans.values():
            plans.switch_to(client)
        self.uploader.wake()

    async def close(self) -> None:
        for client in (*self._former, self.client):
            await client.aclose()
        self.file.close()
