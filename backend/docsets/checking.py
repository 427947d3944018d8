"""Checks and repairs everything stored, independently of the code that maintains it.

The database checks its own integrity; files are compared with the rows that reference them, indexes
with the elements. Unused files and wrong indexes are repaired. A damaged database or a lost file
needs a backup.
"""

import errno
import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Text, cast, func, select, update

from backend.docsets.docsets import blob_in_use, blobs_in_use, drop_blobs
from backend.search.docset import docset_ids
from backend.search.engine import SearchEngine
from backend.store.blobs import BlobStore, is_digest
from backend.store.database import Database
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents
from workbench.contract.depth import check_depth
from workbench.contract.errors import ServiceError, Unavailable
from workbench.contract.storage import StorageCheck, StorageFault, StorageReport

_MOST_FAULTS = 1_000
_FROM_BACKUP = "Restore the newest backup: `workbench restore`."


def _is_readable(text: str | None) -> bool:
    try:
        value = json.loads(text or "")
        check_depth({"properties": value})
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


@dataclass(frozen=True)
class Storage:
    """All storage of a server."""

    database: Database
    blobs: BlobStore
    search: SearchEngine
    quarantine: Path
    """Folder for unreadable data."""

    def check(self, wanted: StorageCheck) -> StorageReport:
        """Reports up to 1,000 faults. The server keeps working meanwhile, so a file that comes or
        goes during the check is checked again before it counts as missing or unused.
        """
        faults: list[StorageFault] = []
        document_count = docset_count = 0
        try:
            for fault in self._faults(wanted):
                faults.append(fault)
                if len(faults) == _MOST_FAULTS:
                    break
            with self.database.reading() as connection:
                document_count = connection.scalar(select(func.count()).select_from(documents)) or 0
                docset_count = connection.scalar(select(func.count()).select_from(docsets)) or 0
        except Unavailable as error:  # too damaged to go on
            faults.append(
                StorageFault(
                    part="database", subject="file", found=error.detail, advice=_FROM_BACKUP
                )
            )
        except OSError as error:
            problem = f"the folder of files is unreadable ({error.strerror})"
            faults.append(
                StorageFault(part="files", subject="folder", found=problem, advice=_FROM_BACKUP)
            )
        files = 0
        with suppress(OSError):
            files = sum(1 for _ in self.blobs.digests())
        return StorageReport(
            documents=document_count, files=files, docsets=docset_count, faults=faults
        )

    def _faults(self, wanted: StorageCheck) -> Iterator[StorageFault]:
        yield from self._database_faults()
        yield from self._unreadable_rows(repair=wanted.repair)
        yield from self._lost_files(read=wanted.read_files)
        yield from self._unused_files(repair=wanted.repair)
        yield from self._index_faults(repair=wanted.repair)

    def _database_faults(self) -> Iterator[StorageFault]:
        """Faults that SQLite reports; PostgreSQL has its own tools (pg_amcheck)."""
        if not self.database.is_sqlite:
            return
        with self.database.reading() as connection:
            for (line,) in connection.exec_driver_sql("PRAGMA integrity_check(100)").all():
                if line != "ok":
                    yield StorageFault(
                        part="database", subject="file", found=line, advice=_FROM_BACKUP
                    )
            for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                fault = f"row {row} references a missing row in {parent}"
                yield StorageFault(part="database", subject=table, found=fault, advice=_FROM_BACKUP)

    def _unreadable_rows(self, *, repair: bool) -> Iterator[StorageFault]:
        """Documents whose properties are not valid JSON, which would break every list."""
        raw = cast(documents.c.properties, Text)
        with self.database.reading() as connection:
            rows = connection.execute(select(documents.c.doc_id, documents.c.name, raw))
            wrong = [(row[0], row[1], row[2]) for row in rows if not _is_readable(row[2])]
        for doc_id, name, text in wrong:
            if repair:
                self._quarantine(doc_id, name, text)
            moved = f"They are in {self.quarantine}; the elements of the document are kept."
            yield StorageFault(
                part="database",
                subject=doc_id,
                found="its properties are unreadable",
                repaired=repair,
                advice=moved if repair else "`workbench doctor --data --repair` moves them away.",
            )

    def _quarantine(self, doc_id: str, name: str, text: str) -> None:
        self.quarantine.mkdir(exist_ok=True, mode=0o700)
        file = self.quarantine / f"{doc_id.replace(':', '-')}.json"
        file.write_text(text or "", "utf-8")
        with self.database.writing() as connection:
            chosen = documents.c.doc_id == doc_id
            docset_id = connection.scalar(select(documents.c.docset_id).where(chosen))
            if docset_id is None:
                return
            plain = {"entity": {}, "path": name}
            connection.execute(update(documents).where(chosen).values(properties=plain))
            log_properties(connection, docset_id, [doc_id])

    def _lost_files(self, *, read: bool) -> Iterator[StorageFault]:
        with self.database.reading() as connection:
            referenced = sorted(blobs_in_use(connection))
        for digest in referenced:
            try:
                if not is_digest(digest):
                    raise OSError(errno.EINVAL, "its name is that of no file")
                path = self.blobs.path(digest)
                if path.exists() and not path.is_file():  # opening a pipe may never return
                    raise OSError(errno.EINVAL, "it is not a regular file")
                if not read:
                    path.stat()
                    continue
                with path.open("rb") as file:
                    actual = hashlib.file_digest(file, "sha256").hexdigest()
                fault = None if actual == digest else "its content has changed"
            except OSError as error:
                fault = f"it is unreadable ({error.strerror})"
            if fault and blob_in_use(self.database, digest):
                advice = "Its elements are kept. Add the file again, or restore a backup."
                yield StorageFault(part="files", subject=digest, found=fault, advice=advice)

    def _unused_files(self, *, repair: bool) -> Iterator[StorageFault]:
        present = set(self.blobs.digests())
        with self.database.reading() as connection:
            present -= blobs_in_use(connection)
        for digest in sorted(present):
            if repair:
                drop_blobs(self.database, self.blobs, (digest,))
            gone = not self.blobs.holds(digest)
            wanted = self.blobs.is_arriving(digest) or blob_in_use(self.database, digest)
            if wanted or gone > repair:
                continue  # it has just arrived or been removed
            yield StorageFault(
                part="files",
                subject=digest,
                found="no document and no open task uses it",
                repaired=gone,
                advice="" if gone else "It only takes up space; the next start removes it.",
            )

    def _index_faults(self, *, repair: bool) -> Iterator[StorageFault]:
        with self.database.reading() as connection:
            ids = docset_ids(connection)
        for docset_id in ids:
            try:
                wrong = self.search.differences(docset_id)
            except ServiceError as error:
                fault = f"it could not be checked: {error.detail}"
                yield StorageFault(part="index", subject=docset_id, found=fault)
                continue
            left = {one.name for one in wrong}
            if wrong and repair:
                self.search.rebuild(docset_id)
                # The record that an index is built from may be damaged as well.
                left = {one.name for one in self.search.differences(docset_id)}
            for one in wrong:
                otherwise = _FROM_BACKUP if repair else "Rebuild it: `workbench rebuild`."
                yield StorageFault(
                    part="index",
                    subject=docset_id,
                    found=f"{one.name}: {one.missing} elements missing, {one.surplus} too many",
                    repaired=one.name not in left,
                    advice=otherwise if one.name in left else "",
                )
