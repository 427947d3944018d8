"""Original files, content-addressed: named by the SHA-256 of their bytes, so each is stored once.

A blob is acknowledged only when the file, and then the folder entry, are on disk (fsync, rename,
fsync): a power cut leaves the whole blob or nothing. The next start removes temporary files of a
crash.

Several servers may share the folder. A server knows only its own pending references, so no server
removes files that arrived within the last hour.
"""

import hashlib
import logging
import os
import re
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from backend.store.disk_faults import log_failure, translate_disk_faults
from backend.store.failpoints import reach
from backend.store.syncing import sync_folder
from workbench.contract.errors import NotFound, Unavailable

_log = logging.getLogger(__name__)
_PROBE = "now-"
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Blob:
    """A stored file: its name (64 hex digits) and its size in bytes."""

    digest: str
    size: int


def is_digest(name: str) -> bool:
    """Whether a file name is that of a blob."""
    return _DIGEST.fullmatch(name) is not None


SHARED_GRACE: Final = 3600.0
"""Seconds; by then an upload has its row or has been abandoned."""


class BlobsUnreachable(Unavailable):
    """The store of the files does not respond; retry whatever needs a file."""


class BlobStore:
    """Blobs below one folder, in 256 subfolders by their first two digits.

    No file is removed within `grace` seconds of its last arrival: SHARED_GRACE when other servers
    use the folder too.
    """

    def __init__(self, folder: Path, grace: float = 0.0) -> None:
        self._folder = folder
        self._grace = grace
        self._incoming = folder / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)
        # Also covers subfolders of a process that was killed before it synced them.
        for parent in (folder, folder.parent):
            sync_folder(parent)
        self._lock = threading.Lock()
        self._removed = threading.Condition(self._lock)
        self._removing: set[str] = set()
        self._postponed: dict[str, Callable[[], bool]] = {}
        self._pins: Counter[str] = Counter()
        self._retainers = 0

    @contextmanager
    def keeping(self, chunks: Iterable[bytes]) -> Iterator[Blob]:
        """Stores the bytes and protects them from `discard` while the block writes the row that
        references them.

        They survive a power cut. StorageFull without space, Unavailable when the disk fails.
        """
        blob = self._put(chunks)
        try:
            yield blob
        finally:
            self._unpin(blob.digest)

    @contextmanager
    def retained(self) -> Iterator[None]:
        """Removes nothing while the block runs, but what has become unused afterwards."""
        with self._lock:
            self._retainers += 1
            self._removed.wait_for(lambda: not self._removing)
        try:
            yield
        finally:
            with self._lock:
                self._retainers -= 1
            self._remove_postponed()

    def discard(self, digest: str, in_use: Callable[[], bool]) -> None:
        """Removes a blob that no row references any more.

        While it is being uploaded, removed or backed up, that is postponed until then.
        """
        with self._lock:
            if not self._may_remove(digest):
                self._postponed[digest] = in_use
                return
            # An upload of the same bytes waits; others do not, however slow disk or network are.
            self._removing.add(digest)
        try:
            if not self._is_recent(digest) and not in_use():
                reach("blob.removing")
                self._remove(digest)
        finally:
            with self._lock:
                self._removing.discard(digest)
                self._removed.notify_all()
            self._remove_postponed()

    def _may_remove(self, digest: str) -> bool:
        return not (self._retainers or self._pins[digest] or digest in self._removing)

    def _remove_postponed(self) -> None:
        with self._lock:
            due = [digest for digest in self._postponed if self._may_remove(digest)]
            removals = [(digest, self._postponed.pop(digest)) for digest in due]
        for digest, in_use in removals:
            try:
                self.discard(digest, in_use)
            except Exception as error:  # whoever ended the wait has nothing to do with the file
                log_failure(_log, error, "an unused file stays until the next start")

    def _remove(self, digest: str) -> None:
        with suppress(IsADirectoryError):  # a foreign folder of that name
            self._file(digest).unlink(missing_ok=True)

    def is_arriving(self, digest: str) -> bool:
        """Whether a row that references this file may be about to be written."""
        with self._lock:
            pinned = self._pins[digest] > 0
        return pinned or self._is_recent(digest)

    def _is_recent(self, digest: str) -> bool:
        """Whether another server may have stored it just now."""
        return self._is_young(self._file(digest))

    def _is_young(self, file: Path) -> bool:
        """Whether another server may have written it just now."""
        if not self._grace:
            return False
        # The file system's own clock: this machine's may differ or have been adjusted.
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=_PROBE) as probe:
            now = os.stat(probe.name).st_mtime
        try:
            return now - file.stat().st_mtime < self._grace
        except FileNotFoundError:
            return False

    def _put(self, chunks: Iterable[bytes]) -> Blob:
        with translate_disk_faults():
            handle, name = tempfile.mkstemp(dir=self._incoming)
            try:
                with os.fdopen(handle, "wb") as file:
                    digest, size = hashlib.sha256(), 0
                    for chunk in chunks:
                        digest.update(chunk)
                        size += file.write(chunk)
                    file.flush()
                    reach("blob.written")
                    os.fsync(file.fileno())
                reach("blob.synced")
                blob = Blob(digest.hexdigest(), size)
                self._name(Path(name), blob.digest)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        return blob

    def _name(self, draft: Path, digest: str) -> None:
        """Renames a synced file to its digest and pins it."""
        target = self._file(digest)
        with self._lock:
            self._removed.wait_for(lambda: digest not in self._removing)
            # Under the lock, so that no other thread relies on a subfolder before it is on disk.
            if not target.parent.exists():
                target.parent.mkdir()
                sync_folder(self._folder)
            os.replace(draft, target)
            self._pins[digest] += 1
        try:
            reach("blob.renamed")
            sync_folder(target.parent)
            reach("blob.stored")
        except BaseException:
            self._unpin(digest)
            raise

    def _unpin(self, digest: str) -> None:
        with self._lock:
            self._pins[digest] -= 1
            if not self._pins[digest]:
                del self._pins[digest]
        self._remove_postponed()

    def path(self, digest: str) -> Path:
        """The local path of a blob, whether it exists or not."""
        return self._file(digest)

    def holds(self, digest: str) -> bool:
        """Whether the blob is stored; a pipe, a folder or another name does not count."""
        return is_digest(digest) and self._file(digest).is_file()

    def _file(self, digest: str) -> Path:
        if not is_digest(digest):
            raise NotFound("No such file.")
        return self._folder / digest[:2] / digest

    def digests(self) -> Iterator[str]:
        """The names of all blobs; foreign files among them are ignored."""
        for folder in self._folder.iterdir():
            if len(folder.name) == 2 and folder.is_dir() and not folder.is_symlink():
                with os.scandir(folder) as files:
                    for file in files:
                        if is_digest(file.name) and file.is_file(follow_symlinks=False):
                            yield file.name

    def sweep_incoming(self) -> int:
        """Removes the files of interrupted uploads; returns how many."""
        drafts = (file for file in self._incoming.iterdir() if file.is_symlink() or file.is_file())
        leftovers = [file for file in drafts if not self._is_young(file)]
        for file in leftovers:
            file.unlink(missing_ok=True)
        return len(leftovers)
