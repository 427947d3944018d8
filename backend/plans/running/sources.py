"""The sources of a plan: all documents of a DocSet, or the matches of a text query, best first."""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import polars as pl

from backend.plans.edits.opensearch import translate, translated_truth
from backend.plans.running.choosing import filtered
from backend.plans.running.note import Note
from backend.plans.running.relations import SCORE, Docs, Undecided
from backend.plans.running.retrieval import Candidate
from backend.plans.running.stage import Stage
from backend.plans.running.undecided import (
    blank_rule,
    limited_beside,
    narrowed_beside,
    unsettled,
)
from backend.plans.tables.collection import IDENTITY, ROW
from backend.plans.tables.conditions import any_of
from workbench.contract.plan_nodes import (
    BasicFilter,
    DocFilter,
    Limit,
    QueryDatabase,
    QueryVectorDatabase,
    bare_field,
)
from workbench.contract.query import Evidence
from workbench.contract.search import QueryType

_DEPTH = 10_000
_GROWTH = 8


def scanned(step: QueryDatabase, ahead: Sequence[BasicFilter], stage: Stage, note: Note) -> Docs:
    """Documents by their properties and, with `query_text`, by their text.

    `ahead` are the filters that follow. They are applied before documents are ranked, so that a
    limit on the ranking cannot hide matching documents.
    """
    _warn_of_index(step.index, stage, note)
    docs = _allowed(step.doc_filter, stage, note)
    _warn_of_unreadable(stage, note)
    docs = _matching(docs, (step.query, step.result_filter), stage, note)
    if step.properties_filter is not None:
        docs = _fulfilling(docs, step.properties_filter, stage, note)
    if step.query_text is None:
        return _narrow(docs, stage)
    docs = _ahead(docs, ahead, note)
    return _ranked(docs, step.query_text, step.query_type, step.top_k, stage, note)


def nearest(
    step: QueryVectorDatabase, ahead: Sequence[BasicFilter], stage: Stage, note: Note
) -> Docs:
    """The documents nearest in meaning; `ahead` as in `scanned`."""
    _warn_of_index(step.index, stage, note)
    docs = _allowed(step.doc_filter, stage, note)
    _warn_of_unreadable(stage, note)
    docs = _matching(docs, (step.opensearch_filter, step.result_filter), stage, note)
    docs = _ahead(docs, ahead, note)
    return _ranked(docs, step.query_phrase, "vector", step.top_k, stage, note)


def _matching(
    docs: Docs, queries: Iterable[dict[str, Any] | None], stage: Stage, note: Note
) -> Docs:
    """The documents that match queries of another program."""
    find_text = cache(_TextFinder(stage))
    for query in filter(None, queries):
        passes = translate(query, docs.columns, find_text)
        truth = translated_truth(query, docs.columns, find_text, docs.table.columns)
        names = [name for name in truth.meta.root_names() if name in docs.columns]
        unknown = any_of([blank_rule(name, docs) for name in names]) if names else pl.lit(False)
        kept = narrowed_beside(docs, passes, truth.is_null() & unknown)
        _report_narrowed("match the query", docs, kept, note)
        docs = kept
    return docs


def _fulfilling(docs: Docs, properties_filter: str, stage: Stage, note: Note) -> Docs:
    """The documents that pass a filter in the language of search."""
    docset_id, ask = stage.collection.docset_id, stage.retrieval.fulfilling
    passing, possible = (
        pl.col("doc_id").is_in(list(ask(docset_id, properties_filter, unknown_passes=unknown)))
        for unknown in (False, True)
    )
    kept = narrowed_beside(docs, passing, possible & ~passing)
    _report_narrowed("pass the filter", docs, kept, note)
    return kept


def _report_narrowed(what: str, before: Docs, after: Docs, note: Note) -> None:
    """Reports how many documents do not match, and for how many unknown values decide that."""
    note.drop(f"does not {what}", before.height - after.height)
    lost, gained = unsettled(after)
    if count := lost + gained:
        whether = (
            f"1 document would {what} depends on values that it lacks"
            if count == 1
            else f"{count:,} documents would {what} depends on values that they lack"
        )
        note.warnings.append(f"whether {whether}")


def _ahead(docs: Docs, ahead: Sequence[BasicFilter], note: Note) -> Docs:
    """The documents that pass the filters that follow."""
    before = docs.height
    for step in ahead:
        kept = filtered(step, docs, Note())
        assert isinstance(kept, Docs)  # a filter gives what it was given
        docs = kept
    note.drop("left out by later filters", before - docs.height)
    return docs


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


def _allowed(wanted: DocFilter | None, stage: Stage, note: Note) -> Docs:
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
    return Docs(table, stage.columns, stage.collection.table.select(IDENTITY))


def _ranked(
    docs: Docs, text: str, kind: QueryType, top_k: int | None, stage: Stage, note: Note
) -> Docs:
    """The documents that match a text, best first, at most `top_k`."""
    whole = docs.height == stage.collection.table.height
    ids = None if whole else docs.table.get_column("doc_id").to_list()
    enough = None if top_k is None else top_k + unsettled(docs)[0]
    best = _best_passages(text, kind, ids, enough, stage)
    scores = pl.DataFrame(
        {"doc_id": list(best), SCORE: [float(c.score) for c in best.values()]},
        schema={"doc_id": pl.String, SCORE: pl.Float64},
    )
    matched = scores.join(docs.table, on="doc_id", how="inner", maintain_order="left")
    outside = _matching_outside(docs, text, kind, stage)
    ranked = replace(docs, table=matched, outside=outside, passed=frozenset(), start=object())
    if top_k is not None:
        ranked = limited_beside(Limit(num_records=top_k), ranked, matched.head(top_k))
    note.drop("no match for the text query", docs.height - ranked.height)
    ranked = _narrow(ranked, stage)
    return replace(ranked, evidence=evidence_of(list(best.values()), ranked, stage))


def _matching_outside(
    docs: Docs, text: str, kind: QueryType, stage: Stage
) -> tuple[Undecided, ...]:
    """The documents that filters left out for lack of a value, if they match a text; all of them,
    because the better ones may not belong to the result.
    """
    left = [(lines, lines.left(lines.table.columns)) for lines in docs.outside]
    ids = [doc_id for _, table in left for doc_id in table.get_column("doc_id")]
    if not ids:
        return ()
    best = list(_best_passages(text, kind, ids, None, stage))
    tables = [(lines, table.filter(pl.col("doc_id").is_in(best))) for lines, table in left]
    return tuple(Undecided(table, unasked=lines.unasked) for lines, table in tables if table.height)


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


def _narrow(docs: Docs, stage: Stage) -> Docs:
    """Documents for the steps, without identity columns that the plan does not use."""
    left_out = [name for name in IDENTITY if name not in stage.named]
    return replace(docs, table=docs.table.drop(left_out))


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
