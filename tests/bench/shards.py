"""A DocSet in shards beside the same one on one machine: hits, processor time, a shard's return.

    python -m tests.bench.shards [--elements 200000] [--shards 4] [--queries 40] [--folder F]
    python -m tests.bench.shards --ray [--elements 200000] [--shards 4] [--queries 40]

Without `--ray` the shards are processes of this machine, asked as those of a cluster are; record
and indexes are kept in F, and used again if they are there. With it they run on a cluster of a head
and two nodes on this machine, over a PostgreSQL. Processor time is that of this process and the
shards, and of the bridge to Ray, less what they take while nobody asks. `agree` is the share of the
ten best elements that both have. A lost shard is back when words and vectors are answered again.
"""

import argparse
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from sqlalchemy import select

from backend.api.service import SHARD
from backend.inference.providers import embedder_for
from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Shards
from backend.search.shards.shard import PUBLISH_EVERY
from backend.store.database import Database
from backend.store.tables import docsets, metadata
from tests import postgresql_server
from tests.bench.processes import cost_of, named
from tests.bench.search_corpus import PER_DOCUMENT, Corpus, insert_docset, insert_document
from tests.ray_cluster import cluster, pool_on
from tests.shard_processes import ShardProcesses
from workbench.contract.errors import Unavailable
from workbench.contract.search import QueryType, SearchRequest

DOCSET = "docset"
_BATCH = 10_000
_IDLE_SECONDS = 20
_KINDS: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=200_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--queries", type=int, default=40)
    where_from = parser.add_mutually_exclusive_group()
    where_from.add_argument("--ray", action="store_true")
    where_from.add_argument("--folder", type=Path)
    options = parser.parse_args()
    where = _on_ray if options.ray else _in_processes
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        with where(folder, options.shards) as bench:
            _measure(bench, options.elements, options.queries)


@dataclass(frozen=True)
class Bench:
    """Where the shards are; `losses` are ways to lose some of them, by what is lost, and
    `processes` are those that search.
    """

    folder: Path
    database: Database
    shards: Shards
    losses: Mapping[str, Callable[[], None]]
    processes: Callable[[], list[int]]

    def cost(self) -> float:
        """Seconds of processor time so far."""
        return time.process_time() + sum(map(cost_of, self.processes()))

    def idle(self) -> float:
        """Their share of a core while nobody asks."""
        began, cost = time.monotonic(), self.cost()
        time.sleep(_IDLE_SECONDS)
        return (self.cost() - cost) / (time.monotonic() - began)


@contextmanager
def _in_processes(folder: Path, count: int) -> Iterator[Bench]:
    folder.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{folder}/store.sqlite"
    with closing(Database(url)) as database:
        metadata.create_all(database.engine)
        with closing(ShardProcesses(url, folder, count)) as hosts:
            for place in range(count):
                hosts.start(place, f"shard-{place}")
            shards = Shards(hosts, count, least=1)

            def replace(name: str) -> None:
                hosts.kill(0)
                hosts.start(0, name)

            losses = {
                "a process": partial(replace, "shard-0"),
                "a process and its files": partial(replace, f"successor-{os.getpid()}"),
            }
            yield Bench(folder, database, shards, losses, _searching)


@contextmanager
def _on_ray(folder: Path, count: int) -> Iterator[Bench]:
    binaries = postgresql_server.programs()
    assert binaries is not None, "PostgreSQL is not installed (Debian: postgresql)"
    with (
        postgresql_server.running(binaries) as server,
        postgresql_server.database_on(server) as url,
        cluster() as made,
        closing(Database(url)) as database,
    ):
        metadata.create_all(database.engine)
        files = f"file://{folder / 'files'}"
        for number, places in enumerate((0, 1, 1)):
            data = str(folder / f"node-{number}")
            made.node(places, blob_url=files, database_url=url, data_dir=data)
        with pool_on(made.head, (0, 1), shards=count, shard=SHARD) as pool:
            while None in (pool.state().shards or [None]):
                time.sleep(0.1)
            shards = Shards(pool, count, least=1)
            losses = {"a process": _kill_a_shard, "a node": made.nodes[-1].end}
            yield Bench(folder, database, shards, losses, _searching)


def _kill_a_shard() -> None:
    process = named("ray::ShardActor")[0]
    os.kill(process, signal.SIGKILL)
    while process in named("ray::ShardActor"):
        time.sleep(0.01)


def _searching() -> list[int]:
    """The processes of shards, and of the bridge to Ray."""
    return named("tests.shard_processes", "ray::ShardActor", "tasks.ray_bridge")


def _measure(bench: Bench, size: int, queries: int) -> None:
    database, folder = bench.database, bench.folder
    corpus = fill(database, size)
    here = SearchEngine(database, folder / "here")
    there = SearchEngine(database, folder / "there", shards=bench.shards)
    for engine in (here, there):
        began, cost = time.monotonic(), bench.cost()
        for name in ("lexical", "keyword", "vector"):
            engine._views.follow(DOCSET, name)
        where = "here" if engine is here else "in shards"
        print(f"built {where}: {_since(began, bench.cost() - cost)}", flush=True)
    built = time.monotonic()
    asked = [corpus.query() for _ in range(queries)]
    _compare(here, there, asked, bench)
    # What a lost shard starts from is published by then.
    time.sleep(max(0, built + 2 * PUBLISH_EVERY - time.monotonic()))
    for loss, lose in bench.losses.items():
        began = time.monotonic()
        lose()
        while not _is_answered(there, asked[0]):
            time.sleep(0.1)
        seconds, load = time.monotonic() - began, os.getloadavg()[0]
        print(f"back after {loss} was lost: {seconds:.1f} s; load {load:.0f}", flush=True)
    for engine in (here, there):
        engine.close()


def _compare(here: SearchEngine, there: SearchEngine, asked: list[str], bench: Bench) -> None:
    """Searches of each kind in both: how far they agree, and what they cost."""
    idle = bench.idle()
    print(f"while nobody asks: {100 * idle:.1f} % of a core", flush=True)
    for kind in _KINDS:
        # A keyword query is one string, so a single word.
        texts = [text.split()[0] for text in asked] if kind == "keyword" else asked
        one, one_cost = _hits(here, kind, texts, bench, idle)
        other, other_cost = _hits(there, kind, texts, bench, idle)
        agree = fmean(
            len(set(a) & set(b)) / max(1, len(a)) for a, b in zip(one, other, strict=True)
        )
        print(
            f"{kind:8} agree {agree:.4f}; {1000 * one_cost:.1f} and {1000 * other_cost:.1f} ms of"
            f" processor time, ratio {other_cost / one_cost:.2f}",
            flush=True,
        )


def _is_answered(engine: SearchEngine, text: str) -> bool:
    request = SearchRequest(query=text, query_type="hybrid", return_type="element")
    with suppress(Unavailable):
        return bool(engine.search(DOCSET, request, page_size=10).results)
    return False


def _since(began: float, cost: float) -> str:
    return f"{time.monotonic() - began:.1f} s, {cost:.1f} s of processor time"


def fill(database: Database, size: int) -> Corpus:
    """Writes a DocSet of that many elements if there is none, and returns the corpus of its first
    ones.
    """
    embedder = embedder_for("static")
    corpus = Corpus(min(size, _BATCH), embedder)
    with database.reading() as connection:
        if connection.execute(select(docsets.c.docset_id)).first() is not None:
            return corpus
    with database.writing() as connection:
        insert_docset(connection, DOCSET, embedder)
    for start in range(0, size, _BATCH):
        texts = corpus.some(_BATCH) if start else corpus.texts
        matrix = embedder.embed(texts)
        with database.writing() as connection:
            for first in range(0, _BATCH, PER_DOCUMENT):
                part = slice(first, first + PER_DOCUMENT)
                number = (start + first) // PER_DOCUMENT
                insert_document(connection, DOCSET, number, texts[part], matrix[part], embedder)
    return corpus


def _hits(
    engine: SearchEngine, kind: QueryType, texts: list[str], bench: Bench, idle: float
) -> tuple[list[list[str]], float]:
    """The ten best elements for each text, and the processor time of one search."""
    hits = []
    for turn in ("warm", "measured"):
        began, cost = time.monotonic(), bench.cost()
        for text in texts[:3] if turn == "warm" else texts:
            request = SearchRequest(query=text, query_type=kind, return_type="element")
            results = engine.search(DOCSET, request, page_size=10).results
            if turn == "measured":
                hits.append([one["id"] for one in results])
    spent = bench.cost() - cost - idle * (time.monotonic() - began)
    return hits, spent / len(texts)


if __name__ == "__main__":
    main()
