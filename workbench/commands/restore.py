"""`workbench restore`: fills an empty data folder, or an empty cluster, from a backup.

Every byte is checked before anything is changed.
"""

import argparse
import hashlib
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

from workbench.commands.common import CommandFailed, print_json

if TYPE_CHECKING:
    from workbench.contract.backup import Manifest

_CHUNK = 1 << 20
_LARGEST_MANIFEST = 1 << 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="backup to read")
    parser.add_argument("--into", help="data folder to fill (default: the configured one)")
    parser.add_argument(
        "--cluster",
        action="store_true",
        help="fill the PostgreSQL and the store of files that the settings name; while no server"
        " runs on them",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """The folder is filled at the end, by renaming: a broken backup leaves it unchanged."""
    from workbench.contract.backup import DATABASE
    from workbench.contract.location import data_dir, unusable

    if arguments.cluster:
        return _into_cluster(Path(arguments.file))
    folder = Path(arguments.into) if arguments.into else data_dir()
    if (folder / DATABASE).exists() or (folder / "blobs").exists():
        raise CommandFailed(f"{folder} already contains data: name an empty folder with --into.")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CommandFailed(unusable(folder, error)) from error
    with tempfile.TemporaryDirectory(dir=folder, prefix=".restore-") as scratch:
        manifest = _unpacked(Path(arguments.file), Path(scratch))
        # The database last: without it the folder counts as empty.
        for name in ("blobs", DATABASE):
            (Path(scratch) / name).rename(folder / name)
        _sync(folder)
    if arguments.json:
        print_json({"folder": str(folder), **manifest.model_dump()})
    else:
        print(f"{manifest.blobs:,} files and the database are in {folder}.")
        print("Indexes are rebuilt at the first search.")
        if manifest.missing:
            print(f"{manifest.missing:,} original files were missing when the backup was made.")
    return 0


def _into_cluster(file: Path) -> int:
    from workbench.contract.location import data_dir
    from workbench.contract.processes import importable, python_module

    folder = data_dir()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".restore-") as scratch:
        _unpacked(file, Path(scratch))
        command = python_module("backend.main", "load", scratch)
        return subprocess.run(command, env=importable(os.environ), check=False).returncode


def _unpacked(file: Path, scratch: Path) -> "Manifest":
    if file.is_dir():
        raise CommandFailed(f"{file} is a folder: name the file that workbench backup wrote.")
    try:
        return _unpack(file, scratch)
    except (tarfile.TarError, EOFError) as error:
        raise CommandFailed(f"{file} is not a complete backup: {error}.") from error


def _unpack(archive: Path, scratch: Path) -> "Manifest":
    """Writes database and files below `scratch`; CommandFailed for anything that does not
    belong.
    """
    from workbench.contract.backup import BLOB_NAME, DATABASE

    (scratch / "blobs").mkdir(mode=0o700)
    digest, blobs = "", 0
    with tarfile.open(archive, "r|") as tar:
        manifest = _manifest(tar)
        while (member := tar.next()) is not None:
            # A sparse file occupies less than its size says, and could fill the disk.
            content = tar.extractfile(member) if _is_plain(member) else None
            blob = BLOB_NAME.fullmatch(member.name)
            if content is None or (member.name != DATABASE and blob is None):
                raise CommandFailed(f"{member.name!r} does not belong in a backup.")
            if (scratch / member.name).exists():
                raise CommandFailed(f"{member.name} is in the backup twice.")
            actual = _write(content, scratch / member.name)
            if blob is None:
                digest = actual
            elif actual != blob[2]:
                raise CommandFailed(f"{member.name} is damaged: its content has changed.")
            blobs += blob is not None
    if digest != manifest.database_sha256 or blobs != manifest.blobs:
        raise CommandFailed("The backup is incomplete: its manifest does not match its content.")
    return manifest


def _manifest(tar: tarfile.TarFile) -> "Manifest":
    from pydantic import ValidationError

    from workbench.contract.backup import MANIFEST, Manifest

    first = tar.next()
    content = tar.extractfile(first) if first is not None and _is_plain(first) else None
    if first is None or content is None or first.name != MANIFEST:
        raise CommandFailed(
            "This is not a backup of the workbench: it does not begin with a manifest."
        )
    try:
        return Manifest.model_validate_json(content.read(_LARGEST_MANIFEST))
    except ValidationError as error:
        raise CommandFailed("This backup was written by an unknown version.") from error


def _is_plain(member: tarfile.TarInfo) -> bool:
    return member.isreg() and not member.issparse()


def _write(content: IO[bytes], target: Path) -> str:
    """Writes to disk and returns the SHA-256."""
    target.parent.mkdir(exist_ok=True, mode=0o700)
    digest = hashlib.sha256()
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    for place in (folder, folder / "blobs", *(folder / "blobs").iterdir()):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
