"""The sources of a plan: all documents of a DocSet, or the matches of a text query, best first."""

import math
import random
from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from backend.plans.edits.opensearch import translate
from backend.plans.running.note import Note
from backend.plans.running.relations import SCORE, Docs
from backend.plans.running.retrieval import Candidate
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import IDENTITY, ROW
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_nodes import DocFilter, QueryDatabase, QueryVectorDatabase, bare_field
from workbench.contract.query import Evidence
from workbench.contract.search import QueryType

_DEPTH = 10_000
_GROWTH = 8


def scanned(step: QueryDatabase, ahead: pl.Expr, stage: Stage, note: Note) -> Docs:
    """Documents by their properties and, with `query_text`, by their text.

    `ahead` are the filters that follow. They are applied before documents are ranked, so that a
    limit on the ranking cannot hide matching documents.
    """
    _warn_of_index(step.index, stage, note)
    table = _allowed(step.doc_filter, stage, note)
    columns = stage.columns
    _warn_of_unreadable(stage, note)
    for query in (step.query, step.result_filter):
        if query:
            kept = table.filter(translate(query, columns, _TextFinder(stage)))
            note.drop("does not match the query", table.height - kept.height)
            table = kept
    if step.properties_filter is not None:
        passing = stage.retrieval.fulfilling(stage.collection.docset_id, step.properties_filter)
        kept = table.filter(pl.col("doc_id").is_in(list(passing)))
        note.drop("does not pass the filter", table.height - kept.height)
        table = kept
    if step.query_text is None:
        return _docs(table, columns, stage)
    table = _ahead(table, ahead, note)
    return _ranked(table, step.query_text, step.query_type, step.top_k, stage, note)


def nearest(step: QueryVectorDatabase, ahead: pl.Expr, stage: Stage, note: Note) -> Docs:
    """The documents nearest in meaning; `ahead` as in `scanned`."""
    _warn_of_index(step.index, stage, note)
    table = _allowed(step.doc_filter, stage, note)
    columns = stage.columns
    _warn_of_unreadable(stage, note)
    for query in (step.opensearch_filter, step.result_filter):
        if query:
            kept = table.filter(translate(query, columns, _TextFinder(stage)))
            note.drop("does not match the query", table.height - kept.height)
            table = kept
    table = _ahead(table, ahead, note)
    return _ranked(table, step.query_phrase, "vector", step.top_k, stage, note)


def _ahead(table: pl.DataFrame, ahead: pl.Expr, note: Note) -> pl.DataFrame:
    kept = table.filter(ahead)
    note.drop("left out by later filters", table.height - kept.height)
    return kept


def _warn_of_index(index: str | None, stage: Stage, note: Note) -> None:
    """Warns of a plan of another program, which may name a database of its own."""
    collection = stage.collection
    if index and index not in (collection.docset_id, collection.name):
        note.warnings.append(f"“{index}” is not looked up: a plan reads the DocSet it runs on")


def _warn_of_unreadable(stage: Stage, note: Note) -> None:
    """Warns of values of the fields in use that do not have the type of their property."""
    for name, count in stage.collection.unreadable.items():
        if name in stage.named:
            values, verb, count_as = (
                ("1 value", "is", "counts") if count == 1 else (f"{count} values", "are", "count")
            )
            kind = stage.collection.fields[name]
            note.warnings.append(
                f"{values} of {bare_field(name)} {verb} not of type {kind}"
                f" and {count_as} as unknown"
            )


def _allowed(wanted: DocFilter | None, stage: Stage, note: Note) -> pl.DataFrame:
    """The documents that the caller and the plan allow."""
    table = stage.collection.table
    before = table.height
    if stage.include is not None:
        table = table.filter(pl.col("doc_id").is_in(stage.include))
    if stage.exclude:
        table = table.filter(~pl.col("doc_id").is_in(stage.exclude))
    if wanted is not None and wanted.doc_ids is not None:
        among = pl.col("doc_id").is_in(wanted.doc_ids)
        table = table.filter(~among if wanted.exclude else among)
    if wanted is not None and wanted.sample_ratio is not None:
        size = round(table.height * wanted.sample_ratio)
        # A sample must be the same on every run: without a seed it is the one of seed 0.
        places = random.Random(wanted.seed or 0).sample(range(table.height), size)
        table = table[sorted(places)]
    note.drop("outside the chosen documents", before - table.height)
    return table


def _ranked(
    table: pl.DataFrame, text: str, kind: QueryType, top_k: int | None, stage: Stage, note: Note
) -> Docs:
    columns = stage.columns
    whole = table.height == stage.collection.table.height
    ids = None if whole else table.get_column("doc_id").to_list()
    best = _best_passages(text, kind, ids, top_k, stage)
    chosen = list(best.values())[: top_k or None]
    scores = pl.DataFrame(
        {"doc_id": [c.doc_id for c in chosen], SCORE: [float(c.score) for c in chosen]},
        schema={"doc_id": pl.String, SCORE: pl.Float64},
    )
    kept = scores.join(table, on="doc_id", how="inner", maintain_order="left")
    note.drop("no match for the text query", table.height - kept.height)
    docs = _docs(kept, columns, stage)
    return replace(docs, evidence=evidence_of(chosen, docs, stage))


def _best_passages(
    text: str, kind: QueryType, ids: list[str] | None, enough: int | None, stage: Stage
) -> dict[str, Candidate]:
    """The best passage of each matching document, best first: at least `enough`, or all.

    Everything is somewhat close in meaning, so vector search is not deepened without a limit.
    """
    depth = _DEPTH
    while True:
        stage.go_on()
        docset_id = stage.collection.docset_id
        hits = stage.retrieval.candidates(docset_id, text, kind, doc_ids=ids, depth=depth)
        best: dict[str, Candidate] = {}
        for candidate in hits:
            best.setdefault(candidate.doc_id, candidate)
        unbounded = enough is None and kind in ("vector", "hybrid")
        if len(hits) < depth or unbounded or len(best) >= (enough or math.inf):
            return best
        depth *= _GROWTH


def _docs(table: pl.DataFrame, columns: Columns, stage: Stage) -> Docs:
    """Documents for the steps, without identity columns that the plan does not use."""
    identity = stage.collection.table.select(IDENTITY)
    left_out = [name for name in IDENTITY if name not in stage.named]
    return Docs(table.drop(left_out), columns, identity)


def evidence_of(chosen: list[Candidate], docs: Docs, stage: Stage) -> Mapping[int, list[Evidence]]:
    """For each of the documents, the passage of its candidate."""
    records = docs.identified().select("doc_id", ROW, "content_id").iter_rows()
    known = {doc_id: (row, content_id) for doc_id, row, content_id in records}
    inside = [c for c in chosen if c.doc_id in known]
    passages = stage.texts.at([(known[c.doc_id][1], c.ordinal) for c in inside])
    evidence: dict[int, list[Evidence]] = {}
    for candidate in inside:
        row, content_id = known[candidate.doc_id]
        passage = passages.get((content_id, candidate.ordinal))
        if passage is not None:
            shown = passage.evidence(candidate.doc_id, float(candidate.score))
            evidence.setdefault(row, []).append(shown)
    return evidence


class _TextFinder:
    """Text conditions inside an OpenSearch query: any of the words, or the exact phrase."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def __call__(self, text: str, how: str) -> pl.Expr:
        kind: QueryType = "lexical" if how == "words" else "keyword"
        return pl.col("doc_id").is_in(list(_best_passages(text, kind, None, None, self._stage)))
