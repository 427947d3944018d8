"""`workbench add`: adds files, folders, patterns and URLs to a DocSet."""

import argparse

from workbench.commands.common import (
    PARTLY,
    CommandFailed,
    add_server_arguments,
    json_file,
    note,
    open_docset,
    open_workbench,
    print_json,
    print_rows,
)
from workbench.harmless import in_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id of the DocSet")
    parser.add_argument("files", nargs="+", help="files, folders, patterns or URLs")
    parser.add_argument("--create", action="store_true", help="create the DocSet if missing")
    parser.add_argument("--options", metavar="FILE", help="partition options as JSON, - for stdin")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    if "" in arguments.files:
        raise CommandFailed("One of the names is empty. Nothing was added.")
    options = json_file(arguments.options) if arguments.options else None
    with open_workbench(arguments) as workbench:
        docset = workbench.docsets.get(arguments.docset) if arguments.create else None
        if docset is None and arguments.create:
            docset = workbench.docsets.create(arguments.docset)
        docset = docset or open_docset(workbench, arguments.docset, hint="--create makes it.")
        added = docset.add(arguments.files, options=options, progress=not arguments.quiet)
    rows = [{"name": item.name, "doc_id": item.doc_id, "error": item.error} for item in added]
    if arguments.json:
        documents = [row | {"remarks": list(i.remarks)} for row, i in zip(rows, added, strict=True)]
        print_json({"docset_id": docset.id, "documents": documents})
    else:
        failed = ["error"] if added.failed else []
        print_rows(["name", "doc_id", *failed], rows)
        for item in added:
            for remark in item.remarks:
                note(f"{in_line(item.name)}: {remark}")
        if added.doc_ids and not docset.schema.properties:
            note(f"Questions about values need properties: workbench properties {docset.name!r} "
                 "--suggest")  # fmt: skip
    if not added.failed:
        return 0
    others = f"; the others are in {in_line(docset.name)}" if added.doc_ids else ""
    note(f"{len(added.failed)} of {len(added)} failed{others}.")
    return PARTLY if added.doc_ids else 1
