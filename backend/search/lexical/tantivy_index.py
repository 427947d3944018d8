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
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import tantivy
from sqlalchemy import Connection
from tantivy import Occur, Query

from backend.search.lexical.analysis import analyzer, prepare, query_terms
from backend.search.operations import START, Changes, Mark, texts_of
from backend.search.port import IndexDamaged
from backend.search.ranking import Numbers, Ranking, keys_of, numbers_of, ranked

_SCHEMA_VERSION = 2
_MARK = "mark.json"
_WRITER_BYTES = 32_000_000
# A document set is handed to tantivy when it is small; a large one costs less as a sieve behind
# the search, because tantivy then skips what cannot rank.
_SMALL_SET = 512
_SMALL_SHARE = 0.02
_SPARE = 16
_Result = TypeVar("_Result")


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", fast=True)
    builder.add_unsigned_field("number", indexed=True)
    builder.add_text_field("text", tokenizer_name="stems", index_option="freq")
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
                        writer.add_document(_element(held.document.number, key, text))
                writer.commit()
                self._index.reload()
            except BaseException:
                self._writer = None
                raise
        _write_mark(self._folder, self._language, changes.mark)
        self.mark = changes.mark

    def reader(self) -> "TantivyReader":
        return TantivyReader(self._index, self._language)

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
        self._index = self._open()

    def _open(self) -> tantivy.Index:
        index = tantivy.Index(_schema(), path=str(self._folder))
        index.register_tokenizer("stems", analyzer(self._language))
        # Without a file watcher, which would be a thread per open DocSet.
        index.config_reader("manual")
        index.reload()
        return index


class TantivyReader:
    """One state of the index."""

    def __init__(self, index: tantivy.Index, language: str) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self._language = language

    def search(self, query: str, allowed: Numbers | None) -> "TantivyMatches":
        """Elements with any word of `query`."""
        terms = [
            (Occur.Should, Query.boost_query(self._term(stem), float(count)))
            for stem, count in query_terms(query, self._language).items()
        ]
        return TantivyMatches(self._searcher, self._schema, Query.boolean_query(terms), allowed)

    def _term(self, stem: str) -> Query:
        return Query.term_query(self._schema, "text", stem, "freq")


class TantivyMatches:
    """The elements of one query. See Matches."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        query: Query,
        allowed: Numbers | None,
    ) -> None:
        self._searcher = searcher
        self._query = query
        self._sieve = allowed
        if allowed is not None and len(allowed) <= max(
            _SMALL_SET, _SMALL_SHARE * searcher.num_docs
        ):
            chosen = Query.term_set_query(schema, "number", allowed.tolist())
            both = [(Occur.Must, query), (Occur.Must, Query.const_score_query(chosen, 0.0))]
            self._query = Query.boolean_query(both)
            self._sieve = None

    def best(self, limit: int) -> Ranking:
        """See Matches. Asks tantivy for more until equal scores at the end cannot hide a better
        key.
        """
        total = max(1, self._searcher.num_docs)
        fetch = limit + _SPARE
        while True:
            found = self._top(min(fetch, total))
            certain = found if len(found) < fetch else _above(found, float(found.scores[-1]))
            kept = self._sieved(certain)
            if len(kept) >= limit or len(found) < fetch:
                return ranked(kept.keys, kept.scores, limit)
            fetch *= 4

    def _top(self, fetch: int) -> Ranking:
        def run() -> Ranking:
            hits = self._searcher.search(self._query, fetch, count=False).hits
            keys = self._searcher.fast_field_values("key", [address for _, address in hits])
            return Ranking(
                np.array(keys, dtype=np.int64),
                np.array([score for score, _ in hits], dtype=np.float32),
            )

        return _reading(run)

    def _sieved(self, ranking: Ranking) -> Ranking:
        if self._sieve is None:
            return ranking
        kept = np.isin(numbers_of(ranking.keys), self._sieve)
        return Ranking(ranking.keys[kept], ranking.scores[kept])


def _above(ranking: Ranking, score: float) -> Ranking:
    return ranking.head(int(np.count_nonzero(ranking.scores > score)))


def _reading(read: Callable[[], _Result]) -> _Result:
    """IndexDamaged for what tantivy raises over broken files; its panics are no Exception."""
    try:
        return read()
    except (ValueError, OSError) as error:
        raise IndexDamaged(str(error)) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise IndexDamaged(str(error)) from error
        raise


def _element(number: int, key: int, text: str) -> tantivy.Document:
    element = tantivy.Document()
    element.add_unsigned("key", key)
    element.add_unsigned("number", number)
    element.add_text("text", prepare(text))
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
