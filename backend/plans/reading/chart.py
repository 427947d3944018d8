"""A chart of all possible meanings of a request's spans.

Cells are typed: an edge says that some tokens mean a value of some kind. Constructions combine
adjacent edges; light words, such as articles, may come between. A cell keeps its few best edges.
This module knows no English: kinds, constructions and weights are passed in.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

Features = tuple[tuple[str, float], ...]
REMARK = "remark: "
"""The prefix of features that only tell the user about an assumption."""
_BEAM = 6
_MOST_EDGES = 6_000
"""A request with more edges is hopelessly ambiguous: the chart stops growing."""


@dataclass(frozen=True)
class Edge:
    """Tokens `start` to `end` as a value of a kind. `score` sums the weighted features."""

    start: int
    end: int
    kind: str
    value: Any
    features: Features = ()
    score: float = 0.0
    beside: tuple[Any, ...] = ()
    """What words inside the phrase say beside its value."""


@dataclass(frozen=True)
class Noted:
    """A value that a construction builds, with a remark for the user on how it came about."""

    value: Any
    remark: str


@dataclass(frozen=True)
class Beside:
    """A value that a construction builds, and what its words say beside it: `Ashby price`."""

    value: Any
    also: Any


@dataclass(frozen=True)
class Construction:
    """How a phrase is made. `pattern` lists kinds (capitalised) and words, with `|` between
    alternatives and `?` after optional parts; `build` gets the values of the kinds in order, None
    for a missing one, and returns the value, or None if they do not fit together.
    """

    kind: str
    pattern: str
    build: Callable[..., Any]
    example: str = ""
    weight: str = ""


@dataclass(frozen=True)
class _Step:
    kinds: frozenset[str]
    slot: int
    """The position of the value among the arguments of `build`, -1 for a word."""


@dataclass(frozen=True)
class _Sequence:
    construction: Construction
    steps: tuple[_Step, ...]
    slots: int
    feature: str


@dataclass(frozen=True)
class _Active:
    sequence: _Sequence
    done: int
    start: int
    end: int
    values: tuple[Any, ...]
    features: Features
    score: float
    beside: tuple[Any, ...] = ()


def word_kind(word: str) -> str:
    """The kind of an edge for a word."""
    return "'" + word


class Grammar:
    """Constructions compiled for charts. `words` are those in their patterns."""

    def __init__(self, constructions: Iterable[Construction]) -> None:
        self._first: dict[str, list[_Sequence]] = defaultdict(list)
        kinds: set[str] = set()
        for construction in constructions:
            for sequence in _sequences(construction):
                kinds.update(kind for step in sequence.steps for kind in step.kinds)
                for kind in sequence.steps[0].kinds:
                    self._first[kind].append(sequence)
        self.words = frozenset(kind[1:] for kind in kinds if kind.startswith("'"))

    def beginning(self, kind: str) -> Sequence[_Sequence]:
        return self._first.get(kind, ())


def _sequences(construction: Construction) -> Iterable[_Sequence]:
    """The pattern with and without each optional part; raises ValueError for a pattern with a
    number, which is a `Num` and never a word.
    """
    choices: list[list[_Step | None]] = []
    if any(character.isdigit() for character in construction.pattern):
        raise ValueError(f"digits are no words, use Num: {construction.pattern!r}")
    slots = 0
    for part in construction.pattern.split():
        names = part.removesuffix("?").split("|")
        typed = any(name[0].isupper() for name in names)
        kinds = frozenset(name if name[0].isupper() else word_kind(name) for name in names)
        step = _Step(kinds, slots if typed else -1)
        slots += typed
        choices.append([step, None] if part.endswith("?") else [step])
    feature = construction.weight or f"{construction.kind}: {construction.pattern}"
    for chosen in product(*choices):
        steps = tuple(step for step in chosen if step is not None)
        yield _Sequence(construction, steps, slots, feature)


class Chart:
    """The edges over `length` tokens; phrases may skip `light` tokens."""

    def __init__(
        self,
        length: int,
        grammar: Grammar,
        weights: Mapping[str, float],
        light: frozenset[int] = frozenset(),
    ) -> None:
        self.length = length
        self._grammar = grammar
        self._weights = weights
        self._light = light
        self._cells: dict[tuple[int, int, str], list[Edge]] = defaultdict(list)
        self._starting: dict[tuple[int, str], list[Edge]] = defaultdict(list)
        self._waiting: dict[tuple[int, str], list[_Active]] = defaultdict(list)
        self._agenda: list[Edge] = []
        self._claimed: list[tuple[int, int, frozenset[str]]] = []
        self._count = 0

    def add(self, start: int, end: int, kind: str, value: Any, features: Features = ()) -> None:
        """Adds an edge, unless its cell has enough better ones or its tokens mean nothing such."""
        if any(kind in kinds and s <= start and end <= e for s, e, kinds in self._claimed):
            return
        weights = self._weights
        score = sum(weights.get(name, 0.0) * amount for name, amount in features)
        self._put(Edge(start, end, kind, value, features, score))

    def claim(self, start: int, end: int, kinds: frozenset[str]) -> None:
        """Keeps out later edges of these kinds inside some tokens, which mean something else."""
        self._claimed.append((start, end, kinds))

    def _put(self, edge: Edge) -> None:
        cell = self._cells[edge.start, edge.end, edge.kind]
        for other in cell:
            if _same(other, edge) and other.score >= edge.score:
                return
        if len(cell) >= _BEAM and cell[-1].score >= edge.score:
            return
        if self._count >= _MOST_EDGES:
            return
        self._count += 1
        cell[:] = [other for other in cell if not _same(other, edge)]
        cell.append(edge)
        cell.sort(key=lambda e: -e.score)
        del cell[_BEAM:]
        self._agenda.append(edge)

    def close(self) -> None:
        """Combines edges until no new ones appear."""
        while self._agenda:
            edge = self._agenda.pop()
            self._starting[edge.start, edge.kind].append(edge)
            for sequence in self._grammar.beginning(edge.kind):
                empty: tuple[Any, ...] = (None,) * sequence.slots
                self._advance(_Active(sequence, 0, edge.start, edge.start, empty, (), 0.0), edge)
            for active in list(self._waiting.get((edge.start, edge.kind), ())):
                self._advance(active, edge)

    def _advance(self, active: _Active, edge: Edge) -> None:
        step = active.sequence.steps[active.done]
        values = active.values
        if step.slot >= 0:
            values = (*values[: step.slot], edge.value, *values[step.slot + 1 :])
        features = active.features + edge.features
        further = _Active(
            active.sequence, active.done + 1, active.start, edge.end, values, features,
            active.score + edge.score, active.beside + edge.beside,
        )  # fmt: skip
        done = further.done
        if done == len(active.sequence.steps):
            self._complete(further)
            return
        wanted = active.sequence.steps[done].kinds
        for place in self._reached(edge.end):
            for kind in wanted:
                self._waiting[place, kind].append(further)
                for other in list(self._starting.get((place, kind), ())):
                    self._advance(further, other)

    def _complete(self, done: _Active) -> None:
        construction = done.sequence.construction
        value = construction.build(*done.values)
        if value is None:
            return
        feature, features, beside = done.sequence.feature, done.features, done.beside
        if isinstance(value, Noted):
            features = (*features, (REMARK + value.remark, 1.0))
            value = value.value
        if isinstance(value, Beside):
            value, beside = value.value, (*beside, value.also)
        made = (*features, (feature, 1.0))
        total = done.score + self._weights.get(feature, 0.0)
        self._put(Edge(done.start, done.end, construction.kind, value, made, total, beside))

    def _reached(self, place: int) -> Iterable[int]:
        """The positions at which the next part of a phrase may begin."""
        yield place
        while place in self._light:
            place += 1
            yield place

    def edges(self, kind: str) -> list[Edge]:
        """All remaining edges of a kind."""
        return [e for (_, _, k), cell in self._cells.items() if k == kind for e in cell]


def _same(one: Edge, other: Edge) -> bool:
    return bool(one.value == other.value) and one.beside == other.beside
