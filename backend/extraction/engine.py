"""Extraction: the values of a schema's properties in one document, with place and confidence.

Candidates come from independent `extractors`; this file alone decides which one wins,
how sure that is, what validators and retries do, and what is written when nothing was found.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from backend.contract.elements import Element
from backend.contract.schema import Schema
from backend.extraction.candidates import Candidate
from backend.extraction.declared import declared_first
from backend.extraction.extractors import candidates
from backend.extraction.labels import Rivals, give_up_claimed, settle
from backend.extraction.reading import Reading, read
from backend.extraction.targets import Target, targets
from backend.extraction.validators import passes

Source = Literal["rules", "model", "both"]
MIN_SCORE = 0.3
"""Below this a candidate is a guess nobody asked for."""
MAX_OTHERS = 5


@dataclass(frozen=True)
class Guess:
    """A value with its confidence (0..1) and where it was read; the place is None for a default.

    `page` starts at 1, `bbox` is in page fractions, `element` is an index into the elements.
    `unit` is that of a number that was read with one: a currency code or the name of the unit.
    """

    value: Any
    confidence: float
    page: int | None = None
    bbox: list[float] | None = None
    element: int | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Extracted(Guess):
    """The chosen value of a property; with voting, `others` are the losing guesses, best first.

    `source` says who found it, `note` what kept a language model from helping.
    """

    others: list[Guess] = field(default_factory=list)
    source: Source = "rules"
    note: str | None = None


@declared_first
def extract(
    elements: Sequence[Element], schema: Schema, *, voting: bool = False
) -> dict[str, Extracted]:
    """The value of every property of the schema; its default, else None, where nothing was found.

    With `voting` the extractors vote: a value several of them agree on can beat one with a higher
    single score, and the losers are reported. Confidence of .8 or more means that the value is
    right in nearly all cases; a default has confidence 0. Faulty validators raise
    `ExpressionError`; `check_validators` reports them beforehand.
    """
    if not schema.properties:
        return {}  # to read a document takes far longer than to find nothing in it
    compiled = _compiled(schema.model_dump_json())
    return _extracted(compiled, read(elements), voting)


def _extracted(compiled: Sequence[Target], reading: Reading, voting: bool) -> dict[str, Extracted]:
    rivals = Rivals(compiled)
    found = {
        target.name: [
            candidate
            for candidate in candidates(target, reading, rivals, _inner_values)
            if candidate.score >= MIN_SCORE
        ]
        for target in compiled
    }
    lists, kinds = [found[t.name] for t in compiled], [t.shape.kind for t in compiled]
    settle(lists, kinds)
    give_up_claimed(lists, kinds)
    return {target.name: _chosen(target, found[target.name], voting) for target in compiled}


@lru_cache(maxsize=32)
def _compiled(schema_json: str) -> list[Target]:
    """Kept between documents: the targets remember which labels fit them."""
    return targets(Schema.model_validate_json(schema_json).properties)


def _chosen(target: Target, found: Sequence[Candidate], voting: bool) -> Extracted:
    ranked = _ranked(found, voting)
    if ranked and ranked[0].absent:  # the document says that there is no value
        ranked = []
    tries = 1 + max((v.n_retries for v in target.shape.validators), default=0)
    guesses = [_guess(group) for group in ranked if not group.absent]
    for index, guess in enumerate(guesses[:tries]):
        if passes(guess.value, target.shape.validators):
            others = guesses[:index] + guesses[index + 1 :]
            return Extracted(
                guess.value, guess.confidence, guess.page, guess.bbox, guess.element, guess.unit,
                others[:MAX_OTHERS] if voting else [],
            )  # fmt: skip
    return Extracted(target.shape.default, 0.0, others=guesses[:MAX_OTHERS] if voting else [])


def _inner_values(inner: Sequence[Target], reading: Reading) -> dict[str, Guess]:
    """What was found of an object's properties; their validators hold as well."""
    extracted = _extracted(inner, reading, voting=False)
    return {name: guess for name, guess in extracted.items() if guess.element is not None}


@dataclass(frozen=True)
class _Group:
    """Candidates of equal value, `best` first."""

    best: Candidate
    score: float
    confidence: float

    @property
    def absent(self) -> bool:
        return self.best.absent


def _ranked(found: Sequence[Candidate], voting: bool) -> list[_Group]:
    """Candidates of equal value together, best group first, with their confidence."""
    by_value: dict[str, list[Candidate]] = {}
    for candidate in found:
        by_value.setdefault(_key(candidate), []).append(candidate)
    scored = [(members, _agreement(members)) for members in by_value.values()]
    scored.sort(key=lambda entry: -(entry[1] if voting else entry[0][0].score))
    groups = []
    for members, agreed in scored:
        rival = max((o[0].score for o, _ in scored if o is not members), default=0.0)
        margin = min(1.0, max(0.0, (members[0].score - rival) / 0.12))
        confidence = agreed * (0.82 + 0.18 * margin)
        groups.append(_Group(members[0], agreed if voting else members[0].score, confidence))
    return groups


def _agreement(members: Sequence[Candidate]) -> float:
    """The best score, raised by each other extractor that found the same value."""
    best_by_source: dict[str, float] = {}
    for member in members:
        best_by_source[member.source] = max(best_by_source.get(member.source, 0.0), member.score)
    scores = sorted(best_by_source.values(), reverse=True)
    doubt = 1.0 - scores[0]
    for score in scores[1:]:
        doubt *= 1.0 - 0.4 * score
    return 1.0 - doubt


def _key(candidate: Candidate) -> str:
    value = candidate.value
    return " ".join(value.lower().split()) if isinstance(value, str) else repr(value)


def _guess(group: _Group) -> Guess:
    best = group.best
    confidence = round(min(group.confidence, 0.99), 3)
    return Guess(best.value, confidence, best.page, list(best.bbox), best.element, best.unit)
