"""Files by name that every server of a cluster may read: outputs of runs, tables, indexes.

All of them can be made again, so nothing waits for them and losing one costs only time. On one
machine there are no other servers, and nothing is kept here.
"""

import logging
import os
import secrets
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from backend.settings import Settings

_log = logging.getLogger(__name__)
_PIECE = 2**20
"""Bytes that are read at a time; larger pieces take twice the processor time."""


class SharedFiles:
    """The port, and its form for one machine: it keeps and finds nothing.

    Names are relative paths with `/`. No call raises an error of the storage; it is logged. A
    `constant` file is never written again, so that storage and server may have it in common.
    """

    enabled = False
    """Whether there may be other servers."""

    def publish(self, name: str, file: Path, *, constant: bool = False) -> bool:
        """Stores a copy of the file atomically; returns whether it succeeded."""
        return False

    def fetch(self, name: str, target: Path, *, constant: bool = False) -> bool:
        """Copies the file to `target` atomically; returns whether it exists."""
        return False

    def names(self, under: str) -> list[str]:
        """The names of all files below a folder such as `runs`."""
        return []

    def remove(self, names: Iterable[str]) -> None:
        """Removes these files; missing ones do not matter."""


class SharedFolder(SharedFiles):
    """In a folder that all servers mount."""

    enabled = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def publish(self, name: str, file: Path, *, constant: bool = False) -> bool:
        return _copied(file, self._folder / name, constant=constant)

    def fetch(self, name: str, target: Path, *, constant: bool = False) -> bool:
        source = self._folder / name
        return source.exists() and _copied(source, target, constant=constant)

    def names(self, under: str) -> list[str]:
        with suppress(OSError):
            files = (path for path in (self._folder / under).rglob("[!.]*") if path.is_file())
            return [path.relative_to(self._folder).as_posix() for path in files]
        return []

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            file = self._folder / name
            with suppress(OSError):  # missing, or the folder has other files
                file.unlink(missing_ok=True)
                file.parent.rmdir()


class SharedObjects(SharedFiles):
    """As objects below `shared/` beside the originals in an object store."""

    enabled = True

    def __init__(self, store: Any) -> None:
        self._store = store

    def publish(self, name: str, file: Path, *, constant: bool = False) -> bool:
        with _logged(f"publishing {name}") as done:
            self._store.put(_key(name), file)
            done.append(True)
        return bool(done)

    def fetch(self, name: str, target: Path, *, constant: bool = False) -> bool:
        with _logged(f"fetching {name}", FileNotFoundError) as done:
            pieces = self._store.get(_key(name)).stream(min_chunk_size=_PIECE)
            done.append(_written(pieces, target))
        return bool(done and done[0])

    def names(self, under: str) -> list[str]:
        names: list[str] = []
        with _logged(f"listing {under}"):
            for metas in self._store.list(prefix=_key(under)):
                names += [meta["path"].removeprefix("shared/") for meta in metas]
        return names

    def remove(self, names: Iterable[str]) -> None:
        if keys := [_key(name) for name in names]:
            with _logged("removing shared files", FileNotFoundError):
                self._store.delete(keys)


class _logged:
    """Logs errors of the object store instead of raising them; those in `expected` silently."""

    def __init__(self, what: str, *expected: type[BaseException]) -> None:
        self._what = what
        self._expected = expected
        self._done: list[bool] = []

    def __enter__(self) -> list[bool]:
        return self._done

    def __exit__(self, kind: type[BaseException] | None, error: Any, _trace: object) -> bool:
        from obstore.exceptions import BaseError

        if not isinstance(error, (BaseError, OSError)):
            return False
        if not isinstance(error, self._expected):
            _log.warning("%s failed: %s", self._what, type(error).__name__)
        return True


def open_shared_files(settings: Settings, *, alone: bool) -> SharedFiles:
    """Beside the originals; none where this server is `alone` on its database."""
    if alone:
        return SharedFiles()
    if settings.object_store is None:
        return SharedFolder(settings.blob_dir / "shared")
    from backend.store.object_blobs import open_object_store

    return SharedObjects(open_object_store(settings.object_store))


def _key(name: str) -> str:
    return f"shared/{name}"


def _copied(source: Path, target: Path, *, constant: bool) -> bool:
    """Copies a file, or links a constant one where both lie on one file system."""
    try:
        if constant and _linked(source, target):
            return True
        with source.open("rb") as file:
            return _written(iter(lambda: file.read(_PIECE), b""), target)
    except FileNotFoundError:  # removed meanwhile
        return False
    except OSError as error:
        _log.warning("%s was not copied: %s", target.name, error.strerror)
        return False


def _linked(source: Path, target: Path) -> bool:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.parent / f".draft-{secrets.token_hex(8)}"
    try:
        os.link(source, draft)
    except FileNotFoundError:
        raise
    except OSError:  # another file system, or one without links
        return False
    os.replace(draft, target)
    draft.unlink(missing_ok=True)  # renaming does nothing where the target is the same file
    return True


def _written(pieces: Iterable[bytes], target: Path) -> bool:
    """Writes a draft beside the target and renames it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.replace(draft, target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return True
