"""Speed of search inside the engine, beside plain tantivy and numpy calls in the same run.

    python -m tests.bench.search [--elements 100000] [--queries 60] [--page-size 10]

Each kind of query runs on both return types, alone and with a filter that one document in a
hundred passes. Times are milliseconds from request to finished results; `cpu` is the processor
time of the median query, which a busy machine disturbs less. `ratio` divides it by that of the
bare call for the same queries. Then: documents of 50 elements from the beginning of the
transaction until each is found; two readers alone and beside a writer that acknowledges as the
service does, when the index has followed: ten documents of 50 elements a second, which is more
than one client uploads, and then as many as it can; and the first search of each of 1,000 small
DocSets, with what an open one holds. Vector queries are also held against a full comparison of
all vectors. At the end, all goals beside what was measured. `tests.bench.search_http` measures
the queries through HTTP.
"""

import argparse
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from backend.inference.embeddings import Embedder, Matrix
from backend.inference.providers import embedder_for
from backend.inference.static import StaticEmbedder
from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.tables import metadata
from tests.bench.search_corpus import (
    DOCUMENTS_A_SECOND,
    PER_DOCUMENT,
    Corpus,
    insert_docset,
    insert_document,
)
from tests.bench.search_engines import Call, Spent, bare_engines, report, spent
from tests.bench.search_goals import Goals
from workbench.contract.search import QueryType, ReturnType, SearchRequest

_DOCSET = "wb:ds-bench"
_BATCH = 50  # documents in a transaction of the bulk load
_WATCHED_SECONDS = 6.0
_SMALL_DOCSETS = 1_000
_DEPTH = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--additions", type=int, default=100)
    parser.add_argument("--page-size", type=int, default=10)
    options = parser.parse_args()
    embedder = embedder_for("static")
    corpus = Corpus(options.elements, embedder)
    goals = Goals()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/store.sqlite")
        metadata.create_all(database.engine)
        engine = SearchEngine(database, Path(folder) / "indexes")
        load(engine, database, corpus, embedder, goals)
        bare = bare_engines(corpus, embedder)
        queries = [corpus.query() for _ in range(options.queries)]
        _queries(engine, queries, bare, options.page_size)
        _recall(engine, queries, corpus, embedder, goals)
        _additions(engine, database, corpus, embedder, options.additions, goals)
        _beside_a_writer(engine, database, corpus, embedder, goals)
        engine.close()
        _first_searches(database, Path(folder) / "indexes", corpus, embedder, goals)
        database.close()
    goals.tell()


def load(
    engine: SearchEngine, database: Database, corpus: Corpus, embedder: Embedder, goals: Goals
) -> None:
    """Puts the corpus into a DocSet, 5,000 elements in a transaction, the word index following.

    As the service has it, vectors are made beside: here by a thread, and by an embedder that has
    seen no text yet.
    """
    with database.writing() as connection:
        insert_docset(connection, _DOCSET, embedder)
    size, number, indexing = PER_DOCUMENT * _BATCH, 0, 0.0
    batches = [corpus.texts[start : start + size] for start in range(0, corpus.size, size)]
    started = time.perf_counter()
    for batch, matrix in zip(batches, _embedded(batches), strict=True):
        with database.writing() as connection:
            for start in range(0, len(batch), PER_DOCUMENT):
                part = slice(start, start + PER_DOCUMENT)
                insert_document(connection, _DOCSET, number, batch[part], matrix[part], embedder)
                number += 1
        followed = time.perf_counter()
        engine.follow(_DOCSET)
        indexing += time.perf_counter() - followed
    seconds = time.perf_counter() - started
    print(
        f"bulk load {corpus.size / seconds:10,.0f} elements/s"
        f" (it waited for the word index for {indexing / seconds:.0%})",
        flush=True,
    )
    goals.at_least("bulk load with static vectors", 10_000, corpus.size / seconds)


def _embedded(batches: Sequence[Sequence[str]]) -> Iterator[Matrix]:
    """The vectors of each batch; while one is used, those of the next are made."""
    fresh = StaticEmbedder.installed()
    with ThreadPoolExecutor(1) as beside:
        coming = beside.submit(fresh.embed, batches[0])
        for following in (*batches[1:], []):
            matrix = coming.result()
            coming = beside.submit(fresh.embed, following)
            yield matrix


def _queries(
    engine: SearchEngine, queries: Sequence[str], bare: Mapping[str, Call], page_size: int
) -> None:
    print(f"{'':40} {'p50':>8} {'p95':>8} {'cpu':>8} {'ratio':>6}")
    kinds: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")
    units: tuple[ReturnType, ...] = ("element", "doc")
    medians: dict[str, float] = {}
    for name, call in bare.items():
        times = [spent(partial(call, query)) for query in queries]
        medians[name] = report(f"bare {name}", times)
    for kind in kinds:
        for unit in units:
            for passed, rule in (("", None), ("1 % filter", "slice = 7")):
                times = []
                for query in queries:
                    text = query.split()[0] if kind == "keyword" else query
                    request = SearchRequest(
                        query=text, query_type=kind, return_type=unit, properties_filter=rule
                    )
                    search = partial(engine.search, _DOCSET, request, page_size=page_size)
                    times.append(spent(search))
                report(f"{kind} {unit} {passed}", times[1:], medians.get(kind))


def _recall(
    engine: SearchEngine,
    queries: Sequence[str],
    corpus: Corpus,
    embedder: Embedder,
    goals: Goals,
) -> None:
    """The share of the hundred nearest elements that vector queries find."""
    everything = np.arange(corpus.size)
    for name, rule, places in (
        ("", None, everything),
        (", 1 % filter", "slice = 7", everything[everything // PER_DOCUMENT % 100 == 7]),
    ):
        count = wanted = 0
        for query in queries:
            nearness = corpus.matrix[places] @ embedder.embed([query])[0]
            best = places[np.argsort(-nearness)[:_DEPTH]].tolist()
            request = SearchRequest(
                query=query,
                query_type="vector",
                return_type="element",
                properties_filter=rule,
                include_fields=["id"],
            )
            results = engine.search(_DOCSET, request, page_size=_DEPTH).results
            listed = {result["id"] for result in results}
            count += sum(
                f"wb:e-{place // PER_DOCUMENT}-{place % PER_DOCUMENT}" in listed for place in best
            )
            wanted += len(best)
        goals.at_least(f"vector recall@{_DEPTH}{name}", 0.98, count / wanted)


def _additions(
    engine: SearchEngine,
    database: Database,
    corpus: Corpus,
    embedder: Embedder,
    count: int,
    goals: Goals,
) -> None:
    """From the beginning of the document's transaction to a search that finds it."""
    times: list[Spent] = []
    misses = 0
    for number in range(1_000_000, 1_000_000 + count):
        texts = [f"{text} unique{number}" for text in corpus.some(50)]

        def add_and_find(number: int = number, texts: list[str] = texts) -> None:
            nonlocal misses
            matrix = embedder.embed(texts)
            with database.writing() as connection:
                doc_id = insert_document(connection, _DOCSET, number, texts, matrix, embedder)
            result = engine.search(_DOCSET, SearchRequest(query=f"unique{number}")).results
            misses += [result["doc_id"] for result in result] != [doc_id]

        times.append(spent(add_and_find))
    report("embed and add 50 elements until found", times)
    print(f"{'':40} {misses} of {count} were not found at once")
    walls = [one.wall for one in times]
    goals.at_most("50 elements embedded, added and found, p50", 50, statistics.median(walls))
    worst = statistics.quantiles(walls, n=20)[-1]
    goals.at_most("50 elements embedded, added and found, p95", 120, worst)
    goals.at_most(f"additions of {count} that were not found at once", 0, misses, "")


def _beside_a_writer(
    engine: SearchEngine, database: Database, corpus: Corpus, embedder: Embedder, goals: Goals
) -> None:
    """Hybrid queries a second of two threads: alone, while ten documents of 50 elements arrive a
    second, and while as many arrive as one thread can write.
    """
    texts = corpus.some(50)
    queries = [corpus.query() for _ in range(50)]
    matrix = embedder.embed(texts)
    number = 2_000_000
    kept: list[float] = []
    for _ in range(2):
        rates: list[float] = []
        for wanted in (0.0, DOCUMENTS_A_SECOND, float("inf")):
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
            started, first = time.perf_counter(), number
            while (passed := time.perf_counter() - started) < _WATCHED_SECONDS:
                if number - first < wanted * passed:
                    with database.writing() as connection:
                        insert_document(connection, _DOCSET, number, texts, matrix, embedder)
                    engine.follow(_DOCSET)
                    number += 1
                else:
                    time.sleep(0.005)
            over.set()
            for reader in readers:
                reader.join()
            seconds = time.perf_counter() - started
            rates.append(sum(done) / seconds)
            print(
                f"two readers: {rates[-1]:.0f} queries/s beside {(number - first) / seconds:.0f}"
                f" documents/s: {rates[-1] / rates[0]:.0%} kept",
                flush=True,
            )
        kept.append(100 * rates[1] / rates[0])
    beside = f"two readers beside {DOCUMENTS_A_SECOND} documents a second keep"
    goals.at_least(beside, 60, statistics.mean(kept), "%")


def _first_searches(
    database: Database, folder: Path, corpus: Corpus, embedder: Embedder, goals: Goals
) -> None:
    """One hybrid query of each of 1,000 DocSets of 20 elements, whose indexes are closed."""
    texts = corpus.some(20)
    matrix = embedder.embed(texts)
    names = [f"wb:ds-small{number}" for number in range(_SMALL_DOCSETS)]
    with database.writing() as connection:
        for place, name in enumerate(names):
            insert_docset(connection, name, embedder)
            insert_document(connection, name, 3_000_000 + place, texts, matrix, embedder)
    engine = SearchEngine(database, folder)
    for name in names:
        engine.follow(name)
    engine.close()
    engine = SearchEngine(database, folder)
    request = SearchRequest(query=corpus.query(), query_type="hybrid")
    engine.search(_DOCSET, request)  # the parts that all DocSets share
    before = _open_files(), _resident()
    times = [spent(partial(engine.search, name, request)) for name in names[:200]]
    files, memory = (_open_files() - before[0]) / 200, (_resident() - before[1]) / 200
    times += [spent(partial(engine.search, name, request)) for name in names[200:]]
    report(f"first search of {_SMALL_DOCSETS:,} small DocSets", times)
    first = statistics.median(one.wall for one in times)
    goals.at_most(f"cold open and first search, {_SMALL_DOCSETS:,} DocSets, p50", 15, first)
    print(f"an open one: {files:.2f} descriptors, {memory / 2**20:.2f} MiB", flush=True)
    engine.close()


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def _resident() -> int:
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
