"""Semantic filters without a language model: F1 on invented texts that state facts in other words.

    python -m tests.bench.semantic [--embedding static] [--models DIR] [--each]

The texts are those of `semantic_texts`; every question runs as a plan with one LlmFilter over a
DocSet whose vectors `--embedding` made (minilm wants to be installed in DIR, by default where the
settings have it). Beside F1 stands what the best possible threshold on the same scores would give,
and the average precision of their order. `--each` prints every question.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from backend.inference.embeddings import Embedder
from backend.inference.providers import Embedders
from backend.plans.service import PlanService
from backend.search.engine import SearchEngine
from backend.settings import Settings
from backend.store.database import Database
from backend.store.operation_log import log_change
from backend.store.tables import contents, documents, elements, metadata, vectors
from tests.bench.search_corpus import insert_docset
from tests.bench.semantic_texts import TextSet, sets
from workbench.contract.plan import Plan, Query

ACCOUNT = "wb:a-bench"


@dataclass(frozen=True)
class Figures:
    """How well one filter, or several on average, found the texts that are meant."""

    f1: float
    possible: float
    precision: float

    def __str__(self) -> str:
        return f"F1 {self.f1:.2f}   possible {self.possible:.2f}   precision {self.precision:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--embedding", default="static")
    parser.add_argument("--models", type=Path, default=Settings().models_dir)
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    embedders = Embedders(options.models)
    embedder = embedders.current(options.embedding)
    results: list[Figures] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for chosen in sets():
            some = list(measured(chosen, embedder, embedders, Path(folder) / chosen.name))
            if options.each:
                for question, figures in some:
                    print(f"    {figures}   {question}")
            results += [figures for _, figures in some]
            print(f"{chosen.name:12} {mean([figures for _, figures in some])}")
    print(f"{'all':12} {mean(results)}")


def mean(some: Sequence[Figures]) -> Figures:
    return Figures(
        fmean(one.f1 for one in some),
        fmean(one.possible for one in some),
        fmean(one.precision for one in some),
    )


def measured(
    chosen: TextSet, embedder: Embedder, embedders: Embedders, folder: Path
) -> Iterator[tuple[str, Figures]]:
    """Each question of a set with how well it was answered."""
    folder.mkdir()
    database = Database(f"sqlite:///{folder}/store.db")
    metadata.create_all(database.engine)
    fill(database, chosen, embedder)
    search = SearchEngine(database, folder / "indexes", embedders)
    service = PlanService(database, search, folder / "runs", folder / "tables", embedders=embedders)
    for question, truth in chosen.truth.items():
        kept = _places(service, chosen.name, question, None)
        order = _places(service, chosen.name, question, 1e-9)
        ranked = sorted(order, key=order.__getitem__, reverse=True)
        yield question, _figures(set(kept), ranked, truth)
    search.close()
    database.close()


def _places(
    service: PlanService, docset_id: str, question: str, threshold: float | None
) -> dict[int, float]:
    """The texts that the filter keeps, with their scores."""
    source = {"node_type": "QueryDatabase", "node_id": 0, "inputs": [], "index": docset_id}
    asked = {"node_type": "LlmFilter", "node_id": 1, "inputs": [0], "question": question}
    asked |= {"field": "text_representation", "description": ""}
    if threshold is not None:
        asked["threshold"] = threshold
    nodes = {"0": source | {"description": ""}, "1": asked}
    plan = Plan.model_validate({"query": question, "nodes": nodes, "result_node": 1})
    query = Query(docset_id=docset_id, plan=plan)
    answer = service.run(query, ACCOUNT, lambda event: None, lambda: False)
    return {int(item["properties"]["path"]): item["score"] for item in answer.result}


def _figures(kept: set[int], ranked: Sequence[int], truth: frozenset[int]) -> Figures:
    cuts = [_f1(set(ranked[:length]), truth) for length in range(1, len(ranked) + 1)]
    hits = [place for place, text in enumerate(ranked, 1) if text in truth]
    precision = sum(n / place for n, place in enumerate(hits, 1)) / len(truth)
    return Figures(_f1(kept, truth), max(cuts, default=0.0), precision)


def _f1(kept: set[int], truth: frozenset[int]) -> float:
    return 2 * len(kept & truth) / (len(kept) + len(truth))


def fill(database: Database, chosen: TextSet, embedder: Embedder) -> None:
    """The texts as a DocSet of their own, each paragraph an element with its vector."""
    with database.writing() as connection:
        insert_docset(connection, chosen.name, embedder, ACCOUNT)
        for place, text in enumerate(chosen.texts):
            name = f"{chosen.name}/{place}"
            parts = [part for part in text.split("\n\n") if part.strip()]
            connection.execute(
                contents.insert().values(
                    content_id=name, blob="b", created_at=0.0, page_count=1, notes=[]
                )
            )
            for ordinal, part in enumerate(parts):
                connection.execute(
                    elements.insert().values(
                        content_id=name,
                        ordinal=ordinal,
                        kind="Text",
                        page_number=1,
                        bbox=[0, 0, 1, 1],
                        text=part,
                        properties={},
                    )
                )
            connection.execute(
                vectors.insert().values(
                    content_id=name,
                    identity=embedder.identity.text,
                    part=0,
                    dimension=embedder.identity.dimension,
                    ordinals=np.arange(len(parts), dtype="<i4").tobytes(),
                    matrix=embedder.embed(parts).astype("<f4").tobytes(),
                )
            )
            connection.execute(
                documents.insert().values(
                    doc_id=name,
                    docset_id=chosen.name,
                    account_id=ACCOUNT,
                    content_id=name,
                    blob="b",
                    created_at=0.0,
                    name=str(place),
                    size=len(text),
                    content_type="text/plain",
                    properties={"entity": {}, "path": str(place)},
                    evidence={},
                )
            )
            log_change(connection, "add", name)


if __name__ == "__main__":
    main()
