"""`workbench export`: documents, elements or hits into a file of data, or onto standard output."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    note,
    open_docset,
    open_workbench,
    print_json,
)
from workbench.commands.search import add_search_arguments

if TYPE_CHECKING:
    import pyarrow as pa

    from workbench.objects import DocSet

FORMATS = ("parquet", "arrow", "csv", "jsonl")
_ALL = 1_000_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id of the DocSet")
    add_search_arguments(parser)
    parser.add_argument(
        "-o", "--output", help=f"file to write, ending in {', '.join(FORMATS)}; default: stdout"
    )
    parser.add_argument("--format", choices=FORMATS, help="default: by the ending, else jsonl")
    parser.add_argument("--limit", type=int, default=_ALL, help="most rows")


def run(arguments: argparse.Namespace) -> int:
    kind = _format(arguments)
    with open_workbench(arguments) as workbench:
        table = _table(open_docset(workbench, arguments.docset), arguments)
    if arguments.output is None:
        write_table(table, kind, sys.stdout.buffer)
        return 0
    target = Path(arguments.output)
    draft = target.with_name(f".{target.name}.part")
    with draft.open("wb") as file:
        write_table(table, kind, file)
    draft.replace(target)  # a reader never sees half a file
    if arguments.json:
        print_json({"file": str(target), "rows": table.num_rows, "columns": table.column_names})
    else:
        note(f"{table.num_rows:,} rows in {target}.")
    return 0


def write_table(table: "pa.Table", kind: str, file: Any) -> None:
    """Writes the table; CSV and JSON lines hold nested values as JSON."""
    if kind == "parquet":
        import pyarrow.parquet as parquet

        parquet.write_table(table, file)
    elif kind == "arrow":
        import pyarrow as pa

        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    else:
        import polars as pl

        frame = pl.DataFrame(table)
        if kind == "jsonl":
            frame.write_ndjson(file)
        else:
            _flat(frame).write_csv(file)


def _flat(frame: Any) -> Any:
    """Nested columns as JSON text, which CSV can hold."""
    import json

    import polars as pl

    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    texts = [
        pl.Series(
            name,
            [None if v is None else json.dumps(v, default=str) for v in frame[name].to_list()],
            dtype=pl.String,
        )
        for name in nested
    ]
    return frame.with_columns(texts)


def _format(arguments: argparse.Namespace) -> str:
    if arguments.format:
        return str(arguments.format)
    ending = Path(arguments.output).suffix.removeprefix(".") if arguments.output else "jsonl"
    if ending not in FORMATS:
        raise CommandFailed(f"Which format? Use --format or an ending: {', '.join(FORMATS)}.")
    return ending


def _table(docset: "DocSet", arguments: argparse.Namespace) -> "pa.Table":
    """All documents, or the hits when there is a query or a filter."""
    if arguments.query is not None or arguments.where is not None:
        return docset.search(
            arguments.query,
            kind=arguments.kind,
            where=arguments.where,
            return_type="element" if arguments.elements else "doc",
            limit=arguments.limit,
        ).to_arrow()
    if not arguments.elements:
        return docset.documents(limit=arguments.limit).to_arrow()
    return docset.elements(limit=arguments.limit).to_arrow()
