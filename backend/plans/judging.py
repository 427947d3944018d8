"""Which documents answer a question with yes, without a language model.

A document scores by its best passage in two rankings, words and meaning, each relative to the best
passage of all. Documents are kept above a share of the best score. The answer is marked
approximate.
"""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from backend.contract.plan_nodes import LlmFilter
from backend.plans.collection import ROW
from backend.plans.relations import SCORE, Docs
from backend.plans.retrieval import Candidate
from backend.plans.sources import evidence_of
from backend.plans.stage import Stage
from backend.plans.steps import Note
from backend.plans.words import FUNCTION_WORDS, words

DEFAULT_THRESHOLD = 0.45
_DEPTH = 10_000
_FRAME = frozenset(
    """
    accident article case cause caused causes concern concerning contain containing contains
    describe describes discuss discusses document due event file happen happened happening
    incident involve involved involving item mention mentioned mentions paper record records
    related report reports say says talk talks text
    """.split()  # noqa: SIM905
)
"""Words that frame a question about a text and say nothing about the answer."""


def topic(question: str) -> str:
    """The words of a question that a matching text would share."""
    found = [w for w in words(question) if w.lower() not in FUNCTION_WORDS | _FRAME]
    return " ".join(found) or question


def judged(step: LlmFilter, docs: Docs, stage: Stage, note: Note) -> Docs:
    """The documents above the threshold, best first within equal order of input."""
    ids = docs.table.get_column("doc_id").to_list()
    text = topic(step.question)
    threshold = DEFAULT_THRESHOLD if step.threshold is None else step.threshold
    best, scores = _scores(text, ids, stage)
    column = docs.table.get_column("doc_id").replace_strict(scores, default=0.0).alias(SCORE)
    table = docs.table.with_columns(column.cast(pl.Float64))
    kept = table.filter(pl.col(SCORE) >= threshold, pl.col(SCORE) > 0)
    note.drop(f"score below {threshold:g}", table.height - kept.height)
    note.warnings.append(f"judged by words and meaning of “{text}”, not by a language model")
    chosen = [best[doc_id] for doc_id in kept.get_column("doc_id").to_list()]
    found = evidence_of(chosen, kept, stage)
    evidence = {
        row: [*docs.evidence.get(row, []), *found.get(row, [])]
        for row in kept.get_column(ROW).to_list()
    }
    return replace(docs, table=kept, evidence={r: items for r, items in evidence.items() if items})


def _scores(
    text: str, ids: Sequence[str], stage: Stage
) -> tuple[dict[str, Candidate], dict[str, float]]:
    """For each document its best passage, and its score between 0 and 1."""
    if not ids:
        return {}, {}
    docset_id = stage.collection.docset_id
    best: dict[str, Candidate] = {}
    total: dict[str, float] = {}
    for kind in ("lexical", "vector"):
        found = stage.retrieval.candidates(
            docset_id, text, "lexical" if kind == "lexical" else "vector", doc_ids=ids, depth=_DEPTH
        )
        stage.go_on()
        top = max((c.score for c in found), default=0.0)
        seen: set[str] = set()
        for candidate in found:
            if candidate.doc_id in seen or top <= 0:
                continue
            seen.add(candidate.doc_id)
            best.setdefault(candidate.doc_id, candidate)
            share = max(0.0, candidate.score / top)
            total[candidate.doc_id] = total.get(candidate.doc_id, 0.0) + share / 2
    return best, total
