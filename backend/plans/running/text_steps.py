"""The approximate steps: reading values from text, and merging spellings.

All are deterministic, work without a language model, mark their results as approximate, and cite
what they read.
"""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
from rapidfuzz import fuzz, process

from backend.language.words import content_stems, sentences, words
from backend.plans.running.grouping import top
from backend.plans.running.note import Note
from backend.plans.running.passages import Passage, full_text
from backend.plans.running.recognising import Reading, read_sentence
from backend.plans.running.relations import Docs, Rows, as_texts, name_in, spoken
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import ROW
from backend.plans.tables.property_columns import column_of
from workbench.contract.plan_columns import Columns, columns_after
from workbench.contract.plan_nodes import (
    TEXT,
    Fields,
    LLMClustering,
    LlmExtractEntity,
    TopK,
    bare_field,
)

_SAME = 88.0
_BATCH = 200
_COMPARED = 20
"""Spellings that are compared with all others between two checks for cancellation."""


def with_text(docs: Docs, stage: Stage) -> Docs:
    """The documents with a column of their full text."""
    if TEXT in docs.table.columns:
        return docs
    contents = docs.identified().get_column("content_id")
    texts: dict[str, str] = {}
    for start in range(0, len(contents), _BATCH):
        stage.go_on(start)
        part = stage.texts.of(contents[start : start + _BATCH].to_list())
        texts |= {content: full_text(passages) for content, passages in part.items()}
    column = contents.replace_strict(texts, default="", return_dtype=pl.String)
    return replace(docs, table=docs.table.with_columns(column.alias(TEXT)))


def extracted(step: LlmExtractEntity, docs: Docs, stage: Stage, note: Note) -> Docs:
    """The documents with the new field; unknown where no sentence yields a value."""
    cues = content_stems(f"{step.question} {step.new_field.replace('_', ' ')}")
    kind = step.new_field_type.lower()
    values: list[str | float | int | bool | None] = []
    evidence = dict(docs.evidence)
    name = name_in(step.field, docs)
    in_text = name == TEXT
    read = pl.lit(None) if in_text else pl.col(name)
    asked = docs.identified().select(ROW, "doc_id", "content_id", read.alias(TEXT))
    records = list(asked.iter_rows())
    for start in range(0, len(records), _BATCH):
        stage.go_on(start)
        part = records[start : start + _BATCH]
        passages = stage.texts.of([content for _, _, content, _ in part if in_text])
        for row, doc_id, content_id, value in part:
            places = passages.get(content_id, []) if in_text else [spoken(value)]
            best = _best_reading(places, cues, kind, step.choices or [])
            values.append(None if best is None else best[0].value)
            if best is not None and isinstance(best[1], Passage):
                shown = best[1].evidence(doc_id, best[0].weight, best[0].span)
                evidence[row] = [*evidence.get(row, []), shown]
    unknown = sum(value is None for value in values)
    if unknown:
        note.warnings.append(f"no value of {step.new_field} was found in {unknown} documents")
    name = "properties." + bare_field(step.new_field)
    columns = columns_after(step, docs.columns)
    column = column_of(name, columns[name], values)
    table = docs.table.with_columns(column)
    return replace(docs, table=table, columns=columns, evidence=evidence)


def _best_reading(
    places: Sequence[Passage | str], cues: Sequence[str], kind: str, choices: Sequence[str]
) -> tuple[Reading, Passage | str] | None:
    """The reading of the best matching sentence, in passages or in a property value."""
    best: tuple[Reading, Passage | str] | None = None
    for passage in places:
        text = passage if isinstance(passage, str) else passage.text
        for sentence in sentences(text):
            reading = read_sentence(sentence, cues, kind, choices)
            if reading is not None and (best is None or reading.weight > best[0].weight):
                best = reading, passage
    return best


def top_clusters(step: TopK, docs: Docs, stage: Stage, note: Note) -> Rows:
    """TopK over groups of similar spellings."""
    name = name_in(step.field, docs)
    column = as_texts(docs.table.get_column(name))
    merged = _spellings(column.drop_nulls(), stage)
    table = docs.table.with_columns(column.replace(merged))
    note.warnings.append("spellings that look alike were counted together")
    return top(step, replace(docs, table=table), note)


def clustered(step: LLMClustering, docs: Docs, stage: Stage, note: Note) -> Docs:
    """The documents with the most common of the spellings that resemble theirs."""
    column = as_texts(docs.table.get_column(name_in(step.field, docs)))
    merged = _spellings(column.drop_nulls(), stage)
    note.warnings.append("values were grouped by their spelling, not by a language model")
    return _with_cluster(step, step.new_field, docs, column.replace(merged))


def _spellings(values: pl.Series, stage: Stage) -> dict[str, str]:
    """Maps each value to the most common value that resembles it."""
    counted = values.value_counts(sort=False, name="count")
    commonest = counted.sort("count", values.name, descending=[True, False])
    leaders: dict[str, str] = {}
    merged: dict[str, str] = {}
    for place, value in enumerate(commonest.get_column(values.name)):
        if place % _COMPARED == 0:
            stage.go_on()
        plain = " ".join(sorted(word.lower() for word in words(value)))
        match = process.extractOne(plain, leaders.keys(), scorer=fuzz.ratio, score_cutoff=_SAME)
        leader = value if match is None else leaders[match[0]]
        if match is None:
            leaders[plain] = value
        merged[value] = leader
    return merged


def _with_cluster(step: Fields, new_field: str, docs: Docs, column: pl.Series) -> Docs:
    table = docs.table.with_columns(column.alias("properties." + bare_field(new_field)))
    columns: Columns = columns_after(step, docs.columns)
    return replace(docs, table=table, columns=columns)
