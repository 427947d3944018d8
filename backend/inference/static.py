"""Static token vectors: the mean of the vectors of a text's tokens, 256 numbers long.

Weights and tokenizer are files of the wordllama wheel. They are read directly: that package's own
loader looks in a folder that the wheel does not have and then asks a model hub, and importing it
costs more than the reading.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

from backend.inference.embeddings import LONGEST_TEXT, Identity, Matrix, ProviderMissing, has_words

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_BATCH = 512

# One thread per call: embedding runs in one process per core already. The tokenizer reads this
# when used.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


class StaticEmbedder:
    """Mean-pooled, L2-normalised token vectors."""

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        data = weights.read_bytes()
        self._vectors: Matrix = load(data)["embedding.weight"].astype(np.float32)
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._digest = hashlib.sha256(data).hexdigest()

    @classmethod
    def installed(cls) -> "StaticEmbedder":
        """From the files of the installed wheel; ProviderMissing without them."""
        spec = find_spec("wordllama")
        folder = Path(spec.origin).parent if spec and spec.origin else None
        if folder is None or not (folder / _WEIGHTS).is_file():
            raise ProviderMissing("the static vectors are missing: install the wordllama package")
        return cls(folder / _WEIGHTS, folder / _TOKENIZER)

    @cached_property
    def identity(self) -> Identity:
        return Identity(
            provider="static",
            model="l2_supercat",
            revision=self._digest[:12],
            dimension=int(self._vectors.shape[1]),
            recipe="mean-l2",
        )

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder. About 5,000 short texts a second and core."""
        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [text[:LONGEST_TEXT] for text in texts[start : start + _BATCH]]
            out[start : start + len(batch)] = self._pooled(batch)
        return out

    def _pooled(self, texts: list[str]) -> Matrix:
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        out = np.zeros((len(texts), self._vectors.shape[1]), dtype=np.float32)
        for row, encoding in enumerate(encodings):
            ids = encoding.ids
            if ids and has_words(texts[row]):
                out[row] = self._vectors[ids].sum(axis=0)
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out
