"""All possible meanings in one collection, each with a text that expresses it.

The fitted network of `phrase_vectors` compares these texts with phrases of requests. It learned
texts of exactly this form: `tests/bench/fit_phrases.py` generates them with `meaning_texts`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from backend.inference.embeddings import Matrix
from backend.inference.phrase_vectors import encoder
from backend.plans.reading.comparing import beside
from backend.plans.reading.derived_properties import span_between
from backend.plans.reading.linking_types import Degreed, Value
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.plan_nodes import BasicFilter

_FEW_VALUES = 12
_MOST_DATES = 4
_LONGEST_DESCRIPTION = 120
_UNLEARNED = re.compile(r"[^\u0000-\u024f\u1e00-\u1eff\u2000-\u20cf]")
"""Non-Latin letters. The network has not learned any words with them and considers all of them
similar.
"""


def is_learned(text: str) -> bool:
    """Whether the network can distinguish a text from others."""
    return _UNLEARNED.search(text) is None


@dataclass(frozen=True)
class Described:
    """A property as input for texts; `kind` and `values` determine the possible statements."""

    name: str
    kind: str
    description: str = ""
    values: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        words = self.name.replace("_", " ").lower()
        described = self.description.rstrip(".")[:_LONGEST_DESCRIPTION]
        return f"{words}: {described}" if described else words


@dataclass(frozen=True)
class MeaningText:
    """A meaning (`is`, `yes`, `no`, `high`, `low`, `missing`, `value`, `after`, `before`, `days`),
    the indices of its properties, and its text; `value` if one is meant.
    """

    sort: str
    of: tuple[int, ...]
    text: str
    value: str = ""


def meaning_texts(props: Sequence[Described]) -> list[MeaningText]:
    """All possible meanings of some properties.

    Example: `meaning_texts([Described("returned_on", "date")])` includes “without returned on”.
    """
    made: list[MeaningText] = []
    for at, prop in enumerate(props):
        described = prop.text
        made.append(MeaningText("is", (at,), described))
        if prop.kind == "bool":
            made.append(MeaningText("yes", (at,), f"yes, {described}"))
            made.append(MeaningText("no", (at,), f"no, {described}"))
            continue
        if prop.kind in _ORDERED:
            made.append(MeaningText("high", (at,), f"most, {described}"))
            made.append(MeaningText("low", (at,), f"least, {described}"))
        made.append(MeaningText("missing", (at,), f"without {described}"))
        made += [
            MeaningText("value", (at,), f"{value.lower()}, {described}", value)
            for value in prop.values
        ]
    dated = [at for at, prop in enumerate(props) if prop.kind in _DATED][:_MOST_DATES]
    for one, other in permutations(dated, 2):
        beside = f"{props[one].text} beside {props[other].text}"
        made.append(MeaningText("after", (one, other), f"late, {beside}"))
        made.append(MeaningText("before", (one, other), f"early, {beside}"))
    for one, other in combinations(dated, 2):
        between = f"{props[one].text} and {props[other].text}"
        made.append(MeaningText("days", (one, other), f"days between {between}"))
    return made


_DATED = frozenset({"date", "datetime"})
_ORDERED = _DATED | {"int", "float"}


@dataclass(frozen=True)
class TableMeaning:
    """A meaning for the chart: a kind of phrase and its value."""

    kind: str
    load: Any
    words: str
    """The wording for users."""


class Meanings:
    """The meanings of a collection with their vectors."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        props = [p for p in vocabulary.properties if not p.own]
        described = [_described(prop, vocabulary) for prop in props]
        made = [(text, _loaded(text, props)) for text in meaning_texts(described)]
        self._texts = [text.text for text, meaning in made if meaning is not None]
        self.meanings = [meaning for _, meaning in made if meaning is not None]

    @cached_property
    def vectors(self) -> Matrix:
        return encoder().embed(self._texts)

    def likeliest(self, phrases: Sequence[str], most: int = 2) -> Iterator[tuple[int, float, int]]:
        """The index of a phrase, the probability of a meaning, and its index; `most` of them for
        each phrase.
        """
        network = encoder()
        likeness = network.embed(phrases) @ self.vectors.T
        none = np.full((len(phrases), 1), network.none, dtype=np.float32)
        odds = np.exp(network.sharpness * (np.hstack([likeness, none]) - 1))
        odds /= odds.sum(axis=1, keepdims=True)
        best = np.argsort(-odds[:, :-1], axis=1)[:, :most]
        for phrase, places in enumerate(best):
            for place in places:
                yield phrase, float(odds[phrase, place]), int(place)


def _described(prop: Property, vocabulary: Vocabulary) -> Described:
    values: tuple[str, ...] = ()
    counts = vocabulary.values.counts.get(prop.field, {})
    if (prop.worded or prop.kind == "array") and len(counts) <= _FEW_VALUES:
        values = tuple(filter(is_learned, vocabulary.values.meant_of_field(prop.field)))
    return Described(prop.label, prop.kind, prop.description, values)


def _loaded(text: MeaningText, props: Sequence[Property]) -> TableMeaning | None:
    """A meaning for the chart; None if no plan can express it."""
    prop = props[text.of[0]]
    name = prop.label
    match text.sort:
        case "is":
            return TableMeaning("Prop", prop, name)
        case "yes" | "no":
            truth = text.sort == "yes"
            condition = BasicFilter(field=prop.field, query=truth, match="exact")
            return TableMeaning("Flag", condition, f"{name}: {text.sort}")
        case "missing":
            condition = BasicFilter(field=prop.field, exists=False)
            return TableMeaning("Flag", condition, f"{name} is unknown") if prop.gaps else None
        case "high" | "low":
            degree = Degreed(prop, text.sort == "high")
            return TableMeaning("Superlative", degree, f"{text.sort} {name}")
        case "value":
            return TableMeaning("Val", Value(prop, (text.value,)), f"{name} {text.value}")
    other = props[text.of[1]]
    if text.sort in ("after", "before"):
        compared = beside(prop, "gt" if text.sort == "after" else "lt", other)
        words = f"{name} {text.sort} {other.label}"
        return None if compared is None else TableMeaning("Flag", compared, words)
    days = span_between(prop, other)
    words = f"days between {name} and {other.label}"
    return None if days is None else TableMeaning("Prop", days, words)


_KNOWN: WeakKeyDictionary[Vocabulary, Meanings] = WeakKeyDictionary()


def meanings_of(vocabulary: Vocabulary) -> Meanings:
    """The meanings of a collection, cached per vocabulary."""
    known = _KNOWN.get(vocabulary)
    if known is None:
        known = _KNOWN[vocabulary] = Meanings(vocabulary)
    return known
