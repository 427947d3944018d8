"""Fits the network that foresees what a question wants: `backend/inference/role_network.npz`.

    python -m tests.bench.fit_roles FILE… --start FOLDER [--from FILE] [--rounds N] [--keep FILE]
                                    [--apart FILE…] [--further] [--write]

FILE are files of `tests.bench.asked_plans` and `described_tables`. Embeddings and first layers stay
those of `phrase_vectors`, which the network shares: `--start` is the folder of all-MiniLM-L6-v2
(see `phrase_network`), `--from` has weights that `--keep` wrote before, or that `fit_phrases` kept;
with `--further` it goes on from the weights that ship, more slowly.
On the files behind `--apart`, from which nothing is learned, the weights of `agreement` are fitted
(`tests.bench.role_weights`). Needs torch.
"""

import argparse
import pickle
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from backend.inference.role_network import (
    MOST_TOKENS,
    Column,
    Places,
    asked_tokens,
    placed_words,
)
from backend.plans.requests.roles import ROLES, TRAITS
from tests.bench.asked_plans import AskedPlans
from tests.bench.phrase_network import (
    WIDTH,
    PhraseNetwork,
    array_of,
    branch_arrays,
    take_branch,
)
from tests.bench.role_weights import report

SHARED = 2
"""Layers that the network shares with the phrases."""
_FILE = Path(__file__).parents[2] / "backend" / "inference" / "role_network.npz"
_TOGETHER = 12
_RATE, _RATE_FURTHER, _RATE_OF_HEADS = 1.2e-4, 7e-5, 1e-3
_UNDESCRIBED, _NAMELESS, _CARELESS = 0.25, 0.2, 0.2
_SHOWN = ROLES.index("shown")
_COUNTED = tuple(ROLES.index(role) for role in
                 ("group", "sum", "avg", "min", "max", "median", "up", "down"))  # fmt: skip


class Roles(nn.Module):
    """The network in torch."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.network = PhraseNetwork(folder, MOST_TOKENS)
        self.second = nn.Parameter(torch.zeros(WIDTH))
        self.head = nn.Linear(2 * WIDTH, len(ROLES))
        self.value = nn.Linear(2 * WIDTH, 1)
        self.traits = nn.Linear(WIDTH, len(TRAITS))
        for part in (self.network.words, self.network.start, *self.network.layers[:SHARED]):
            part.requires_grad_(requires_grad=False)

    def forward(
        self, asked: Sequence[tuple[tuple[str, str, Sequence[str] | None], Sequence[Column]]]
    ) -> tuple[list[Tensor], Tensor, list[list[dict[int, Tensor]]]]:
        """For each question the odds of roles by columns, those of the traits, and those of the
        values of each column.
        """
        split = self.network.split
        firsts = [asked_tokens(split, *question) for question, _ in asked]
        texts, places = list[list[int]](), list[list[Places]]()
        for first, (_, columns) in zip(firsts, asked, strict=True):
            behind, at = placed_words(columns, split, len(first))
            texts.append([*first, *behind])
            places.append(at)
        longest = max(map(len, texts))
        ids_ = torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids in texts])
        numbers = torch.arange(longest)[None]
        known = numbers < torch.tensor(list(map(len, texts)))[:, None]
        of_columns = (numbers >= torch.tensor(list(map(len, firsts)))[:, None]).float()
        rows = self.network.rows(ids_, known, of_columns[..., None] * self.second)
        means = torch.stack([row[: len(first)].mean(0)
                             for row, first in zip(rows, firsts, strict=True)])  # fmt: skip

        def beside(row: Tensor, mean: Tensor, span: tuple[int, int]) -> Tensor:
            return torch.cat([row[span[0] : span[1]].mean(0), mean])

        read = list(zip(rows, means, places, strict=True))
        both = [torch.stack([beside(row, mean, place.column) for place in at])
                for row, mean, at in read]  # fmt: skip
        values = [[{number: self.value(beside(row, mean, span)).float()[0]
                    for number, span in place.values.items()} for place in at]
                  for row, mean, at in read]  # fmt: skip
        return [self.head(pair).float() for pair in both], self.traits(means).float(), values

    @torch.no_grad()
    def take(self, file: Path, phrases: Path) -> None:
        """Takes up the weights that `write` wrote, with what the phrase network's file shares."""
        with np.load(file) as own, np.load(phrases) as shared:
            take_branch(self.network, own, shared)
            self.second.copy_(torch.tensor(own["second"]))
            for part, layer in (("head", self.head), ("traits", self.traits)):
                layer.weight.copy_(torch.tensor(own[part].T))
                layer.bias.copy_(torch.tensor(own[f"{part}_bias"]))
            self.value.weight.copy_(torch.tensor(own["value"][None]))
            self.value.bias.fill_(float(own["value_bias"]))

    def write(self, file: Path) -> None:
        """Writes the arrays that `RoleNetwork` reads."""
        heads = {
            "head": array_of(self.head.weight).T, "head_bias": array_of(self.head.bias),
            "value": array_of(self.value.weight)[0], "value_bias": array_of(self.value.bias)[0],
            "traits": array_of(self.traits.weight).T, "traits_bias": array_of(self.traits.bias),
        }  # fmt: skip
        np.savez(file, **branch_arrays(self.network, self.second, SHARED), **heads)


def question_of(asked: AskedPlans) -> tuple[str, str, Sequence[str] | None]:
    """The question, the name of the documents and the traits before it, as the network reads them;
    sometimes careless or without noun.
    """
    named, careless = random.random() >= _NAMELESS, random.random() < _CARELESS
    text = asked.text.lower().rstrip("?. ") if careless else asked.text
    return text, asked.noun if named else "documents", asked.now


def _varied(column: Column) -> Column:
    """The column with its values in another order, sometimes without its description."""
    described = random.random() >= _UNDESCRIBED
    values = random.sample(list(column.values), len(column.values))
    return replace(column, values=values, description=column.description if described else "")


def _wanted(asked: AskedPlans, fields: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Which roles the columns have, and what knowing each of them counts."""
    has, counts = torch.zeros(len(fields), len(ROLES)), torch.zeros(len(fields), len(ROLES))
    if asked.wanted is not None:
        counts[:] = 1
        counts[:, _SHOWN] = 0.3
        for place, field in enumerate(fields):
            for role in asked.wanted.of.get(field, ()):
                has[place, ROLES.index(role)] = 1
    elif asked.uses:
        roles = asked.uses.get("roles")
        for place, field in enumerate(fields):
            mine = (roles or {}).get(field, ())
            if field in asked.uses["used"] or mine:
                has[place, -1] = counts[place, -1] = 1
            for role in _COUNTED if roles is not None else ():
                has[place, role] = float(ROLES[role] in mine)
                counts[place, role] = 1 if has[place, role] else 0.5
    return has, counts


def _is_meant(asked: AskedPlans, field: str, column: Column, number: int) -> bool:
    """Whether the answer tests for a value."""
    return str(column.listed[number]).lower() in (asked.values or {}).get(field, ())


def _traits(asked: AskedPlans) -> tuple[Tensor, Tensor]:
    """Which traits the plan has, and which of them are known."""
    has, known = torch.zeros(len(TRAITS)), torch.zeros(len(TRAITS))
    traits = asked.wanted.traits if asked.wanted is not None and asked.answers else None
    noted = asked.uses.get("traits") if traits is None else None
    if traits is not None:
        known[:] = 1
    elif noted:
        for trait in {"first", "groups", "share", *noted}:
            known[TRAITS.index(trait)] = 1
    for trait in traits or noted or ():
        has[TRAITS.index(trait)] = 1
    has[0], known[0] = float(asked.answers), 1
    return has, known


def _loss(network: Roles, batch: Sequence[AskedPlans]) -> Tensor:
    fields = [random.sample(list(one.columns), len(one.columns)) for one in batch]
    texts = [(question_of(one), [_varied(one.columns[field]) for field in named])
             for one, named in zip(batch, fields, strict=True)]  # fmt: skip
    with torch.autocast("cpu", dtype=torch.bfloat16):
        roles, traits, values = network(texts)
    loss = torch.zeros(())
    for at, (one, named, odds, whole) in enumerate(zip(batch, fields, roles, traits, strict=True)):
        has, counts = _wanted(one, named)
        loss = loss + one.weight / 8 * binary_cross_entropy_with_logits(
            odds, has, weight=counts * (1 + has), reduction="sum")  # fmt: skip
        has, known = _traits(one)
        loss = loss + one.weight / 2 * binary_cross_entropy_with_logits(
            whole, has, weight=known, reduction="sum")  # fmt: skip
        meant = [(worth, _is_meant(one, field, column, number))
                 for field, column, read in zip(named, texts[at][1], values[at], strict=True)
                 for number, worth in read.items()]  # fmt: skip
        if one.values is not None and meant:
            has = torch.tensor([float(is_meant) for _, is_meant in meant])
            loss = loss + one.weight / 8 * binary_cross_entropy_with_logits(
                torch.stack([worth for worth, _ in meant]), has, weight=0.5 + 1.5 * has,
                reduction="sum")  # fmt: skip
    return loss / sum(one.weight for one in batch)


def fit(network: Roles, asked: Sequence[AskedPlans], rounds: float, rate: float = _RATE) -> None:
    """Learns what questions want; prints how wrong the network still is."""
    heads = [parameter for head in (network.head, network.value, network.traits)
             for parameter in head.parameters()]  # fmt: skip
    body = [parameter for layer in network.network.layers[SHARED:]
            for parameter in layer.parameters()]  # fmt: skip
    groups = [{"params": body, "lr": rate}, {"params": heads, "lr": _RATE_OF_HEADS}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = int(rounds * len(asked) / _TOGETHER)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 40) * max(0.03, 1 - step / steps)
    )
    network.train()
    began, losses, order = time.monotonic(), list[float](), list[AskedPlans]()
    for step in range(steps):
        if len(order) < _TOGETHER:
            order = random.sample(list(asked), len(asked))
        loss = _loss(network, [order.pop() for _ in range(_TOGETHER)])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(body, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % 20 == 19:
            seconds, recent = time.monotonic() - began, float(np.mean(losses[-20:]))
            print(f"{step + 1} of {steps}, {seconds:.0f} s, {recent:.3f}", flush=True)


def kept_in(files: Sequence[Path]) -> list[AskedPlans]:
    return [one for file in files for one in pickle.loads(file.read_bytes())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--from", dest="before", type=Path)
    parser.add_argument("--apart", type=Path, nargs="*", default=[])
    parser.add_argument("--rounds", type=float, default=4)
    parser.add_argument("--keep", type=Path, help="file for the weights as torch writes them")
    parser.add_argument("--further", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Roles(options.start)
    if options.before:
        own, before = network.state_dict(), torch.load(options.before)
        fitting = {k: v for k, v in before.items() if k in own and own[k].shape == v.shape}
        network.load_state_dict(own | fitting)
    if options.further:
        network.take(_FILE, _FILE.with_name("phrase_vectors.npz"))
    if options.files:
        rate = _RATE_FURTHER if options.further else _RATE
        fit(network, kept_in(options.files), options.rounds, rate)
    if options.keep:
        torch.save(network.state_dict(), options.keep)
    if options.write:
        network.write(_FILE)
    if options.apart:
        report(kept_in(options.apart))


if __name__ == "__main__":
    main()
