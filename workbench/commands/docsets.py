"""`workbench docsets`: list, create, show, clone and delete DocSets."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    json_file,
    note,
    only_for,
    open_docset,
    open_workbench,
    print_json,
    print_rows,
)

if TYPE_CHECKING:
    from workbench.objects import DocSet, Workbench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=["list", "create", "show", "clone", "delete"],
        help="default: list",
    )
    parser.add_argument("docset", nargs="?", help="name or id; for create the new name")
    parser.add_argument("--schema", metavar="FILE", help="JSON schema for create, - for stdin")
    parser.add_argument("--embedding", metavar="MODEL", help="for create: see workbench models")
    parser.add_argument("--yes", action="store_true", help="delete without asking")


def run(arguments: argparse.Namespace) -> int:
    only_for(arguments, "docset", ("create", "show", "clone", "delete"))
    with open_workbench(arguments) as workbench:
        return _do(workbench, arguments)


def _do(workbench: "Workbench", arguments: argparse.Namespace) -> int:
    if arguments.action == "list":
        _print([_summary(docset) for docset in workbench.docsets], arguments.json)
        return 0
    if not arguments.docset:
        raise CommandFailed(f"Which DocSet? workbench docsets {arguments.action} NAME")
    if arguments.action == "create":
        if any(docset.name == arguments.docset for docset in workbench.docsets):
            raise CommandFailed(
                f"There is a DocSet {arguments.docset!r} already: choose another name, or add files"
                " to it with workbench add."
            )
        schema = json_file(arguments.schema) if arguments.schema else None
        made = workbench.docsets.create(
            arguments.docset, schema=schema, embedding=arguments.embedding
        )
        _print([_summary(made)], arguments.json)
        return 0
    docset = open_docset(workbench, arguments.docset)
    if arguments.action == "show":
        _show(docset, arguments.json)
    elif arguments.action == "clone":
        _print([_summary(docset.clone())], arguments.json)
    elif not arguments.yes and not _confirmed(docset):
        note("Nothing was deleted.")
        return 1
    else:
        docset.delete()
        _print([_summary(docset)], arguments.json)
    return 0


def _summary(docset: "DocSet") -> dict[str, Any]:
    return {
        "docset_id": docset.id,
        "name": docset.name,
        "documents": len(docset),
        "created": docset.metadata.created_at.isoformat(timespec="seconds"),
        "readonly": docset.metadata.readonly,
    }


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json(rows)
    else:
        print_rows(["name", "documents", "created", "docset_id"], rows)


def _show(docset: "DocSet", as_json: bool) -> None:
    if as_json:
        print_json(docset.metadata.model_dump(mode="json", by_alias=True))
        return
    print(repr(docset))
    properties = [
        {"property": prop.name, "kind": prop.kind, "description": prop.description}
        for prop in docset.schema.properties
    ]
    print_rows(["property", "kind", "description"], properties)


def _confirmed(docset: "DocSet") -> bool:
    """Asks for the name on a terminal; elsewhere only `--yes` deletes."""
    if not sys.stdin.isatty():
        raise CommandFailed("Deleting without a terminal needs --yes.")
    note(f"{docset!r} will be deleted with all its documents.")
    return input("Type its name to confirm: ").strip() == docset.name
