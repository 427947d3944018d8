"""Candidates for one property: every place of the document where its value may stand, with a score.

Five extractors that know nothing of each other: labelled values, values of the shape of the
examples, roles given by the text, running text near the words of the property, and values named in
the examples. Agreement between them
is evidence that none of them has alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backend.extraction.numbers import numbers
from backend.extraction.reading import Pair, Reading, Sentence
from backend.extraction.targets import Target
from backend.extraction.values import Value, clean, is_absent, read_values
from backend.extraction.words import GENERIC_STEMS, content

MIN_FIT = 0.42
"""Labels that fit worse name something else."""
NARRATIVE = 0.66
"""Running text alone is never really sure."""

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

Cue = tuple[int, int, str, float]
"""Start and end of a word in a text, the word of the name it stands for, how near in meaning."""


@dataclass(frozen=True)
class Candidate:
    """A possible value. `absent` is set where the document says that there is none."""

    value: Any
    score: float
    source: str
    element: int
    page: int
    bbox: tuple[float, ...]
    absent: bool = False
    pair: Pair | None = None
    """The labelled value it was read from; two properties of a kind cannot both have it."""


def candidates(target: Target, reading: Reading, rivals: "Rivals") -> list[Candidate]:
    """All candidates of a scalar property, best first."""
    found = [
        *labelled(target, reading, rivals),
        *shaped(target, reading),
        *defined(target, reading),
    ]
    best = max((candidate.score for candidate in found), default=0.0)
    if best < 0.95:
        found += narrated(target, reading)
    if best < 0.5:
        found += exemplified(target, reading)
    return sorted(found, key=lambda candidate: -candidate.score)


def settle(found: Sequence[list[Candidate]], kinds: Sequence[str]) -> None:
    """Give each labelled value to one property of its kind, by taking it from the others.

    `found` holds the candidates of each property, best first. Where two properties have the same
    pair as their best, it goes to the one that would lose most without it.
    """
    for _ in range(2 * len(found)):
        holders: dict[tuple[str, Pair], list[int]] = {}
        for at, candidates_of_one in enumerate(found):
            pair = candidates_of_one[0].pair if candidates_of_one else None
            if pair is not None:
                holders.setdefault((kinds[at], pair), []).append(at)
        contested = [(pair, who) for (_, pair), who in holders.items() if len(who) > 1]
        if not contested:
            return
        pair, who = contested[0]
        loss = {at: found[at][0].score - _second(found[at], pair) for at in who}
        keeper = max(who, key=lambda at: (round(loss[at], 3), -at))
        for at in who:
            if at != keeper:
                found[at][:] = [c for c in found[at] if c.pair != pair]


def _second(found: Sequence[Candidate], pair: Pair) -> float:
    """The best score without that pair."""
    return next((candidate.score for candidate in found if candidate.pair != pair), 0.0)


class Rivals:
    """A labelled value belongs to the property that its label fits best and that can read it."""

    def __init__(self, all_targets: Sequence[Target]) -> None:
        self._targets = all_targets
        self._best: dict[Pair, float] = {}

    def share(self, pair: Pair, fit: float) -> float:
        """1 for the property the pair fits best, less for others."""
        best = self._best.get(pair)
        if best is None:
            fits = [(target.fit(pair.label), target) for target in self._targets]
            fits.sort(key=lambda entry: -entry[0])
            best = next((own for own, target in fits if own and _readable(target, pair)), 0.0)
            self._best[pair] = best
        return 1.0 if fit >= best - 0.03 else 0.62


def _readable(target: Target, pair: Pair) -> bool:
    if target.shape.kind in ("array", "object") or is_absent(pair.value):
        return True
    return bool(read_values(target, pair.value, label=pair.label))


def labelled(target: Target, reading: Reading, rivals: Rivals) -> Iterator[Candidate]:
    """Values behind a label that fits."""
    day_first = reading.day_first
    for pair in expanded(reading):
        fit = target.fit(pair.label)
        if fit < 1.0 and (hint := _hint(target, pair)):
            fit = max(fit, target.fit(pair.label, hint))
        if fit < MIN_FIT and _denies(target, pair):
            fit = 0.6
        if fit < (MIN_FIT if pair.source != "below" else 0.7):
            continue
        if pair.row and target.fit(pair.row) < 0.3:
            continue  # only the column title fits: any other row would do as well
        told = target.shape.kind == "bool" and target.fit(pair.label) < MIN_FIT
        score = fit * pair.weight * (1.0 if told else rivals.share(pair, fit))
        place = (pair.element, pair.page, pair.bbox)
        if is_absent(pair.value):
            yield Candidate(None, 0.95 * score, pair.source, *place, True, pair)
            continue
        for value in read_values(target, pair.value, label=pair.label, day_first=day_first)[:3]:
            quality = value.quality
            if pair.source == "heading" and target.shape.kind != "choice":
                quality *= _as_paragraph(target, pair.value)
            yield Candidate(value.value, score * quality, pair.source, *place, pair=pair)


def _denies(target: Target, pair: Pair) -> bool:
    """Whether the pair says that there is none of what a yes/no property asks about."""
    if target.shape.kind != "bool" or pair.value.strip(" .").lower() not in ("none", "nil", "0"):
        return False
    words = content(pair.label)
    return bool(words) and all(word in target.mentioned for word in words)


def _hint(target: Target, pair: Pair) -> str:
    """What the value says of its own meaning: its unit, or the word a yes/no property is about."""
    if target.shape.kind == "bool" and len(pair.value) <= 60:
        return pair.value
    if target.unit is not None:
        return " ".join(number.unit.name for number in numbers(pair.value)[:1] if number.unit)
    return ""


def _as_paragraph(target: Target, text: str) -> float:
    """How well a whole paragraph serves as a value."""
    if target.shape.kind in ("string", "custom"):
        return 1.0 if target.wants_long_text or len(text) < 40 else 0.5
    return 1.0 if len(text) < 40 else 0.7


def expanded(reading: Reading) -> list[Pair]:
    """The pairs of a reading, those that name several values split into one pair for each."""
    known = reading.__dict__.get("_expanded")
    if known is None:
        known = [part for pair in reading.pairs for part in _parts(pair)]
        reading.__dict__["_expanded"] = known
    return known


_PLACE = frozenset(content("location place site where"))
_PLACE_PARTS = ("city", "state", "country")


def _parts(pair: Pair) -> list[Pair]:
    labels = [part.strip() for part in re.split(r"\s*[/,&]\s*|\s+and\s+", pair.label)]
    if 2 <= len(labels) <= 4 and all(labels) and len(pair.value) <= 120:
        for separator in ("/", r",(?!\d)", ";"):
            values = [part.strip() for part in re.split(separator, pair.value)]
            if len(values) == len(labels) and all(values):
                head = labels[-1].split()[-1]
                named = [
                    label if len(label.split()) > 1 else f"{label} {head}" for label in labels[:-1]
                ]
                return [
                    replace(pair, label=label, value=value, weight=0.93 * pair.weight)
                    for label, value in zip([*named, labels[-1]], values, strict=True)
                ]
    words = content(pair.label)
    values = [part.strip() for part in pair.value.split(",")]
    if words and words[-1] in _PLACE and 2 <= len(values) <= 3 and not re.search(r"\d", pair.value):
        return [
            pair,
            *(
                replace(pair, label=label, value=value, weight=0.9 * pair.weight)
                for label, value in zip(_PLACE_PARTS, values, strict=False)
            ),
        ]
    return [pair]


def shaped(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Text anywhere that has the shape of the examples; alone in its shape it is almost certain."""
    if target.pattern is None:
        return
    seen: dict[str, Candidate] = {}
    base = 0.38 if "|" in target.pattern.pattern else 0.5  # examples of several shapes say less
    for sentence in reading.sentences:
        for match in target.pattern.finditer(sentence.text):
            before = [w for w in sentence.words if match.start() - 60 <= w[0] < match.start()]
            near = _covered(target, _cue_places(target, before))
            found = Candidate(match[0], base + 0.2 * near, "shape", *_place(sentence))
            seen.setdefault(match[0], found)
    for pair in reading.pairs:
        if pair.source == "table" and (cell := target.pattern.search(pair.value)):
            place = (pair.element, pair.page, pair.bbox)
            near = 0.7 * target.fit(pair.label)
            seen.setdefault(cell[0], Candidate(cell[0], base + 0.2 * near, "shape", *place))
    alone = 0.12 if len(seen) == 1 else 0.0
    for candidate in seen.values():
        yield replace(candidate, score=candidate.score + alone)


def narrated(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Values in running text near the words of the property."""
    if target.shape.kind == "choice":
        yield from _only_choice(target, reading)
    day_first = reading.day_first
    for sentence in reading.sentences:
        places = _cue_places(target, sentence.words)
        if not places:
            continue
        share = min(1.0, _covered(target, places) + 0.2 * _described(target, sentence.text))
        early = 1.0 - 0.1 * min(1.0, sentence.order / 40)
        found = read_values(target, sentence.text, day_first=day_first)[:4]
        if not found and target.shape.kind in ("string", "custom"):
            found = list(_named(target, sentence.text, places))
        for value in found:
            near = _nearness(value, places)
            score = NARRATIVE * value.quality * early * (0.35 + 0.65 * share) * (0.6 + 0.4 * near)
            yield Candidate(value.value, score, "text", *_place(sentence))


def _only_choice(target: Target, reading: Reading) -> Iterator[Candidate]:
    """The one choice that the document mentions, when it mentions no other."""
    first: dict[Any, Sentence] = {}
    for sentence in reading.sentences:
        for value in read_values(target, sentence.text):
            first.setdefault(value.value, sentence)
    if len(first) == 1:
        value, sentence = first.popitem()
        yield Candidate(value, 0.48, "mention", *_place(sentence))


def defined(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Names that the text itself gives a role: X Ltd (the "Supplier")."""
    if target.shape.kind not in ("string", "custom"):
        return
    for sentence in reading.sentences:
        if "(" not in sentence.text:
            continue
        for start, end, name, near in _cue_places(target, sentence.words)[:_MAX_CUES]:
            cue = re.escape(sentence.text[start:end])
            role = re.search(_DEFINED.replace("{cue}", cue), sentence.text)
            if role:
                score = 0.45 + 0.4 * _covered(target, [(start, end, name, near)])
                yield Candidate(clean(role["name"]), score, "definition", *_place(sentence))


def exemplified(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Values that the examples of a string property name, found anywhere."""
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


def _cue_places(target: Target, words: Iterable[tuple[int, int, str]]) -> list[Cue]:
    """The words of a text that stand for words of the property's name."""
    return [
        (start, end, name, near)
        for start, end, word in words
        for name, near in target.meaning(word)[1].items()
        if near >= 0.85 and name not in GENERIC_STEMS
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
    """The share of the description's words that the text holds."""
    if not target.described:
        return 0.0
    return len(target.described & {*content(text)}) / len(target.described)


def _nearness(value: Value, places: list[Cue]) -> float:
    """1 right behind a cue, a little less before one, falling to 0 at eighty characters."""
    gaps = (
        value.start - end if value.start >= end else max(start - value.end, 0) + 12
        for start, end, _, _ in places
    )
    return max(0.0, 1.0 - min(gaps) / 80)


def _named(target: Target, text: str, places: list[Cue]) -> Iterator[Value]:
    """Proper names tied to a cue: "the Supplier is X", "X (the "Supplier")", "the state of X"."""
    for _, end, _, _ in places[:_MAX_CUES]:
        match = _AFTER_CUE.match(text[end:])
        if match:
            name = clean(match["name"])
            fits = target.pattern is None and not _only_code(name)
            place = (end + match.start("name"), end + match.end("name"))
            yield Value(name, 0.85 if fits else 0.6, *place)


def _only_code(name: str) -> bool:
    return " " not in name and any(char.isdigit() for char in name)
