"""The vectors of one DocSet from one embedding identity, updated by change and kept in files.

Full blocks are written to files at once, the rest when the index closes. Files may lag behind:
opening the index applies the log from their mark on. They are written before `vectors.json`, which
names them and the mark, so a crash leaves the previous state and at most some orphaned files.
"""

import json
import os
import shutil
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select

from backend.inference.embeddings import Identity
from backend.search.operations import START, Changes, Mark, by_contents
from backend.search.ranking import keys_of
from backend.search.rows import Rows
from backend.search.vectors.blocks import Block, Growing, load, save
from backend.search.vectors.reader import VectorReader
from backend.store.failpoints import reach
from backend.store.tables import vectors

BLOCK_ROWS = 65_536
"""Rows in memory before they move to a file."""

WORTH_KEEPING = 4_096
"""From this many rows on, files open faster than the record."""

_AT_ONCE = 8
"""Vector parts read at a time."""
_VERSION = 1
_STATE = "vectors.json"


class VectorIndex:
    """See ElementIndex. Vectors of other identities are ignored."""

    mark: Mark
    _saved: Mark
    _rows: Rows
    _full: list[Block]
    _last: Growing

    def __init__(self, folder: Path, identity: Identity) -> None:
        """Opens the folder; a missing, damaged or foreign index starts empty."""
        self.folder = folder
        self._identity = identity
        self._empty()
        try:
            self._load()
        except (OSError, ValueError, KeyError, TypeError):
            shutil.rmtree(folder, ignore_errors=True)
            self._empty()

    @property
    def size(self) -> int:
        return self._rows.size + self._last.nbytes

    @property
    def identity(self) -> Identity:
        """The identity of the vectors."""
        return self._identity

    def apply(self, connection: Connection, changes: Changes) -> None:
        """See ElementIndex."""
        self._rows.strike_out(changes.gone)
        if self._rows.is_sparse:
            self._compact()
        for by_content in by_contents(changes.present):
            for part in self._stored(connection, by_content):
                changes.check()
                ordinals = np.frombuffer(part.ordinals, dtype="<i4")
                matrix = np.frombuffer(part.matrix, dtype="<f4")
                keys = keys_of(by_content[part.content_id].number, ordinals)
                self._rows.extend(keys)
                self._last.append(keys, matrix.reshape(len(keys), self._identity.dimension))
                if self._last.used >= BLOCK_ROWS:
                    self._seal()
        self.mark = changes.mark

    def reader(self) -> VectorReader:
        return VectorReader(self._rows.view(), (*self._full, self._last.view()))

    def save(self) -> None:
        """Writes the present state to the files."""
        if self._saved == self.mark:
            return
        if self._last.used:
            self._seal()
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            "version": _VERSION,
            "identity": self._identity.text,
            "sequence": self.mark.sequence,
            "doc_id": self.mark.doc_id,
            "blocks": [[block.file, len(block)] for block in self._full],
            "gone": self._rows.gone,
        }
        _write_state(self.folder, state)
        self._saved = self.mark
        self._sweep()

    def copy(self, folder: Path) -> None:
        """Hard-links the files into a folder, to be adopted there."""
        if self.mark == START:
            return
        self.save()
        folder.mkdir(parents=True)
        for name in self._files():
            os.link(self.folder / name, folder / name)

    @staticmethod
    def adopt(folder: Path, mark: Mark) -> None:
        """Marks the files of a copy as complete up to that operation."""
        if (folder / _STATE).exists():
            state: Any = json.loads((folder / _STATE).read_text(encoding="utf-8"))
            _write_state(folder, state | {"sequence": mark.sequence, "doc_id": mark.doc_id})

    def close(self) -> None:
        if self._rows.used >= WORTH_KEEPING:
            with suppress(OSError):  # the files keep an earlier state, and the log the rest
                self.save()
        self._empty()

    def _empty(self) -> None:
        self.mark = self._saved = START
        self._rows = Rows()
        self._full = []
        self._last = Growing(self._identity.dimension)

    def _load(self) -> None:
        try:
            state: Any = json.loads((self.folder / _STATE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        if (state["version"], state["identity"]) != (_VERSION, self._identity.text):
            raise ValueError("vectors of another version or identity")
        dimension = self._identity.dimension
        for name, rows in state["blocks"]:
            block = load(self.folder, str(name), int(rows), dimension)
            self._full.append(block)
            self._rows.extend(block.keys)
        self._rows.restore_gone(state["gone"])
        self._sweep()
        self.mark = self._saved = Mark(int(state["sequence"]), str(state["doc_id"]))

    def _seal(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._full.append(save(self._last.view(), self.folder))
        self._last = Growing(self._identity.dimension)

    def _compact(self) -> None:
        """Drops the rows of deleted elements."""
        kept = self._rows.compact()
        blocks, start = [*self._full, self._last.view()], 0
        self._full, self._last = [], Growing(self._identity.dimension)
        for block in blocks:
            rows = kept[(kept >= start) & (kept < start + len(block))] - start
            start += len(block)
            self._last.append(block.keys[rows], block.vectors[rows])
            if self._last.used >= BLOCK_ROWS:
                self._seal()

    def _files(self) -> list[str]:
        return [_STATE, *(block.file for block in self._full if block.file)]

    def _sweep(self) -> None:
        """Deletes files that no state names; existing mappings stay valid."""
        known = set(self._files())
        for file in self.folder.iterdir():
            if file.name not in known:
                file.unlink(missing_ok=True)

    def _stored(
        self, connection: Connection, contents: Collection[str]
    ) -> Iterable[Row[str, bytes, bytes]]:
        """The vector parts of contents, a few at a time; parts of one content are consecutive."""
        return connection.execution_options(yield_per=_AT_ONCE).execute(
            select(vectors.c.content_id, vectors.c.ordinals, vectors.c.matrix)
            .where(vectors.c.content_id.in_(contents), vectors.c.identity == self._identity.text)
            .order_by(vectors.c.content_id, vectors.c.part)
        )


def _write_state(folder: Path, state: dict[str, Any]) -> None:
    draft = folder / f"{_STATE}.new"
    with draft.open("w", encoding="utf-8") as file:
        json.dump(state, file)
        file.flush()
        os.fsync(file.fileno())
    reach("vectors.saving")
    os.replace(draft, folder / _STATE)
