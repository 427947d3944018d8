"""Predicts what a question does with each property, by a small fitted network that reads both.

It reads a question followed by the properties of a collection. For each property it predicts how
likely the question filters by it, groups or sorts by it, computes with it, and so on; for each of
its listed values how likely it is meant; and for the question the kind of answer, and whether the
properties can answer it at all. So it can tell what no table of words can: that “which one cost us
most?” sorts by the invoice total, descending. It shares the embeddings and first layers of
`phrase_vectors`; its own were fitted on questions with plans that answer them
(`tests/bench/fit_roles.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.branch import Branch
from backend.inference.embeddings import Matrix
from backend.inference.phrase_vectors import PhraseEncoder, encoder
from backend.inference.small_bert import padded
from backend.inference.word_pieces import WordPieces

_FILE = Path(__file__).with_name("role_network.npz")
QUESTION_TOKENS, COLUMN_TOKENS, MOST_TOKENS = 44, 28, 400
"""Maximum tokens of each part and of the whole; longer texts are truncated."""
_MOST_VALUES, _LETTERS = 8, 70


@dataclass(frozen=True)
class Column:
    """A property as input of the network. `values` are set for one with few values, `mentioned` are
    those in the question; `now` is what the plan before a follow-up does with it.
    """

    label: str
    kind: str
    description: str = ""
    values: Sequence[Any] = ()
    mentioned: Sequence[Any] = ()
    now: Sequence[str] = ()

    @property
    def listed(self) -> tuple[Any, ...]:
        """The values in the network's input, those in the question first."""
        others = [value for value in self.values if value not in self.mentioned][:_MOST_VALUES]
        letters = accumulate(len(str(value)) + 2 for value in others)
        fitting = [value for value, end in zip(others, letters, strict=True) if end <= _LETTERS]
        return (*self.mentioned[:2], *fitting)

    @property
    def parts(self) -> list[tuple[str, int | None]]:
        """The property in words, in parts; the number of a part is the index of its listed value.

        Example: “status, choice, now is open = refused (closed): Where the claim stands”.
        """
        mentioned = len(self.mentioned[:2])
        now = f", now {', '.join(self.now)}" if self.now else ""
        made: list[tuple[str, int | None]] = [(f"{self.label}, {self.kind}{now}", None)]
        for number, value in enumerate(self.listed):
            opening = " (" if number == mentioned else ", " if number else " = "
            made += [(opening, None), (str(value), number)]
        closing = ")" if len(self.listed) > mentioned else ""
        return [*made, (f"{closing}: {self.description}" if self.description else closing, None)]


def asked_tokens(
    pieces: WordPieces, question: str, noun: str, now: Sequence[str] | None
) -> list[int]:
    """The tokens of a question, or of a follow-up; long ones are shortened before what is known.

    Example: those of “only the open ones (claims, now count)”.
    """
    behind = _known_tokens(pieces, noun, now)
    return [*pieces.tokens(question, QUESTION_TOKENS - len(behind) + 1)[:-1], *behind]


def _known_tokens(pieces: WordPieces, noun: str, now: Sequence[str] | None) -> list[int]:
    known = f"({noun})" if now is None else f"({noun}, now {', '.join(now)})"
    return pieces.tokens(known, QUESTION_TOKENS // 2)[1:]


@dataclass(frozen=True)
class Places:
    """The token ranges of a property and, by index, of its values."""

    column: tuple[int, int]
    values: Mapping[int, tuple[int, int]]


def placed_words(
    columns: Sequence[Column], pieces: WordPieces, first: int
) -> tuple[list[int], list[Places]]:
    """The tokens of the properties after `first` others, and the range of each property and each of
    its values. Whatever does not fit is left out and shares the token before it.
    """
    ids, places = list[int](), list[Places]()
    for column in columns:
        tokens, values = list[int](), dict[int, tuple[int, int]]()
        for text, number in column.parts:
            more = pieces.tokens(text, COLUMN_TOKENS)[1:-1]
            if number is not None and more and len(tokens) + len(more) < COLUMN_TOKENS - 2:
                values[number] = len(tokens), len(tokens) + len(more)
            tokens += more
        tokens = [*tokens[: COLUMN_TOKENS - 2], pieces.last]
        at = first + len(ids)
        if at + len(tokens) > MOST_TOKENS:
            places.append(Places((at - 1, at), {}))
            continue
        ids += tokens
        moved = {number: (at + start, at + end) for number, (start, end) in values.items()}
        places.append(Places((at, at + len(tokens)), moved))
    return ids, places


@dataclass(frozen=True)
class Foreseen:
    """Log-odds: `roles` of columns by roles, `traits` of the plan, and for each column `values`
    those of its listed values in the input.
    """

    roles: Matrix
    traits: Matrix
    values: Sequence[Mapping[Any, float]]


class RoleNetwork:
    """The network, with the layers of the phrase network."""

    def __init__(self, phrases: PhraseEncoder, file: Path = _FILE) -> None:
        self._branch = Branch(phrases, file)

    def reads_whole(self, question: str, noun: str, now: Sequence[str] | None = None) -> bool:
        """Whether the whole question fits into the input."""
        pieces = self._branch.pieces
        most = QUESTION_TOKENS - len(_known_tokens(pieces, noun, now))
        return len(pieces.tokens(question, QUESTION_TOKENS)[:-1]) <= most

    def foreseen(
        self, question: str, noun: str, columns: Sequence[Column], now: Sequence[str] | None = None
    ) -> Foreseen:
        """What a question does with the properties of documents called `noun`; of a follow-up, what
        the plan does after it. `now` are the traits of the plan before.

        Example: `network().foreseen("the dearest?", "invoices", [Column("total", "float")])`
        """
        arrays, pieces = self._branch.arrays, self._branch.pieces
        first = asked_tokens(pieces, question, noun, now)
        behind, places = placed_words(columns, pieces, len(first))
        ids, known = padded([[*first, *behind]])
        rows = self._branch.rows(ids, known, len(first))[0]
        asked = rows[: len(first)].mean(axis=0)

        def odds(spans: Iterable[tuple[int, int]], head: str) -> Matrix:
            both = [np.concatenate([rows[start:end].mean(axis=0), asked]) for start, end in spans]
            matrix = np.array(both, dtype=np.float32).reshape(len(both), 2 * asked.size)
            worth: Matrix = matrix @ arrays[head] + arrays[f"{head}_bias"]
            return worth

        return Foreseen(
            odds((place.column for place in places), "head"),
            asked @ arrays["traits"] + arrays["traits_bias"],
            [{column.listed[number]: float(worth)
              for number, worth in zip(place.values, odds(place.values.values(), "value"),
                                       strict=True)}
             for column, place in zip(columns, places, strict=True)],
        )  # fmt: skip


@cache
def network() -> RoleNetwork:
    """The bundled network, loaded once."""
    return RoleNetwork(encoder())
