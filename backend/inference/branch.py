"""A network for a pair of texts that branches off from the phrase network: it shares the word
embeddings and the first layers, and has its own positions and last layers.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import Matrix
from backend.inference.phrase_vectors import PhraseEncoder
from backend.inference.small_bert import layers_of, passed


class Branch:
    """The layers of such a network; `arrays` has everything in its file."""

    def __init__(self, phrases: PhraseEncoder, file: Path) -> None:
        with np.load(file) as data:
            self.arrays = {name: data[name] for name in data.files}
        self.pieces = phrases.pieces
        self._embeddings = phrases.embeddings.placed(self.arrays)
        shared = phrases.layers[: int(self.arrays["shared"])]
        self._layers = [*shared, *layers_of(self.arrays)]

    def rows(self, ids: npt.NDArray[np.int64], known: npt.NDArray[np.bool_], first: int) -> Matrix:
        """The output of the last layer, texts x tokens x width; the second begins at `first`."""
        of_second = (np.arange(ids.shape[1]) >= first)[:, None].astype(np.float32)
        rows = self._embeddings.rows(ids, of_second * self.arrays["second"])
        return passed(rows, known, self._layers)
