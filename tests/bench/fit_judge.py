"""Fits the network that judges plans: writes `backend/inference/reading_judge.npz`.

    python -m tests.bench.fit_judge FILE… --start FOLDER [--from FILE] [--go-on FILE] [--write]

FILE are files of `tests.bench.asked_plans`. The plans of a request compete with each other and with
no plan at all. Embeddings and first layers stay those of `phrase_vectors`, which the judge shares:
`--start` is the folder of all-MiniLM-L6-v2 (see `phrase_network`), `--from` has the weights that
`fit_phrases` kept, `--go-on` those that `--keep` wrote before. What the judgement is worth, shows
`tests.bench.role_weights`. Needs torch.
"""

import argparse
import pickle
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from backend.inference.reading_judge import PLAN_TOKENS, QUESTION_TOKENS
from backend.plans.requests.judging import plans_in_words
from tests.bench.asked_plans import AskedPlans
from tests.bench.phrase_network import WIDTH, PhraseNetwork, array_of, branch_arrays

SHARED = 2
"""Layers that the judge shares with the phrases."""
_FILE = Path(__file__).parents[2] / "backend" / "inference" / "reading_judge.npz"
_TOGETHER, _MOST = 8, 4
_RATE, _RATE_OF_HEAD = 6e-5, 2e-3
_KEPT_SPOILED = 0.5


class Judge(nn.Module):
    """The score of a plan for a request: the logarithm of its odds against no plan."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.network = PhraseNetwork(folder, QUESTION_TOKENS + PLAN_TOKENS)
        self.second = nn.Parameter(torch.zeros(WIDTH))
        self.head = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.head.weight)
        shared = (self.network.words, *self.network.layers[:SHARED])
        for part in shared:
            part.requires_grad_(requires_grad=False)

    def forward(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        tokens = [self._tokens(*pair) for pair in pairs]
        longest = max(len(ids) for ids, _ in tokens)
        ids = torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids, _ in tokens])
        places = torch.arange(longest)[None]
        known = places < torch.tensor([len(ids) for ids, _ in tokens])[:, None]
        of_plan = (places >= torch.tensor([first for _, first in tokens])[:, None]).float()
        rows = self.network.rows(ids, known, of_plan[..., None] * self.second)
        mean = (rows * known[..., None]).sum(1) / known.sum(1, keepdim=True)
        return self.head(mean).squeeze(1).float()

    def _tokens(self, request: str, plan: str) -> tuple[list[int], int]:
        first = self.network.split.tokens(request, QUESTION_TOKENS)
        return first + self.network.split.tokens(plan, PLAN_TOKENS)[1:], len(first)

    def write(self, file: Path) -> None:
        """Writes the arrays that `ReadingJudge` reads."""
        heads = {"head": array_of(self.head.weight)[0], "head_bias": array_of(self.head.bias)[0]}
        np.savez(file, **branch_arrays(self.network, self.second, SHARED), **heads)


@dataclass(frozen=True)
class Worded:
    """A plan in words, and whether it is right."""

    words: str
    right: bool


@dataclass(frozen=True)
class Competition:
    """A request and its plans, the likeliest first."""

    text: str
    plans: Sequence[Worded]


def competitions_in(files: Sequence[Path], spoiled: float) -> list[Competition]:
    """The requests of files that have plans, with so large a part of those counted less."""
    asked: list[AskedPlans] = [one for file in files for one in pickle.loads(file.read_bytes())]
    kept = [one for one in asked if one.weight == 1 or random.random() < spoiled]
    return [
        Competition(one.text, [Worded(words, fits) for words, fits in zip(
            plans_in_words([c.plan for c in one.candidates], one.columns.values()), one.right,
            strict=True)])
        for one in kept if one.candidates
    ]  # fmt: skip


def _competing(one: Competition) -> list[Worded]:
    """Some of the plans: right ones, and of the wrong ones the likeliest and a few others."""
    right = [plan for plan in one.plans if plan.right]
    wrong = [plan for plan in one.plans if not plan.right]
    chosen = random.sample(right, min(2, len(right)))
    chosen += wrong[: min(3, _MOST - len(chosen))]
    left = [plan for plan in wrong if plan not in chosen]
    return chosen + random.sample(left, min(len(left), _MOST - len(chosen)))


def _words(plan: Worded) -> str:
    """The plan in words, sometimes without what is known of its properties."""
    return plan.words if random.random() > 0.25 else plan.words.partition(" | ")[0]


def fit(judge: Judge, lines: list[Competition], rounds: int) -> None:
    """Learns which plans are meant; prints how wrong the judge still is."""
    body = [p for n, p in judge.named_parameters() if p.requires_grad and not n.startswith("head")]
    groups = [{"params": body, "lr": _RATE},
              {"params": judge.head.parameters(), "lr": _RATE_OF_HEAD}]  # fmt: skip
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = rounds * len(lines) // _TOGETHER
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 30) * max(0.03, 1 - step / steps)
    )
    began, done, losses = time.monotonic(), 0, list[float]()
    for _ in range(rounds):
        random.shuffle(lines)
        for first in range(0, len(lines) - _TOGETHER + 1, _TOGETHER):
            losses.append(_learned(judge, lines[first : first + _TOGETHER], optimizer))
            nn.utils.clip_grad_norm_(body, 1.0)
            optimizer.step()
            schedule.step()
            done += 1
            if done % 25 == 0:
                seconds = time.monotonic() - began
                loss = float(np.mean(losses[-25:]))
                print(f"{done} of {steps}, {seconds:.0f} s, {loss:.3f}", flush=True)


def _learned(judge: Judge, lines: Sequence[Competition], optimizer: torch.optim.Optimizer) -> float:
    """Takes the gradients of some lines; returns how wrong the judge was."""
    judge.train()
    competing = [_competing(line) for line in lines]
    pairs = [(line.text, _words(plan))
             for line, plans in zip(lines, competing, strict=True) for plan in plans]  # fmt: skip
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = judge(pairs)
    loss, first = torch.zeros(()), 0
    for plans in competing:
        odds = torch.cat([scores[first : first + len(plans)], torch.zeros(1)])
        first += len(plans)
        right = [plan.right for plan in plans]
        meant = torch.tensor([*right, not any(right)])
        loss = loss - (torch.logsumexp(odds[meant], 0) - torch.logsumexp(odds, 0)) / len(lines)
    optimizer.zero_grad()
    loss.backward()
    return float(loss.detach())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--from", dest="kept", type=Path)
    parser.add_argument("--go-on", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="file for the weights as torch writes them")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    judge = Judge(options.start)
    if options.kept:
        kept = torch.load(options.kept)
        kept.pop("positions")  # of fewer tokens
        judge.network.load_state_dict(kept, strict=False)
    if options.go_on:
        judge.load_state_dict(torch.load(options.go_on))
    fit(judge, competitions_in(options.files, _KEPT_SPOILED), options.rounds)
    if options.keep:
        torch.save(judge.state_dict(), options.keep)
    if options.write:
        judge.write(_FILE)


if __name__ == "__main__":
    main()
