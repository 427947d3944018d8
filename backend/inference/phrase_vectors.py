"""Vectors of short phrases, from a small network that was fitted on what people call things.

Static vectors know words; this network also reads how they stand together: “still out” comes near
“without returned on”, “mics” near “microphone, item”. It is MiniLM (all-MiniLM-L6-v2, Apache 2.0)
fitted on labels of forms and on phrases of questions beside the properties they mean
(`tests/bench/fit_phrases.py`), and runs on numpy alone.

Weights are kept as 8-bit integers with one scale per row.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from backend.inference.word_pieces import WordPieces

Matrix = npt.NDArray[np.float32]

_FILE = Path(__file__).with_name("phrase_vectors.npz")
_HEADS = 12
TOKENS = 24
"""Tokens of a phrase; the rest of a longer one is left out."""
_TOGETHER = 512
"""Tokens computed at once: more of them leave the cache of the processor."""
_REMEMBERED = 20_000
_EPSILON = 1e-12


class PhraseEncoder:
    """The network, with the vectors of the phrases it has seen."""

    def __init__(self, file: Path = _FILE) -> None:
        with np.load(file) as data:
            arrays = {name: data[name] for name in data.files}
        tokens = str(arrays["tokens"]).split("\n")
        self._pieces = WordPieces({token: at for at, token in enumerate(tokens)})
        self._words, self._scales = arrays["words"], arrays["words_scale"]
        self._positions: Matrix = arrays["positions"]
        self._start = (arrays["start_gain"], arrays["start_bias"])
        count = sum(name.startswith("layer") and name.endswith("_up") for name in arrays)
        self._layers = [_layer(arrays, f"layer{number}") for number in range(count)]
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
            for batch in _batches([(self._pieces.tokens(p, TOKENS), p) for p in new]):
                for (_, phrase), row in zip(batch, self._computed([t for t, _ in batch]),
                                            strict=True):  # fmt: skip
                    self._seen[phrase] = row
            rows = [self._seen[phrase] for phrase in phrases]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self._words.shape[1])

    def _computed(self, batch: Sequence[list[int]]) -> Matrix:
        lengths = np.array([len(ids) for ids in batch])
        longest = int(lengths.max())
        ids = np.array([[*some, *[0] * (longest - len(some))] for some in batch])
        known = np.arange(longest) < lengths[:, None]
        rows = self._words[ids].astype(np.float32) * self._scales[ids][..., None]
        placed = (rows + self._positions[:longest]).reshape(-1, rows.shape[2])
        hidden = _normal(placed, *self._start)
        unseen = np.where(known, 0.0, -1e9).astype(np.float32)[:, None, None, :]
        for layer in self._layers:
            hidden = layer.forward(hidden, unseen)
        hidden = hidden.reshape(rows.shape) * known[..., None]
        mean: Matrix = hidden.sum(axis=1)
        mean /= np.linalg.norm(mean, axis=1, keepdims=True)
        return mean


class _Layer:
    def __init__(self, arrays: dict[str, npt.NDArray[np.float32]]) -> None:
        self._arrays = arrays

    def forward(self, hidden: Matrix, unseen: Matrix) -> Matrix:
        """The next hidden rows; `unseen` is added to what each token attends to."""
        own = self._arrays
        phrases, length = unseen.shape[0], unseen.shape[3]
        parted = (hidden @ own["look"] + own["look_bias"]).reshape(phrases, length, 3, _HEADS, -1)
        asked, offered, carried = parted.transpose(2, 0, 3, 1, 4)
        odds = asked @ offered.swapaxes(2, 3) / np.float32(np.sqrt(asked.shape[3])) + unseen
        odds = np.exp(odds - odds.max(axis=3, keepdims=True))
        odds /= odds.sum(axis=3, keepdims=True)
        mixed = (odds @ carried).swapaxes(1, 2).reshape(hidden.shape)
        hidden = _normal(hidden + mixed @ own["mix"] + own["mix_bias"],
                         own["mix_gain"], own["mix_shift"])  # fmt: skip
        wide = _gelu(hidden @ own["up"] + own["up_bias"])
        return _normal(hidden + wide @ own["down"] + own["down_bias"],
                       own["down_gain"], own["down_shift"])  # fmt: skip


def _layer(arrays: dict[str, npt.NDArray[np.float32]], name: str) -> _Layer:
    """A layer with its weights as 32-bit numbers: products of integers are slower on numpy."""
    own = {key.removeprefix(f"{name}_"): array for key, array in arrays.items()
           if key.startswith(f"{name}_")}  # fmt: skip
    for key in ("look", "mix", "up", "down"):
        own[key] = own[key].astype(np.float32) * own.pop(f"{key}_scale")
    return _Layer(own)


def _normal(rows: Matrix, gain: Matrix, bias: Matrix) -> Matrix:
    rows = rows - rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt(np.einsum("nd,nd->n", rows, rows) / rows.shape[1] + _EPSILON)[:, None]
    rows *= gain
    rows += bias
    return rows


def _gelu(x: Matrix) -> Matrix:
    """The network was fitted with this form, by tanh."""
    inner = x * x
    inner *= np.float32(0.044715)
    inner += 1
    inner *= x
    inner *= np.float32(0.7978845608)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


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
