"""Static token vectors: the mean of the vectors of a text's tokens, of length 256.

Weights and tokenizer are those of wordllama (MIT). They come with our own wheel: see
`.ci/bundle_models.py`. A checkout also finds them in an installed wordllama.

Tokenizing takes far longer than summing, and tokens never cross a space. So the token sum of each
word is cached, and embedding a text costs no more than adding its words.
"""

import hashlib
import re
import threading
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from backend.inference.byte_pairs import SPACE, BytePairs
from backend.inference.embeddings import LONGEST_TEXT, Identity, Matrix, ProviderMissing, has_words
from backend.inference.tensors import tensors

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_PACKAGES = "docset_workbench_vectors", "wordllama"
_BATCH = 32
_KEPT = 50_000
"""Words whose sums are cached (50 MB when full); a full cache is emptied."""
_TOGETHER = 128
_PIECE = re.compile(" +[^ ]*")


class Files(NamedTuple):
    weights: Path
    tokenizer: Path


@dataclass(frozen=True)
class _Words:
    """The token sums of words: a row of `sums` by index; rows of listed words never change."""

    places: dict[str, int]
    sums: Matrix

    def places_of(self, parts: Iterable[list[str]]) -> list[list[int]]:
        """KeyError for an unknown word."""
        return [list(map(self.places.__getitem__, part)) for part in parts]


class StaticEmbedder:
    """Mean-pooled, L2-normalised token vectors."""

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        data = weights.read_bytes()
        self._vectors: Matrix = tensors(data)["embedding.weight"].astype(np.float32)
        self._tokenizer = BytePairs(tokenizer.read_bytes())
        self._digest = hashlib.sha256(data).hexdigest()
        self.everyday = frozenset(
            token[1:]
            for token in self._tokenizer.vocabulary
            if token[:1] == SPACE and token[1:].islower()
        )
        """The lower-case words that are frequent enough to be a single token."""
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._words = _Words({}, self._vectors[:0])

    def with_rows(self, tokens: npt.NDArray[np.int32], vectors: Matrix) -> "StaticEmbedder":
        """A copy with other vectors for some tokens. It is never stored under an identity."""
        other = copy(self)
        other._vectors = self._vectors.copy()
        other._vectors[tokens] = vectors
        other._forget()
        return other

    @classmethod
    def installed(cls) -> "StaticEmbedder":
        """From the installed files; ProviderMissing without them."""
        return cls(*cls.files())

    @staticmethod
    def files() -> Files:
        """Where weights and tokenizer are installed; ProviderMissing without them."""
        for package in _PACKAGES:
            spec = find_spec(package)
            for folder in map(Path, (spec and spec.submodule_search_locations) or ()):
                if (folder / _WEIGHTS).is_file():
                    return Files(folder / _WEIGHTS, folder / _TOKENIZER)
        raise ProviderMissing("the static vectors are missing: install docset-workbench once more")

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
        """See Embedder. Tens of thousands of short texts per second and core."""
        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [text[:LONGEST_TEXT] for text in texts[start : start + _BATCH]]
            out[start : start + len(batch)] = self._pooled(batch)
        return out

    def _pooled(self, texts: list[str]) -> Matrix:
        parts = [_words(text) if has_words(text) else [] for text in texts]
        words = self._words
        try:
            places = words.places_of(parts)
        except KeyError:
            words = self._with(set(chain.from_iterable(parts)))
            places = words.places_of(parts)
        out = np.zeros((len(texts), self._vectors.shape[1]), dtype=np.float32)
        for row, some in enumerate(places):
            if some:
                np.add.reduce(words.sums[some], axis=0, out=out[row])
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out

    def _with(self, wanted: set[str]) -> _Words:
        """The sums of at least these words."""
        with self._lock:
            known = self._words
            new = wanted - known.places.keys()
            if len(known.places) + len(new) > len(known.sums):
                # A new array: the old one may be in use. Untouched rows take no memory.
                rows = max(_KEPT, len(wanted))
                sums = np.empty((rows, self._vectors.shape[1]), dtype=np.float32)
                known, new = _Words({}, sums), wanted
            ordered = sorted(new)
            for first in range(0, len(ordered), _TOGETHER):
                self._add(ordered[first : first + _TOGETHER], known)
            self._words = known
            return known

    def _add(self, new: Sequence[str], known: _Words) -> None:
        ids = [self._tokens(word) for word in new]
        vectors = self._vectors[list(chain.from_iterable(ids))]
        start, place = 0, len(known.places)
        for word, some in zip(new, ids, strict=True):
            stop = start + len(some)
            np.add.reduce(vectors[start:stop], axis=0, out=known.sums[place])
            known.places[word] = place
            start, place = stop, place + 1

    def _tokens(self, word: str) -> list[int]:
        """The tokens of a word with the space before it."""
        return self._tokenizer.tokens(word) or [self._tokenizer.vocabulary[SPACE]]


def _words(text: str) -> list[str]:
    """Splits a text before single spaces; the tokenizer also treats `▁` as a space."""
    text = text.replace("▁", " ")
    if "  " in text or text.startswith(" "):
        return [piece[1:] for piece in _PIECE.findall(f" {text}")]
    return text.split(" ")
