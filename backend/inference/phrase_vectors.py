"""Vectors of short phrases, from a small network fitted on names for things.

Static vectors know words; this network also reads their combination: “still out” is close to
“without returned on”, “mics” to “microphone, item”. It is MiniLM (all-MiniLM-L6-v2, Apache 2.0)
fitted on form labels and on phrases of questions beside the properties they mean
(`tests/bench/fit_phrases.py`), and needs only numpy.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

from backend.inference.embeddings import Matrix
from backend.inference.small_bert import Embeddings, layers_of, padded, sums
from backend.inference.word_pieces import WordPieces

_FILE = Path(__file__).with_name("phrase_vectors.npz")
TOKENS = 24
"""Tokens of a phrase; longer ones are truncated."""
_TOGETHER = 512
"""Tokens computed at once: more would exceed the processor's cache."""
_REMEMBERED = 20_000


class PhraseEncoder:
    """The network, with cached vectors of phrases."""

    def __init__(self, file: Path = _FILE) -> None:
        with np.load(file) as data:
            arrays = {name: data[name] for name in data.files}
        tokens = str(arrays["tokens"]).split("\n")
        self.pieces = WordPieces({token: at for at, token in enumerate(tokens)})
        self.embeddings = Embeddings(arrays)
        self.layers = layers_of(arrays)
        self.none = float(arrays["none"])
        """The least similarity at which a phrase can mean a text."""
        self.sharpness = float(arrays["sharpness"])
        """The factor that turns similarities into log-odds."""
        self._seen: dict[str, Matrix] = {}
        self._lock = Lock()

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """One unit vector per phrase, in their order.

        Example: `vectors = encoder().embed(["still out", "without returned on"])`; `vectors[0] @
        vectors[1]` is their similarity, between -1 and 1.
        """
        with self._lock:
            new = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._seen]
            if len(self._seen) + len(new) > _REMEMBERED:
                self._seen.clear()
                new = list(dict.fromkeys(phrases))
            for batch in _batches([(self.pieces.tokens(p, TOKENS), p) for p in new]):
                for (_, phrase), row in zip(batch, self._computed([t for t, _ in batch]),
                                            strict=True):  # fmt: skip
                    self._seen[phrase] = row
            rows = [self._seen[phrase] for phrase in phrases]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.embeddings.width)

    def _computed(self, batch: Sequence[list[int]]) -> Matrix:
        ids, known = padded(batch)
        total = sums(self.embeddings.rows(ids), known, self.layers)
        total /= np.linalg.norm(total, axis=1, keepdims=True)
        return total


def _batches(phrases: list[tuple[list[int], str]]) -> Iterator[list[tuple[list[int], str]]]:
    """Batches phrases of similar length, so that little padding is computed."""
    batch: list[tuple[list[int], str]] = []
    for one in sorted(phrases, key=lambda p: len(p[0])):
        if batch and (len(batch) + 1) * len(one[0]) > _TOGETHER:
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


@cache
def encoder() -> PhraseEncoder:
    """The bundled network, loaded on first use: 0.1 s and about 60 MB."""
    return PhraseEncoder()
