"""`workbench backup`: writes DocSets, documents and originals to one file."""

import argparse
import os
import sys
from pathlib import Path
from typing import IO

from workbench.commands.common import (
    STANDARD,
    CommandFailed,
    WrongUsage,
    add_server_arguments,
    note,
    open_workbench,
    print_json,
    refuse_closed_output,
)
from workbench.whole_files import whole_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument(
        "file", help="tar file to write, which must not exist yet; - for standard output"
    )


def run(arguments: argparse.Namespace) -> int:
    """The file appears once it is complete and on disk."""
    if arguments.file == STANDARD:
        return _print(arguments)
    target = Path(arguments.file)
    if target.exists():
        raise CommandFailed(f"{target} exists already. Nothing was written.")
    with whole_file(target, replace=False, private=True) as file:
        size = _copy(arguments, file)
        file.flush()
        os.fsync(file.fileno())
    if arguments.json:
        print_json({"file": str(target), "bytes": size})
    else:
        note(_WRITTEN.format(size, target))
    return 0


_WRITTEN = "{:,} bytes in {}. It contains your documents: protect it like them."


def _print(arguments: argparse.Namespace) -> int:
    """Sends the backup on, to another machine or a program that encrypts it."""
    if arguments.json:
        raise WrongUsage("The backup goes to standard output, where --json would print as well.")
    if sys.stdout.isatty():
        raise WrongUsage("A backup is not for a terminal: add > FILE, or | and a command.")
    refuse_closed_output("Name a file")
    size = _copy(arguments, sys.stdout.buffer)
    note(_WRITTEN.format(size, "standard output"))
    return 0


def _copy(arguments: argparse.Namespace, file: IO[bytes]) -> int:
    """Writes the archive and returns its bytes; CommandFailed where it has no end."""
    size, tail = 0, b""
    with open_workbench(arguments) as workbench:
        for piece in workbench.engine.iterate(lambda client: client.backup()):
            file.write(piece)
            size += len(piece)
            tail = (tail + piece)[-1024:]
    # The server ends a complete archive with two empty blocks; a broken stream lacks them.
    if tail != bytes(1024):
        raise CommandFailed("The server broke off: the backup is incomplete. Its log says why.")
    return size
