"""Suggests properties from documents: recurring facts, with the type of their values.

Suggestions come from declared fields, labels, tables, codes, and what documents of many kinds have
in common. Frequent and distinguishing properties rank first; the caller's instructions move, keep
or drop some.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from backend.extraction.document_kinds import DocumentKind, document_kinds
from backend.extraction.reading import read
from backend.extraction.recurring import recurring_codes, recurring_tables
from backend.extraction.suggested import Suggested
from backend.extraction.suggested_commons import by_format, in_common
from backend.extraction.suggested_labels import SAME_MEANING, by_labels
from backend.extraction.targets import Target, targets
from backend.extraction.words import content
from workbench.contract.elements import Element
from workbench.contract.schema import Schema, SchemaProperty

MAX_SUGGESTIONS = 40
_SAMPLE = 5
"""With fewer documents nothing is rejected as rare."""
_DROP = re.compile(
    r"\b(?:not|no|ignore|exclude|excluding|without|skip|omit)\b([^.;,]*)", re.IGNORECASE
)
_ONLY = re.compile(r"\b(?:only|just|exactly)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:at most|up to|top|first|max(?:imum)?)?\s*(\d{1,2})\s+(?:\w+\s+)?propert", re.IGNORECASE
)


def suggest(
    documents: Iterable[Sequence[Element]],
    *,
    existing: Schema | None = None,
    instructions: str | None = None,
) -> Schema:
    """Properties that the documents seem to have and `existing` lacks, the most useful first.

    Each has a type, a description with its labels and its coverage, examples, and choices if there
    are few distinct values. `instructions` in plain words ("dates and costs", "only the parties",
    "no addresses", "at most 5 properties") move, keep or drop properties.
    """
    contents = list(documents)
    readings = [read(elements) for elements in contents]
    known = targets(existing.properties) if existing else []
    chosen: list[Suggested] = []
    for one in chain(
        by_format(contents),
        by_labels(readings, known),
        recurring_tables(readings),
        recurring_codes(readings),
        in_common(contents),
    ):
        if _recurs(one) and _is_new(one, known, chosen):
            chosen.append(one)
    scored = [(one, round(one.share * one.weight, 3)) for one in chosen]
    ranked = sorted(_instructed(scored, instructions or ""), key=lambda entry: -entry[1])
    return Schema(properties=[_covered(one) for one, _ in ranked[: _limit(instructions)]])


def suggest_by_kind(
    documents: Iterable[Sequence[Element]],
    *,
    existing: Schema | None = None,
    instructions: str | None = None,
) -> tuple[Schema, list[tuple[DocumentKind, list[str]]]]:
    """Like `suggest`, and for documents of several kinds also each kind with the names of its
    properties. The schema then combines the properties of all kinds.
    """
    contents = list(documents)
    kinds = document_kinds(contents)
    if not kinds:
        return suggest(contents, existing=existing, instructions=instructions), []
    properties: dict[str, SchemaProperty] = {}
    named: list[tuple[DocumentKind, list[str]]] = []
    for kind in kinds:
        of_kind = [contents[at] for at in kind.documents]
        suggested = suggest(of_kind, existing=existing, instructions=instructions).properties
        suggested = suggested[: MAX_SUGGESTIONS // len(kinds)]
        named.append((kind, [prop.name for prop in suggested]))
        for prop in suggested:
            properties.setdefault(prop.name, prop)
    return Schema(properties=list(properties.values())), named


def _recurs(one: Suggested) -> bool:
    """Whether enough documents have it for it to recur elsewhere; in a small sample
    anything may.
    """
    return one.among < _SAMPLE or len(one.values) >= max(2, 0.2 * one.among)


def _is_new(one: Suggested, known: Sequence[Target], chosen: Sequence[Suggested]) -> bool:
    """Whether no known or better property has the same meaning, by name or by values."""
    if any(target.fit(one.prop.name.replace("_", " ")) >= SAME_MEANING for target in known):
        return False
    return not any(one.prop.name == other.prop.name or one.repeats(other) for other in chosen)


def _covered(one: Suggested) -> SchemaProperty:
    """Adds its coverage to the description, for people who choose."""
    description = f"{one.prop.description}; {len(one.values)} of {one.among} have it"
    return one.prop.model_copy(update={"description": description})


Scored = tuple[Suggested, float]


def _instructed(scored: list[Scored], instructions: str) -> Iterator[Scored]:
    """Applies the caller's instructions: named properties first or alone, unwanted ones dropped."""
    unwanted = {word for match in _DROP.finditer(instructions) for word in content(match[1])}
    wanted = set(content(_DROP.sub(" ", instructions)))
    for one, score in scored:
        (target,) = targets([one.prop])
        if _mentions(target, unwanted):
            continue
        named = _mentions(target, wanted) or one.prop.kind in wanted
        if named or not (_ONLY.search(instructions) and wanted):
            yield one, score + (2.0 if named else 0.0)


def _mentions(target: Target, words: set[str]) -> bool:
    return any(target.meaning(word)[1] for word in words)


def _limit(instructions: str | None) -> int:
    match = _LIMIT.search(instructions or "")
    return min(int(match[1]), MAX_SUGGESTIONS) if match else MAX_SUGGESTIONS
