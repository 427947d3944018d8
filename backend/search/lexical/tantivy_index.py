"""The word index of one DocSet, kept by tantivy in its own folder.

The folder contains tantivy's files and `mark.json`, the last operation in them. The mark is stored
with the files rather than in the database, so it disappears with them and catching up writes
nothing to the database. It is written after tantivy's commit; after a crash in between, the
operations are applied again, which changes nothing.

Small changes are given to tantivy at once but committed only when many have come together or the
writer closes; until then they are searched in memory (recent.py). After a crash they come from the
log again.

The schema is fixed: properties are never part of it.
"""

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import tantivy
from sqlalchemy import Connection

from backend.search.lexical.analysis import Words, analyzer, words_of
from backend.search.lexical.recent import Recent
from backend.search.lexical.scan import of_documents
from backend.search.lexical.searching import Committed, TantivyReader
from backend.search.operations import START, Changes, Mark, texts_of
from backend.search.ranking import keys_of
from backend.store.failpoints import reach

_SCHEMA_VERSION = 4
_MARK = "mark.json"
_META = "meta.json"
_WRITER_BYTES = 32_000_000
_MOST_RECENT = 1_000
"""Elements that may wait for a commit."""
_RECENT_SHARE = 50
"""One element may wait per this many committed ones, whose statistics score it."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", fast=True)
    builder.add_unsigned_field("number", indexed=True)
    builder.add_text_field("text", tokenizer_name="stems", index_option="freq")
    builder.add_text_field("common", tokenizer_name="whitespace", index_option="basic")
    builder.add_bytes_field("opening", stored=True)
    return builder.build()


class TantivyIndex:
    """BM25 over the elements of one DocSet. See ElementIndex."""

    def __init__(self, folder: Path, language: str) -> None:
        """Opens the folder; an index that is missing, damaged or of another schema starts empty."""
        self._folder = folder
        self._language = language
        self._writer: tantivy.IndexWriter | None = None
        self._recent = Recent(language)
        self._committed: Committed | None = None  # what tantivy searches now
        self._reader: TantivyReader | None = None  # of the present state
        self.mark = self._kept = _read_mark(folder, language)
        self._is_marked = True  # whether the folder's mark matches the last commit
        if self.mark == START:
            self._start_empty()
        else:
            try:
                self._index = self._open()
            except (ValueError, OSError):
                self._start_empty()

    @property
    def size(self) -> int:
        # Measured; the files are memory-mapped.
        return 400_000 + 5_000 * len(self._recent)

    @property
    def is_writing(self) -> bool:
        """Whether a writer is open, with its threads, buffers and folder lock."""
        return self._writer is not None

    def apply(self, connection: Connection, changes: Changes) -> None:
        """See ElementIndex. On failure everything uncommitted is dropped."""
        try:
            if changes:
                self._write(connection, changes)
        except BaseException:
            self._fall_back()
            raise
        self.mark = changes.mark
        if not len(self._recent):
            self._keep_mark()

    def reader(self) -> TantivyReader:
        if self._reader is None:
            self._reader = TantivyReader(self._searched(), self._recent.view())
        return self._reader

    def copy(self, folder: Path) -> None:
        """Hard-links the files into a new folder, to be adopted there.

        Segments never change once written, but a merge may delete some meanwhile. So the segment
        list must be the same before and after, or the copy is repeated.
        """
        self._commit_recent()
        while True:
            before = (self._folder / _META).read_bytes()
            folder.mkdir(parents=True)
            for file in self._folder.iterdir():
                if file.name not in (_META, _MARK) and file.suffix != ".lock":
                    with suppress(FileNotFoundError):
                        os.link(file, folder / file.name)
            if (self._folder / _META).read_bytes() == before:
                (folder / _META).write_bytes(before)
                _write_mark(folder, self._language, START)
                return
            shutil.rmtree(folder)

    @staticmethod
    def adopt(folder: Path, mark: Mark) -> None:
        """Marks the files of a copy as up to that operation."""
        data: Any = json.loads((folder / _MARK).read_text(encoding="utf-8"))
        _write_mark(folder, data["language"], mark)

    def rest(self) -> None:
        """Commits what waits, lets merges finish, and closes the writer."""
        if self._writer is not None:
            with suppress(ValueError, OSError):  # anything uncommitted is read from the log again
                self._commit_recent()
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.wait_merging_threads()

    def settle(self) -> None:
        """Waits for the merges of a build; readers use the merged segments from then on."""
        self.rest()
        self._index.reload()
        self._committed, self._reader = None, None

    def close(self) -> None:
        self.rest()

    def _write(self, connection: Connection, changes: Changes) -> None:
        """Gives the changes to tantivy; small ones are searched in memory without a commit."""
        writer = self._writer = self._writer or self._index.writer(_WRITER_BYTES, 1)
        searched = self._searched()
        most = min(_MOST_RECENT, searched.total // _RECENT_SHARE)
        can_wait = self._is_marked and not searched.holds(changes.gone)
        room = most - len(self._recent) if can_wait else 0
        if changes.gone:
            # By query: delete_documents would treat the number as signed and match nothing.
            gone = of_documents(self._index.schema, changes.gone)
            writer.delete_documents_by_query(gone)
        few: list[list[Words]] = []
        for piece in texts_of(connection, changes.present):
            changes.check()
            keys = keys_of(piece.document.number, piece.ordinals).tolist()
            room -= len(keys)
            elements = [
                words_of(key, text, self._language)
                for key, text in zip(keys, piece.texts, strict=True)
            ]
            for element in elements:
                writer.add_document(_document(piece.document.number, element))
            if room > 0:
                few.append(elements)
            else:
                few.clear()
        reach("words.written")
        if room > 0:
            self._recent.strike_out(changes.gone)
            for elements in few:
                self._recent.add(elements)
            self._reader = None
        else:
            self._commit(writer)

    def _commit_recent(self) -> None:
        """Commits what waits and writes the mark."""
        if self._writer is not None and len(self._recent):
            try:
                self._commit(self._writer)
            except BaseException:
                self._fall_back()
                raise
            self._keep_mark()

    def _commit(self, writer: tantivy.IndexWriter) -> None:
        self._is_marked = False
        writer.commit()
        self._index.reload()
        self._recent, self._committed, self._reader = Recent(self._language), None, None
        reach("words.committed")

    def _keep_mark(self) -> None:
        if self.mark != self._kept:
            _write_mark(self._folder, self._language, self.mark)
            self._kept, self._is_marked = self.mark, True
            reach("words.marked")

    def _fall_back(self) -> None:
        """Returns to the mark of the folder: a failed writer may have stored anything."""
        self._writer, self.mark = None, self._kept
        self._recent, self._committed, self._reader = Recent(self._language), None, None

    def _searched(self) -> Committed:
        if self._committed is None:
            self._committed = Committed(self._index, self._language)
        return self._committed

    def _start_empty(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self.mark = self._kept = START
        self._index, self._committed, self._reader = self._open(), None, None

    def _open(self) -> tantivy.Index:
        index = tantivy.Index(_schema(), path=str(self._folder))
        index.register_tokenizer("stems", analyzer(self._language))
        # Reloads are explicit. Tantivy still starts a watcher thread per index; IndexPool bounds
        # how many are open.
        index.config_reader("manual")
        index.reload()
        return index


def _document(number: int, element: Words) -> tantivy.Document:
    document = tantivy.Document()
    document.add_unsigned("key", element.key)
    document.add_unsigned("number", number)
    document.add_text("text", element.text)
    document.add_text("common", " ".join(element.common))
    document.add_bytes("opening", element.opening.encode())
    return document


def _read_mark(folder: Path, language: str) -> Mark:
    """The stored mark; START when none fits, and the index is rebuilt."""
    try:
        data: Any = json.loads((folder / _MARK).read_text(encoding="utf-8"))
        if data["schema"] == _SCHEMA_VERSION and data["language"] == language:
            return Mark(int(data["sequence"]), str(data["doc_id"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return START


def _write_mark(folder: Path, language: str, mark: Mark) -> None:
    data = {
        "schema": _SCHEMA_VERSION,
        "language": language,
        "sequence": mark.sequence,
        "doc_id": mark.doc_id,
    }
    draft = folder / f"{_MARK}.new"
    draft.write_text(json.dumps(data), encoding="utf-8")
    os.replace(draft, folder / _MARK)
