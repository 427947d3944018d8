"""The word index of one DocSet in a folder of its own, kept by tantivy.

The folder holds tantivy's files and `mark.json`: which operation they are up to. The mark lies
beside the files, not in the database, so it vanishes with them, and bringing an index up to date
writes nothing to the database. It is written after tantivy's commit; a crash in between means
doing those operations again, which changes nothing.

The schema is frozen: properties are never part of it.
"""

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import tantivy
from sqlalchemy import Connection
from tantivy import Query

from backend.search.lexical.analysis import analyzer, common_words, prepare
from backend.search.lexical.searching import TantivyReader
from backend.search.operations import START, Changes, Mark, texts_of
from backend.search.ranking import keys_of
from backend.store.failpoints import reach

_SCHEMA_VERSION = 3
_MARK = "mark.json"
_META = "meta.json"
_WRITER_BYTES = 32_000_000
_OPENING = 2000
"""Characters of an element that feedback reads."""


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
        """Opens the folder; what is missing, of another schema or language, or damaged starts
        empty.
        """
        self._folder = folder
        self._language = language
        self._writer: tantivy.IndexWriter | None = None
        self._reader: TantivyReader | None = None  # of the present state
        self.mark = _read_mark(folder, language)
        if self.mark == START:
            self._start_empty()
        else:
            try:
                self._index = self._open()
            except (ValueError, OSError):
                self._start_empty()

    @property
    def size(self) -> int:
        return 400_000  # measured; the files are mapped, not held

    @property
    def is_writing(self) -> bool:
        """Whether it holds a writer: threads, buffers and the folder's lock."""
        return self._writer is not None

    def apply(self, connection: Connection, changes: Changes) -> None:
        """See ElementIndex. When it fails nothing is kept and the mark stays."""
        if changes:
            writer = self._writer = self._writer or self._index.writer(_WRITER_BYTES, 1)
            try:
                if changes.gone:
                    # By query: a term made of a number would be a signed one, and match nothing.
                    gone = Query.term_set_query(self._index.schema, "number", list(changes.gone))
                    writer.delete_documents_by_query(gone)
                for held in texts_of(connection, changes.present):
                    keys = keys_of(held.document.number, held.ordinals).tolist()
                    for key, text in zip(keys, held.texts, strict=True):
                        writer.add_document(
                            _element(held.document.number, key, text, self._language)
                        )
                reach("words.written")
                writer.commit()
                self._index.reload()
                self._reader = None
                reach("words.committed")
            except BaseException:
                self._writer = None
                raise
        if changes.mark != self.mark:
            _write_mark(self._folder, self._language, changes.mark)
            self.mark = changes.mark
            reach("words.marked")

    def reader(self) -> TantivyReader:
        if self._reader is None:
            self._reader = TantivyReader(self._index, self._language)
        return self._reader

    def copy(self, folder: Path) -> None:
        """Links the files into a new folder, to be adopted there.

        Segments never change once they are written. What merging replaces meanwhile would leave a
        copy without some of them, so the list of segments must be the same before and after.
        """
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
        """The files of a copy are up to that operation."""
        data: Any = json.loads((folder / _MARK).read_text(encoding="utf-8"))
        _write_mark(folder, data["language"], mark)

    def rest(self) -> None:
        """Let go of the writer once its merges are done."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.wait_merging_threads()

    def close(self) -> None:
        self.rest()

    def _start_empty(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self.mark = START
        self._index, self._reader = self._open(), None

    def _open(self) -> tantivy.Index:
        index = tantivy.Index(_schema(), path=str(self._folder))
        index.register_tokenizer("stems", analyzer(self._language))
        # Without a file watcher, which would be a thread per open DocSet.
        index.config_reader("manual")
        index.reload()
        return index


def _element(number: int, key: int, text: str, language: str) -> tantivy.Document:
    prepared = prepare(text)
    element = tantivy.Document()
    element.add_unsigned("key", key)
    element.add_unsigned("number", number)
    element.add_text("text", prepared)
    element.add_text("common", " ".join(sorted(common_words(prepared, language))))
    element.add_bytes("opening", prepared[:_OPENING].encode())
    return element


def _read_mark(folder: Path, language: str) -> Mark:
    """START when there is none that fits; the index is then built anew."""
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
