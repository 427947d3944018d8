"""Collections and answers as files and JSON, for another process.

Tables are Arrow IPC files; lists are written in batches that can be read one at a time. Everything
else is JSON: data from another process is never unpickled.
"""

import os
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl

from backend.plans.running.answering import windows
from backend.plans.running.relations import Docs, Groups, OnDemand, Relation, Rows, settled
from backend.plans.tables.collection import IDENTITY, Collection, Mark, State
from backend.plans.tables.narrowing import columns_of_run
from backend.plans.tables.segments import lines_at_once, mapped, write_parts
from backend.plans.tables.value_rules import ValueRules
from workbench.contract.plan import Plan
from workbench.contract.query import Event, Evidence
from workbench.contract.schema import Schema

_UNKNOWN = OnDemand(lambda: pl.Series(dtype=pl.List(pl.UInt32)))
"""The documents behind the rows of a list, which no answer shows."""
LIST = "list.arrow"
"""Name of the file with a list, in the folder of a run."""
_PIECE = 10_000
"""Lines of a list that are read at once."""


def write_collection(collection: Collection, plan: Plan, folder: Path) -> dict[str, Any]:
    """Puts what a plan reads of a collection into files of the folder, and returns the collection's
    metadata. OSError when the disk is full.

    Where the table is saved, its files get another name there: writing would take longer than most
    plans.
    """
    linked = files = len(_linked(collection.files, folder))
    if not linked:
        table = collection.table.select(columns_of_run(collection, plan))
        files = write_parts(table, (folder / _named(number) for number in count()))
    return {
        "files": files,
        "ruled": not linked,
        "docset_id": collection.docset_id,
        "name": collection.name,
        "schema": collection.schema.model_dump(mode="json"),
        "state": asdict(collection.state),
        "fields": dict(collection.fields),
        "unreadable": dict(collection.unreadable),
        "rules": asdict(collection.rules),
    }


def _linked(files: Sequence[Path], folder: Path) -> list[Path]:
    """Names in the folder for these files; none where that is not possible for all."""
    links: list[Path] = []
    try:
        for number, file in enumerate(files):
            os.link(file, link := folder / _named(number))
            links.append(link)
    except OSError:  # replaced meanwhile, or a file system without links
        remove_collection(folder)
        return []
    return links


def remove_collection(folder: Path) -> None:
    """Removes the files of `write_collection`."""
    for file in folder.glob(_named("*")):
        file.unlink(missing_ok=True)


def _named(number: int | str) -> str:
    return f"collection-{number}.arrow"


def read_collection(about: dict[str, Any], folder: Path) -> Collection:
    """Reads what `write_collection` wrote."""
    state, rules = about["state"], ValueRules(**about["rules"])
    table = mapped([folder / _named(number) for number in range(about["files"])])
    if not about["ruled"]:
        table = rules.applied(table, about["fields"])
    return Collection(
        about["docset_id"],
        about["name"],
        Schema.model_validate(about["schema"]),
        State(state["described"], Mark(**state["operation"]), Mark(**state["change"])),
        table,
        about["fields"],
        about["unreadable"],
        rules,
    )


def write_list(relation: Relation, file: Path) -> dict[str, Any]:
    """Writes the table of a list answer and returns its metadata."""
    match settled(relation):
        case Docs() | Groups() as answer:
            docs = answer.docs if isinstance(answer, Groups) else answer
            _write(docs.table, file)
            return {
                "only": docs.only,
                "unrolled": sorted(docs.unrolled),
                "evidence": [
                    [row, [item.model_dump() for item in items]]
                    for row, items in docs.evidence.items()
                ],
            }
        case Rows(table=table):
            _write(table, file)
            return {}
    raise TypeError(f"{type(relation).__name__} is not a list")


def _write(table: pl.DataFrame, file: Path) -> None:
    lines = min(_PIECE, lines_at_once(table))
    table.write_ipc(file, compression="uncompressed", record_batch_size=lines)


def listed_events(
    about: dict[str, Any], file: Path, collection: Collection
) -> Iterator[list[Event]]:
    """The events of a stored list, in windows. Discarding the iterator removes the file."""
    events = _read_list(about, file, collection)
    weakref.finalize(events, file.unlink, missing_ok=True)
    return events


def _read_list(about: dict[str, Any], file: Path, collection: Collection) -> Iterator[list[Event]]:
    if about:
        only = None if about["only"] is None else tuple(about["only"])
        evidence = {
            int(row): [Evidence.model_validate(item) for item in items]
            for row, items in about["evidence"]
        }
        identity = collection.table.select(IDENTITY)
        unrolled = frozenset(about["unrolled"])
        for table in _pieces(file):
            docs = Docs(table, {}, identity, evidence, only, unrolled)
            yield from windows(docs, collection)
    else:
        for table in _pieces(file):
            yield from windows(Rows(table, {}, _UNKNOWN), collection)


def _pieces(file: Path) -> Iterator[pl.DataFrame]:
    start = 0
    while (piece := pl.scan_ipc(file).slice(start, _PIECE).collect()).height:
        yield piece
        start += _PIECE


def sweep_carried(runs: Path) -> None:
    """Removes files that were left below the folder of the runs when the server stopped."""
    for name in (_named("*"), LIST):
        for file in runs.glob(f"*/{name}"):
            file.unlink(missing_ok=True)
