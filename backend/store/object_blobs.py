"""Original files in an object store (S3, Google Cloud, Azure), for several machines.

The local folder is a cache: uploads are written there first, and files a worker needs are fetched
there. A blob is acknowledged after the object store has confirmed it.
"""

import logging
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from obstore.exceptions import BaseError, NotFoundError
from obstore.store import from_url

from backend.store.blobs import Blob, BlobStore, BlobsUnreachable, is_digest
from backend.store.disk_faults import translate_disk_faults
from backend.store.failpoints import reach
from workbench.contract.errors import NotFound, Unavailable

_PIECE = 2**20
_PROBES = "now-"
_FILLED = 0.9
"""Fraction of its capacity to which the cache shrinks when full."""
_IN_USE = 600.0
"""Seconds; a worker may still be reading a cached file requested this recently."""
_MISSING = (FileNotFoundError, NotFoundError)
_log = logging.getLogger(__name__)


class ObjectBlobs(BlobStore):
    """Blobs as objects `<two digits>/<digest>` below a URL, with a cache of at most `room` bytes.

    `grace` as for files: no object is removed within that many seconds of its last arrival, by the
    object store's clock. Credentials come from the environment, as each provider names them. Every
    call raises BlobsUnreachable when the object store does not respond.
    """

    def __init__(self, store: Any, cache: Path, *, grace: float, room: int) -> None:
        super().__init__(cache, grace)
        self._objects = store
        self._room = room
        self._fetching = threading.Lock()
        self._size = sum(file.stat().st_size for file in self._cached())

    @classmethod
    def at(cls, url: str, cache: Path, *, grace: float, room: int) -> "ObjectBlobs":
        """Blobs below a URL such as `s3://bucket/blobs`."""
        return cls(open_object_store(url), cache, grace=grace, room=room)

    @contextmanager
    def keeping(self, chunks: Iterable[bytes]) -> Iterator[Blob]:
        with super().keeping(chunks) as blob:
            # Even when it exists: its time of arrival protects it from other servers.
            with _translate_errors():
                self._objects.put(_name(blob.digest), self._file(blob.digest))
            reach("blob.uploaded")
            self._added(blob.size)
            yield blob

    def path(self, digest: str) -> Path:
        """The local path of the blob; NotFound when the object store has none."""
        file = self._file(digest)
        if not file.exists():
            with self._fetching:
                if not file.exists():
                    self._fetch(digest)
        os.utime(file)  # eviction removes the least recently used
        return file

    def holds(self, digest: str) -> bool:
        with _translate_errors():
            try:
                self._objects.head(_name(digest))
            except _MISSING:
                return False
        return True

    def digests(self) -> Iterator[str]:
        with _translate_errors():
            for metas in self._objects.list():
                for meta in metas:
                    folder, _, name = meta["path"].rpartition("/")
                    if is_digest(name) and folder.endswith(name[:2]):
                        yield name

    def _remove(self, digest: str) -> None:
        with _translate_errors():
            self._objects.delete(_name(digest))
        super()._remove(digest)

    def _is_recent(self, digest: str) -> bool:
        if not self._grace:
            return False
        # The object store's own clock: those of the servers may differ.
        probe = f"{_PROBES}{uuid4().hex}"
        with _translate_errors():
            try:
                arrived: datetime = self._objects.head(_name(digest))["last_modified"]
            except _MISSING:
                return False
            self._objects.put(probe, b"")
            now: datetime = self._objects.head(probe)["last_modified"]
            self._objects.delete(probe)
        return (now - arrived).total_seconds() < self._grace

    def _fetch(self, digest: str) -> None:
        with _translate_errors():
            try:
                answer = self._objects.get(_name(digest))
            except _MISSING:
                raise NotFound("No such file.") from None
            pieces = (bytes(piece) for piece in answer.stream(min_chunk_size=_PIECE))
            with super().keeping(pieces) as blob:
                self._added(blob.size)
        if blob.digest != digest:
            super()._remove(blob.digest)
            raise Unavailable("The object store returned a different file.")

    def _added(self, size: int) -> None:
        """Evicts least recently used files when the cache is full."""
        self._size += size
        if self._size > self._room:
            with translate_disk_faults(), self._lock:
                self._size = self._shrunk(_FILLED * self._room)

    def _shrunk(self, size: float) -> int:
        """Evicts files until the rest takes up `size` bytes; returns the bytes left."""
        files = [(file, file.stat()) for file in self._cached()]
        total = sum(stat.st_size for _, stat in files)
        for file, stat in sorted(files, key=lambda one: one[1].st_mtime):
            in_use = time.time() - stat.st_mtime < _IN_USE or self._pins[file.name]
            if total > size and not in_use:
                file.unlink(missing_ok=True)
                total -= stat.st_size
        return total

    def _cached(self) -> list[Path]:
        return [self._file(digest) for digest in super().digests()]


def open_object_store(url: str) -> Any:
    """The object store at a URL such as `s3://bucket/blobs`."""
    # Few retries, because who uploads waits for them; a task is tried again later.
    return from_url(url, retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=10)})


def _name(digest: str) -> str:
    return f"{digest[:2]}/{digest}"


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raises errors of the object store as BlobsUnreachable; only their type is logged, no keys."""
    try:
        yield
    except BaseError as error:
        _log.warning("object store error: %s", type(error).__name__)
        raise BlobsUnreachable("The object store does not respond.") from error
