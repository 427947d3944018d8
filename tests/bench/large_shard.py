"""One shard of ten million elements by itself: processor time of its build, memory, answers.

    python -m tests.bench.large_shard FOLDER [--elements 10000000] [--queries 40]

The record is written to FOLDER first, 2 kB for each element, and continued if a part is there; its
indexes take about as much again. Texts are all different; vectors are made from those of the first
10,000 texts, because embedding takes longer than all else. Each index is built by a process of its
own, then another one opens them and searches. Memory is what a process has of its own, and the
parts of files that it has mapped; the processes end when they need more than 12 GB.
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from sqlalchemy import func, select

from backend.inference.embeddings import Embedder, Matrix
from backend.inference.providers import embedder_for
from backend.search.docset_indexes import IndexName
from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Shards
from backend.store.database import Database
from backend.store.tables import documents, metadata
from tests.backend.search.local_shards import LocalShards
from tests.bench.search_corpus import PER_DOCUMENT, Corpus, insert_docset, insert_document
from workbench.contract.errors import Unavailable
from workbench.contract.search import QueryType, SearchRequest

_DOCSET = "docset"
_BATCH = 10_000
_MOST_MEMORY = 12 * 10**9
_NOISE = 0.02
_STEPS: dict[str, tuple[tuple[IndexName, ...], tuple[QueryType, ...]]] = {
    "words": (("lexical",), ()),
    "vectors": (("vector",), ()),
    "searches": (("lexical", "vector"), ("lexical", "vector", "hybrid")),
    "strings": (("keyword",), ("keyword",)),
}
"""What each process follows the log with, and which queries it answers then. The texts for strings
are in memory only, so they are read again by each process.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--elements", type=int, default=10_000_000)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--step", choices=_STEPS)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with closing(Database(f"sqlite:///{options.folder}/store.sqlite")) as database:
        corpus = Corpus(_BATCH, embedder_for("static"))
        if options.step is not None:
            _measure(options.step, options.folder, database, corpus, options.queries)
            return
        metadata.create_all(database.engine)
        _fill(database, corpus, options.elements)
    for step in _STEPS:
        own = ["--step", step, "--queries", str(options.queries)]
        subprocess.run([sys.executable, "-m", __spec__.name, options.folder, *own], check=False)


def _fill(database: Database, corpus: Corpus, size: int) -> None:
    embedder = embedder_for("static")
    count = select(func.count()).select_from(documents)
    with database.reading() as connection:
        done = connection.execute(count).scalar_one() * PER_DOCUMENT
    if not done:
        with database.writing() as connection:
            insert_docset(connection, _DOCSET, embedder)
    chance = np.random.default_rng(done)
    # Other texts than before, if this continues what another process began.
    more = Corpus(_BATCH, embedder, texts_seed=done)
    for start in range(done, size, _BATCH):
        texts = more.some(_BATCH) if start else corpus.texts
        _insert(database, start, texts, _mixed(corpus.matrix, chance), embedder)


def _insert(
    database: Database, start: int, texts: list[str], matrix: Matrix, embedder: Embedder
) -> None:
    with database.writing() as connection:
        for first in range(0, _BATCH, PER_DOCUMENT):
            part = slice(first, first + PER_DOCUMENT)
            number = (start + first) // PER_DOCUMENT
            insert_document(connection, _DOCSET, number, texts[part], matrix[part], embedder)


def _mixed(matrix: Matrix, chance: np.random.Generator) -> Matrix:
    """As many vectors, each between two of these and a little beside."""
    first, second = chance.integers(0, len(matrix), (2, len(matrix)))
    noise = _NOISE * chance.standard_normal(matrix.shape, dtype=np.float32)
    mixed = matrix[first] + matrix[second] + noise
    normal: Matrix = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return normal


def _measure(step: str, folder: Path, database: Database, corpus: Corpus, queries: int) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    names, kinds = _STEPS[step]
    asked = [corpus.query() for _ in range(queries)]
    hosts = LocalShards(database, folder / "shards", 1)
    engine = SearchEngine(database, folder / "server", shards=Shards(hosts, 1, least=1))
    with _watched() as peak:
        began, cost = time.monotonic(), time.process_time()
        for name in names:
            engine._views.follow(_DOCSET, name)
        print(
            f"{step}: ready after {time.process_time() - cost:.1f} s of processor time,"
            f" {time.monotonic() - began:.0f} s",
            flush=True,
        )
        for kind in kinds:
            _ask(engine, kind, asked)
        print(f"{step}: memory {_memory()}, of its own {max(peak):.2f} GB at most", flush=True)
    engine.close()
    hosts.close()
    size = sum(file.stat().st_size for file in (folder / "shards").rglob("*") if file.is_file())
    print(f"{step}: files of all indexes {size / 1e9:.2f} GB", flush=True)


def _ask(engine: SearchEngine, kind: QueryType, asked: list[str]) -> None:
    walls, costs, refused = [], [], 0
    for text in asked:
        # A keyword query is one string, so a single word.
        query = text.split()[0] if kind == "keyword" else text
        request = SearchRequest(query=query, query_type=kind, return_type="element")
        began, cost = time.monotonic(), time.process_time()
        try:
            assert engine.search(_DOCSET, request, page_size=10).results
        except Unavailable:  # it took too long, as when the files are not in memory yet
            refused += 1
        walls.append(1000 * (time.monotonic() - began))
        costs.append(1000 * (time.process_time() - cost))
    print(
        f"{kind}: median {statistics.median(costs):.0f} ms of processor time,"
        f" {statistics.median(walls):.0f} ms; the first one {walls[0]:.0f} ms; {refused} refused",
        flush=True,
    )


@contextmanager
def _watched() -> Iterator[list[float]]:
    """Collects the gigabytes that this process has of its own."""
    seen = [0.0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            seen.append(_gigabytes("RssAnon"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()


def _gigabytes(field: str) -> float:
    status = Path(f"/proc/{os.getpid()}/status").read_text()
    (found,) = re.findall(rf"{field}:\s+(\d+) kB", status)
    return int(found) * 1024 / 1e9


def _memory() -> str:
    own, files = _gigabytes("RssAnon"), _gigabytes("RssFile")
    return f"{own:.2f} GB of its own and {files:.2f} GB of files"


if __name__ == "__main__":
    main()
