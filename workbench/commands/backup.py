"""`workbench backup`: writes DocSets, documents and originals to one file."""

import argparse
import os
from pathlib import Path
from typing import IO

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    note,
    open_workbench,
    print_json,
)
from workbench.whole_files import whole_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("file", help="tar file to write; must not exist yet")


def run(arguments: argparse.Namespace) -> int:
    """The file appears once it is complete and on disk."""
    target = Path(arguments.file)
    if target.exists():
        raise CommandFailed(f"{target} exists already. Nothing was written.")
    with whole_file(target, replace=False, private=True) as file:
        size = _write(arguments, file)
    if arguments.json:
        print_json({"file": str(target), "bytes": size})
    else:
        note(f"{size:,} bytes in {target}. It contains your documents: protect it like them.")
    return 0


def _write(arguments: argparse.Namespace, file: IO[bytes]) -> int:
    tail = b""
    with open_workbench(arguments) as workbench:
        for piece in workbench.engine.iterate(lambda client: client.backup()):
            file.write(piece)
            tail = (tail + piece)[-1024:]
    # The server ends a complete archive with two empty blocks; a broken stream lacks them.
    if tail != bytes(1024):
        raise CommandFailed("The server broke off; nothing was written. Its log says why.")
    file.flush()
    os.fsync(file.fileno())
    return file.tell()
