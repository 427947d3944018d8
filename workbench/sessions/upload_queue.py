"""The upload queue on disk: which file goes to which DocSet, and how far it is.

States: `queued` → `sending` → `partitioning` → `done`, or `failed` with the reason, or
`duplicate` when the same bytes were sent to the same DocSet before, or `cancelled` by a person.
Rows are claimed for a short lease, so that two programs over one file never send the same upload,
and a killed program's uploads come back by themselves.
"""

import secrets
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from workbench.sessions.session_file import SessionFile

UploadState = Literal[
    "queued", "sending", "partitioning", "done", "failed", "duplicate", "cancelled"
]

LEASE_SECONDS = 15.0


@dataclass(frozen=True)
class Upload:
    """A file on its way: `size` in bytes, times in Unix seconds, `source` a path or address."""

    id: str
    docset_id: str
    source: str
    name: str
    size: int
    state: UploadState
    forced: bool
    digest: str | None
    task_id: str | None
    doc_id: str | None
    reason: str | None
    attempts: int
    added: float
    changed: float


_COLUMNS = (
    "id, docset_id, source, name, size, state, forced, digest, task_id, doc_id, reason, "
    "attempts, added, changed"
)


class UploadQueue:
    """The uploads to one `server`: "local" for the bundled one, else its address."""

    def __init__(
        self, file: SessionFile, *, server: str = "local", clock: Callable[[], float] = time.time
    ) -> None:
        self._file = file
        self._server = server
        self._clock = clock

    # -- user actions -----------------------------------------------------------------------------

    def add(self, docset_id: str, sources: Iterable[Path | str]) -> list[Upload]:
        """Queues files and http addresses. A file whose size cannot be read is kept as failed."""
        added = [self._new(docset_id, source) for source in sources]
        now = self._clock()
        with self._file.writing() as connection:
            connection.executemany(
                "INSERT INTO uploads (id, server, docset_id, source, name, size, state, reason,"
                " added, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        *(u.id, self._server, docset_id, u.source, u.name, u.size, u.state),
                        *(u.reason, now, now),
                    )
                    for u in added
                ],
            )
        return added

    def retry(self, ids: Collection[str] | None = None) -> int:
        """Queues failed uploads again (all of them without `ids`); returns how many.

        Duplicates and cancelled uploads are sent only when they are named.
        """
        with self._file.writing() as connection:
            if ids is None:
                return connection.execute(
                    "UPDATE uploads SET state = 'queued', reason = NULL, task_id = NULL,"
                    " changed = ? WHERE server = ? AND state = 'failed'",
                    (self._clock(), self._server),
                ).rowcount
            return sum(
                connection.execute(
                    "UPDATE uploads SET forced = (state = 'duplicate'), state = 'queued',"
                    " reason = NULL, task_id = NULL, changed = ?"
                    " WHERE id = ? AND state IN ('failed', 'duplicate', 'cancelled')",
                    (self._clock(), upload_id),
                ).rowcount
                for upload_id in ids
            )

    def clear_done(self) -> int:
        """Removes uploads other than failed and open ones; returns the number removed."""
        with self._file.writing() as connection:
            return connection.execute(
                "DELETE FROM uploads WHERE server = ?"
                " AND state IN ('done', 'duplicate', 'cancelled')",
                (self._server,),
            ).rowcount

    def forget(self, ids: Collection[str]) -> int:
        """Forgets uploads that are neither sent nor being sent; returns how many."""
        with self._file.writing() as connection:
            return sum(
                connection.execute(
                    "DELETE FROM uploads WHERE id = ? AND state NOT IN ('sending', 'partitioning')",
                    (upload_id,),
                ).rowcount
                for upload_id in ids
            )

    # -- reading --------------------------------------------------------------------------------

    def uploads(self, docset_id: str | None = None) -> list[Upload]:
        """All uploads in the order they were added."""
        where, values = "server = ?", [self._server]
        if docset_id is not None:
            where, values = where + " AND docset_id = ?", [*values, docset_id]
        rows = self._file.rows(
            f"SELECT {_COLUMNS} FROM uploads WHERE {where} ORDER BY added, rowid", values
        )
        return [_upload(row) for row in rows]

    def get(self, upload_id: str) -> Upload | None:
        rows = self._file.rows(f"SELECT {_COLUMNS} FROM uploads WHERE id = ?", (upload_id,))
        return _upload(rows[0]) if rows else None

    def counts(self) -> dict[str, int]:
        """How many uploads are in each state that occurs."""
        rows = self._file.rows(
            "SELECT state, count(*) FROM uploads WHERE server = ? GROUP BY state", (self._server,)
        )
        return {row[0]: row[1] for row in rows}

    def partitioning(self) -> list[Upload]:
        """Uploads whose task the server is working on."""
        rows = self._file.rows(
            f"SELECT {_COLUMNS} FROM uploads WHERE server = ? AND state = 'partitioning'",
            (self._server,),
        )
        return [_upload(row) for row in rows]

    def twin(self, upload: Upload, digest: str) -> Upload | None:
        """Another upload of the same bytes to the same DocSet that was or is being sent."""
        rows = self._file.rows(
            f"SELECT {_COLUMNS} FROM uploads WHERE server = ? AND docset_id = ? AND digest = ?"
            " AND id <> ? AND state IN ('sending', 'partitioning', 'done') LIMIT 1",
            (self._server, upload.docset_id, digest, upload.id),
        )
        return _upload(rows[0]) if rows else None

    # -- sender actions ---------------------------------------------------------------------------

    def claim(self, owner: str, limit: int) -> list[tuple[Upload, bool]]:
        """Takes up to `limit` uploads for `owner`, oldest first, now in state `sending`.

        The flag beside each means that an earlier sender died during it, so the server may have it.
        """
        now = self._clock()
        with self._file.writing() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM uploads WHERE server = ? AND (state = 'queued'"
                " OR (state = 'sending' AND lease < ?)) ORDER BY added, rowid LIMIT ?",
                (self._server, now, limit),
            ).fetchall()
            for row in rows:
                connection.execute(
                    "UPDATE uploads SET state = 'sending', owner = ?, lease = ?, changed = ?,"
                    " attempts = attempts + 1 WHERE id = ?",
                    (owner, now + LEASE_SECONDS, now, row["id"]),
                )
        return [(_upload(row), row["state"] == "sending") for row in rows]

    def renew(self, owner: str) -> None:
        """Keeps all claims of `owner` for another lease."""
        with self._file.writing() as connection:
            connection.execute(
                "UPDATE uploads SET lease = ? WHERE state = 'sending' AND owner = ?",
                (self._clock() + LEASE_SECONDS, owner),
            )

    def release(self, owner: str) -> None:
        """Gives all claims of `owner` back to the queue."""
        with self._file.writing() as connection:
            connection.execute(
                "UPDATE uploads SET state = 'queued', owner = NULL"
                " WHERE state = 'sending' AND owner = ?",
                (owner,),
            )

    def change(self, upload_id: str, state: UploadState, **fields: Any) -> Upload | None:
        """Moves an upload to `state` and sets `fields` (digest, task_id, doc_id, reason).

        Returns the current upload, None if it was removed meanwhile.
        """
        unknown = fields.keys() - {"digest", "task_id", "doc_id", "reason"}
        if unknown:
            raise TypeError(f"not a field of an upload: {', '.join(sorted(unknown))}")
        assignments = "".join(f", {name} = ?" for name in fields)
        with self._file.writing() as connection:
            connection.execute(
                f"UPDATE uploads SET state = ?, changed = ?{assignments} WHERE id = ?",
                (state, self._clock(), *fields.values(), upload_id),
            )
        return self.get(upload_id)

    def _new(self, docset_id: str, source: Path | str) -> Upload:
        state: UploadState = "queued"
        reason = None
        size = 0
        text = str(source)
        if not text.startswith(("http://", "https://")):
            path = Path(source).expanduser().absolute()
            text = str(path)
            try:
                size = path.stat().st_size
            except OSError as error:
                state, reason = "failed", cannot_read(error)
        now = self._clock()
        return Upload(
            secrets.token_hex(8), docset_id, text, text.rstrip("/").rpartition("/")[2] or text,
            size, state, False, None, None, None, reason, 0, now, now,
        )  # fmt: skip


def cannot_read(error: OSError) -> str:
    """The reason, in words, why a file cannot be sent."""
    return f"The file cannot be read: {error.strerror or error}. Put it back and retry."


def _upload(row: sqlite3.Row) -> Upload:
    values = dict(row)
    return Upload(**{**values, "forced": bool(values["forced"])})
