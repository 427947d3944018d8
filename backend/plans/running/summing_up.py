"""Answers in words: sentences of documents with their sources, and plain sentences for numbers.

At most eight sentences are chosen from documents, by what they share with the question and with the
other documents, minus what they repeat. Numbers and tables are reported exactly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from backend.language.words import content_stems, sentences
from backend.plans.running.passages import Passage
from backend.plans.running.relations import (
    LINEAGE,
    Docs,
    Groups,
    Number,
    OnDemand,
    Ordered,
    Prose,
    Relation,
    Rows,
    plain,
)
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import PATH, ROW
from workbench.contract.query import Evidence

_MOST_SENTENCES = 8
_MOST_DOCUMENTS = 500
_LONGEST = 400
_NEARNESS = 4.0
"""Bonus of a sentence in the nearest passage; a rare word of the question counts about 3."""
_PRONOUNS = frozenset({"he", "she", "it", "they", "this", "these", "his", "her", "its", "their"})
_NOT_PROSE = frozenset({"table", "Title", "Section-header", "Page-header", "Page-footer", "Image"})


def summed_up(question: str, inputs: Sequence[Relation], stage: Stage) -> Prose:
    """The summary of one or more results."""
    parts: list[str] = []
    citations: list[Evidence] = []
    for relation in inputs:
        if isinstance(relation, Docs):
            text, cited = _of_documents(question, relation, stage, len(citations))
            parts.append(text)
            citations += cited
        else:
            parts.append(in_words(relation))
    behind = OnDemand(
        lambda: pl.concat([one.lineage() for one in inputs]).unique(maintain_order=True)
    )
    return Prose("\n\n".join(parts), citations, behind)


def in_words(relation: Relation) -> str:
    """A number, table or list in exact words."""
    match relation:
        case Number(value=None):
            return "The value is unknown: there was nothing to compute it from."
        case Number(value=value):
            behind = len(relation.lineage())
            return f"The answer is {say_number(value)}, computed from {_count(behind, 'document')}."
        case Rows():
            return _of_rows(relation)
        case Prose(text=text):
            return text
        case Groups():
            return f"There are {_count(relation.height, 'group')}."
        case Docs() | Ordered():
            return f"{_matches(relation.height)}."


def say_number(value: float | int | None) -> str:
    """A number with thousands separators and at most four decimals."""
    if value is None:
        return "unknown"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.4f}".rstrip("0").rstrip(".")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _matches(number: int) -> str:
    """Begins with a word: some clients parse a text that begins with a digit as a number."""
    many = f"There are {number:,} matching documents"
    return "There is 1 matching document" if number == 1 else many


def _of_rows(rows: Rows) -> str:
    names = [name for name in rows.table.columns if name != LINEAGE]
    lines = [f"There are {_count(rows.height, 'row')}:"]
    for record in rows.table.head(20).iter_rows(named=True):
        key, *others = [_say(record[name]) for name in names]
        labels = [name.removeprefix("properties.") for name in names[1:]]
        values = ", ".join(f"{label} {value}" for label, value in zip(labels, others, strict=True))
        lines.append(f"- {key}: {values}" if values else f"- {key}")
    if rows.height > 20:
        lines.append(f"- and {rows.height - 20} more")
    return "\n".join(lines)


def _say(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return say_number(value)
    if isinstance(value, list):
        return " / ".join(_say(item) for item in value)
    return str(plain(value))


@dataclass(frozen=True)
class _Line:
    row: int
    doc_id: str
    passage: Passage
    text: str
    stems: frozenset[str]
    near: float
    """At most 1, for a sentence of the passage that matched its document; less for each later
    document. What answers a question need not repeat its words."""


def _of_documents(
    question: str, docs: Docs, stage: Stage, offset: int
) -> tuple[str, list[Evidence]]:
    if not docs.height:
        return "No document matches, so there is nothing to summarise.", []
    lines = _lines(docs, stage)
    chosen = _choose(lines, frozenset(content_stems(question)))
    citations = [line.passage.evidence(line.doc_id, None, line.text) for line in chosen]
    paths = docs.identity.get_column(PATH)
    summary = [f"From {_count(docs.height, 'document')}:"]
    for number, line in enumerate(chosen, offset + 1):
        where = f"{paths[line.row] or line.doc_id}, page {line.passage.page}"
        summary.append(f"- {line.text} [{number}: {where}]")
    if len(summary) == 1:
        summary = [f"{_matches(docs.height)}, but none has text to summarise."]
    return "\n".join(summary), citations


def _lines(docs: Docs, stage: Stage) -> list[_Line]:
    first = replace(docs, table=docs.table.head(_MOST_DOCUMENTS)).identified()
    records = list(first.select(ROW, "doc_id", "content_id").iter_rows())
    by_content = stage.texts.of([content_id for _, _, content_id in records])
    lines: list[_Line] = []
    for rank, (row, doc_id, content_id) in enumerate(records):
        stage.go_on()
        read = {item.element_id for item in docs.evidence.get(row, ())}
        for passage in by_content.get(content_id, []):
            if passage.kind in _NOT_PROSE:
                continue
            near = 1 / (1 + rank) if passage.evidence(doc_id, None).element_id in read else 0.0
            for sentence in _units(passage.text):
                stems = frozenset(content_stems(sentence))
                if len(stems) >= (1 if near else 3):
                    text = sentence if len(sentence) <= _LONGEST else sentence[:_LONGEST] + "…"
                    lines.append(_Line(row, doc_id, passage, text, stems, near))
    return lines


def _units(text: str) -> list[str]:
    """The sentences; one that begins with a pronoun stays with the sentence before it."""
    units: list[str] = []
    for sentence in sentences(text):
        first = sentence.partition(" ")[0].lower()
        if units and first in _PRONOUNS and len(units[-1]) + len(sentence) < _LONGEST:
            units[-1] += f" {sentence}"
        else:
            units.append(sentence)
    return units


def _choose(lines: Sequence[_Line], asked: frozenset[str]) -> list[_Line]:
    """Greedy choice: relevant to the question, typical of the collection, unlike those chosen."""
    documents: dict[str, set[str]] = {}
    for line in lines:
        for word in line.stems:
            documents.setdefault(word, set()).add(line.doc_id)
    total = max(1, len({line.doc_id for line in lines}))
    rarity = {w: math.log(1 + total / len(ids)) for w, ids in documents.items()}

    def merit(line: _Line) -> float:
        shared = sum(rarity[w] for w in line.stems & asked)
        typical = sum(len(documents[w]) / total for w in line.stems) / len(line.stems)
        return 2 * shared + typical + _NEARNESS * line.near

    waiting = sorted(lines, key=merit, reverse=True)[:200]
    merits = {id(line): merit(line) for line in waiting}
    chosen: list[_Line] = []
    while waiting and len(chosen) < _MOST_SENTENCES:

        def gain(line: _Line) -> float:
            repeated = max(
                (len(line.stems & c.stems) / len(line.stems | c.stems) for c in chosen), default=0.0
            )
            same_document = any(c.doc_id == line.doc_id for c in chosen)
            return merits[id(line)] * (1 - repeated) - (0.2 if same_document else 0)

        best = max(waiting, key=gain)
        if chosen and max(len(best.stems & c.stems) / len(best.stems) for c in chosen) > 0.9:
            break
        chosen.append(best)
        waiting.remove(best)
    return chosen
