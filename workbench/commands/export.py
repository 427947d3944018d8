"""`workbench export`: writes documents, elements or hits to a file or standard output."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.common import (
    STANDARD,
    CommandFailed,
    add_server_arguments,
    note,
    open_docset,
    open_workbench,
    print_json,
    refuse_closed_output,
    warn,
)
from workbench.commands.search import add_search_arguments
from workbench.formats import counted
from workbench.frames.files import FORMATS, write_table
from workbench.whole_files import whole_file

if TYPE_CHECKING:
    import polars as pl

    from workbench.objects import DocSet

_ALL = 1_000_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id of the DocSet")
    add_search_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        help=f"file to write, ending in {', '.join(FORMATS)}; default: -, which is standard output",
    )
    parser.add_argument("--format", choices=FORMATS, help="default: from the ending, else jsonl")
    parser.add_argument("--limit", type=int, default=_ALL, help="maximum rows")


def run(arguments: argparse.Namespace) -> int:
    printed = arguments.output in (None, STANDARD)
    if printed:
        refuse_closed_output("Give a file with --output")
    kind = _format(arguments)
    with open_workbench(arguments) as workbench:
        table = _table(open_docset(workbench, arguments.docset), arguments)
    if printed:
        _print_table(table, kind)
        return 0
    target = Path(arguments.output)
    try:
        with whole_file(target) as file:
            remarks = write_table(table, kind, file)
    except ValueError as error:
        raise CommandFailed(str(error)) from error
    if arguments.json:
        print_json({"file": str(target), "rows": table.height, "columns": table.columns})
    else:
        note(f"{counted(table.height)} in {target}.")
    for remark in remarks:
        warn(remark)
    return 0


def _format(arguments: argparse.Namespace) -> str:
    if arguments.format:
        return str(arguments.format)
    named = arguments.output not in (None, STANDARD)
    ending = Path(arguments.output).suffix.removeprefix(".") if named else "jsonl"
    if ending not in FORMATS:
        raise CommandFailed(f"Which format? Use --format or an ending: {', '.join(FORMATS)}.")
    return ending


def _table(docset: "DocSet", arguments: argparse.Namespace) -> "pl.DataFrame":
    """All documents, or the hits of a query or filter."""
    if arguments.query is not None or arguments.where is not None:
        return docset.search(
            arguments.query,
            kind=arguments.kind,
            where=arguments.where,
            return_type="element" if arguments.elements else "doc",
            limit=arguments.limit,
        ).to_polars()
    if not arguments.elements:
        return docset.documents(limit=arguments.limit).to_polars()
    return docset.elements(limit=arguments.limit).to_polars()


def _print_table(table: "pl.DataFrame", kind: str) -> None:
    """Writes to standard output: raw in a pipe, on a terminal as text without control
    characters.

    The file is made whole first: the writers of other packages report a closed pipe each in its
    own way.
    """
    with tempfile.TemporaryFile() as made:
        for remark in write_table(table, kind, made):
            warn(remark)
        made.seek(0)
        if sys.stdout.isatty():
            print(made.read().decode("utf-8", "replace"), end="")
        else:
            shutil.copyfileobj(made, sys.stdout.buffer)
