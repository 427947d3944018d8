"""Which documents answer a question with yes, without a language model.

The search engine ranks passages by words and by meaning. Their sentences are then compared with the
question one by one, because a passage blurs the meaning of its single sentences. The part that all
sentences have in common is removed first. Documents whose best sentence stands out are kept. The
answer is marked approximate.
"""

from collections import Counter
from dataclasses import dataclass, replace

import polars as pl

from backend.inference.embeddings import ProviderFailed
from backend.language.words import sentences
from backend.plans.running.nearness import MOST_COMPARED, compared, denied, is_costly, topic
from backend.plans.running.note import Note
from backend.plans.running.passages import Passage
from backend.plans.running.relations import SCORE, Docs, name_in, spoken
from backend.plans.running.stage import Stage
from backend.plans.running.undecided import picked
from backend.plans.tables.collection import ROW
from workbench.contract.errors import Invalid
from workbench.contract.plan_nodes import TEXT, LlmFilter
from workbench.contract.query import Evidence
from workbench.contract.search import QueryType

_DEPTH = 10_000
_PASSAGES_EACH = 4


@dataclass(frozen=True)
class _Sentence:
    row: int
    doc_id: str
    passage: Passage | None
    text: str


def judged(step: LlmFilter, docs: Docs, stage: Stage, note: Note) -> Docs:
    """The documents whose best sentence is close enough, in input order; negated: the others."""
    affirmed = denied(step.question)
    question = affirmed or step.question
    name = name_in(step.field, docs)
    if name == TEXT:
        candidates = _nearest(_sentences(question, docs, stage, note), stage, note)
    else:
        candidates = _values(docs.identified(), name)
    text = topic(question, [(item.row, item.text) for item in candidates], docs.height)
    note.warnings.append(f"judged by words and meaning of “{text}”, not by a language model")
    near = compared(text, [item.text for item in candidates], stage, note)
    best: dict[int, tuple[float, _Sentence]] = {}
    for score, item in zip(near.shares, candidates, strict=True):
        if score > best.get(item.row, (0.0, item))[0]:
            best[item.row] = (score, item)
    threshold = step.threshold
    if threshold is None:
        threshold = near.cut([score for score, _ in best.values()])
    shares = {row: score for row, (score, _) in best.items()}
    column = docs.table.get_column(ROW).replace_strict(shares, default=0.0, return_dtype=pl.Float64)
    if affirmed is not None:
        table = docs.table.with_columns((1 - column).alias(SCORE))
        kept = table.filter(pl.col(SCORE) > 1 - threshold)
        reason = f"“{text}” is stated, with a score of {threshold:.2f} or more"
        note.drop(reason, table.height - kept.height)
        return picked(docs, kept)
    table = docs.table.with_columns(column.alias(SCORE))
    kept = table.filter(pl.col(SCORE) >= threshold, pl.col(SCORE) > 0)
    note.drop(f"score below {threshold:.2f} of the best", table.height - kept.height)
    evidence = {
        row: [*docs.evidence.get(row, []), *_evidence(best[row])]
        for row in kept.get_column(ROW).to_list()
    }
    return replace(picked(docs, kept), evidence=evidence)


def _evidence(best: tuple[float, _Sentence]) -> list[Evidence]:
    """The source of the best sentence; a property value has no place on a page."""
    score, item = best
    if item.passage is None:
        return []
    return [item.passage.evidence(item.doc_id, round(score, 4), item.text)]


def _values(table: pl.DataFrame, name: str) -> list[_Sentence]:
    """The sentences in the values of a property."""
    return [
        _Sentence(row, doc_id, None, text)
        for row, doc_id, value in table.select(
            ROW, "doc_id", pl.col(name).alias("value")
        ).iter_rows()
        for text in sentences(spoken(value))
    ]


def _sentences(question: str, docs: Docs, stage: Stage, note: Note) -> list[_Sentence]:
    """The sentences of the passages of each document that are closest to the question."""
    records = docs.identified().select("doc_id", ROW, "content_id").iter_rows()
    known = {doc_id: (row, content_id) for doc_id, row, content_id in records}
    places: dict[str, list[int]] = {}
    kinds: tuple[QueryType, ...] = ("vector", "lexical")
    for kind in kinds if known else ():
        stage.go_on()
        chosen: Counter[str] = Counter()
        for candidate in _candidates(question, kind, list(known), stage, note):
            if candidate[0] in known and chosen[candidate[0]] < _PASSAGES_EACH:
                chosen[candidate[0]] += 1
                places.setdefault(candidate[0], []).append(candidate[1])
    wanted = [(known[doc_id][1], n) for doc_id, ordinals in places.items() for n in ordinals]
    passages = stage.texts.at(wanted)
    unique: dict[tuple[int, int, str], _Sentence] = {}
    for doc_id, ordinals in places.items():
        row, content_id = known[doc_id]
        for ordinal in ordinals:
            passage = passages.get((content_id, ordinal))
            for text in sentences(passage.text) if passage is not None else ():
                if passage is not None:
                    unique[row, ordinal, text] = _Sentence(row, doc_id, passage, text)
    return list(unique.values())


def _nearest(candidates: list[_Sentence], stage: Stage, note: Note) -> list[_Sentence]:
    """As many sentences as the model can compare, those of the closest documents first."""
    if len(candidates) <= MOST_COMPARED or not is_costly(stage.embedder()):
        return candidates
    nearest = candidates[:MOST_COMPARED]
    documents = len({item.row for item in nearest})
    note.warnings.append(f"only the {documents:,} closest documents were compared")
    return nearest


def _candidates(
    question: str, kind: QueryType, ids: list[str], stage: Stage, note: Note
) -> list[tuple[str, int]]:
    try:
        candidates = stage.retrieval.candidates(
            stage.collection.docset_id, question, kind, doc_ids=ids, depth=_DEPTH
        )
    except Invalid:
        # A DocSet without vectors answers by words alone.
        return []
    except ProviderFailed as failure:
        note.warnings.append(f"found by words alone, because {failure.detail}")
        return []
    return [(candidate.doc_id, candidate.ordinal) for candidate in candidates]
