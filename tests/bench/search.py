"""Speed of search over 100,000 generated elements, beside plain tantivy and numpy calls in the
same run.

    python -m tests.bench.search [--elements 100000] [--queries 60] [--page-size 10]

Each kind of query runs on both return types, alone and with a filter that one document in a
hundred passes. Times are milliseconds inside the engine, from request to finished results; `cpu`
is the processor time of the median query, which a busy machine disturbs less. `ratio` divides it
by that of the bare call for the same queries: tantivy's top ten, or one matrix product and a
partition. Then: a document of 50 elements from its transaction until it is found; two readers
alone and beside a writer; and the first search of each of many small DocSets.
"""

import argparse
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path

import numpy as np
import tantivy
from sqlalchemy import Connection

from backend.contract.search import QueryType, ReturnType, SearchRequest
from backend.inference.embeddings import Embedder, Matrix, embedder_for
from backend.search.engine import SearchEngine
from backend.search.lexical.analysis import analyzer, query_terms
from backend.store.database import Database
from backend.store.operation_log import log_change
from backend.store.tables import (
    contents,
    docsets,
    documents,
    elements,
    metadata,
    vectors,
)

_DOCSET = "wb:ds-bench"
_PER_DOCUMENT = 100
_WORDS_PER_ELEMENT = 60
_TOO_COMMON = 30
_WATCHED_SECONDS = 4.0
_SYLLABLES = tuple(first + second for first in "bcdfghjklmnpr" for second in "aeiou")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--page-size", type=int, default=10)
    options = parser.parse_args()
    words = _Words(random.Random(7))
    texts = [words.text(_WORDS_PER_ELEMENT) for _ in range(options.elements)]
    queries = [words.query(texts) for _ in range(options.queries)]
    with tempfile.TemporaryDirectory() as folder:
        embedder = embedder_for("static")
        started = time.perf_counter()
        matrix = embedder.embed(texts)
        print(f"embedding       {len(texts) / (time.perf_counter() - started):10,.0f} elements/s")
        database = Database(f"sqlite:///{folder}/store.sqlite")
        metadata.create_all(database.engine)
        _fill(database, texts, matrix, embedder)
        engine = SearchEngine(database, Path(folder) / "indexes")
        started = time.perf_counter()
        engine.follow(_DOCSET)
        print(f"word index      {len(texts) / (time.perf_counter() - started):10,.0f} elements/s")
        bare = _bare(texts, matrix, embedder)
        _queries(engine, queries, bare, options.page_size)
        _additions(engine, database, words, embedder)
        _beside_a_writer(engine, database, words, embedder)
        engine.close()
        _first_searches(database, Path(folder) / "indexes", words, embedder)
        database.close()


class _Words:
    """A made-up vocabulary, its words as unevenly common as those of a language."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        made = ("".join(source.choices(_SYLLABLES, k=source.randint(2, 4))) for _ in range(40_000))
        self._vocabulary = list(dict.fromkeys(made))
        self._common = set(self._vocabulary[:_TOO_COMMON])
        shares = (1 / (rank + 3) for rank in range(len(self._vocabulary)))
        self._shares = list(accumulate(shares))

    def text(self, count: int) -> str:
        return " ".join(self._random.choices(self._vocabulary, cum_weights=self._shares, k=count))

    def query(self, texts: Sequence[str]) -> str:
        """Some of the rarer words of one element, neighbours first, as a question has them."""
        words = [word for word in self._random.choice(texts).split() if word not in self._common]
        start = self._random.randrange(max(1, len(words) - 20))
        return " ".join(words[start : start + self._random.randint(5, 20)])


def _fill(
    database: Database,
    texts: Sequence[str],
    matrix: Matrix,
    embedder: Embedder,
) -> None:
    with database.writing() as connection:
        _docset(connection, _DOCSET, embedder)
        for start in range(0, len(texts), _PER_DOCUMENT):
            part = slice(start, start + _PER_DOCUMENT)
            _document(connection, start // _PER_DOCUMENT, texts[part], matrix[part], embedder)


def _docset(connection: Connection, docset_id: str, embedder: Embedder) -> None:
    connection.execute(
        docsets.insert().values(
            docset_id=docset_id,
            account_id="a",
            name=docset_id,
            created_at=0.0,
            readonly=False,
            properties={},
            prompts={},
            embedding=embedder.identity.wire(),
            language="english",
        )
    )


def _document(
    connection: Connection,
    number: int,
    texts: Sequence[str],
    matrix: Matrix,
    embedder: Embedder,
    docset_id: str = _DOCSET,
) -> None:
    content, doc_id = f"c{number}", f"wb:f-{number}"
    connection.execute(
        contents.insert().values(content_id=content, blob="b", created_at=0.0, page_count=1)
    )
    connection.execute(
        elements.insert(),
        [
            {
                "content_id": content,
                "ordinal": ordinal,
                "kind": "Text",
                "page_number": 1,
                "bbox": [0, 0, 1, 1],
                "text": text,
                "properties": {"score": 1.0, "page_number": 1},
            }
            for ordinal, text in enumerate(texts)
        ],
    )
    connection.execute(
        vectors.insert().values(
            content_id=content,
            identity=embedder.identity.text,
            dimension=matrix.shape[1],
            ordinals=np.arange(len(texts), dtype="<i4").tobytes(),
            matrix=matrix.astype("<f4").tobytes(),
        )
    )
    connection.execute(
        documents.insert().values(
            doc_id=doc_id,
            docset_id=docset_id,
            account_id="a",
            content_id=content,
            blob="b",
            created_at=0.0,
            name=doc_id,
            size=1,
            content_type="text/plain",
            properties={"entity": {"slice": number % 100}, "path": doc_id},
        )
    )
    log_change(connection, "add", doc_id)


Bare = dict[str, Callable[[str], object]]


def _bare(texts: Sequence[str], matrix: Matrix, embedder: Embedder) -> Bare:
    """The plainest call that answers the same question, without documents, filters and pages."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", fast=True)
    builder.add_text_field("text", tokenizer_name="stems", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    index.register_tokenizer("stems", analyzer("english"))
    writer = index.writer(32_000_000, 1)
    for key, text in enumerate(texts):
        element = tantivy.Document()
        element.add_unsigned("key", key)
        element.add_text("text", text)
        writer.add_document(element)
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def lexical(query: str) -> object:
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", stem, "freq"))
            for stem in query_terms(query, "english")
        ]
        return searcher.search(tantivy.Query.boolean_query(terms), 10).hits

    def vector(query: str) -> object:
        scores = matrix @ embedder.embed([query])[0]
        best = np.argpartition(-scores, 10)[:10]
        return best[np.argsort(-scores[best])]

    return {"lexical": lexical, "vector": vector}


def _queries(engine: SearchEngine, queries: Sequence[str], bare: Bare, page_size: int) -> None:
    print(f"{'':34} {'p50':>8} {'p95':>8} {'cpu':>8} {'ratio':>6}")
    kinds: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")
    units: tuple[ReturnType, ...] = ("element", "doc")
    medians: dict[str, float] = {}
    for name, call in bare.items():
        spent = [_spent(partial(call, query)) for query in queries]
        medians[name] = _told(f"bare {name}", spent, None)
    for kind in kinds:
        for unit in units:
            for passed, rule in (("", None), ("1 % filter", "slice = 7")):
                spent = []
                for query in queries:
                    text = query.split()[0] if kind == "keyword" else query
                    request = SearchRequest(
                        query=text, query_type=kind, return_type=unit, properties_filter=rule
                    )
                    spent.append(
                        _spent(partial(engine.search, _DOCSET, request, page_size=page_size))
                    )
                _told(f"{kind} {unit} {passed}", spent[1:], medians.get(kind))


def _additions(engine: SearchEngine, database: Database, words: _Words, embedder: Embedder) -> None:
    """From the beginning of the document's transaction to a search that finds it."""
    spent: list[Spent] = []
    for number in range(1_000_000, 1_000_030):
        texts = [f"{words.text(_WORDS_PER_ELEMENT)} unique{number}" for _ in range(50)]
        matrix = embedder.embed(texts)

        def add_and_find(
            number: int = number, texts: list[str] = texts, matrix: Matrix = matrix
        ) -> None:
            with database.writing() as connection:
                _document(connection, number, texts, matrix, embedder)
            found = engine.search(_DOCSET, SearchRequest(query=f"unique{number}")).results
            assert [result["doc_id"] for result in found] == [f"wb:f-{number}"]

        spent.append(_spent(add_and_find))
    _told("add 50 elements until found", spent, None)


def _beside_a_writer(
    engine: SearchEngine, database: Database, words: _Words, embedder: Embedder
) -> None:
    """Hybrid queries a second of two threads, alone and while documents of 50 elements arrive."""
    texts = [words.text(_WORDS_PER_ELEMENT) for _ in range(50)]
    queries = [words.query(texts) for _ in range(50)]
    matrix = embedder.embed(texts)
    rates: list[float] = []
    for writing in (False, True):
        over, done = threading.Event(), [0, 0]

        def read(place: int, over: threading.Event = over, done: list[int] = done) -> None:
            while not over.is_set():
                query = queries[done[place] % len(queries)]
                request = SearchRequest(query=query, query_type="hybrid")
                engine.search(_DOCSET, request, page_size=10)
                done[place] += 1

        readers = [threading.Thread(target=read, args=(place,)) for place in (0, 1)]
        for reader in readers:
            reader.start()
        started, number = time.perf_counter(), 2_000_000
        while time.perf_counter() - started < _WATCHED_SECONDS:
            if writing:
                with database.writing() as connection:
                    _document(connection, number, texts, matrix, embedder)
                number += 1
            else:
                time.sleep(0.1)
        over.set()
        for reader in readers:
            reader.join()
        rates.append(sum(done) / (time.perf_counter() - started))
    print(f"two readers alone / beside a writer, queries/s {rates[0]:.0f} / {rates[1]:.0f}")


def _first_searches(database: Database, folder: Path, words: _Words, embedder: Embedder) -> None:
    """One hybrid query of each of 200 DocSets of 20 elements, whose indexes are closed."""
    texts = [words.text(_WORDS_PER_ELEMENT) for _ in range(20)]
    matrix = embedder.embed(texts)
    names = [f"wb:ds-small{number}" for number in range(200)]
    with database.writing() as connection:
        for place, name in enumerate(names):
            _docset(connection, name, embedder)
            _document(connection, 3_000_000 + place, texts, matrix, embedder, name)
    engine = SearchEngine(database, folder)
    for name in names:
        engine.follow(name)
    engine.close()
    engine = SearchEngine(database, folder)
    request = SearchRequest(query=words.query(texts), query_type="hybrid")
    spent = [_spent(partial(engine.search, name, request)) for name in names]
    _told("first search of a small DocSet", spent, None)
    engine.close()


Spent = tuple[float, float]


def _spent(call: Callable[[], object]) -> Spent:
    """Milliseconds by the clock and of the processor."""
    started, used = time.perf_counter(), time.process_time()
    call()
    return 1000 * (time.perf_counter() - started), 1000 * (time.process_time() - used)


def _told(name: str, spent: Sequence[Spent], bare: float | None) -> float:
    median = statistics.median(wall for wall, _ in spent)
    worst = statistics.quantiles((wall for wall, _ in spent), n=20)[-1]
    used = statistics.median(cpu for _, cpu in spent)
    ratio = f"{used / bare:6.1f}" if bare else ""
    print(f"{name:34} {median:8.2f} {worst:8.2f} {used:8.2f} {ratio}")
    return used


if __name__ == "__main__":
    main()
