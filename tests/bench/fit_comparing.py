"""Fits the networks that compare the values of a property, for `tests.bench.fit_properties`.

Needs torch, which is needed in the scripts that fit and nowhere else. A network gives the right
value of a property most of the share among all in the running, or leaves it to "none", which has
the odds of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import gelu

from backend.extraction.comparing import FAR

Floats = NDArray[Any]
WIDE = 96
LOST, LOST_MEASURES = 0.25, 0.1
"""What part of the hidden numbers and of the measures is left out by chance in a step."""
EPOCHS = 10
TOGETHER = 96
RATE, DECAY, WARM = 2e-3, 0.02, 0.15
_LEAST_SPREAD = 1e-3
_MOST = 15.0


@dataclass(frozen=True)
class Competing:
    """The rows of the values of one property, which of them are right, and what it counts."""

    rows: Floats
    right: Floats
    worth: float


class Network(nn.Module):
    """What `backend.extraction.comparing` computes."""

    def __init__(self, measures: int) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(measures, WIDE), nn.Linear(3 * WIDE, WIDE)
        self.last, self.straight = nn.Linear(WIDE, 1), nn.Linear(measures, 1, bias=False)
        self._lost, self._lost_measures = nn.Dropout(LOST), nn.Dropout(LOST_MEASURES)

    def forward(self, rows: torch.Tensor, owner: torch.Tensor, many: int) -> torch.Tensor:
        rows = self._lost_measures(rows)
        seen = self._lost(gelu(self.inner(rows), approximate="tanh"))
        zeros = torch.zeros(many, WIDE)
        mean = zeros.index_add(0, owner, seen) / torch.bincount(owner, minlength=many)[:, None]
        places = owner[:, None].expand_as(seen)
        most = zeros.scatter_reduce(0, places, seen, "amax", include_self=False)
        beside = torch.cat([seen, mean[owner], most[owner]], 1)
        bent = self._lost(gelu(self.outer(beside), approximate="tanh"))
        result: torch.Tensor = (self.last(bent) + self.straight(rows))[:, 0]
        return result


def comparison(sets: Sequence[Competing], seeds: Sequence[int]) -> dict[str, Floats]:
    """The arrays of a network for each seed, as `Comparison` takes them."""
    rows = np.concatenate([one.rows for one in sets])
    shift, scale = rows.mean(axis=0), 1.0 / (rows.std(axis=0) + _LEAST_SPREAD)
    measures = torch.tensor(np.clip((rows - shift) * scale, -FAR, FAR), dtype=torch.float32)
    parted = measures.split([len(one.rows) for one in sets])
    networks = [_fitted(sets, parted, seed) for seed in seeds]
    return {
        "shift": shift.astype(np.float32),
        "scale": scale.astype(np.float32),
        "inner": _stacked([one.inner.weight.T for one in networks]),
        "inner_shift": _stacked([one.inner.bias for one in networks]),
        "outer": _stacked([one.outer.weight.T for one in networks]),
        "outer_shift": _stacked([one.outer.bias for one in networks]),
        "last": _stacked([torch.cat([one.last.weight[0], one.last.bias]) for one in networks]),
        "straight": _stacked([one.straight.weight[0] for one in networks]),
    }


def _stacked(parts: Sequence[torch.Tensor]) -> Floats:
    return torch.stack(list(parts)).detach().numpy().astype(np.float16)


def _fitted(sets: Sequence[Competing], measures: Sequence[torch.Tensor], seed: int) -> Network:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    network = Network(measures[0].shape[1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(sets) // TOGETHER)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps, pct_start=WARM)
    network.train()
    for _ in range(EPOCHS):
        order = rng.permutation(len(sets)).tolist()
        for start in range(0, len(order), TOGETHER):
            some = order[start : start + TOGETHER]
            loss = _loss(network, [sets[at] for at in some], [measures[at] for at in some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return network.eval()


def _loss(
    network: Network, some: Sequence[Competing], measures: Sequence[torch.Tensor]
) -> torch.Tensor:
    """How little of the share goes to what is right, or to "none" where nothing is."""
    many = len(some)
    owner = torch.repeat_interleave(torch.arange(many), torch.tensor(list(map(len, measures))))
    right = torch.tensor(np.concatenate([one.right for one in some]), dtype=torch.float32)
    worth = torch.tensor([one.worth for one in some])
    odds = torch.exp(network(torch.cat(list(measures)), owner, many).clamp(-_MOST, _MOST))
    zeros = torch.zeros(many)
    whole = 1.0 + zeros.index_add(0, owner, odds)
    good = zeros.index_add(0, owner, odds * right)
    share = torch.where(zeros.index_add(0, owner, right) > 0, good, 1.0) / whole
    return -(worth / worth.mean() * torch.log(share.clamp_min(1e-9))).mean()
