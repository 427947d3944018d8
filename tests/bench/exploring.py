"""Facets, completion, filters, projection and highlights over many documents.

python -m tests.bench.exploring [documents]

A DocSet of 100,000 documents with 60 properties each (made here, from a fixed seed). Processor
milliseconds of one thread; each speed is a ratio to a named rival in the same process:

    columns      building the property table, to `json.loads` of the same rows
    facets       six properties, to Polars' value_counts over a frame of the same values
    filter       a search by filter alone through the columns, to the same through SQL
    completion   95 % of requests within, warm and right after a write
    projection   100 results through three paths, and without any
    highlights   100 results of a words query
"""

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["POLARS_MAX_THREADS"] = "1"

import numpy as np
import polars as pl
from sqlalchemy import Text, cast, insert, select

from backend.search.docset import read_docset
from backend.search.engine import SearchEngine
from backend.search.filters import bind, parse, to_sql
from backend.search.highlights import highlighter
from backend.search.projection import Projection
from backend.search.properties.following import Follower
from backend.search.selection import allowed
from backend.store.database import Database
from backend.store.tables import documents, metadata, operations
from tests.backend.search.shelf import Shelf
from workbench.contract.ids import new_id
from workbench.contract.search import CompletionRequest, FacetRequest, SearchRequest

_FACETS = ("state", "year", "date", "cost", "safe", "serial")
_FILTERS = (
    "state = 'AK'",
    "year > 2010 and cost < 20000",
    "serial like '%0042%' or text_3 = 'none'",
    "tags in ('a', 'b') and not safe = true",
)
_TYPED = (
    "", "st", "text_1", "`measure 1", "state = ", "state = A", "serial = SN-05", "serial = 'SN-051",
    "serial like 9999", "serial = XX-123", "cost > ", "cost > 51", "date >= ", "date >= 201",
    "tags = ", "text_16 = ab", "text_16 = zzqx", "number_4 in (1", "place.ci", "year > 2000 and s",
)  # fmt: skip
_PATHS = ["doc_id", "$.properties.entity.state", "properties.entity.place.city"]


def _entities(count: int) -> Iterator[dict[str, Any]]:
    source = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(source.choices(letters, k=source.randint(3, 9))) for _ in range(5000)]
    for number in range(count):
        entity: dict[str, Any] = {
            "state": source.choice(["AL", "AK", "TX", "WA", "CA", "NY"]),
            "year": source.randint(1990, 2024),
            "date": f"{source.randint(1990, 2024)}-{source.randint(1, 12):02d}-03",
            "cost": round(source.random() * 1e6, 2),
            "safe": source.random() < 0.5,
            "tags": source.sample(words[:50], 3),
            "serial": f"SN-{number:06d}",
            "place": {"city": source.choice(words[:800]), "zip": source.randint(10000, 99999)},
        }
        for place in range(17):
            entity[f"text_{place}"] = source.choice(words[: 10 * (place + 1) ** 2])
            entity[f"number_{place}"] = source.randint(0, 10 ** (1 + place % 5))
            known = source.random() < 0.8
            entity[f"measure {place}"] = round(source.gauss(0, 10), place % 4) if known else None
        yield entity


def _filled(database: Database, count: int) -> Shelf:
    shelf = Shelf(database, provider="none")
    first = shelf.add(["The aircraft collected ice on both wings during the approach. " * 5])
    with database.writing() as connection:
        row = connection.execute(select(documents).where(documents.c.doc_id == first)).one()
        shared = row._asdict()
        entities = list(_entities(count))
        for start in range(0, count, 2000):
            rows = [
                shared
                | {
                    "sequence": start + place + 2,
                    "number": start + place + 2,
                    "doc_id": new_id("f"),
                    "properties": {"entity": entity, "path": f"{start + place}.pdf"},
                }
                for place, entity in enumerate(entities[start : start + 2000])
            ]
            connection.execute(insert(documents), rows)
            logged = ("docset_id", "doc_id", "number")
            connection.execute(
                insert(operations),
                [{name: one[name] for name in logged} | {"kind": "add"} for one in rows],
            )
    return shelf


def _cost(work: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of one run, the median of several."""
    spent = []
    for _ in range(times):
        begun = time.process_time()
        work()
        spent.append(1000 * (time.process_time() - begun))
    return float(np.median(spent))


def _columns(database: Database, shelf: Shelf) -> None:
    with database.reading() as connection:
        text = select(cast(documents.c.properties, Text))
        plain = _cost(lambda: [json.loads(row) for row in connection.scalars(text)], 1)
        docset = read_docset(connection, shelf.docset_id)
        built = _cost(lambda: Follower(shelf.docset_id).follow(connection, docset), 1)
    print(f"columns: {built:.0f} ms, {built / plain:.1f} x json.loads of the same rows")


def _facets(engine: SearchEngine, shelf: Shelf, database: Database) -> None:
    with database.reading() as connection:
        rows = connection.scalars(select(documents.c.properties)).all()
    frame = pl.DataFrame({name: [row["entity"].get(name) for row in rows] for name in _FACETS})
    request = FacetRequest(fields=list(_FACETS))
    engine.facets(shelf.docset_id, request)
    ours = _cost(lambda: engine.facets(shelf.docset_id, request))
    theirs = _cost(lambda: [frame[name].value_counts(sort=True).head(20) for name in _FACETS])
    print(f"facets of 6 properties: {ours:.1f} ms, {ours / theirs:.1f} x Polars ({theirs:.1f} ms)")
    result = FacetRequest(
        fields=list(_FACETS), search=SearchRequest(properties_filter="state = 'AK'")
    )
    print(
        f"the same within a filter: {_cost(lambda: engine.facets(shelf.docset_id, result)):.1f} ms"
    )


def _filters(shelf: Shelf, database: Database) -> None:
    follower = Follower(shelf.docset_id)
    with database.reading() as connection:
        follower.follow(connection, read_docset(connection, shelf.docset_id))
        table = follower.last
        for text in _FILTERS:
            request = SearchRequest(properties_filter=text)
            bound = bind(parse(text), lambda path: path.parts[0] == "entity", lambda: ())
            by_sql = select(documents.c.number).where(to_sql(bound, documents))
            fast = _cost(
                lambda: allowed(connection, shelf.docset_id, None, request, table)  # noqa: B023
            )
            slow = _cost(lambda: connection.scalars(by_sql).all(), 2)  # noqa: B023
            print(f"filter {text}: {fast:.1f} ms, {fast / slow:.3f} x SQL ({slow:.0f} ms)")


def _completion(engine: SearchEngine, shelf: Shelf) -> None:
    def ask(typed: str) -> float:
        request = CompletionRequest(filter=typed)
        return _cost(lambda: engine.complete(shelf.docset_id, request), 1)

    for typed in _TYPED:
        ask(typed)
    warm = [ask(typed) for _ in range(10) for typed in _TYPED]
    print(f"completion, warm: p50 {np.median(warm):.1f}, p95 {np.percentile(warm, 95):.1f} ms")
    written = []
    for turn, typed in enumerate(_TYPED):
        shelf.add([], {"state": "ZZ", "serial": f"SN-new{turn}", "cost": turn + 0.5})
        written.append(ask(typed))
    late = np.percentile(written, 95)
    print(f"completion right after a write: p50 {np.median(written):.1f}, p95 {late:.1f} ms")


def _results(engine: SearchEngine, shelf: Shelf) -> None:
    request = SearchRequest(properties_filter="state = 'AK'", return_type="doc")
    results = engine.search(shelf.docset_id, request, page_size=100).results
    projection = Projection(_PATHS)
    projected = _cost(lambda: [projection.of(result) for result in results])
    print(f"projection of {len(results)} results by 3 paths: {projected:.2f} ms")
    words = highlighter("ice on the wings", "lexical", "english")
    texts = [
        str(result["text_representation"]) + str(place) for place, result in enumerate(results)
    ]
    print(
        f"highlights in 100 texts of {len(texts[0])} characters: "
        f"{_cost(lambda: [words.spans(text) for text in texts]):.1f} ms"
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'store.sqlite'}")
        metadata.create_all(database.engine)
        shelf = _filled(database, count)
        engine = SearchEngine(database, Path(folder) / "indexes")
        print(f"{count:,} documents")
        _columns(database, shelf)
        _facets(engine, shelf, database)
        _filters(shelf, database)
        _completion(engine, shelf)
        _results(engine, shelf)
        engine.close()
        database.close()


if __name__ == "__main__":
    main()
