"""Backs up database and files at one moment while the server keeps running."""

import hashlib
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sqlalchemy import delete, select, union

from backend.store.blobs import BlobStore
from backend.store.database import Database
from backend.store.disk_faults import translate_disk_faults
from backend.store.migrating import LATEST
from backend.store.moving import as_sqlite
from backend.store.tables import IS_OPEN, contents, documents, query_runs, tasks
from workbench.contract.backup import DATABASE, MANIFEST, Manifest, blob_name
from workbench.contract.version import __version__

_CHUNK = 1 << 20
_FOLDERS = "backup-"


def backup(database: Database, blobs: BlobStore, scratch: Path) -> Iterator[bytes]:
    """The bytes of a tar file in the format of `workbench.contract.backup`.

    The copy of the database stays in `scratch` until the last byte is read. Files deleted meanwhile
    also stay until then, so every row of the copy has its file. Unavailable when the database is
    damaged, StorageFull without space for the copy, which needs twice as much on PostgreSQL.
    """
    archive = _archive(database, blobs, scratch)
    first = next(archive)  # errors of the copy surface before any response is sent
    return chain((first,), archive)


def sweep_copies(scratch: Path) -> None:
    """Removes the files of interrupted backups."""
    for folder in scratch.glob(f"{_FOLDERS}*/"):
        shutil.rmtree(folder, ignore_errors=True)


def _archive(database: Database, blobs: BlobStore, scratch: Path) -> Iterator[bytes]:
    with tempfile.TemporaryDirectory(dir=scratch, prefix=_FOLDERS) as folder, blobs.retained():
        copy = Path(folder) / DATABASE
        with translate_disk_faults():
            if database.is_sqlite:
                database.copy_to(copy)
            else:
                with as_sqlite(database, Path(folder)) as rows:
                    rows.copy_to(copy)
        referenced = _digests(copy)
        digests = [digest for digest in referenced if blobs.holds(digest)]
        with copy.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        manifest = Manifest(
            version=__version__,
            layout=LATEST,
            created=time.time(),
            database_sha256=sha256,
            database_bytes=copy.stat().st_size,
            blobs=len(digests),
            missing=len(referenced) - len(digests),
        )
        text = manifest.model_dump_json(indent=2).encode()
        yield _head(MANIFEST, len(text)) + text + _padding(len(text))
        yield from _member(DATABASE, copy)
        for digest in digests:
            yield from _member(blob_name(digest), blobs.path(digest))
        yield bytes(2 * tarfile.BLOCKSIZE)


def _digests(copy: Path) -> list[str]:
    """The files that the copy references, after dropping query runs and their outputs from it."""
    copied = Database(f"sqlite:///{copy}")
    try:
        with copied.writing() as connection:
            connection.execute(delete(query_runs))
            referenced = union(
                select(documents.c.blob),
                select(contents.c.blob),
                select(tasks.c.blob).where(tasks.c.blob.is_not(None), IS_OPEN),
            )
            return sorted(connection.scalars(referenced))
    finally:
        copied.close()


def _member(name: str, path: Path) -> Iterator[bytes]:
    size = path.stat().st_size
    yield _head(name, size)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
    yield _padding(size)


def _head(name: str, size: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, int(time.time())
    return member.tobuf(tarfile.PAX_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % tarfile.BLOCKSIZE)
