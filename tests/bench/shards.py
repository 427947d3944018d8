"""A DocSet in shards beside the same one on one machine: hits, processor time, a shard's return.

    python -m tests.bench.shards [--elements 200000] [--shards 4] [--queries 40] [--ray]

Without `--ray` the shards are processes of this machine, asked as those of a cluster are. With it
they run on a cluster of a head and two nodes on this machine, over a PostgreSQL. Processor time is
that of this process and the shards, and of the bridge to Ray, less what they take while nobody
asks. `agree` is the share of the ten best elements that both have.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from backend.api.service import SHARD
from backend.inference.embeddings import embedder_for
from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Awaited, Shards
from backend.search.shards.shard import PUBLISH_EVERY
from backend.store.database import Database
from backend.store.shared_files import SharedFolder
from backend.store.tables import metadata
from backend.tasks.lines import Lines
from backend.tasks.messages import Message
from tests import postgresql_server
from tests.bench.processes import cost_of, named
from tests.bench.search_corpus import PER_DOCUMENT, Corpus, insert_docset, insert_document
from tests.ray_cluster import cluster, pool_on
from workbench.contract.processes import python_module
from workbench.contract.search import QueryType, SearchRequest

_DOCSET = "docset"
_BATCH = 10_000
_IDLE_SECONDS = 20
_KINDS: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=200_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--ray", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shared = SharedFolder(Path(folder) / "files" / "shared")
        where = _on_ray if options.ray else _in_processes
        with where(Path(folder), shared, options.shards) as bench:
            _measure(bench, options.elements, options.queries)


@dataclass(frozen=True)
class Bench:
    """Where the shards are; `lose` loses one of them, and `processes` are those that search."""

    folder: Path
    database: Database
    shared: SharedFolder
    shards: Shards
    lose: Callable[[], None]
    processes: Callable[[], list[int]]

    def cost(self) -> float:
        """Seconds of processor time so far."""
        return time.process_time() + sum(map(cost_of, self.processes()))

    def idle(self) -> float:
        """Their share of a core while nobody asks."""
        began, cost = time.monotonic(), self.cost()
        time.sleep(_IDLE_SECONDS)
        return (self.cost() - cost) / (time.monotonic() - began)


class _Processes:
    """Shards in processes of this machine. See Hosts."""

    def __init__(self, url: str, folder: Path, count: int) -> None:
        self._url = url
        self._folder = folder
        self._lines = [Lines(os.environ) for _ in range(count)]
        self._ended = ExitStack()
        self._started: list[subprocess.Popen[str]] = []

    def ask(self, shard: int, question: Message) -> Awaited:
        return self._lines[shard].ask(question)

    def start(self, place: int, name: str) -> None:
        """Starts the shard with that place in a folder of that name."""
        folders = str(self._folder / name), str(self._folder / "files" / "shared")
        numbers = str(place), str(len(self._lines))
        command = python_module("tests.bench.shard_process", self._url, *folders, *numbers)
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._ended.callback(process.communicate)
        self._started.append(process)
        assert process.stdout is not None
        self._lines[place].lead_to(process.stdout.readline().strip())

    def lose(self) -> None:
        """Replaces the first shard by one that has nothing yet."""
        self._started[0].kill()
        self.start(0, "successor")

    def close(self) -> None:
        for lines in self._lines:
            lines.lead_to(None)
        self._ended.close()


@contextmanager
def _in_processes(folder: Path, shared: SharedFolder, count: int) -> Iterator[Bench]:
    url = f"sqlite:///{folder}/store.sqlite"
    with closing(Database(url)) as database:
        metadata.create_all(database.engine)
        with closing(_Processes(url, folder, count)) as hosts:
            for place in range(count):
                hosts.start(place, f"shard-{place}")
            shards = Shards(hosts, count, least=1)
            yield Bench(folder, database, shared, shards, hosts.lose, _searching)


@contextmanager
def _on_ray(folder: Path, shared: SharedFolder, count: int) -> Iterator[Bench]:
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

            def lose() -> None:
                made.nodes[-1].end()

            yield Bench(folder, database, shared, shards, lose, _searching)


def _searching() -> list[int]:
    """The processes of shards, and of the bridge to Ray."""
    return named("bench.shard_process", "ray::ShardActor", "tasks.ray_bridge")


def _measure(bench: Bench, size: int, queries: int) -> None:
    database, folder, shared = bench.database, bench.folder, bench.shared
    corpus = _fill(database, size)
    here = SearchEngine(database, folder / "here", shared=shared)
    there = SearchEngine(database, folder / "there", shards=bench.shards)
    for engine in (here, there):
        began, cost = time.monotonic(), bench.cost()
        for name in ("lexical", "keyword", "vector"):
            engine._views.follow(_DOCSET, name)
        where = "here" if engine is here else "in shards"
        print(f"built {where}: {_since(began, bench.cost() - cost)}", flush=True)
    _second_server(here, bench)
    asked = [corpus.query() for _ in range(queries)]
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
    time.sleep(2 * PUBLISH_EVERY)  # what a lost shard starts from
    began = time.monotonic()
    bench.lose()
    cost = bench.cost()
    for name in ("lexical", "vector"):
        there._views.follow(_DOCSET, name)
    print(f"a lost shard is back: {_since(began, bench.cost() - cost)}")
    for engine in (here, there):
        engine.close()


def _since(began: float, cost: float) -> str:
    return f"{time.monotonic() - began:.1f} s, {cost:.1f} s of processor time"


def _second_server(first: SearchEngine, bench: Bench) -> None:
    """A server that has nothing yet starts from what the first has published."""
    first.publish()
    began, cost = time.monotonic(), bench.cost()
    second = SearchEngine(bench.database, bench.folder / "second", shared=bench.shared)
    for name in ("lexical", "vector"):
        second._views.follow(_DOCSET, name)
    print(f"a second server: {_since(began, bench.cost() - cost)}", flush=True)
    second.close()
    first._views._published.drop(first._views._pool.folder(_DOCSET).name)


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


def _hits(
    engine: SearchEngine, kind: QueryType, texts: list[str], bench: Bench, idle: float
) -> tuple[list[list[str]], float]:
    """The ten best elements for each text, and the processor time of one search."""
    hits = []
    for turn in ("warm", "measured"):
        began, cost = time.monotonic(), bench.cost()
        for text in texts[:3] if turn == "warm" else texts:
            request = SearchRequest(query=text, query_type=kind, return_type="element")
            results = engine.search(_DOCSET, request, page_size=10).results
            if turn == "measured":
                hits.append([one["id"] for one in results])
    spent = bench.cost() - cost - idle * (time.monotonic() - began)
    return hits, spent / len(texts)


if __name__ == "__main__":
    main()
