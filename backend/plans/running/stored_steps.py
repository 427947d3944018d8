"""The results of the steps of a run as Arrow files, which are read by window.

They refer to documents by row number. The ids and paths of all documents of the collection are in
one more file of the run, since copying them into every step would take longer than the run. Runs
over the same state of a collection share that file.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from backend.plans.running.relations import (
    LINEAGE,
    SCORE,
    Docs,
    Groups,
    Number,
    Ordered,
    Prose,
    Relation,
    Rows,
    ids_behind,
)
from backend.plans.tables.collection import PATH, ROW, Collection
from backend.plans.tables.segments import lines_at_once, mapped
from workbench.contract.errors import NotFound

IDENTITIES = "identities.arrow"
"""Name of the file with the ids and paths, by row number."""
_ID, _IDS = "doc_id", "doc_ids"


@dataclass(frozen=True)
class StoredStep:
    """The stored result of one step; `identities` is the file that its row numbers refer to."""

    file: Path
    identities: Path

    def rows(self) -> pl.DataFrame:
        """All rows, with ids and paths instead of row numbers."""
        return self._named(pl.scan_ipc(self.file).collect())

    def window(self, offset: int, limit: int) -> tuple[pl.DataFrame, int]:
        """At most `limit` rows from number `offset` on, and how many rows the step has."""
        frame = pl.scan_ipc(self.file)
        rows, count = pl.collect_all([frame.slice(offset, limit), frame.select(pl.len())])
        return self._named(rows), int(count.item())

    def ids(self, row: int | None) -> pl.Series:
        """The distinct documents behind a step or a row of it; NotFound for another row."""
        frame = pl.scan_ipc(self.file)
        columns = frame.collect_schema().names()
        name = next((name for name in (_IDS, _ID) if name in columns), None)
        if name is None:
            return pl.Series(dtype=pl.String)
        kept = frame.select(name)
        table = (kept if row is None else kept.slice(row, 1)).collect()
        if row is not None and not table.height:
            raise NotFound(f"The step has no row {row}.")
        apart = table.explode(name) if name == _IDS else table
        distinct = apart.drop_nulls().unique(maintain_order=True).rename({name: _ID})
        return self._named(distinct).get_column(_ID)

    def documents(self, doc_ids: Sequence[str], names: Sequence[str]) -> pl.DataFrame:
        """Documents of a step: id, path and which of the properties `names` it has."""
        frame = pl.scan_ipc(self.file)
        schema = frame.collect_schema()
        if _ID not in schema or PATH not in schema:
            return pl.DataFrame(schema={_ID: pl.String, PATH: pl.String})
        wanted = pl.Series(doc_ids, dtype=pl.String)
        if schema[_ID] == pl.UInt32:
            known = mapped([self.identities]).get_column(_ID)
            wanted = known.is_in(wanted.implode()).arg_true()
        chosen = frame.filter(pl.col(_ID).is_in(wanted.implode()))
        columns = [name for name in dict.fromkeys(names) if name in schema]
        return self._named(chosen.select(_ID, PATH, *columns).collect())

    def _named(self, table: pl.DataFrame) -> pl.DataFrame:
        """The table with ids and paths where it has row numbers."""
        numbered = [
            name
            for name in (_ID, PATH, _IDS)
            if name in table.columns and table.schema[name] in (pl.UInt32, pl.List(pl.UInt32))
        ]
        if not numbered:
            return table
        known = mapped([self.identities])
        ids = known.get_column(_ID)
        return table.with_columns(
            ids_behind(table.get_column(name), ids).alias(name)
            if name == _IDS
            else known.get_column(name).gather(table.get_column(name))
            for name in numbered
        )


def write_step(folder: Path, node_id: int, relation: Relation, names: Sequence[str]) -> None:
    """Writes the result of a step into its run's folder; of documents only the fields `names`."""
    table, file = _frame(relation, names), step_file(folder, node_id)
    table.write_ipc(file, compression="lz4", record_batch_size=lines_at_once(table))


def step_file(folder: Path, node_id: int) -> Path:
    """The file of a step in the folder of its run."""
    return folder / f"{node_id}.arrow"


def write_identities(folder: Path, collection: Collection, same: Path | None) -> Path:
    """Puts ids and paths of a collection into the folder of a run; `same` is a file of another run
    over the same state, if there is one.
    """
    file = folder / IDENTITIES
    try:
        if same is not None:
            os.link(same, file)
            return file
    except OSError:  # removed with its run, or a file system without links
        pass
    collection.table.select(_ID, PATH).write_ipc(file, compression="uncompressed")
    return file


def _frame(relation: Relation, names: Sequence[str]) -> pl.DataFrame:
    """A relation in its stored form, its columns by their names on the wire."""
    match relation:
        case Ordered():
            return _frame(relation.whole, names)
        case Docs():
            return _documents(relation, names)
        case Groups(docs=docs, keys=keys):
            return docs.table.select(*keys, pl.col(ROW).alias(_ID))
        case Rows(table=table):
            return table.drop(LINEAGE).with_columns(relation.lists().alias(_IDS))
        case Number(value=value):
            return pl.DataFrame({"value": [value]}, strict=False).with_columns(_behind(relation))
        case Prose(text=text):
            cited = [e.model_dump_json() for e in relation.citations]
            citations = pl.Series("citations", [cited], dtype=pl.List(pl.String))
            return pl.DataFrame({"text": [text]}).with_columns(citations, _behind(relation))


def _behind(relation: Number | Prose) -> pl.Series:
    return relation.lineage().implode().alias(_IDS)


def _documents(docs: Docs, names: Sequence[str]) -> pl.DataFrame:
    """Documents in their stored form, with what an approximate step read as JSON."""
    asked = [name for name in docs.table.columns if name in {SCORE, *names} - {_ID, PATH}]
    row = pl.col(ROW)
    shown = docs.table.select(row.alias(_ID), row.alias(PATH), *asked)
    if not docs.evidence:
        return shown
    read = [
        [item.model_dump_json() for item in docs.evidence.get(row, ())]
        for row in docs.table.get_column(ROW)
    ]
    return shown.with_columns(pl.Series("evidence", read, dtype=pl.List(pl.String)))
