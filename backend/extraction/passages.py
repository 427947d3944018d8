"""Candidates from running text: shapes of examples, defined roles, words of the property.

None of these is reliable alone; they fill in where no label fits, and confirm labels that do.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from backend.extraction.candidates import Candidate
from backend.extraction.reading import Reading, Sentence
from backend.extraction.targets import Target
from backend.extraction.values import Value, clean, read_values
from backend.extraction.words import GENERIC_STEMS, content

NARRATIVE = 0.66
"""The highest score of a value near matching words."""

_NAME = r"[A-Z][\w&'’.\-]*(?: (?:(?:of|and|de|the|&) )?(?:[A-Z][\w&'’.\-]*|\d[\w-]*))*"
_AFTER_CUE = re.compile(
    r"^(?:\s*(?:number|no\.|name|is|was|are|be|of|by|to|with|in|the|as|named|called|at|near|for|'s|"
    rf"laws?|state|city|a|[:,\"“(#])(?=\W))*\s+(?P<name>{_NAME})"
)
_DEFINED = (
    rf"(?P<name>{_NAME})(?:,? (?:an?|with|having|located|whose)\b[^()]{{0,160}})?,?\s*\(\s*"
    r"(?:the |hereinafter |hereafter |referred to as )*[\"“']?{cue}[\"”']?\s*\)"
)
_MAX_CUES = 8
_MAX_VALUES = 8
_FAR = 80
"""Beyond this distance in characters a word is unrelated to a value."""
_BOUNDARY = re.compile(r"[;,]\s|\b(?:and|while|whereas|but)\b")
_BEYOND = 0.6
"""The factor on the closeness of a word in another clause."""

Cue = tuple[int, int, str, float]
"""Start and end of a word in a text, the word of the name that it matches, and their similarity."""


def shaped(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Text anywhere with the shape of the examples; the only one of its shape is almost certain."""
    if target.pattern is None:
        return
    seen: dict[str, Candidate] = {}
    base = 0.38 if "|" in target.pattern.pattern else 0.5  # several shapes: weaker evidence
    for sentence in reading.sentences:
        for match in target.pattern.finditer(sentence.text):
            before = [w for w in sentence.words if match.start() - 60 <= w[0] < match.start()]
            near = _covered(target, _cue_places(target, before))
            result = Candidate(match[0], base + 0.2 * near, "shape", *_place(sentence))
            seen.setdefault(match[0], result)
    for pair in reading.pairs:
        if pair.source == "table" and (cell := target.pattern.search(pair.value)):
            place = (pair.element, pair.page, pair.bbox)
            near = 0.7 * target.fit(pair.label)
            seen.setdefault(cell[0], Candidate(cell[0], base + 0.2 * near, "shape", *place))
    alone = 0.12 if len(seen) == 1 else 0.0
    for candidate in seen.values():
        yield replace(candidate, score=candidate.score + alone)


def narrated(target: Target, reading: Reading, speaking: Sequence[Sentence]) -> Iterator[Candidate]:
    """Values near words of the property, in the sentences (`speaking`) that contain some."""
    if target.shape.kind == "choice":
        yield from _only_choice(target, reading)
    for sentence in speaking:
        places = _cue_places(target, sentence.words)
        share = _share(target, places, sentence.text)
        early = 1.0 - 0.1 * min(1.0, sentence.order / 40)
        results = read_values(target, sentence.text, habits=reading.habits)[:_MAX_VALUES]
        if not results and target.shape.kind in ("string", "custom"):
            results = list(_named(target, sentence.text, places))
        for value in results:
            near = _nearness(target, value, places, sentence)
            score = NARRATIVE * value.quality * early * (0.35 + 0.65 * share) * (0.6 + 0.4 * near)
            yield Candidate(value.value, score, "text", *_place(sentence), unit=value.unit)


def _only_choice(target: Target, reading: Reading) -> Iterator[Candidate]:
    """The only choice that the document mentions."""
    first: dict[Any, Sentence] = {}
    for sentence in reading.sentences:
        for value in read_values(target, sentence.text):
            first.setdefault(value.value, sentence)
    if len(first) == 1:
        value, sentence = first.popitem()
        yield Candidate(value, 0.48, "mention", *_place(sentence))


def defined(target: Target, speaking: Sequence[Sentence]) -> Iterator[Candidate]:
    """Names for which the text itself defines a role: X Ltd (the "Supplier")."""
    if target.shape.kind not in ("string", "custom"):
        return
    for sentence in speaking:
        if "(" not in sentence.text:
            continue
        for start, end, name, near in _cue_places(target, sentence.words)[:_MAX_CUES]:
            cue = re.escape(sentence.text[start:end])
            role = re.search(_DEFINED.replace("{cue}", cue), sentence.text)
            if role:
                score = 0.45 + 0.4 * _covered(target, [(start, end, name, near)])
                yield Candidate(clean(role["name"]), score, "definition", *_place(sentence))


def exemplified(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Values listed as examples of a string property, found anywhere."""
    if target.shape.kind not in ("string", "custom") or target.pattern is not None:
        return
    for example in target.examples:
        if not 3 <= len(example) <= 60:
            continue
        pattern = re.compile(rf"(?<!\w){re.escape(example)}(?!\w)", re.IGNORECASE)
        for sentence in reading.sentences:
            if pattern.search(sentence.text):
                yield Candidate(example, 0.4, "example", *_place(sentence))
                break


def _place(sentence: Sentence) -> tuple[int, int, tuple[float, ...]]:
    return sentence.element, sentence.page, sentence.bbox


def speaking_of(target: Target, reading: Reading) -> list[Sentence]:
    """The sentences with words that match the property's name."""
    numbers = {
        number
        for word, those in reading.sentences_by_word.items()
        if target.names_of(word)
        for number in those
    }
    return [reading.sentences[number] for number in sorted(numbers)]


def _cue_places(target: Target, words: Iterable[tuple[int, int, str]]) -> list[Cue]:
    """The words of a text that match words of the property's name."""
    return [
        (start, end, name, near)
        for start, end, word in words
        for name, near in target.names_of(word)
    ]


def _covered(target: Target, places: list[Cue]) -> float:
    """The share of the name's weight that the cues cover."""
    best: dict[str, float] = {}
    for _, _, name, near in places:
        best[name] = max(best.get(name, 0.0), near)
    total = sum(weight for word, weight in target.name_words.items() if word not in GENERIC_STEMS)
    return (
        sum(target.name_words[name] * near for name, near in best.items()) / total if total else 0.0
    )


def _described(target: Target, text: str) -> float:
    """The share of the description's words in the text."""
    if not target.described:
        return 0.0
    return len(target.described & {*content(text)}) / len(target.described)


def _share(target: Target, places: list[Cue], text: str) -> float:
    """How much of the property's name and description a text covers."""
    covered = _covered(target, places)
    if not target.described:
        return covered
    return min(1.0, 0.85 * covered + 0.3 * _described(target, text))


def _nearness(target: Target, value: Value, places: list[Cue], sentence: Sentence) -> float:
    """1 right behind a cue, a little less before one; words of the description count as well."""
    nearest: dict[str, float] = {}
    for start, end, name, _ in places:
        nearest[name] = max(nearest.get(name, 0.0), _closeness(value, start, end, sentence))
    best = max(nearest.values())
    for start, end, word in sentence.words:
        if word in target.described:
            nearest[word] = max(nearest.get(word, 0.0), _closeness(value, start, end, sentence))
    return 0.5 * best + 0.5 * sum(nearest.values()) / len(nearest)


def _closeness(value: Value, start: int, end: int, sentence: Sentence) -> float:
    if value.start >= end:
        gap, between = value.start - end, sentence.text[end : value.start]
    else:
        gap, between = max(start - value.end, 0) + 12, sentence.text[value.end : start]
    return max(0.0, 1.0 - gap / _FAR) * (_BEYOND if _BOUNDARY.search(between) else 1.0)


def _named(target: Target, text: str, places: list[Cue]) -> Iterator[Value]:
    """Proper names linked to a cue: "the Supplier is X", "X (the "Supplier")", "the state of X"."""
    for _, end, _, _ in places[:_MAX_CUES]:
        match = _AFTER_CUE.match(text[end:])
        if match:
            name = clean(match["name"])
            fits = target.pattern is None and not _only_code(name)
            place = (end + match.start("name"), end + match.end("name"))
            yield Value(name, 0.85 if fits else 0.6, *place)


def _only_code(name: str) -> bool:
    return " " not in name and any(char.isdigit() for char in name)
