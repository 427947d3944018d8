"""`workbench rebuild`: rebuilds the index of a DocSet from the stored documents."""

import argparse
import sys

from workbench.commands.common import (
    add_server_arguments,
    note,
    open_docset,
    open_workbench,
    print_json,
)
from workbench.harmless import in_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id")


def run(arguments: argparse.Namespace) -> int:
    with open_workbench(arguments) as workbench:
        docset = open_docset(workbench, arguments.docset).rebuild_index(_progress)
        if arguments.json:
            print_json({"docset_id": docset.id, "documents": len(docset)})
        else:
            print(f"The index of {in_line(docset.name)} was rebuilt: {len(docset)} documents.")
    return 0


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        note(f"{done} of {total} documents …")
