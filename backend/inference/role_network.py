"""What a question wants of each property, by a small fitted network that reads both.

It reads a question followed by the properties of a collection, and says of each how likely the
question tests it, groups or sorts by it, computes with it, and so on; and of the question what
sort of answer it wants, and whether the properties can answer it at all. So it knows what no table
of words does: that “which one cost us most?” sorts by the invoice total, downwards. It shares the
embeddings and first layers of `phrase_vectors`; its own were fitted on questions with plans that
answer them (`tests/bench/fit_roles.py`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.branch import Branch
from backend.inference.embeddings import Matrix
from backend.inference.phrase_vectors import PhraseEncoder, encoder
from backend.inference.small_bert import padded

_FILE = Path(__file__).with_name("role_network.npz")
QUESTION_TOKENS, COLUMN_TOKENS, MOST_TOKENS = 44, 22, 400
"""Tokens of each part and of the whole; of longer texts the rest is left out."""
_MOST_VALUES, _LETTERS = 8, 70


@dataclass(frozen=True)
class Column:
    """A property as the network reads it. `values` are those of one with few values, `mentioned`
    those that the question names.
    """

    label: str
    kind: str
    description: str = ""
    values: Sequence[Any] = ()
    mentioned: Sequence[Any] = ()

    @property
    def words(self) -> str:
        """The property in words.

        Example: “status, choice = open (closed, refused): Where the claim stands”.
        """
        named = f" = {', '.join(map(str, self.mentioned[:2]))}" if self.mentioned else ""
        others = [str(value) for value in self.values if value not in self.mentioned]
        listed = f" ({', '.join(others[:_MOST_VALUES])[:_LETTERS]})" if self.values else ""
        described = f": {self.description}" if self.description else ""
        return f"{self.label}, {self.kind}{named}{listed}{described}"


@dataclass(frozen=True)
class Foreseen:
    """Logarithms of odds: `roles` of columns by roles, `traits` of the plan."""

    roles: Matrix
    traits: Matrix


class RoleNetwork:
    """The network, with what it shares with that of the phrases."""

    def __init__(self, phrases: PhraseEncoder, file: Path = _FILE) -> None:
        self._branch = Branch(phrases, file)

    def foreseen(self, question: str, noun: str, columns: Sequence[Column]) -> Foreseen:
        """What a question wants of the properties of documents that are called `noun`.

        Example: `network().foreseen("the dearest?", "invoices", [Column("total", "float")])`
        """
        arrays, pieces = self._branch.arrays, self._branch.pieces
        first = pieces.tokens(f"{question} ({noun})", QUESTION_TOKENS)
        parts = [pieces.tokens(c.words, COLUMN_TOKENS)[1:] for c in columns]
        places, kept = _placed(len(first), parts)
        ids, known = padded([list(chain(first, *kept))])
        rows = self._branch.rows(ids, known, len(first))[0]
        asked = rows[: len(first)].mean(axis=0)
        means = [rows[start:end].mean(axis=0) for start, end in places]
        both = np.array([np.concatenate([mean, asked]) for mean in means], dtype=np.float32)
        return Foreseen(
            both.reshape(len(means), 2 * asked.size) @ arrays["head"] + arrays["head_bias"],
            asked @ arrays["traits"] + arrays["traits_bias"],
        )


def _placed(
    first: int, parts: Iterable[Sequence[int]]
) -> tuple[list[tuple[int, int]], list[Sequence[int]]]:
    """From where to where each part stands, and the parts that fit; the others share the last token
    before them.
    """
    places, kept, at = list[tuple[int, int]](), list[Sequence[int]](), first
    for part in parts:
        fits = at + len(part) <= MOST_TOKENS
        places.append((at, at + len(part)) if fits else (at - 1, at))
        if fits:
            kept.append(part)
            at += len(part)
    return places, kept


@cache
def network() -> RoleNetwork:
    """The network that ships with the program, read once."""
    return RoleNetwork(encoder())
