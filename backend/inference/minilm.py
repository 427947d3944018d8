"""MiniLM (all-MiniLM-L6-v2) on onnxruntime: vectors of length 384 from up to 256 tokens.

About a hundred times slower than static vectors and clearly better at meaning. Its files are built
by `backend.inference.installing`; nothing is downloaded here.
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.embeddings import LONGEST_TEXT, Identity, Matrix, ProviderMissing, has_words
from backend.inference.word_pieces import WordPieces

GRAPH, TOKENIZER, ABOUT = "model.onnx", "tokenizer.json", "about.json"
IDENTITY = Identity(
    provider="minilm",
    model="all-MiniLM-L6-v2",
    revision="53aa51172d14",
    dimension=384,
    recipe="256-int8-mean-l2",
)
"""The revision is the beginning of the SHA-256 of the published weights."""

_TOKENS = 256
# Tokens per run. 2,048 exceed the CPU cache: a fifth slower and 110 MB more; with 128 short texts
# are no faster.
_BATCH_TOKENS = 512
_INSTALL = "install it where the server runs: workbench models install minilm"


def installed(folder: Path) -> bool:
    """Whether the folder has the model; ProviderMissing if in another version's format."""
    try:
        about = json.loads((folder / ABOUT).read_bytes())
        identity = Identity.parse(about["identity"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    if identity != IDENTITY:
        raise ProviderMissing(f"the installed minilm is of another version; {_INSTALL}")
    return True


class MiniLM:
    """The model in a folder, loaded with the first text: 0.5 s and about 110 MB of memory.

    Single-threaded, because documents are processed in parallel processes. Texts of similar length
    share a batch. See Embedder.
    """

    identity = IDENTITY

    def __init__(self, folder: Path) -> None:
        """ProviderMissing when the model is not in that folder."""
        if not installed(folder):
            raise ProviderMissing(f"minilm is not installed; {_INSTALL}")
        if find_spec("onnxruntime") is None:
            raise ProviderMissing("minilm needs onnxruntime: pip install 'docset-workbench[ocr]'")
        self._folder = folder
        self._lock = threading.Lock()
        self._tokenizer: WordPieces | None = None
        self._session: Any = None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder. ProviderMissing when the files are damaged."""
        self._load()
        out = np.zeros((len(texts), IDENTITY.dimension), dtype=np.float32)
        worded = [place for place, text in enumerate(texts) if has_words(text)]
        tokens = self._tokens([texts[place][:LONGEST_TEXT] for place in worded])
        for batch in _batches([len(one) for one in tokens]):
            rows = [worded[number] for number in batch]
            out[rows] = self._run([tokens[number] for number in batch])
        return out

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        assert self._tokenizer is not None
        return [self._tokenizer.tokens(text, _TOKENS) for text in texts]

    def _run(self, batch: Sequence[list[int]]) -> Matrix:
        longest = max(map(len, batch))
        ids = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros((len(batch), longest), dtype=np.int32)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        places = np.arange(longest, dtype=np.int64)
        vectors: Matrix = self._session.run(None, {"ids": ids, "mask": mask, "places": places})[0]
        return vectors

    def _load(self) -> None:
        with self._lock:
            if self._session is not None:
                return
            about = json.loads((self._folder / ABOUT).read_bytes())
            files = {name: (self._folder / name).read_bytes() for name in (GRAPH, TOKENIZER)}
            for name, data in files.items():
                if hashlib.sha256(data).hexdigest() != about["sha256"][name]:
                    raise ProviderMissing(f"the files of minilm are damaged; {_INSTALL}")
            self._tokenizer = WordPieces.read(files[TOKENIZER].decode())
            self._session = _session(files[GRAPH])


def _session(graph: bytes) -> Any:
    # Imported late: saves 0.2 s and 30 MB in a server without this model.
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Batches texts of similar length, so that little padding is needed."""
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
