"""`workbench properties`: list, suggest and extract the properties of a DocSet."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    note,
    open_docset,
    open_workbench,
    print_json,
    print_rows,
)

if TYPE_CHECKING:
    from workbench.contract.schema import Schema, SchemaProperty
    from workbench.objects import DocSet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id of the DocSet")
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--suggest", action="store_true", help="propose properties from a sample of the documents"
    )
    action.add_argument(
        "--extract",
        nargs="*",
        metavar="NAME[:TYPE]",
        help="read these from every document, such as total:float due:date; a name without a type "
        "must be one of the suggested; without names: all that are suggested",
    )


def run(arguments: argparse.Namespace) -> int:
    with open_workbench(arguments) as workbench:
        docset = open_docset(workbench, arguments.docset)
        if arguments.suggest:
            suggested = docset.suggest()
            _print(suggested.properties, arguments.json)
            for group in suggested.groups:
                count = len(group.doc_ids)
                note(f"{count} documents about {', '.join(group.words[:3])}: "
                     f"{', '.join(group.properties)}")  # fmt: skip
            if suggested.properties:
                note(f"Extract them: workbench properties {docset.name!r} --extract")
            return 0
        if arguments.extract is not None:
            docset = docset.extract(_wanted(docset, arguments.extract))
            note(f"Read from {len(docset):,} document{'' if len(docset) == 1 else 's'}.")
        _print(docset.schema.properties, arguments.json)
    if not docset.schema.properties:
        note(f"None yet. See what the documents offer: workbench properties {docset.name!r} "
             "--suggest")  # fmt: skip
    return 0


def _wanted(docset: "DocSet", named: Sequence[str]) -> "Schema | dict[str, Any]":
    """The properties as named; those without a type as they are suggested."""
    from workbench.contract.schema import Schema
    from workbench.objects.schemas import schema_of

    typed = dict(one.rpartition(":")[::2] for one in named if ":" in one)
    bare = [one for one in named if ":" not in one]
    if len({*typed, *bare}) < len(named):
        raise CommandFailed("A property is named twice: give each one type.")
    if named and not bare:
        return typed
    suggested = docset.suggest()
    if not named:
        if not suggested.properties:
            raise CommandFailed("Nothing was found to suggest: name properties, NAME:TYPE.")
        return Schema(properties=suggested.properties)
    if unknown := [name for name in bare if suggested.get(name) is None]:
        names = ", ".join(prop.name for prop in suggested.properties)
        raise CommandFailed(
            f"No type for {', '.join(unknown)}: write NAME:TYPE. Suggested are: {names}."
        )
    chosen = [prop for prop in suggested.properties if prop.name in bare]
    return Schema(properties=[*schema_of(typed).properties, *chosen])


def _print(properties: "Sequence[SchemaProperty]", as_json: bool) -> None:
    if as_json:
        print_json([prop.model_dump(mode="json") for prop in properties])
        return
    rows = [
        {
            "property": prop.name,
            "type": prop.kind,
            "description": prop.description,
            "example": next(iter(prop.examples or []), None),
        }
        for prop in properties
    ]
    print_rows(["property", "type", "description", "example"], rows)
