"""Vectors of short phrases, from a small network that was fitted on what people call things.

Static vectors know words; this network also reads how they stand together: “still out” comes near
“without returned on”, “mics” near “microphone, item”. It is MiniLM (all-MiniLM-L6-v2, Apache 2.0)
fitted on labels of forms and on phrases of questions beside the properties they mean
(`tests/bench/fit_phrases.py`), and runs on numpy alone.
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
"""Tokens of a phrase; the rest of a longer one is left out."""
_TOGETHER = 512
"""Tokens computed at once: more of them leave the cache of the processor."""
_REMEMBERED = 20_000


class PhraseEncoder:
    """The network, with the vectors of the phrases it has seen."""

    def __init__(self, file: Path = _FILE) -> None:
        with np.load(file) as data:
            arrays = {name: data[name] for name in data.files}
        tokens = str(arrays["tokens"]).split("\n")
        self.pieces = WordPieces({token: at for at, token in enumerate(tokens)})
        self.embeddings = Embeddings(arrays)
        self.layers = layers_of(arrays)
        self.none = float(arrays["none"])
        """The likeness below which a phrase means none of the texts it is compared with."""
        self.sharpness = float(arrays["sharpness"])
        """What likenesses are multiplied by before they become odds."""
        self._seen: dict[str, Matrix] = {}
        self._lock = Lock()

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """A row of length one for each phrase, in their order.

        Example: `vectors = encoder().embed(["still out", "without returned on"])`;
        `vectors[0] @ vectors[1]` is their likeness, between -1 and 1.
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
    """Phrases of like length together, so that little is computed for nothing."""
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
    """The network that ships, loaded with the first phrase: 0.1 s and about 60 MB."""
    return PhraseEncoder()
