"""The network of `backend.inference.value_reader` in torch, to be fitted and written.

It starts from the network of phrases (`phrase_network`), of which it keeps the words as they are.
Needs torch and safetensors.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import gelu

from backend.inference.value_reader import (
    HEAD,
    LEAST_PLACED,
    PLACED,
    POINTERS,
    TAGGERS,
    TOKENS,
    TYPES,
    Asked,
    Sheet,
    Stretch,
)
from tests.bench.phrase_network import (
    WIDTH,
    PhraseNetwork,
    array_of,
    branch_arrays,
    take_branch,
)

LAYERS, WIDE = 6, 128
ANY_WORDS = frozenset({"string", "custom", "item"})
"""Types whose values may be any words. It also learns from the likeliest places that it finds
itself, most of which are not right.
"""
_TRIED, _LONGEST, _PROPOSED = 8, 24, 6
"""Beginnings and ends that are combined, the longest place in tokens, and places per property."""
_LOST, _LIKE, _NONE, _REACH, _UNTAGGED = 0.1, 0.3, -2.0, 0.1, -3.0
_PAIRS = (*POINTERS, *TAGGERS)
_PARTS = ("like", "liked", "name", "value", *(name for pair in _PAIRS for name in pair))


class Answered(NamedTuple):
    """What the network says of a property: the odds of its values and then of the places that it
    proposes, the log-probability of each token to begin or to end its value, and of a list the
    log-odds of each token to begin an item and to be in one.
    """

    odds: Tensor
    proposed: list[Stretch]
    begins: Tensor
    ends: Tensor
    tags: list[Tensor]


class Reader(nn.Module):
    """What `backend.inference.value_reader` computes."""

    def __init__(self, start: Path, kept: Path | None) -> None:
        super().__init__()
        self.network = PhraseNetwork(start, TOKENS)
        if kept is not None:
            weights = torch.load(kept)
            weights.pop("positions")  # of fewer tokens
            self.network.load_state_dict(weights, strict=False)
        self.network.layers = self.network.layers[:LAYERS]
        self.network.words.requires_grad_(requires_grad=False)
        self._numbers = torch.tensor(self.network.shipped())
        self.second = nn.Parameter(0.02 * torch.randn(WIDTH))
        for part in _PARTS:
            setattr(self, part, nn.Linear(WIDTH, WIDE))
        nn.init.eye_(self.like.weight)
        nn.init.eye_(self.liked.weight)
        self.choice = nn.Linear(WIDTH, WIDTH, bias=False)
        self.choice.weight.data = _LIKE * torch.eye(WIDTH)
        self.types, self.answers = (
            nn.Parameter(torch.zeros(*shape)) for shape in ((len(TYPES), WIDE), (3, WIDTH))
        )
        self.last, self.scale = nn.Linear(2 * WIDE, 1), nn.Parameter(torch.tensor(WIDE**-0.5))
        self.reach = nn.Parameter(torch.tensor(_REACH))
        self.tagged_shift = nn.Parameter(torch.full((len(TAGGERS),), _UNTAGGED))
        nn.init.constant_(self.last.bias, _NONE)
        self._lost = nn.Dropout(_LOST)

    def forward(self, sheets: Sequence[Sheet]) -> list[Answered]:
        """What it says of each property of each sheet; the odds of “none” are one."""
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
        return [answer for own, sheet in both for answer in self._sheet(own, sheet)]

    def _sheet(self, rows: Tensor, sheet: Sheet) -> Iterator[Answered]:
        if not sheet.asked:
            return
        sums = torch.cat([torch.zeros(1, WIDTH), rows.cumsum(0)])
        names = _means(sums, [one.words for one in sheet.asked])
        text = rows[: sheet.first]
        begins, ends = (
            torch.log_softmax(self._matched(text, names, *pair), 1) for pair in POINTERS
        )
        tags = [
            self._matched(text, names, *pair) + shift
            for pair, shift in zip(TAGGERS, self.tagged_shift, strict=True)
        ]
        for at, one in enumerate(sheet.asked):
            known = {stretch for value in one.values for stretch in value.stretches}
            proposed = [place for place in _likeliest(begins[at], ends[at]) if place not in known]
            proposed = proposed if TYPES[one.kind] in ANY_WORDS else []
            odds = self._odds(sums, names[at], one, proposed, begins[at], ends[at])
            own_tags = [odds[at] for odds in tags] if TYPES[one.kind] == "item" else []
            yield Answered(odds, proposed, begins[at], ends[at], own_tags)

    def _matched(self, text: Tensor, names: Tensor, of_token: str, of_name: str) -> Tensor:
        tokens, wanted = getattr(self, of_token)(text), getattr(self, of_name)(names)
        odds = wanted @ tokens.T / WIDE**0.5
        unmarked = torch.arange(odds.shape[1]) > 0
        return odds.masked_fill(~unmarked, -torch.inf)

    def _odds(
        self, sums: Tensor, name: Tensor, one: Asked, proposed: Sequence[Stretch],
        begins: Tensor, ends: Tensor,
    ) -> Tensor:  # fmt: skip
        many = torch.tensor([*(len(v.stretches) for v in one.values), *(1 for _ in proposed)])
        if not len(many):
            return torch.zeros(0)
        ours = torch.repeat_interleave(torch.arange(len(many)), many)
        stretches = [stretch for value in one.values for stretch in value.stretches]
        stretches += proposed
        means = _means(sums, stretches)
        plain = [0] * len(proposed)
        means = means + self.answers[[*(value.answer for value in one.values), *plain]][ours]
        chosen = [*(value.choice or (0, 1) for value in one.values), *((0, 1) for _ in proposed)]
        has = torch.tensor([*(float(value.choice is not None) for value in one.values), *plain])
        means = means + (has[:, None] * self.choice(_means(sums, chosen)))[ours]
        both = self.like(means) * self.liked(name)
        wide = self.name(name) + self.types[one.kind] + self.value(means)
        bent = gelu(torch.cat([wide, both], 1), approximate="tanh")
        odds = self.last(self._lost(bent))[:, 0] + self.scale * both.sum(1)
        if TYPES[one.kind] in PLACED:
            firsts, lasts = torch.tensor(stretches).T
            placed = (begins[firsts] + ends[lasts - 1]).clamp(min=LEAST_PLACED)
            odds = odds + self.reach * placed
        least = torch.full((len(many),), -torch.inf)
        return least.scatter_reduce(0, ours, odds.float(), "amax")

    @torch.no_grad()
    def take(self, file: Path, words: Path) -> None:
        """Takes up the weights that `write` wrote, with the words of the phrase network's file."""
        with np.load(file) as own, np.load(words) as shared:
            take_branch(self.network, own, shared)
            head = {name: torch.tensor(own[f"head_{name}"].astype(np.float32)) for name in HEAD
                    if f"head_{name}" in own}  # fmt: skip
            self.second.copy_(torch.tensor(own["second"]))
        for part in _PARTS:
            source = part if part in head else _LIKE_POINTER[part]
            getattr(self, part).weight.copy_(head[source].T)
            getattr(self, part).bias.copy_(head[f"{source}_bias"])
        for part in ("types", "answers", "scale", "reach", "tagged_shift"):
            if part in head:
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
        for part in _PARTS:
            layer = getattr(self, part)
            head |= {part: array_of(layer.weight.T), f"{part}_bias": array_of(layer.bias)}
        arrays = branch_arrays(self.network, self.second, 0)
        arrays |= {f"head_{name}": array.astype(np.float16) for name, array in head.items()}
        arrays["head_last_bias"] = np.float32(self.last.bias.item())
        arrays |= {"head_scale": np.float32(self.scale.item()), "head_mixed": mixed}
        arrays["head_reach"] = np.float32(self.reach.item())
        arrays["head_tagged_shift"] = array_of(self.tagged_shift).astype(np.float32)
        np.savez(file, **arrays)


_LIKE_POINTER = {
    part: like for pair in _PAIRS for part, like in zip(pair, ("like", "liked"), strict=True)
}
"""Where pointers and tags start if a file has none: from how near a value is to a property."""


@torch.no_grad()
def _likeliest(begins: Tensor, ends: Tensor) -> list[Stretch]:
    """The likeliest places of a value, the likeliest first."""
    firsts, lasts = (part.topk(min(_TRIED, len(part))) for part in (begins, ends))
    made = [
        (float(by + until), (first, last + 1))
        for by, first in zip(firsts.values, firsts.indices.tolist(), strict=True)
        for until, last in zip(lasts.values, lasts.indices.tolist(), strict=True)
        if 0 <= last - first < _LONGEST
    ]
    return [place for _, place in sorted(made, reverse=True)[:_PROPOSED]]


def _means(sums: Tensor, stretches: Sequence[Stretch]) -> Tensor:
    starts, ends = torch.tensor(stretches).T
    means: Tensor = (sums[ends] - sums[starts]) / (ends - starts)[:, None]
    return means
