"""Static word vectors fine-tuned so that labels are close to what they name.

tests/bench/fit_label_vectors.py writes `label_vectors.npz`: replacement vectors for some thousand
tokens, and a small network applied to the sum of a text's tokens.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import Matrix, ProviderMissing
from backend.inference.providers import embedder_for
from backend.inference.static import StaticEmbedder
from workbench.contract.errors import Unavailable

PATH = Path(__file__).with_name("label_vectors.npz")


class LabelVectors:
    """Embeds short texts as unit vectors; texts without words get zeros.

    Example: installed().embed(["date of birth", "dob"])
    """

    def __init__(self, base: StaticEmbedder, fitted: Path) -> None:
        with np.load(fitted, allow_pickle=False) as file:
            rows = file["rows"] * file["scales"]
            self._pooled = base.with_rows(file["tokens"], rows.astype(np.float32))
            self._inner, self._outer = _layer(file, "inner"), _layer(file, "outer")

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Shape (texts, dimension)."""
        pooled = self._pooled.embed(texts)
        weights, shift = self._inner
        inner: Matrix = pooled @ weights + shift
        bent = np.tanh(0.7978846 * (inner + 0.044715 * inner * inner * inner))
        np.multiply(inner, 0.5 + 0.5 * bent, out=inner)  # gelu, by its usual approximation
        weights, shift = self._outer
        moved: Matrix = pooled + inner @ weights + shift
        moved[~pooled.any(axis=1)] = 0.0
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        np.divide(moved, lengths, out=moved, where=lengths > 0)
        return moved


def _layer(file: Mapping[str, npt.NDArray[Any]], name: str) -> tuple[Matrix, Matrix]:
    return file[name].astype(np.float32), file[f"{name}_shift"].astype(np.float32)


@cache
def installed() -> LabelVectors:
    """The fitted vectors that ship with the package; Unavailable when the installation lacks the
    word vectors. Properties read without them would be worse, and nobody would notice.
    """
    try:
        # Shared with those who ask for it by name: loading takes 60 ms.
        base = embedder_for("static")
    except ProviderMissing as error:
        raise Unavailable(f"Properties cannot be read: {error}.") from error
    if not isinstance(base, StaticEmbedder):
        base = StaticEmbedder.installed()
    return LabelVectors(base, PATH)
