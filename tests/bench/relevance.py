"""Quality of ranking on test collections: nDCG@10 and recall@100 of each kind of search.

    python -m tests.bench.relevance [--data DIR] [--kinds lexical vector hybrid]
        [--embedding static] [--models DIR] [--held-out] [--shards 4]

DIR holds one folder per collection (corpus.jsonl.gz, queries.dev.jsonl, qrels.dev.txt) and
`score.py`; by default `search` in the folder named by WORKBENCH_BENCH, else
`../shared/bench/search` beside the repository. Every document is one element; the engine is asked
as any caller asks it. `--embedding minilm` wants the model installed in DIR, by default where the
settings have it, and takes some minutes. After hybrid search stands what it has above the better
of its two halves on each collection.

`--shards` searches in that many shards instead of one index.

`--held-out` says whether the numbers of feedback on words were picked for these collections: for
each one it takes those that are best on the others, and prints what they give there.
"""

import argparse
import gzip
import importlib.util
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest.mock import patch

import numpy as np

from backend.inference.embeddings import Embedder
from backend.inference.providers import Embedders
from backend.search.engine import SearchEngine
from backend.search.shards.fan_out import Shards
from backend.settings import Settings
from backend.store.database import Database
from backend.store.operation_log import log_change
from backend.store.tables import (
    contents,
    documents,
    elements,
    metadata,
    vectors,
)
from tests.backend.search.local_shards import LocalShards
from tests.bench.search_corpus import insert_docset
from workbench.contract.search import QueryType, SearchRequest

_DEPTH = 100
_ELEMENTS = (5, 10, 20)
_TERMS = (10, 20, 30)
_SHARES = (0.5, 0.75, 1.0)

Score = tuple[float, float]
"""nDCG@10 and recall@100."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=_default_data())
    parser.add_argument("--kinds", nargs="+", default=["lexical", "vector", "hybrid"])
    parser.add_argument("--embedding", default="static")
    parser.add_argument("--models", type=Path, default=Settings().models_dir)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--shards", type=int, default=0)
    options = parser.parse_args()
    embedders = Embedders(options.models)
    embedder = embedders.current(options.embedding)
    scorer = _scorer(options.data)
    collections = sorted(path.parent for path in options.data.glob("*/corpus.jsonl.gz"))
    print(f"{'':10}" + "".join(f"{path.name:>18}" for path in collections) + f"{'mean':>18}")
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/store.sqlite")
        metadata.create_all(database.engine)
        hosts = LocalShards(database, Path(folder) / "shards", options.shards)
        shards = Shards(hosts, options.shards, least=1) if options.shards else None
        engine = SearchEngine(database, Path(folder) / "indexes", embedders, shards=shards)
        for path in collections:
            _load(database, path, embedder)
            engine.follow(path.name)
        measured: dict[str, list[Score]] = {}
        for kind in options.kinds:
            scores = [_scores(engine, path, kind, scorer) for path in collections]
            measured[kind] = scores
            print(_line(kind, [*scores, _mean(scores)]))
        if {"lexical", "vector", "hybrid"} <= set(measured):
            print(_line("above both", _above_both(measured)))
        if options.held_out:
            _report_validation(engine, collections, scorer)
        engine.close()
        hosts.close()
        database.close()


def _line(name: str, scores: Sequence[Score]) -> str:
    return f"{name:10}" + "".join(f"{one:10.4f} {two:7.4f}" for one, two in scores)


def _mean(scores: Sequence[Score]) -> Score:
    return fmean(one for one, _ in scores), fmean(two for _, two in scores)


def _above_both(measured: Mapping[str, Sequence[Score]]) -> list[Score]:
    return [
        (both[0] - max(words[0], vectors[0]), both[1] - max(words[1], vectors[1]))
        for words, vectors, both in zip(
            measured["lexical"], measured["vector"], measured["hybrid"], strict=True
        )
    ]


def _report_validation(engine: SearchEngine, collections: Sequence[Path], scorer: Any) -> None:
    measured: dict[tuple[float, ...], list[Score]] = {}
    for numbers in product(_ELEMENTS, _TERMS, _SHARES):
        elements, terms, share = numbers
        with (
            patch("backend.search.lexical.searching.ELEMENTS", elements),
            patch.multiple("backend.search.lexical.feedback", _TERMS=terms, _SHARE=share),
        ):
            measured[numbers] = [_scores(engine, path, "lexical", scorer) for path in collections]
    scores: list[Score] = []
    for place, path in enumerate(collections):

        def elsewhere(numbers: tuple[float, ...], place: int = place) -> float:
            others = [one for at, one in enumerate(measured[numbers]) if at != place]
            return sum(ndcg + recall for ndcg, recall in others)

        best = max(measured, key=elsewhere)
        scores.append(measured[best][place])
        line = f"{best[0]} elements, {best[1]} terms, {best[2]} of the weight"
        print(f"{path.name}: the others want {line}")
    print(_line("held out", [*scores, _mean(scores)]))


def _default_data() -> Path:
    named = os.environ.get("WORKBENCH_BENCH")
    beside = Path(__file__).resolve().parents[3] / "shared" / "bench"
    return (Path(named) if named else beside) / "search"


def _scorer(data: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score", data / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _load(database: Database, path: Path, embedder: Embedder) -> None:
    """The collection as a DocSet of its own, called by the folder's name."""
    with gzip.open(path / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [f"{row['title']} {row['text']}" for row in rows]
    names = [f"{path.name}/{row['_id']}" for row in rows]
    matrix = embedder.embed(texts)
    with database.writing() as connection:
        insert_docset(connection, path.name, embedder)
        connection.execute(contents.insert(), list(_contents(names)))
        connection.execute(elements.insert(), list(_elements(names, texts)))
        connection.execute(
            vectors.insert(),
            [
                {
                    "content_id": name,
                    "identity": embedder.identity.text,
                    "part": 0,
                    "dimension": len(row),
                    "ordinals": np.zeros(1, dtype="<i4").tobytes(),
                    "matrix": row.astype("<f4").tobytes(),
                }
                for name, row in zip(names, matrix, strict=True)
            ],
        )
        connection.execute(documents.insert(), list(_documents(names, path.name)))
        for name in names:
            log_change(connection, "add", name)


def _contents(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for name in names:
        yield {"content_id": name, "blob": "b", "created_at": 0.0, "page_count": 1}


def _elements(names: Sequence[str], texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    for name, text in zip(names, texts, strict=True):
        yield {
            "content_id": name,
            "ordinal": 0,
            "kind": "Text",
            "page_number": 1,
            "bbox": [0, 0, 1, 1],
            "text": text,
            "properties": {},
        }


def _documents(names: Sequence[str], docset_id: str) -> Iterator[dict[str, Any]]:
    for name in names:
        yield {
            "doc_id": name,
            "docset_id": docset_id,
            "account_id": "a",
            "content_id": name,
            "blob": "b",
            "created_at": 0.0,
            "name": name,
            "size": 1,
            "content_type": "text/plain",
            "properties": {},
        }


def _scores(engine: SearchEngine, path: Path, kind: QueryType, scorer: Any) -> tuple[float, float]:
    run: dict[str, dict[str, float]] = {}
    for line in (path / "queries.dev.jsonl").read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        request = SearchRequest(
            query=query["text"], query_type=kind, include_fields=["doc_id", "_search.score"]
        )
        results = engine.search(path.name, request, page_size=_DEPTH).results
        run[query["_id"]] = {
            result["doc_id"].partition("/")[2]: result["_search"]["score"] for result in results
        }
    mean, _ = scorer.score(scorer.read_qrels(path / "qrels.dev.txt"), run)
    return mean["ndcg@10"], mean["recall@100"]


if __name__ == "__main__":
    main()
