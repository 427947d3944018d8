"""A server that joins when the index of a DocSet is built: until its first answers.

    python -m tests.bench.second_server FOLDER [--elements 1000000] [--turns 3]

The record and the index are written to FOLDER first, as by `shards --folder`, and used again if
they are there. The index is published in a folder of the same file system, and in an object store,
S3 as `tests.small_object_store` serves it; each turn is a process of its own that has no index yet.
It searches words first, then words and vectors. Processor time is that of this process, without the
object store.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from backend.inference.providers import embedder_for
from backend.search.engine import SearchEngine
from backend.store.database import Database
from backend.store.object_blobs import open_object_store
from backend.store.shared_files import SharedFiles, SharedFolder, SharedObjects
from backend.store.tables import metadata
from tests import small_object_store
from tests.bench.search_corpus import Corpus
from tests.bench.shards import DOCSET, fill
from workbench.contract.errors import Unavailable
from workbench.contract.search import QueryType, SearchRequest

_KINDS: tuple[QueryType, ...] = ("lexical", "hybrid")
_PLACES = ("folder", "S3")
_CORPUS = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--elements", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--search", choices=_PLACES, help="what each process is started with")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with closing(Database(f"sqlite:///{options.folder}/store.sqlite")) as database:
        if options.search is not None:
            _search(database, options.folder, options.search)
            return
        metadata.create_all(database.engine)
        fill(database, options.elements)
        for place in _PLACES:
            with _environment(place) as environment:
                _publish(database, options.folder, _shared(place, options.folder, environment))
                for _ in range(options.turns):
                    own = [sys.executable, "-m", __spec__.name, options.folder, "--search", place]
                    subprocess.run(own, env=os.environ | environment, check=True)


@contextmanager
def _environment(place: str) -> Iterator[Mapping[str, str]]:
    """Serves the object store for that place while the block runs; yields how it is reached."""
    if place == "folder":
        yield {}
        return
    with small_object_store.running() as store:
        yield store.environment


def _shared(place: str, folder: Path, environment: Mapping[str, str]) -> SharedFiles:
    if place == "folder":
        return SharedFolder(folder / "shared")
    os.environ.update(environment)
    return SharedObjects(open_object_store(small_object_store.URL))


def _publish(database: Database, folder: Path, shared: SharedFiles) -> None:
    engine = SearchEngine(database, folder / "here", shared=shared)
    for name in ("lexical", "vector"):
        engine._views.follow(DOCSET, name)
    engine.publish()
    engine.close()
    assert shared.names("indexes"), "nothing was published"


def _search(database: Database, folder: Path, place: str) -> None:
    corpus = Corpus(_CORPUS, embedder_for("static"))
    asked = [corpus.query() for _ in _KINDS]
    shared = _shared(place, folder, {})
    answered = []
    with tempfile.TemporaryDirectory(dir=folder) as own:
        began, cost = time.monotonic(), time.process_time()
        engine = SearchEngine(database, Path(own), shared=shared)
        for kind, text in zip(_KINDS, asked, strict=True):
            request = SearchRequest(query=text, query_type=kind, return_type="element")
            while not _is_answered(engine, request):
                pass
            spent = time.process_time() - cost
            answered.append(f"{kind} after {time.monotonic() - began:.1f} s ({spent:.1f} s)")
        engine.close()
    load = os.getloadavg()[0]
    print(f"{place}: {', '.join(answered)} of processor time; load {load:.0f}", flush=True)


def _is_answered(engine: SearchEngine, request: SearchRequest) -> bool:
    """False where the index takes longer than a search waits, as on a busy machine."""
    with suppress(Unavailable):
        return bool(engine.search(DOCSET, request, page_size=10).results)
    return False


if __name__ == "__main__":
    main()
