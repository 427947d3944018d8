"""Whether a property asks for who wrote the document: "supplier" of an invoice, "School that issued
the report".

A fitted score of its words and of the meaning of name and description
(`tests/bench/fit_senders.py`).
"""

import re
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.extraction.targets import Target
from backend.extraction.words import spelled
from backend.inference.phrase_vectors import encoder

_FILE = Path(__file__).with_name("sender_asked.npz")
_SCALE = 6.0
"""The factor of the vectors beside words, which count as one."""
_WORD = re.compile(r"[a-z]+")


class Score:
    """The weights: of the words that are known, of the vector of the name, and of both."""

    def __init__(self, vocabulary: list[str], weights: NDArray[np.float32], bias: float) -> None:
        self._at = {word: at for at, word in enumerate(vocabulary)}
        self._weights = weights
        self._bias = bias

    def __call__(self, name: str, description: str) -> float:
        """The log-odds that it is asked for who wrote the document."""
        return float(features(self._at, name, description) @ self._weights) + self._bias


def words(name: str, description: str) -> list[str]:
    """The words of a property, without accents or numbers."""
    return _WORD.findall(spelled(f"{name} . {description}").lower())


def features(at: dict[str, int], name: str, description: str) -> NDArray[np.float32]:
    """The vector of the name, of both, and which of some words (`at`: their numbers) there are."""
    plain = spelled(name)
    vectors = encoder().embed([plain, f"{plain}: {description}"])
    known = np.zeros(len(at), dtype=np.float32)
    known[[at[word] for word in words(name, description) if word in at]] = 1.0
    return np.concatenate([_SCALE * vectors[0], _SCALE * vectors[1], known])


def asks_for_sender(target: Target) -> bool:
    """Whether a property rather asks for who wrote the document than for anything else."""
    return _log_odds(target.name, target.shape.description or "") > 0.0


@lru_cache(maxsize=1_000)
def _log_odds(name: str, description: str) -> float:
    return _score()(name, description)


@cache
def _score() -> Score:
    with np.load(_FILE) as data:
        vocabulary = str(data["vocabulary"]).split("\n")
        return Score(vocabulary, data["weights"], float(data["bias"]))
