"""Static token vectors: the mean of the vectors of a text's tokens, 256 numbers long.

Weights and tokenizer are files of the wordllama wheel. They are read directly: that package's own
loader looks in a folder that the wheel does not have and then asks a model hub, and importing it
costs more than the reading.

The tokenizer takes ten times as long as the adding up, and its tokens never reach over a space.
So the tokens of words are kept.
"""

import hashlib
import os
import re
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

from backend.inference.embeddings import LONGEST_TEXT, Identity, Matrix, ProviderMissing, has_words

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_BATCH = 512
_KEPT = 100_000
"""Words whose tokens are kept (15 MB); then they are forgotten and learnt anew."""
_TOGETHER = 128
_WORD = re.compile(" +[^ ]*")

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
        vocabulary = self._tokenizer.get_vocab()
        self._space = vocabulary["▁"]
        self._special = frozenset(self._tokenizer.get_added_tokens_decoder())
        self._first = frozenset(id for token, id in vocabulary.items() if token.startswith("▁"))
        self._lock = threading.Lock()
        self._known: dict[str, Sequence[int]] = {}

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
        """See Embedder. Tens of thousands of short texts a second and core."""
        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [text[:LONGEST_TEXT] for text in texts[start : start + _BATCH]]
            out[start : start + len(batch)] = self._pooled(batch)
        return out

    def _pooled(self, texts: list[str]) -> Matrix:
        parts = [_words(text) if has_words(text) else [] for text in texts]
        tokens = self._tokens(set().union(*parts))
        out = np.zeros((len(texts), self._vectors.shape[1]), dtype=np.float32)
        for row, words in enumerate(parts):
            if words:
                ids = list(chain.from_iterable(map(tokens.__getitem__, words)))
                np.add.reduce(self._vectors[ids], axis=0, out=out[row])
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out

    def _tokens(self, words: set[str]) -> Mapping[str, Sequence[int]]:
        """The tokens of these words, each of which begins with a space, and of others."""
        with self._lock:
            new = list(words - self._known.keys())
            if len(self._known) + len(new) > _KEPT:
                self._known = {}  # a new one: the old may be in use
                new = list(words)
            plain = [word for word in new if len(word) > 1 and word[1] != " "]
            for start in range(0, len(plain), _TOGETHER):
                self._learn(plain[start : start + _TOGETHER])
            for word in new:
                if word not in self._known:
                    self._known[word] = self._ids(word)
            return self._known

    def _learn(self, words: list[str]) -> None:
        """Tokens of words with one space each, in one go, which takes a third of the time.

        They are told apart by their first tokens; not where words hold special tokens, after which
        the tokenizer puts a space of its own.
        """
        ids = self._ids("".join(words))
        starts = [place for place, token in enumerate(ids) if token in self._first]
        if len(starts) == len(words) and self._special.isdisjoint(ids):
            ends = [*starts[1:], len(ids)]
            for word, start, end in zip(words, starts, ends, strict=True):
                self._known[word] = ids[start:end]

    def _ids(self, text: str) -> list[int]:
        """The tokens of a text that begins with a space."""
        if text == " ":
            return [self._space]
        # The tokenizer puts a space before what it is given, unless that is nothing.
        ids: list[int] = self._tokenizer.encode(text[1:], add_special_tokens=False).ids
        return ids


def _words(text: str) -> list[str]:
    """The text in pieces that begin with its spaces; for the tokenizer `▁` is one, too."""
    return _WORD.findall(" " + text.replace("▁", " "))
