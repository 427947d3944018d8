"""`workbench restore`: fills an empty data folder or cluster from a checked backup."""

import argparse
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from workbench.commands.common import STANDARD, CommandFailed, WrongUsage, print_json

if TYPE_CHECKING:
    from workbench.contract.backup import Manifest

_CHUNK = 1 << 20
_LARGEST_MANIFEST = 1 << 16
_LEFT_OUT = (
    "{:,} access tokens of that server were left out: make new ones with `workbench tokens make`,"
    " or restore with --tokens if the backup is your own."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="backup to read; - for standard input")
    parser.add_argument("--into", help="data folder to fill (default: the configured one)")
    parser.add_argument(
        "--cluster",
        action="store_true",
        help="fill the PostgreSQL and the store of files that the settings name; while no server"
        " runs on them",
    )
    parser.add_argument(
        "--tokens",
        action="store_true",
        help="also the access tokens in the backup, which then open this server; only for a backup"
        " of your own",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """The folder is filled at the end, by renaming: a broken backup leaves it unchanged."""
    from workbench.contract.backup import DATABASE
    from workbench.contract.location import data_dir

    if arguments.cluster:
        return _into_cluster(arguments.file, with_tokens=arguments.tokens)
    folder = Path(arguments.into) if arguments.into else data_dir()
    _check_empty(folder)
    with _scratch(folder) as scratch:
        _check_empty(folder)
        manifest = _unpacked(arguments.file, scratch)
        left_out = 0 if arguments.tokens else _without_tokens(scratch / DATABASE)
        # The database last: without it the folder counts as empty.
        for name in ("blobs", DATABASE):
            (scratch / name).rename(folder / name)
        _sync(folder)
    if arguments.json:
        counts = {"tokens_left_out": left_out}
        print_json({"folder": str(folder), **manifest.model_dump(), **counts})
    else:
        print(f"{manifest.blobs:,} files and the database are in {folder}.")
        print("Indexes are rebuilt at the first search.")
        if left_out:
            print(_LEFT_OUT.format(left_out))
        if manifest.missing:
            print(f"{manifest.missing:,} original files were missing when the backup was made.")
    return 0


def _check_empty(folder: Path) -> None:
    from workbench.contract.backup import DATABASE

    if (folder / DATABASE).exists() or (folder / "blobs").exists():
        raise CommandFailed(f"{folder} already contains data: name an empty folder with --into.")


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """An empty folder inside a data folder that no backend and no other restore uses meanwhile."""
    from workbench.contract.location import locked, restore_folder, unusable

    scratch = restore_folder(folder)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder))
        except BlockingIOError as error:
            raise CommandFailed(
                f"{folder} is in use by a backend or another restore: wait for its end, or name an"
                " empty folder with --into."
            ) from error
        except OSError as error:
            raise CommandFailed(unusable(folder, error)) from error
        scratch.mkdir(mode=0o700)
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _into_cluster(file: str, *, with_tokens: bool) -> int:
    from workbench.contract.backup import DATABASE
    from workbench.contract.location import data_dir
    from workbench.contract.processes import importable, python_module

    with _scratch(data_dir()) as scratch:
        _unpacked(file, scratch)
        if not with_tokens and (left_out := _without_tokens(scratch / DATABASE)):
            print(_LEFT_OUT.format(left_out))
        command = python_module("backend.main", "load", str(scratch))
        return subprocess.run(command, env=importable(os.environ), check=False).returncode


def _without_tokens(database: Path) -> int:
    """Removes the access tokens and the keys of the server that made the backup, so that nobody
    there has access here; returns the number of tokens. CommandFailed for a database that is not
    ours.
    """
    connection = sqlite3.connect(database)
    try:
        with connection:
            # A trigger would act on what we write.
            kinds = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1"
            if (odd := connection.execute(kinds).fetchone()) is not None:
                raise CommandFailed(f"{odd[0]!r} does not belong in the database of a backup.")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("DELETE FROM secrets")
            connection.execute("DELETE FROM tokens WHERE name = 'local'")  # of that machine
            removed = connection.execute("DELETE FROM tokens").rowcount
    except sqlite3.DatabaseError as error:
        raise CommandFailed(f"The database of the backup cannot be read: {error}.") from error
    finally:
        connection.close()
    return removed


def _unpacked(file: str, scratch: Path) -> "Manifest":
    if Path(file).is_dir():
        raise CommandFailed(f"{file} is a folder: name the file that workbench backup wrote.")
    if file == STANDARD and sys.stdin.isatty():
        raise WrongUsage("Nothing comes from standard input but what you type: add < FILE.")
    name = "standard input" if file == STANDARD else file
    try:
        if file == STANDARD:
            return _unpack(sys.stdin.buffer, scratch)
        with Path(file).open("rb") as archive:
            return _unpack(archive, scratch)
    except (tarfile.TarError, EOFError) as error:
        raise CommandFailed(f"{name} is not a complete backup: {error}.") from error


def _unpack(archive: IO[bytes], scratch: Path) -> "Manifest":
    """Writes database and files below `scratch`; CommandFailed for anything foreign."""
    from workbench.contract.backup import BLOB_NAME, DATABASE

    (scratch / "blobs").mkdir(mode=0o700)
    digest, blobs = "", 0
    with tarfile.open(fileobj=archive, mode="r|") as tar:
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
