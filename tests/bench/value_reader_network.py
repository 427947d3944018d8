"""The network of `backend.inference.value_reader` in torch, to be fitted and written.

It starts from the network of phrases (`phrase_network`), of which it keeps the words as they are.
Needs torch and safetensors.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import gelu

from backend.inference.value_reader import HEAD, TOKENS, TYPES, Asked, Sheet, Stretch
from tests.bench.phrase_network import (
    WIDTH,
    PhraseNetwork,
    array_of,
    branch_arrays,
    take_branch,
)

LAYERS, WIDE = 6, 128
_LOST, _LIKE, _NONE = 0.1, 0.3, -2.0


class Reader(nn.Module):
    """What `backend.inference.value_reader` computes."""

    def __init__(self, start: Path, kept: Path) -> None:
        super().__init__()
        self.network = PhraseNetwork(start, TOKENS)
        weights = torch.load(kept)
        weights.pop("positions")  # of fewer tokens
        self.network.load_state_dict(weights, strict=False)
        self.network.layers = self.network.layers[:LAYERS]
        self.network.words.requires_grad_(requires_grad=False)
        self._numbers = torch.tensor(self.network.shipped())
        self.second = nn.Parameter(0.02 * torch.randn(WIDTH))
        self.like, self.liked, self.name, self.value = (nn.Linear(WIDTH, WIDE) for _ in range(4))
        nn.init.eye_(self.like.weight)
        nn.init.eye_(self.liked.weight)
        self.choice = nn.Linear(WIDTH, WIDTH, bias=False)
        self.choice.weight.data = _LIKE * torch.eye(WIDTH)
        self.types, self.answers = (
            nn.Parameter(torch.zeros(*shape)) for shape in ((len(TYPES), WIDE), (3, WIDTH))
        )
        self.last, self.scale = nn.Linear(2 * WIDE, 1), nn.Parameter(torch.tensor(WIDE**-0.5))
        nn.init.constant_(self.last.bias, _NONE)
        self._lost = nn.Dropout(_LOST)

    def forward(self, sheets: Sequence[Sheet]) -> list[Tensor]:
        """For each property of each sheet the odds of its values; those of “none” are one."""
        longest = max(len(sheet.tokens) for sheet in sheets)
        ids = self._numbers[
            torch.tensor([[*s.tokens, *[0] * (longest - len(s.tokens))] for s in sheets])
        ]
        lengths = torch.tensor([len(sheet.tokens) for sheet in sheets])
        places = torch.arange(longest)[None]
        behind = (places >= torch.tensor([sheet.first for sheet in sheets])[:, None]).float()
        added = behind[..., None] * self.second
        rows = self.network.rows(ids, places < lengths[:, None], added).float()
        both = zip(rows, sheets, strict=True)
        return [odds for own, sheet in both for odds in self._sheet(own, sheet)]

    def _sheet(self, rows: Tensor, sheet: Sheet) -> Iterator[Tensor]:
        sums = torch.cat([torch.zeros(1, WIDTH), rows.cumsum(0)])
        names = _means(sums, [one.words for one in sheet.asked])
        for name, one in zip(names, sheet.asked, strict=True):
            yield self._odds(sums, name, one)

    def _odds(self, sums: Tensor, name: Tensor, one: Asked) -> Tensor:
        if not one.values:
            return torch.zeros(0)
        many = torch.tensor([len(value.stretches) for value in one.values])
        ours = torch.repeat_interleave(torch.arange(len(many)), many)
        stretches = [stretch for value in one.values for stretch in value.stretches]
        means = _means(sums, stretches)
        means = means + self.answers[[value.answer for value in one.values]][ours]
        chosen = [value.choice or (0, 1) for value in one.values]
        has = torch.tensor([float(value.choice is not None) for value in one.values])
        means = means + (has[:, None] * self.choice(_means(sums, chosen)))[ours]
        both = self.like(means) * self.liked(name)
        wide = self.name(name) + self.types[one.kind] + self.value(means)
        bent = gelu(torch.cat([wide, both], 1), approximate="tanh")
        odds = self.last(self._lost(bent))[:, 0] + self.scale * both.sum(1)
        least = torch.full((len(many),), -torch.inf)
        return least.scatter_reduce(0, ours, odds.float(), "amax")

    @torch.no_grad()
    def take(self, file: Path, words: Path) -> None:
        """Takes up the weights that `write` wrote, with the words of the phrase network's file."""
        with np.load(file) as own, np.load(words) as shared:
            take_branch(self.network, own, shared)
            head = {name: torch.tensor(own[f"head_{name}"].astype(np.float32)) for name in HEAD}
            self.second.copy_(torch.tensor(own["second"]))
        for part in ("like", "liked", "name", "value"):
            getattr(self, part).weight.copy_(head[part].T)
            getattr(self, part).bias.copy_(head[f"{part}_bias"])
        for part in ("types", "answers", "scale"):
            getattr(self, part).copy_(head[part])
        self.choice.weight.copy_(head["choice"].T)
        self.last.weight.copy_(head["last"][None])
        self.last.bias.fill_(head["last_bias"].item())

    def write(self, file: Path, mixed: NDArray[np.float32]) -> None:
        """Writes the arrays that `ValueReader` reads; `mixed` has what odds by signs and by reading
        count where they become one, and what is added.
        """
        head: dict[str, Any] = {
            "types": array_of(self.types), "answers": array_of(self.answers),
            "choice": array_of(self.choice.weight.T), "last": array_of(self.last.weight)[0],
        }  # fmt: skip
        for part in ("like", "liked", "name", "value"):
            layer = getattr(self, part)
            head |= {part: array_of(layer.weight.T), f"{part}_bias": array_of(layer.bias)}
        arrays = branch_arrays(self.network, self.second, 0)
        arrays |= {f"head_{name}": array.astype(np.float16) for name, array in head.items()}
        arrays["head_last_bias"] = np.float32(self.last.bias.item())
        arrays |= {"head_scale": np.float32(self.scale.item()), "head_mixed": mixed}
        np.savez(file, **arrays)


def _means(sums: Tensor, stretches: Sequence[Stretch]) -> Tensor:
    starts, ends = torch.tensor(stretches).T
    means: Tensor = (sums[ends] - sums[starts]) / (ends - starts)[:, None]
    return means
