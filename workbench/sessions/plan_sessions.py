"""All questions about a DocSet, stored across restarts."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.contract.errors import Choice
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.session_file import SessionFile

if TYPE_CHECKING:
    from workbench.client import AsyncClient


@dataclass(frozen=True)
class Asked:
    """A question in the list: how many versions its plan has, and when it was last used.

    `name` is the user's name for it, if any.
    """

    id: str
    question: str
    versions: int
    changed: float
    name: str | None = None


class PlanSessions:
    """The questions of one DocSet; opened sessions are kept and shared."""

    def __init__(
        self,
        client: "AsyncClient",
        docset_id: str,
        file: SessionFile,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.docset_id = docset_id
        self.client = client
        self._file = file
        self._clock = clock
        self._open: dict[str, PlanSession] = {}

    def asked(self) -> list[Asked]:
        """All questions, the last used first."""
        rows = self._file.rows(
            "SELECT id, question, name, changed, (SELECT count(*) FROM plan_versions"
            " WHERE session_id = plan_sessions.id) AS versions FROM plan_sessions"
            " WHERE docset_id = ? ORDER BY changed DESC, rowid DESC",
            (self.docset_id,),
        )
        return [Asked(**dict(row)) for row in rows]

    def rename(self, session_id: str, name: str) -> None:
        """Gives a question a name; an empty one removes it."""
        with self._file.writing() as connection:
            connection.execute(
                "UPDATE plan_sessions SET name = ? WHERE id = ?", (name.strip() or None, session_id)
            )

    def new(self, question: str) -> PlanSession:
        """A session for a new question, still without a plan: `ask()` makes it."""
        session_id = secrets.token_hex(8)
        now = self._clock()
        with self._file.writing() as connection:
            connection.execute(
                "INSERT INTO plan_sessions (id, docset_id, question, current, created, changed)"
                " VALUES (?, ?, ?, 0, ?, ?)",
                (session_id, self.docset_id, question, now, now),
            )
        return self._session(session_id, question)

    async def ask(self, question: str) -> PlanSession:
        """A session with the first plan; a question that the server refuses leaves none."""
        session = self.new(question)
        try:
            await session.ask()
        except BaseException:
            self.forget(session.id)
            raise
        return session

    def choose(self, question: str, choice: Choice) -> PlanSession:
        """A session for a question that may mean several things, with one of its plans."""
        session = self.new(question)
        session.choose(choice)
        return session

    def open(self, session_id: str) -> PlanSession | None:
        """The stored session with that id; None if there is none."""
        if session_id in self._open:
            return self._open[session_id]
        rows = self._file.rows(
            "SELECT question FROM plan_sessions WHERE id = ? AND docset_id = ?",
            (session_id, self.docset_id),
        )
        return self._session(session_id, rows[0]["question"]) if rows else None

    def latest(self) -> PlanSession | None:
        """The session that was last used."""
        asked = self.asked()
        return self.open(asked[0].id) if asked else None

    def reload(self) -> None:
        """Reads the opened sessions again, after another program may have changed them."""
        for session in tuple(self._open.values()):
            session.versions.reload()

    def forget(self, session_id: str) -> None:
        """Deletes a question with all its versions."""
        self._open.pop(session_id, None)
        with self._file.writing() as connection:
            connection.execute("DELETE FROM plan_sessions WHERE id = ?", (session_id,))

    def switch_to(self, client: "AsyncClient") -> None:
        """Continues with another client."""
        self.client = client
        for session in self._open.values():
            session.client = client

    def _session(self, session_id: str, question: str) -> PlanSession:
        session = PlanSession(
            self.client, self._file, session_id, self.docset_id, question, clock=self._clock
        )
        self._open[session_id] = session
        return session
