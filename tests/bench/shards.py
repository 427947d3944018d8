"""A DocSet in shards beside the same one on one machine: hits, processor time, a shard's return.

    python -m tests.bench.shards [--elements 200000] [--shards 4] [--queries 40]

The shards are threads of this process, so processor time is that of all together, without the way
through Ray. `agree` is the share of the ten best elements that both have.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import fmean

from backend.inference.embeddings import embedder_for
from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Shards
from backend.search.shards.shard import Shard
from backend.search.share import Share
from backend.store.database import Database
from backend.store.shared_files import SharedFolder
from backend.store.tables import metadata
from tests.backend.search.local_shards import LocalShards
from tests.bench.search_corpus import PER_DOCUMENT, Corpus, insert_docset, insert_document
from workbench.contract.search import QueryType, SearchRequest

_DOCSET = "docset"
_BATCH = 10_000
_KINDS: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=200_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--queries", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), options.elements, options.shards, options.queries)


def _measure(folder: Path, size: int, count: int, queries: int) -> None:
    database = Database(f"sqlite:///{folder}/store.sqlite")
    metadata.create_all(database.engine)
    corpus = _fill(database, size)
    shared = SharedFolder(folder / "shared")
    hosts = LocalShards(database, folder / "shards", count, shared)
    here = SearchEngine(database, folder / "here")
    there = SearchEngine(database, folder / "there", shards=Shards(hosts, count, least=1))
    for engine in (here, there):
        began = time.process_time()
        for name in ("lexical", "vector"):
            engine._views.follow(_DOCSET, name)
        where = "here" if engine is here else "in shards"
        print(f"built {where}: {time.process_time() - began:.1f} s of processor time")
    asked = [corpus.query() for _ in range(queries)]
    for kind in _KINDS:
        # A keyword query is one string, so a single word.
        texts = [text.split()[0] for text in asked] if kind == "keyword" else asked
        one, one_cost = _hits(here, kind, texts)
        other, other_cost = _hits(there, kind, texts)
        agree = fmean(
            len(set(a) & set(b)) / max(1, len(a)) for a, b in zip(one, other, strict=True)
        )
        print(
            f"{kind:8} agree {agree:.4f}; {1000 * one_cost:.1f} and {1000 * other_cost:.1f} ms of"
            f" processor time, ratio {other_cost / one_cost:.2f}"
        )
    _return(hosts, database, folder, shared, count)
    for engine in (here, there):
        engine.close()
    hosts.close()
    database.close()


def _fill(database: Database, size: int) -> Corpus:
    embedder = embedder_for("static")
    corpus = Corpus(min(size, _BATCH), embedder)
    with database.writing() as connection:
        insert_docset(connection, _DOCSET, embedder)
    for start in range(0, size, _BATCH):
        texts = corpus.some(_BATCH) if start else corpus.texts
        matrix = embedder.embed(texts)
        with database.writing() as connection:
            for first in range(0, _BATCH, PER_DOCUMENT):
                part = slice(first, first + PER_DOCUMENT)
                number = (start + first) // PER_DOCUMENT
                insert_document(connection, _DOCSET, number, texts[part], matrix[part], embedder)
    return corpus


def _hits(engine: SearchEngine, kind: QueryType, texts: list[str]) -> tuple[list[list[str]], float]:
    """The ten best elements for each text, and the processor time of one search."""
    hits = []
    for turn in ("warm", "measured"):
        began = time.process_time()
        for text in texts[:3] if turn == "warm" else texts:
            request = SearchRequest(query=text, query_type=kind, return_type="element")
            results = engine.search(_DOCSET, request, page_size=10).results
            if turn == "measured":
                hits.append([one["id"] for one in results])
    return hits, (time.process_time() - began) / len(texts)


def _return(
    hosts: LocalShards, database: Database, folder: Path, shared: SharedFolder, count: int
) -> None:
    """A successor of the first shard, on a machine that has nothing yet."""
    hosts.shards[0]._views.publish()
    began, cost = time.monotonic(), time.process_time()
    successor = Shard(database, folder / "successor", shared, Share(0, count))
    for name in ("lexical", "vector"):
        successor._views.follow(_DOCSET, name)
    print(
        f"a shard back on another machine: {time.monotonic() - began:.1f} s,"
        f" {time.process_time() - cost:.1f} s of processor time"
    )
    successor.close()


if __name__ == "__main__":
    main()
