"""The plainest calls that answer the same questions, without documents, filters and pages: what
the speed of search is compared with.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import tantivy

from backend.inference.embeddings import Embedder
from backend.search.lexical.analysis import analyzer, query_terms
from tests.bench.search_corpus import Corpus

Call = Callable[[str], object]


def bare_engines(corpus: Corpus, embedder: Embedder) -> Mapping[str, Call]:
    """tantivy's top ten for a lexical query; a matrix product and a partition for a vector."""
    return {"lexical": _tantivy(corpus), "vector": _numpy(corpus, embedder)}


def _tantivy(corpus: Corpus) -> Call:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", fast=True)
    builder.add_text_field("text", tokenizer_name="stems", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    index.register_tokenizer("stems", analyzer("english"))
    writer = index.writer(32_000_000, 1)
    for key, text in enumerate(corpus.texts):
        element = tantivy.Document()
        element.add_unsigned("key", key)
        element.add_text("text", text)
        writer.add_document(element)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def call(query: str) -> object:
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", stem, "freq"))
            for stem in query_terms(query, "english")
        ]
        return searcher.search(tantivy.Query.boolean_query(terms), 10).hits

    return call


def _numpy(corpus: Corpus, embedder: Embedder) -> Call:
    matrix = corpus.matrix

    def call(query: str) -> object:
        scores = matrix @ embedder.embed([query])[0]
        best = np.argpartition(-scores, 10)[:10]
        return best[np.argsort(-scores[best])]

    return call


@dataclass(frozen=True)
class Spent:
    """Milliseconds of one call, by the clock and of this process's processor time."""

    wall: float
    cpu: float


def spent(call: Callable[[], object]) -> Spent:
    """Makes the call and tells what it took."""
    started, used = time.perf_counter(), time.process_time()
    call()
    return Spent(1000 * (time.perf_counter() - started), 1000 * (time.process_time() - used))


def report(name: str, times: Sequence[Spent], bare: float | None = None) -> float:
    """Prints p50 and p95 by the clock, the median processor time and its ratio; the median."""
    median = statistics.median(one.wall for one in times)
    worst = statistics.quantiles((one.wall for one in times), n=20)[-1]
    used = statistics.median(one.cpu for one in times)
    ratio = f"{used / bare:6.1f}" if bare else ""
    print(f"{name:40} {median:8.2f} {worst:8.2f} {used:8.2f} {ratio}", flush=True)
    return used
