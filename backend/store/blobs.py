"""Original files, content-addressed: named by the SHA-256 of their bytes, so each is kept once.

A blob is acknowledged only after the file, and then the folder that names it, are on disk (fsync,
rename, fsync): a power cut leaves either the whole blob or none. Temporary files of a crash are
swept at the next start.

Several servers may share the folder. What one of them is about to point to is known to it alone,
so nobody removes a file that came within the last hour then.
"""

import hashlib
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

from backend.store.disk_faults import disk_faults_are_told
from backend.store.failpoints import reach
from backend.store.syncing import sync_folder
from workbench.contract.errors import NotFound

_PROBE = "now-"
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Blob:
    """A stored file: its name (64 hex digits) and its size in bytes."""

    digest: str
    size: int


def is_digest(name: str) -> bool:
    """Whether a file of that name is one of ours."""
    return _DIGEST.fullmatch(name) is not None


SHARED_GRACE: Final = 3600.0
"""Seconds; an upload that is still to get its row has long ended or been given up."""


class BlobStore:
    """Blobs below one folder, in 256 subfolders by their first two digits.

    No file is removed within `grace` seconds of its last arrival: SHARED_GRACE where other servers
    use the folder, too.
    """

    def __init__(self, folder: Path, grace: float = 0.0) -> None:
        self._folder = folder
        self._grace = grace
        self._incoming = folder / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)
        # Also for subfolders that a process made which was killed before it came to this.
        for parent in (folder, folder.parent):
            sync_folder(parent)
        self._lock = threading.Lock()
        self._removed = threading.Condition(self._lock)
        self._removing: set[str] = set()
        self._pins: Counter[str] = Counter()
        self._keepers = 0

    @contextmanager
    def keeping(self, chunks: Iterable[bytes]) -> Iterator[Blob]:
        """Stores the bytes and protects them from `discard` while the block writes the row that
        points to them. They would survive a power cut. StorageFull without space,
        Unavailable when the disk fails.
        """
        blob = self._put(chunks)
        try:
            yield blob
        finally:
            self._unpin(blob.digest)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Nothing is removed while the block runs; the next start sweeps what has become unused."""
        with self._lock:
            self._keepers += 1
            self._removed.wait_for(lambda: not self._removing)
        try:
            yield
        finally:
            with self._lock:
                self._keepers -= 1

    def discard(self, digest: str, in_use: Callable[[], bool]) -> None:
        """Removes a blob that no row points to any more, unless an upload of it is under way."""
        with self._lock:
            if self._keepers or self._pins[digest] or digest in self._removing:
                return
            del self._pins[digest]
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

    def _remove(self, digest: str) -> None:
        with suppress(IsADirectoryError):  # a folder that somebody put there: not ours
            self._file(digest).unlink(missing_ok=True)

    def is_arriving(self, digest: str) -> bool:
        """Whether a row that points to this file may be about to be written."""
        with self._lock:
            pinned = self._pins[digest] > 0
        return pinned or self._is_recent(digest)

    def _is_recent(self, digest: str) -> bool:
        """Whether another server may have stored it just now."""
        return self._is_young(self._file(digest))

    def _is_young(self, file: Path) -> bool:
        """Whether another server may have written to it just now."""
        if not self._grace:
            return False
        # The folder's own clock: that of this machine may be another, and may have been put right.
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=_PROBE) as probe:
            now = os.stat(probe.name).st_mtime
        try:
            return now - file.stat().st_mtime < self._grace
        except FileNotFoundError:
            return False

    def _put(self, chunks: Iterable[bytes]) -> Blob:
        with disk_faults_are_told():
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
        """Gives a file that is on disk its name, and pins it."""
        target = self._file(digest)
        with self._lock:
            self._removed.wait_for(lambda: digest not in self._removing)
            # Under the lock, so that nobody relies on a subfolder that is not on disk yet.
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

    def path(self, digest: str) -> Path:
        """Where that blob can be read on this machine; one that is missing has a path, too."""
        return self._file(digest)

    def holds(self, digest: str) -> bool:
        """Whether the blob is stored."""
        return self._file(digest).exists()

    def _file(self, digest: str) -> Path:
        if not is_digest(digest):
            raise NotFound("No such file.")
        return self._folder / digest[:2] / digest

    def digests(self) -> Iterator[str]:
        """The names of all blobs; what somebody else put between them is left alone."""
        for folder in self._folder.iterdir():
            if len(folder.name) == 2 and folder.is_dir() and not folder.is_symlink():
                with os.scandir(folder) as files:
                    for file in files:
                        if is_digest(file.name) and file.is_file(follow_symlinks=False):
                            yield file.name

    def sweep_incoming(self) -> int:
        """Removes what uploads that never ended left behind; returns how many files."""
        drafts = (file for file in self._incoming.iterdir() if file.is_symlink() or file.is_file())
        leftovers = [file for file in drafts if not self._is_young(file)]
        for file in leftovers:
            file.unlink(missing_ok=True)
        return len(leftovers)
