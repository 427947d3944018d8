"""Collections and answers as files and JSON, to be carried from one process to another.

The tables are Arrow IPC files, a list in pieces that can be read one by one; what stands beside
them is JSON, because nothing that comes from another process is ever unpickled.
"""

import weakref
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from backend.plans.running.answering import windows
from backend.plans.running.relations import Docs, Groups, Relation, Rows, settled
from backend.plans.tables.collection import IDENTITY, Collection, Mark, State
from backend.plans.tables.value_rules import ValueRules
from workbench.contract.query import Event, Evidence
from workbench.contract.schema import Schema

TABLE, LIST = "collection.arrow", "list.arrow"
"""Names of the files, in the folder of a run."""
_PIECE = 10_000
"""Lines of a list that are read at once."""


def write_collection(collection: Collection, file: Path) -> dict[str, Any]:
    """Writes the table of a collection; what is to be known besides it. OSError without room."""
    collection.table.write_ipc(file, compression="uncompressed")
    return {
        "docset_id": collection.docset_id,
        "name": collection.name,
        "schema": collection.schema.model_dump(mode="json"),
        "state": asdict(collection.state),
        "fields": dict(collection.fields),
        "unreadable": dict(collection.unreadable),
        "rules": asdict(collection.rules),
    }


def read_collection(about: dict[str, Any], file: Path) -> Collection:
    """The collection that was written."""
    state = about["state"]
    return Collection(
        about["docset_id"],
        about["name"],
        Schema.model_validate(about["schema"]),
        State(state["described"], Mark(**state["operation"]), Mark(**state["change"])),
        pl.read_ipc(file),
        about["fields"],
        about["unreadable"],
        ValueRules(**about["rules"]),
    )


def write_list(relation: Relation, file: Path) -> dict[str, Any]:
    """Writes the table of an answer that is a list; what is to be known besides it."""
    match settled(relation):
        case Docs() | Groups() as found:
            docs = found.docs if isinstance(found, Groups) else found
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
    raise TypeError(f"{type(relation).__name__} is no list")


def _write(table: pl.DataFrame, file: Path) -> None:
    table.write_ipc(file, compression="uncompressed", record_batch_size=_PIECE)


def listed_events(
    about: dict[str, Any], file: Path, collection: Collection
) -> Iterator[list[Event]]:
    """The events of a list that was written, some at a time. The file is removed once nobody can
    read them any more, also where nobody has begun to.
    """
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
            yield from windows(Rows(table, {}), collection)


def _pieces(file: Path) -> Iterator[pl.DataFrame]:
    start = 0
    while (piece := pl.scan_ipc(file).slice(start, _PIECE).collect()).height:
        yield piece
        start += _PIECE


def sweep_carried(runs: Path) -> None:
    """Removes what was on its way below the folder of the runs when the server ended."""
    for name in (TABLE, LIST):
        for file in runs.glob(f"*/{name}"):
            file.unlink(missing_ok=True)
