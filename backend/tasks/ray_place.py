"""A place of the cluster: runs one job at a time in a worker process of its node.

It lives in a Ray actor, whose process never parses a document. The answer to a job is a stream of
bytes: the messages that a worker process writes to its pipe, first progress and questions, then the
end of the job. Files come from the store in the settings of the node.
"""

import queue
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from backend.settings import Settings
from backend.store.blob_stores import open_blobs
from backend.store.blobs import SHARED_GRACE
from backend.tasks.messages import Message, encoded
from backend.tasks.outcomes import message_of
from backend.tasks.pool import Limits, WorkerPool, WorkerStopped
from backend.tasks.pool_port import Running
from workbench.contract.errors import Unavailable
from workbench.contract.version import __version__

_PIECE = 4 * 2**20
_STOPPED = object()
UNDER_WAY = ("progress", "question")
"""Kinds of messages that do not end a job."""


class Place:
    """The body of the actor; several threads call it at once."""

    def __init__(self, limits: Limits, module: str | None) -> None:
        """Jobs have these limits; the worker imports `module` while it is idle."""
        self._blobs = open_blobs(Settings(), SHARED_GRACE)
        self._pool = WorkerPool(1, limits, self._file)
        self._answers: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running: dict[int, Running] = {}
        self._stopped: set[int] = set()
        if module is not None:
            self._pool.warm(module)

    def about(self) -> tuple[str, str]:
        """The name of its machine and the version of its code."""
        return socket.gethostname(), __version__

    def run(self, job: int, entry: str, data: Any, blobs: Sequence[bytes]) -> Iterator[bytes]:
        """Runs the job with this number; yields its messages as bytes."""
        messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        work = job, entry, data, blobs, messages
        threading.Thread(target=self._work, args=work, daemon=True).start()
        while True:
            message = messages.get()
            yield from _pieces(message)
            if message.kind not in UNDER_WAY:
                return

    def answer(self, job: int, reply: Any) -> None:
        """The answer to the question of the job."""
        self._answers.put((job, reply))

    def stop(self, job: int) -> None:
        """Kills the worker process of the job, or prevents its start."""
        with self._lock:
            self._stopped.add(job)
            running = self._running.get(job)
        if running is not None:
            running.kill()
        self._answers.put((job, _STOPPED))  # it may be waiting for an answer

    def _work(
        self,
        job: int,
        entry: str,
        data: Any,
        blobs: Sequence[bytes],
        messages: "queue.SimpleQueue[Message]",
    ) -> None:
        def started(running: Running) -> None:
            with self._lock:
                if job in self._stopped:
                    raise WorkerStopped
                self._running[job] = running

        def progress(*counts: Any) -> None:
            messages.put(Message("progress", counts))

        def ask(kind: str, asked: Any, enclosed: Sequence[bytes]) -> Any:
            messages.put(Message("question", {"kind": kind, "data": asked}, enclosed))
            while True:
                answered, reply = self._answers.get()
                if answered == job and reply is _STOPPED:
                    raise WorkerStopped
                if answered == job:
                    return reply

        try:
            end = self._pool.run(
                entry, data, blobs=blobs, progress=progress, started=started, answer=ask
            )
        except Exception as error:
            end = message_of(error)
        with self._lock:
            self._running.pop(job, None)
            self._stopped.discard(job)
        messages.put(end)

    def _file(self, digest: str) -> Path:
        path = self._blobs.path(digest)
        if not path.exists():
            raise Unavailable(
                f"The node {socket.gethostname()} has no such file. All nodes need the same"
                " WORKBENCH_BLOB_URL."
            )
        return path


def _pieces(message: Message) -> Iterator[bytes]:
    """The bytes of a message: one piece for a small one, several for a large one."""
    kept = bytearray()
    for blob in encoded(message):
        for start in range(0, len(blob), _PIECE):
            kept += blob[start : start + _PIECE]
            if len(kept) >= _PIECE:
                yield bytes(kept)
                kept.clear()
    if kept:
        yield bytes(kept)
