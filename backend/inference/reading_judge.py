"""Rates how well plans fit a question, by a small fitted network that reads both.

The score of the chart counts features: explained words, steps that words ask for. This network
compares the question with the steps of a plan in words, and so can tell that “handed in at the
airport” refers to the station, or that nobody asked for the date of a service. It shares the
embeddings and first layers of `phrase_vectors`; its own were fitted on plans whose answers are
known to be right or wrong (`tests/bench/fit_judge.py`).
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from backend.inference.branch import Branch
from backend.inference.phrase_vectors import PhraseEncoder, encoder
from backend.inference.small_bert import padded

_FILE = Path(__file__).with_name("reading_judge.npz")
QUESTION_TOKENS, PLAN_TOKENS = 48, 80
"""Maximum tokens of each; longer texts are truncated."""


class ReadingJudge:
    """The network, with the layers of the phrase network."""

    def __init__(self, phrases: PhraseEncoder, file: Path = _FILE) -> None:
        self._branch = Branch(phrases, file)

    def scores(self, question: str, plans: Sequence[str]) -> list[float]:
        """The log-odds of each plan against "none of them is meant".

        Example: `judge().scores("how many mics?", ["Keep where item is Microphone; Count"])`
        """
        if not plans:
            return []
        arrays, pieces = self._branch.arrays, self._branch.pieces
        first = pieces.tokens(question, QUESTION_TOKENS)
        ids, known = padded([first + pieces.tokens(p, PLAN_TOKENS)[1:] for p in plans])
        rows = self._branch.rows(ids, known, len(first))
        mean = (rows * known[..., None]).sum(axis=1) / known.sum(axis=1, keepdims=True)
        return [float(score) for score in mean @ arrays["head"] + arrays["head_bias"]]


@cache
def judge() -> ReadingJudge:
    """The bundled network, loaded once."""
    return ReadingJudge(encoder())
