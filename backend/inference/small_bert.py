"""The layers of a small BERT on numpy, with weights stored as 8-bit integers.

`phrase_vectors`, `role_network` and `reading_judge` build on it; `tests/bench/phrase_network.py` is
the torch version.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import Matrix

Arrays = Mapping[str, npt.NDArray[Any]]

_HEADS = 12
_EPSILON = 1e-12


class Embeddings:
    """The initial hidden rows: sums of word and position embeddings."""

    def __init__(self, arrays: Arrays) -> None:
        self._words, self._scales = arrays["words"], arrays["words_scale"]
        self._place(arrays)

    def placed(self, arrays: Arrays) -> "Embeddings":
        """The same word embeddings with the positions of another network."""
        made = copy(self)
        made._place(arrays)
        return made

    def _place(self, arrays: Arrays) -> None:
        self._positions: Matrix = arrays["positions"].astype(np.float32)
        self._start = (arrays["start_gain"], arrays["start_bias"])

    @property
    def width(self) -> int:
        return int(self._words.shape[1])

    def rows(self, ids: npt.NDArray[np.int64], added: Matrix | None = None) -> Matrix:
        """Rows by text, token and width; `added` is added before normalisation."""
        rows = self._words[ids].astype(np.float32) * self._scales[ids][..., None]
        rows += self._positions[: ids.shape[1]]
        if added is not None:
            rows += added
        return normal(rows.reshape(-1, self.width), *self._start).reshape(rows.shape)


class Layer:
    """One layer: attention, then a feed-forward network."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        """Weights become 32-bit floats: products of integers are slower on numpy."""
        own = {key.removeprefix(f"{name}_"): array for key, array in arrays.items()
               if key.startswith(f"{name}_")}  # fmt: skip
        for key in ("look", "mix", "up", "down"):
            own[key] = own[key].astype(np.float32) * own.pop(f"{key}_scale")
        self._arrays = own

    def forward(self, hidden: Matrix, unseen: Matrix) -> Matrix:
        """The next hidden rows; `unseen` is added to the attention scores."""
        own = self._arrays
        texts, length = unseen.shape[0], unseen.shape[3]
        parted = (hidden @ own["look"] + own["look_bias"]).reshape(texts, length, 3, _HEADS, -1)
        asked, offered, carried = map(np.ascontiguousarray, parted.transpose(2, 0, 3, 1, 4))
        asked /= np.float32(np.sqrt(asked.shape[3]))
        odds = asked @ np.ascontiguousarray(offered.swapaxes(2, 3))
        odds += unseen
        odds -= odds.max(axis=3, keepdims=True)
        np.exp(odds, out=odds)
        mixed = odds @ carried
        mixed /= odds.sum(axis=3, keepdims=True)
        mixed = mixed.swapaxes(1, 2).reshape(hidden.shape)
        hidden = normal(hidden + mixed @ own["mix"] + own["mix_bias"],
                        own["mix_gain"], own["mix_shift"])  # fmt: skip
        wide = gelu(hidden @ own["up"] + own["up_bias"])
        return normal(hidden + wide @ own["down"] + own["down_bias"],
                      own["down_gain"], own["down_shift"])  # fmt: skip


def layers_of(arrays: Arrays) -> list[Layer]:
    """The layers in these arrays, in order."""
    count = sum(name.startswith("layer") and name.endswith("_up") for name in arrays)
    return [Layer(arrays, f"layer{number}") for number in range(count)]


def padded(texts: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The tokens of texts as one padded array, and a mask of the actual tokens."""
    lengths = np.array([len(ids) for ids in texts])
    longest = int(lengths.max())
    ids = np.array([[*some, *[0] * (longest - len(some))] for some in texts])
    return ids, np.arange(longest) < lengths[:, None]


def passed(rows: Matrix, known: npt.NDArray[np.bool_], layers: Iterable[Layer]) -> Matrix:
    """The output of the last layer, texts by tokens by width."""
    unseen = np.where(known, 0.0, -1e9).astype(np.float32)[:, None, None, :]
    hidden = rows.reshape(-1, rows.shape[2])
    for layer in layers:
        hidden = layer.forward(hidden, unseen)
    return hidden.reshape(rows.shape)


def sums(rows: Matrix, known: npt.NDArray[np.bool_], layers: Iterable[Layer]) -> Matrix:
    """The sum of the last layer's output over the tokens of each text."""
    total: Matrix = (passed(rows, known, layers) * known[..., None]).sum(axis=1)
    return total


def normal(rows: Matrix, gain: Matrix, bias: Matrix) -> Matrix:
    """Rows with mean 0 and deviation 1, scaled."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt(np.einsum("nd,nd->n", rows, rows) / rows.shape[1] + _EPSILON)[:, None]
    rows *= gain
    rows += bias
    return rows


def gelu(x: Matrix) -> Matrix:
    """GELU in the tanh approximation that the networks were fitted with."""
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
