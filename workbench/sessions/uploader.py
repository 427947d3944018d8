"""Sends the files of the upload queue, several at once, and follows each until it is a document.

A failure does not stop the others: it is recorded with its reason. While the server does not
respond, uploads wait in the queue and do not count as failed.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.client.errors import (
    AuthenticationFailed,
    ConnectionFailed,
    NotFound,
    RateLimited,
    WorkbenchError,
)
from workbench.contract.tasks import TaskProgress
from workbench.sessions.task_watch import TaskWatch
from workbench.sessions.upload_queue import LEASE_SECONDS, Upload, UploadQueue, cannot_read

if TYPE_CHECKING:
    from workbench.client import AsyncClient

Listener = Callable[[Upload], None]

_LONGEST_PAUSE = 15.0


class Uploader:
    """Works on a queue until `run()` is cancelled; claims are then given back."""

    def __init__(
        self,
        queue: UploadQueue,
        client: "AsyncClient",
        watch: TaskWatch,
        *,
        at_once: int = 3,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.trouble: str | None = None
        """Why nothing can be sent at the moment, in words."""
        self._queue = queue
        self.client = client
        self._watch = watch
        self._at_once = at_once
        self._clock = clock
        self._sleep = sleep
        self._owner = secrets.token_hex(8)
        self._sent: dict[str, int] = {}
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._tasks: dict[str, str] = {}
        self._listeners: list[Listener] = []
        self._ended: asyncio.Queue[str] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._pause = 0.5
        self._not_before = 0.0

    # -- user interface --------------------------------------------------------------------------

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` with every upload that changed; returns a function that stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def sent(self, upload: Upload) -> int:
        """Bytes sent so far."""
        if upload.state in ("partitioning", "done"):
            return upload.size
        return self._sent.get(upload.id, 0)

    def progress(self, upload: Upload) -> TaskProgress | None:
        """The server's progress on an upload in state `partitioning`."""
        return self._watch.tasks.get(upload.task_id) if upload.task_id else None

    def wake(self) -> None:
        """Checks the queue now: call it after adding or retrying."""
        self._not_before = 0.0
        self._wake.set()

    async def cancel(self, upload: Upload) -> None:
        """Stops an upload; it stays in the queue as cancelled, to be retried or forgotten."""
        sending = self._sending.get(upload.id)
        if sending is not None:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            # the server may have accepted it in the meantime
            upload = self._queue.get(upload.id) or upload
        if upload.state == "partitioning" and upload.task_id:
            self._tasks.pop(upload.task_id, None)
            try:
                await self.client.cancel(upload.task_id)
            except NotFound:
                await self._finish(upload)  # it ended before the cancel arrived
                return
        self._move(upload, "cancelled", reason=None)

    # -- the work -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Sends and follows until cancelled."""
        stop = self._watch.listen(self._task_changed)
        keepers = [asyncio.create_task(self._renew()), asyncio.create_task(self._collect())]
        try:
            self._adopt()
            while True:
                self._start_some()
                self._wake.clear()
                timer = asyncio.ensure_future(self._sleep(1.0))
                waker = asyncio.ensure_future(self._wake.wait())
                try:
                    await asyncio.wait({timer, waker}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    timer.cancel()
                    waker.cancel()
        finally:
            stop()
            for task in (*keepers, *self._sending.values()):
                task.cancel()
            await asyncio.gather(*keepers, *self._sending.values(), return_exceptions=True)
            self._queue.release(self._owner)

    def _start_some(self) -> None:
        free = self._at_once - len(self._sending)
        if free <= 0 or self._clock() < self._not_before:
            return
        for upload, orphaned in self._queue.claim(self._owner, free):
            task = asyncio.create_task(self._send(upload, orphaned))
            self._sending[upload.id] = task
            task.add_done_callback(partial(self._sending_ended, upload.id))

    def _sending_ended(self, upload_id: str, _: "asyncio.Task[None]") -> None:
        self._sending.pop(upload_id, None)
        self._sent.pop(upload_id, None)
        self._wake.set()

    async def _send(self, upload: Upload, orphaned: bool) -> None:
        try:
            self._notify(upload)
            if orphaned and (doc_id := await self._already_there(upload)):
                self._move(upload, "done", doc_id=doc_id, reason=None)
                return
            source, digest = await self._read(upload)
            twin = self._queue.twin(upload, digest) if digest and not upload.forced else None
            if twin is not None:
                reason = f"Same content as {twin.name}, sent before. Retry to send it anyway."
                self._move(upload, "duplicate", digest=digest, reason=reason)
                return
            self._queue.change(upload.id, "sending", digest=digest)
            task_id = await self.client.submit_document(
                upload.docset_id,
                source,
                name=upload.name,
                on_sent=lambda sent, _: self._count(upload, sent),
            )
            self._pause, self.trouble = 0.5, None
            self._follow(upload, task_id)
        except (ConnectionFailed, AuthenticationFailed) as error:
            self._wait_for_server(upload, str(error), self._pause)
            self._pause = min(_LONGEST_PAUSE, self._pause * 2)
        except RateLimited as error:
            self._wait_for_server(upload, "The server is busy.", error.retry_after)
        except OSError as error:
            self._move(upload, "failed", reason=cannot_read(error))
        except WorkbenchError as error:
            self._move(upload, "failed", reason=str(error))

    async def _read(self, upload: Upload) -> tuple[Path | str, str | None]:
        """What to hand to the client, and the SHA-256 of a file."""
        if upload.source.startswith(("http://", "https://")):
            return upload.source, None
        path = Path(upload.source)
        return path, await asyncio.to_thread(_digest, path)

    async def _already_there(self, upload: Upload) -> str | None:
        """The document that an earlier sender created before it died, if there is one."""
        known = {other.doc_id for other in self._queue.uploads(upload.docset_id)}
        async for document in self.client.documents(upload.docset_id):
            same = (document.name, document.size) == (upload.name, upload.size)
            if same and document.doc_id not in known:
                return str(document.doc_id)
        return None

    def _wait_for_server(self, upload: Upload, why: str, seconds: float) -> None:
        self.trouble = why
        self._not_before = self._clock() + seconds
        self._move(upload, "queued", reason=why)

    # -- until the file is a document -----------------------------------------------------------

    def _adopt(self) -> None:
        """Takes up uploads that were with the server when the program ended."""
        for upload in self._queue.partitioning():
            if upload.task_id:
                self._tasks[upload.task_id] = upload.id
                self._ended.put_nowait(upload.task_id)

    def _follow(self, upload: Upload, task_id: str) -> None:
        self._tasks[task_id] = upload.id
        self._move(upload, "partitioning", task_id=task_id, reason=None)
        seen = self._watch.tasks.get(task_id)
        if seen is not None and seen.status in ("done", "cancelled"):
            self._ended.put_nowait(task_id)

    def _task_changed(self, progress: TaskProgress) -> None:
        upload_id = self._tasks.get(progress.task_id)
        if upload_id is None:
            return
        if progress.status in ("done", "cancelled"):
            self._ended.put_nowait(progress.task_id)
        elif (upload := self._queue.get(upload_id)) is not None:
            self._notify(upload)

    async def _collect(self) -> None:
        while True:
            task_id = await self._ended.get()
            upload = self._queue.get(self._tasks.get(task_id, ""))
            if upload is None or upload.state != "partitioning":
                continue
            try:
                await self._finish(upload)
            except WorkbenchError:
                self._ended.put_nowait(task_id)
                await self._sleep(1.0)

    async def _finish(self, upload: Upload) -> None:
        """Fetches the task's result; raises WorkbenchError when the server cannot be asked."""
        assert upload.task_id is not None
        task = self.progress(upload)
        if task is not None and task.status == "cancelled":  # elsewhere; there is no result
            self._tasks.pop(upload.task_id, None)
            self._move(upload, "cancelled", reason=None)
            return
        try:
            result = await self.client.result(upload.task_id)
        except NotFound:
            reason = (
                "The server lost track of this upload. See whether the document is there, or retry."
            )
            self._move(upload, "failed", reason=reason)
            return
        if result.pending:
            return
        self._tasks.pop(upload.task_id, None)
        if result.error is None:
            self._move(upload, "done", doc_id=_doc_id(result.body), reason=None)
        else:
            self._move(upload, "failed", reason=str(result.error))

    # -- telling --------------------------------------------------------------------------------

    def _count(self, upload: Upload, sent: int) -> None:
        self._sent[upload.id] = sent
        self._notify(upload)

    def _move(self, upload: Upload, state: Any, **fields: Any) -> None:
        changed = self._queue.change(upload.id, state, **fields)
        if changed is not None:
            self._notify(changed)

    def _notify(self, upload: Upload) -> None:
        for listener in tuple(self._listeners):
            listener(upload)

    async def _renew(self) -> None:
        while True:
            await self._sleep(LEASE_SECONDS / 3)
            self._queue.renew(self._owner)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _doc_id(body: Any) -> str | None:
    return body.get("doc_id") if isinstance(body, dict) else None
