"""Static token vectors: the mean of the vectors of a text's tokens, of length 256.

Weights and tokenizer are files of the wordllama wheel. They are read directly: that package's own
loader looks in a folder that the wheel lacks and then contacts a model hub, and importing it costs
more than reading the files.

Tokenizing takes ten times as long as summing, and tokens never cross a space. So the token sum of
each word is cached, and embedding a text costs no more than adding its words.
"""

import hashlib
import os
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

from backend.inference.embeddings import LONGEST_TEXT, Identity, Matrix, ProviderMissing, has_words

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_BATCH = 32
_KEPT = 50_000
"""Words whose sums are cached (50 MB when full); a full cache is emptied."""
_TOGETHER = 128
_PIECE = re.compile(" +[^ ]*")

# One thread per call: embedding already runs in one process per core. The tokenizer reads this
# variable on first use.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


@dataclass(frozen=True)
class _Words:
    """The token sums of words: a row of `sums` for each, by its index. There may be more rows;
    those of listed words never change.
    """

    places: dict[str, int]
    sums: Matrix

    def places_of(self, parts: Iterable[list[str]]) -> list[list[int]]:
        """KeyError for an unknown word."""
        return [list(map(self.places.__getitem__, part)) for part in parts]


class StaticEmbedder:
    """Mean-pooled, L2-normalised token vectors."""

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        data = weights.read_bytes()
        self._vectors: Matrix = load(data)["embedding.weight"].astype(np.float32)
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._digest = hashlib.sha256(data).hexdigest()
        vocabulary = self._tokenizer.get_vocab()
        self.everyday = frozenset(
            token[1:] for token in vocabulary if token[:1] == "▁" and token[1:].islower()
        )
        """The words in small letters that are frequent enough to be one token."""
        self._space = vocabulary["▁"]
        self._special = frozenset(self._tokenizer.get_added_tokens_decoder())
        self._first = frozenset(id for token, id in vocabulary.items() if token.startswith("▁"))
        self._lock = threading.Lock()
        self._words = _Words({}, self._vectors[:0])

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
        ids = self._tokens(new)
        vectors = self._vectors[list(chain.from_iterable(ids))]
        start, place = 0, len(known.places)
        for word, some in zip(new, ids, strict=True):
            stop = start + len(some)
            np.add.reduce(vectors[start:stop], axis=0, out=known.sums[place])
            known.places[word] = place
            start, place = stop, place + 1

    def _tokens(self, words: Sequence[str]) -> list[list[int]]:
        """The tokens of each word. Plain words are tokenized together, in a third of the time.

        Their first tokens mark where words begin, except with special tokens, after which the
        tokenizer inserts a space.
        """
        if all(word and word[0] != " " for word in words):
            ids = self._ids(" ".join(words))
            starts = [place for place, token in enumerate(ids) if token in self._first]
            if len(starts) == len(words) and self._special.isdisjoint(ids):
                return [ids[start:stop] for start, stop in pairwise([*starts, len(ids)])]
        return [self._ids(word) for word in words]

    def _ids(self, text: str) -> list[int]:
        """The tokens of a text with a space before it."""
        if not text:
            return [self._space]
        # The tokenizer prepends a space to its input unless that is empty.
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def _words(text: str) -> list[str]:
    """Splits a text before single spaces; a piece may begin with more spaces. The tokenizer also
    treats `▁` as a space.
    """
    text = text.replace("▁", " ")
    if "  " in text or text.startswith(" "):
        return [piece[1:] for piece in _PIECE.findall(f" {text}")]
    return text.split(" ")
