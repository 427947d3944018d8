"""Speed of search through HTTP: a real server process, asked by a client on the same machine.

    python -m tests.bench.search_http [--elements 100000] [--queries 60]

The DocSet is written straight into the database of a stopped backend, which is then started on
it. Per kind of query: milliseconds at the client, and processor time of the server. `ratio`
divides that by the processor time of the bare tantivy or numpy call for the same queries in this
process; between them stands the engine's own call (see search_requests.py). Then: a clone; an
upload of 50 paragraphs until it is found; two readers, each a process of its own, alone and beside
such uploads, one after the other and at most ten a second; and what memory the server holds. At
the end, all goals beside what was measured.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from backend.inference.embeddings import Embedder
from backend.inference.providers import embedder_for
from backend.search.engine import SearchEngine
from backend.store.database import Database
from tests.backend_process import BackendProcess
from tests.bench.search_corpus import DOCUMENTS_A_SECOND, PER_DOCUMENT, Corpus, insert_document
from tests.bench.search_engines import Spent, bare_engines, report
from tests.bench.search_goals import Goals
from tests.bench.search_requests import Caller, measure, ready

_BATCH = 50
_WATCHED_SECONDS = 8.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--additions", type=int, default=30)
    options = parser.parse_args()
    embedder = embedder_for("static")
    corpus = Corpus(options.elements, embedder)
    bare = bare_engines(corpus, embedder)
    queries = [corpus.query() for _ in range(options.queries)]
    goals = Goals()
    with tempfile.TemporaryDirectory() as folder:
        backend = BackendProcess(Path(folder) / "data").start()
        with backend.client() as client:
            docset = _created(client)
        backend.stop()
        _fill(backend, docset, corpus, embedder)
        backend.start()
        with backend.client() as client:
            started = time.perf_counter()
            _built(client, docset)
            seconds = time.perf_counter() - started
            print(f"word index {corpus.size / seconds:24,.0f} elements/s", flush=True)
            database = _database(backend)
            engine = SearchEngine(database, Path(folder) / "beside")
            ready(engine, docset)
            caller = Caller(backend, docset)
            measure(caller, engine, docset, queries, bare, goals, corpus.size)
            engine.close()
            database.close()
            _clone(client, docset, queries[0], goals)
            _additions(client, docset, corpus, options.additions, goals)
        _beside_a_writer(backend, docset, queries, goals)
        _memory(backend.pid, goals)
        backend.stop()
    goals.tell()


def _created(client: httpx.Client) -> str:
    docset_id: str = client.post("/v1/storage/docsets", json={"name": "bench"}).json()["docset_id"]
    return docset_id


def _database(backend: BackendProcess) -> Database:
    return Database(f"sqlite:///{backend.folder / 'workbench.sqlite'}")


def _fill(backend: BackendProcess, docset: str, corpus: Corpus, embedder: Embedder) -> None:
    database = _database(backend)
    size = PER_DOCUMENT * _BATCH
    for batch in range(0, corpus.size, size):
        with database.writing() as connection:
            for start in range(batch, min(batch + size, corpus.size), PER_DOCUMENT):
                part = slice(start, start + PER_DOCUMENT)
                insert_document(
                    connection,
                    docset,
                    start // PER_DOCUMENT,
                    corpus.texts[part],
                    corpus.matrix[part],
                    embedder,
                    account_id="wb:a-local",
                )
    database.close()


def _built(client: httpx.Client, docset: str) -> None:
    """Waits until all indexes are built; large ones refuse meanwhile."""
    for kind in ("lexical", "vector", "keyword"):
        while _search(client, docset, "kaba", kind).status_code == 503:
            time.sleep(0.2)


def _search(
    client: httpx.Client, docset: str, query: str, kind: str, **more: object
) -> httpx.Response:
    body = {"query": query, "query_type": kind, **more}
    return client.post(f"/v1/query/search/{docset}?page_size=10", json=body)


def _clone(client: httpx.Client, docset: str, query: str, goals: Goals) -> None:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        copy = client.post(f"/v1/storage/docsets/{docset}/clone").json()["docset_id"]
        cloned = time.perf_counter()
        for kind in ("lexical", "vector"):
            answers = [_search(client, one, query, kind) for one in (docset, copy)]
            texts = [
                [result["text_representation"] for result in answer.json()["results"]]
                for answer in answers
            ]
            assert texts[0] == texts[1]
        times.append((cloned - started, time.perf_counter() - cloned))
        client.delete(f"/v1/storage/docsets/{copy}").raise_for_status()
    made, asked = (1000 * statistics.median(one) for one in zip(*times, strict=True))
    print(f"{'clone':40} {made:8.1f} ms, its first two queries and ours {asked:.1f} ms", flush=True)
    goals.at_most("clone", 500, made)


def _additions(client: httpx.Client, docset: str, corpus: Corpus, count: int, goals: Goals) -> None:
    """From the upload until a search finds it; the document is read and embedded in a worker."""
    times: list[Spent] = []
    misses = 0
    for number in range(count):
        name = f"unique{number}upload"
        content = "\n\n".join(f"{text} {name}." for text in corpus.some(50)).encode()
        started = time.perf_counter()
        answer = client.post(
            f"/v1/storage/docsets/{docset}/docs", files={"file": (f"{name}.txt", content)}
        )
        results = _search(client, docset, name, "lexical").json()["results"]
        times.append(Spent(1000 * (time.perf_counter() - started), 0.0))
        misses += [result["doc_id"] for result in results] != [answer.json()["doc_id"]]
    report("upload of 50 paragraphs until found", times)
    print(f"{'':40} {misses} of {count} were not found at once", flush=True)
    goals.at_most(f"uploads of {count} that were not found at once", 0, misses, "")


_READER = """
import sys, time, httpx
url, token, docset, seconds, *queries = sys.argv[1:]
done = 0
with httpx.Client(base_url=url, headers={"Authorization": "Bearer " + token}, timeout=60) as client:
    over = time.monotonic() + float(seconds)
    while time.monotonic() < over:
        body = {"query": queries[done % len(queries)], "query_type": "hybrid"}
        client.post(f"/v1/query/search/{docset}?page_size=10", json=body).raise_for_status()
        done += 1
print(done)
"""


def _beside_a_writer(
    backend: BackendProcess, docset: str, queries: Sequence[str], goals: Goals
) -> None:
    """Hybrid queries a second of two clients, alone and while documents are uploaded."""
    rates: list[float] = []
    written = 0
    for writing in (False, True):
        readers = [
            subprocess.Popen(
                [sys.executable, "-c", _READER, backend.url, backend.token, docset,
                 str(_WATCHED_SECONDS), *queries],
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]  # fmt: skip
        started = time.monotonic()
        if writing:
            with backend.client() as client:
                while any(reader.poll() is None for reader in readers):
                    if written > DOCUMENTS_A_SECOND * (time.monotonic() - started):
                        time.sleep(0.005)
                        continue
                    content = "\n\n".join(f"paragraph {written} {n}." for n in range(50))
                    path = f"/v1/storage/docsets/{docset}/docs"
                    name = f"w{written}.txt"
                    client.post(path, files={"file": (name, content.encode())}).raise_for_status()
                    written += 1
        rates.append(sum(int(reader.communicate()[0]) for reader in readers) / _WATCHED_SECONDS)
    print(
        f"two readers: {rates[0]:.0f} queries/s alone, {rates[1]:.0f} beside a writer of"
        f" {written / _WATCHED_SECONDS:.0f} documents/s: {rates[1] / rates[0]:.0%} kept",
        flush=True,
    )
    beside = f"two readers beside {written / _WATCHED_SECONDS:.1f} uploads a second keep"
    goals.at_least(beside, 60, 100 * rates[1] / rates[0], "%")


def _memory(pid: int, goals: Goals) -> None:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    values = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if "kB" in line}
    print(
        f"server: {values['VmRSS']:,.0f} MiB resident, {values['RssAnon']:,.0f} of them its own,"
        f" {len(os.listdir(f'/proc/{pid}/fd'))} descriptors"
    )
    goals.at_most("memory of the server", 2048, values["VmRSS"], "MiB")


if __name__ == "__main__":
    main()
