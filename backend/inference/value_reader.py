"""Rates how well each candidate value in a document fits each property, by a small fitted network.

The score of extraction measures features, such as the similarity of a label to a name. This network
reads the document with the properties behind it, and so can tell that “who ran the shop” is the
addressee of the letter, or that nobody asked for the date of the second meeting. It also predicts
where in the text the value of each property begins and ends, so that “Fell & Sons” is likelier than
“Fell”. It shares the word embeddings of `phrase_vectors`; `tests/bench/fit_value_reader.py` fits
its layers on documents with known values.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.inference.branch import Branch
from backend.inference.embeddings import Matrix
from backend.inference.phrase_vectors import PhraseEncoder, encoder
from backend.inference.small_bert import gelu
from backend.inference.trees import Odds

_FILE = Path(__file__).with_name("value_reader.npz")
TOKENS = 512
"""The maximum number of tokens in the input."""
TYPES = ("string", "date", "datetime", "int", "float", "bool", "choice", "item", "custom")
"""The types of a property; “item” is an element of an array."""

Stretch = tuple[int, int]
"""A range of tokens, end excluded."""


class Possible(NamedTuple):
    """A possible value: positions, index among the choices, and yes (1), no (2) or neither."""

    stretches: Sequence[Stretch]
    choice: Stretch | None
    answer: int


class Asked(NamedTuple):
    """A property: the tokens that name it, its index among `TYPES`, and its possible values."""

    words: Stretch
    kind: int
    values: Sequence[Possible]


class Sheet(NamedTuple):
    """The input of one pass: a document and, from token `first` on, the properties behind it."""

    tokens: Sequence[int]
    first: int
    asked: Sequence[Asked]


class Answer(NamedTuple):
    """The log-odds of a property's values (none: zero), the log-probability of their places, and
    for each token of the document the probabilities that an item begins there, and that it is part
    of one (only of lists).
    """

    odds: Matrix
    placed: Matrix
    tags: Matrix


class ValueReader:
    """The network, with the layers of the phrase network."""

    def __init__(self, phrases: PhraseEncoder, file: Path = _FILE) -> None:
        self._branch = Branch(phrases, file)
        self._head = {name: self._branch.arrays[f"head_{name}"].astype(np.float32) for name in HEAD}

    def answers(self, sheet: Sheet) -> list[Answer]:
        """What it reads for each property of a sheet."""
        tokens = np.array([sheet.tokens])
        rows = self._branch.rows(tokens, np.ones(tokens.shape, dtype=np.bool_), sheet.first)[0]
        sums = np.concatenate([np.zeros((1, rows.shape[1]), dtype=np.float32), rows.cumsum(axis=0)])
        names = _means(sums, [one.words for one in sheet.asked])
        text = rows[: sheet.first]
        begins, ends = (_shared(self._matched(text, names, *pair)) for pair in POINTERS)
        lists = [at for at, one in enumerate(sheet.asked) if TYPES[one.kind] == "item"]
        tags = np.zeros((len(names), len(TAGGERS), sheet.first if lists else 0), dtype=np.float32)
        for at, pair in enumerate(TAGGERS if lists else ()):
            odds = self._matched(text, names[lists], *pair) + self._head["tagged_shift"][at]
            tags[lists, at] = 1 / (1 + np.exp(-odds.clip(-_EXTREME, _EXTREME)))
        return [self._answer(sums, *one) for one in
                zip(names, sheet.asked, begins, ends, tags, strict=True)]  # fmt: skip

    def mixed(self, kind: int, signs: Odds, odds: Matrix, *, whole: bool) -> Odds:
        """Combines the log-odds by features and by reading for a property with one of `TYPES`."""
        by_signs, by_reading, shift = self._head["mixed"][int(whole)][kind]
        both: Odds = by_signs * signs + by_reading * odds + shift
        return both

    def _matched(self, text: Matrix, names: Matrix, of_token: str, of_name: str) -> Matrix:
        """How well each token fits each property by two arrays; the mark before the text does
        not.
        """
        head = self._head
        tokens = text @ head[of_token] + head[f"{of_token}_bias"]
        odds: Matrix = (names @ head[of_name] + head[f"{of_name}_bias"]) @ tokens.T
        odds /= np.float32(np.sqrt(tokens.shape[1]))
        odds[:, 0] = -np.inf
        return odds

    def _answer(
        self, sums: Matrix, name: Matrix, one: Asked, begins: Matrix, ends: Matrix, tags: Matrix
    ) -> Answer:
        """What it reads for a property; each value counts at its best place."""
        if not one.values:
            none = np.zeros(0, dtype=np.float32)
            return Answer(none, none, tags)
        head = self._head
        places = [len(value.stretches) for value in one.values]
        stretches = [stretch for value in one.values for stretch in value.stretches]
        means = _means(sums, stretches)
        means += self._besides(sums, one.values)[np.repeat(np.arange(len(places)), places)]
        both = means @ head["like"] + head["like_bias"]
        both *= name @ head["liked"] + head["liked_bias"]
        wide = means @ head["value"] + head["value_bias"]
        wide += name @ head["name"] + head["name_bias"] + head["types"][one.kind]
        odds = gelu(np.concatenate([wide, both], axis=1)) @ head["last"] + head["last_bias"]
        odds += head["scale"] * both.sum(axis=1)
        placed = np.zeros(len(stretches), dtype=np.float32)
        if TYPES[one.kind] in PLACED:
            firsts, lasts = np.array(stretches, dtype=np.intp).T
            placed = np.maximum(begins[firsts] + ends[lasts - 1], LEAST_PLACED)
            odds += head["reach"] * placed
        starts = np.cumsum(places, dtype=np.intp) - np.array(places, dtype=np.intp)
        best, reached = (np.maximum.reduceat(some, starts) for some in (odds, placed))
        return Answer(best, reached, tags)

    def _besides(self, sums: Matrix, values: Sequence[Possible]) -> Matrix:
        """The features of a value other than its words: whether it is a choice, a yes or a no."""
        added: Matrix = self._head["answers"][[value.answer for value in values]]
        chosen = [at for at, value in enumerate(values) if value.choice is not None]
        if chosen:
            words = [choice for value in values if (choice := value.choice) is not None]
            added[chosen] += _means(sums, words) @ self._head["choice"]
        return added


POINTERS = ("begin", "begun"), ("end", "ended")
"""For each end of a place the array for tokens and the one for properties."""
TAGGERS = ("opens", "opened"), ("inside", "listed")
"""The same for the beginnings of items and for their tokens."""
PLACED = frozenset(TYPES) - {"bool", "choice"}
"""Types whose values stand in the text."""
LEAST_PLACED = -20.0
_EXTREME = 30.0
HEAD = (
    "like", "like_bias", "liked", "liked_bias", "name", "name_bias", "value", "value_bias",
    "types", "answers", "choice", "last", "last_bias", "scale", "mixed", "reach", "tagged_shift",
    *(f"{name}{part}" for pair in (*POINTERS, *TAGGERS) for name in pair for part in ("", "_bias")),
)  # fmt: skip
"""The arrays behind the last layer."""


def _shared(odds: Matrix) -> Matrix:
    """The log-probabilities of alternatives with these log-odds, in rows."""
    odds = odds - odds.max(axis=1, keepdims=True)
    logs: Matrix = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
    return logs


def _means(sums: Matrix, stretches: Sequence[Stretch]) -> Matrix:
    """The mean of the rows of each stretch, computed from prefix sums."""
    starts, ends = np.array(stretches, dtype=np.intp).T
    many = (ends - starts).astype(np.float32)
    means: Matrix = (sums[ends] - sums[starts]) / many[:, None]
    return means


@cache
def value_reader() -> ValueReader:
    """The bundled network, loaded once."""
    return ValueReader(encoder())
