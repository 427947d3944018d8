"""`workbench search`: prints hits to standard output."""

import argparse

from workbench.commands.common import (
    add_server_arguments,
    note,
    open_docset,
    open_workbench,
    print_json,
    print_rows,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id of the DocSet")
    add_search_arguments(parser)
    parser.add_argument("--limit", type=int, default=20, help="maximum hits (default: 20)")
    parser.add_argument(
        "--field", action="append", metavar="JSONPATH", help="only this field; may be repeated"
    )


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that select documents or elements."""
    parser.add_argument("query", nargs="?", help="words to search for; optional with --where")
    parser.add_argument(
        "--kind",
        default="hybrid",
        choices=["keyword", "lexical", "vector", "hybrid"],
        help="default: hybrid",
    )
    parser.add_argument("--where", help="filter, e.g. 'properties.entity.state = \"WA\"'")
    parser.add_argument("--elements", action="store_true", help="find elements, not documents")


def run(arguments: argparse.Namespace) -> int:
    with open_workbench(arguments) as workbench:
        hits = open_docset(workbench, arguments.docset).search(
            arguments.query,
            kind=arguments.kind,
            where=arguments.where,
            return_type="element" if arguments.elements else "doc",
            limit=arguments.limit,
            fields=arguments.field,
        )
    if arguments.json or arguments.field:
        print_json(hits.items)
        return 0
    middle = ["kind", "snippet"] if arguments.elements else ["snippet"]
    columns = ["score", "name", "page", *middle, "doc_id"]
    rows = hits.to_polars().select(columns).to_dicts()
    print_rows(columns, ({**row, "score": _short(row["score"])} for row in rows))
    if not hits.complete:
        note(f"The first {len(hits)} hits; --limit shows more.")
    return 0


def _short(score: float | None) -> str:
    return "" if score is None else f"{score:.3f}"
