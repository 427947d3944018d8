"""Fits the vectors of labels: writes `backend/extraction/label_vectors.npz`.

    python -m tests.bench.fit_label_vectors [--without FILE] [--epochs 10] [--out FILE]

Needs torch, which is needed here and nowhere else. Static word vectors are fitted further on
`made/labelled/*.txt`: under which labels and in which words the values of 1,743 properties stand,
and what they are not, written down by people who had not seen the code (a line each: name, type,
description, labels, words around the value, what it is not, answers = value). A label shall come
nearer to its own property than to the others of its kind, and nearer than what the property is not.
`--without` leaves a file out and measures on it how many labels come nearest to their own property,
before and after: .438 and .469 for `life`, .406 and .451 for `civic`.
"""

import argparse
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize, softplus

from backend.extraction import label_vectors
from backend.extraction.senses import core
from backend.inference.byte_pairs import BytePairs
from backend.inference.static import StaticEmbedder
from backend.inference.tensors import tensors

_SHARP = 16.0
_WIDE = 512
_TOGETHER = 6
"""Kinds of documents in one step."""
_LABELS, _OTHERS = 6, 4
"""Labels of a property, and labels of what it is not, in one step."""
_SEED = 1
_LEVELS = 127


@dataclass(frozen=True)
class Asked:
    """A property: what it is called and described as, its labels, and what it is not."""

    name: str
    description: str
    labels: tuple[str, ...]
    prose: tuple[str, ...]
    others: tuple[str, ...]

    def query(self, rng: random.Random) -> str:
        """The property as one may ask for it."""
        drawn = rng.random()
        if drawn < 0.3 or not self.description:
            return self.name
        return f"{self.name} {self.description}" if drawn < 0.85 else self.description


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.replace("{v}", " ") for part in text.strip().split("|") if part.strip())


def kinds(path: Path) -> list[list[Asked]]:
    """The properties of a file, kind by kind."""
    found: list[list[Asked]] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            found.append([])
        else:
            name, _, description, labels, prose, others, _ = line.split(" ~ ")
            found[-1].append(
                Asked(name, description, _parts(labels), _parts(prose), _parts(others))
            )
    return found


class Vectors(nn.Module):
    """Sums of token vectors of length one, moved a little by a small network."""

    def __init__(self) -> None:
        super().__init__()
        files = StaticEmbedder.files()
        self._pairs = BytePairs(files.tokenizer.read_bytes())
        first = tensors(files.weights.read_bytes())["embedding.weight"].astype(np.float32)
        self.tokens = nn.Embedding.from_pretrained(torch.tensor(first), freeze=False)
        self.weights = nn.Embedding.from_pretrained(torch.zeros(len(first), 1), freeze=False)
        width = first.shape[1]
        self.inner, self.outer = nn.Linear(width, _WIDE), nn.Linear(_WIDE, width)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)
        self._loss = nn.Dropout(0.1)
        self._ids: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """The tokens of the words of a text that carry meaning."""
        if text not in self._ids:
            self._ids[text] = self._pairs.tokens(core(text)) or [0]
        return self._ids[text]

    def forward(self, texts: list[str]) -> torch.Tensor:
        ids = [self.ids(text) for text in texts]
        flat = torch.tensor([token for own in ids for token in own])
        owner = torch.tensor([at for at, own in enumerate(ids) for _ in own])
        parts = self.tokens(flat) * torch.exp(self.weights(flat))
        sums = torch.zeros(len(texts), parts.shape[1]).index_add_(0, owner, parts)
        pooled = normalize(sums, dim=1)
        inner = nn.functional.gelu(self.inner(self._loss(pooled)), approximate="tanh")
        return normalize(pooled + self.outer(inner), dim=1)

    def seen(self) -> list[int]:
        """The tokens of all texts so far."""
        return sorted({token for own in self._ids.values() for token in own})


def fitted(model: Vectors, known: list[list[Asked]], epochs: int) -> None:
    """Fits the vectors to the kinds."""
    rng = random.Random(_SEED)
    rates = [(model.tokens, 4e-3), (model.weights, 1e-2), (model.inner, 1e-3), (model.outer, 1e-3)]
    groups = [{"params": part.parameters(), "lr": rate} for part, rate in rates]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    for epoch in range(epochs):
        ordered = rng.sample(known, len(known))
        model.train()
        total = 0.0
        for start in range(0, len(ordered), _TOGETHER):
            loss = _loss(model, ordered[start : start + _TOGETHER], rng)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total * _TOGETHER / len(ordered):.3f}", flush=True)


def _loss(model: Vectors, some: list[list[Asked]], rng: random.Random) -> torch.Tensor:
    """How far labels are from their own property, beside the others and beside what it is not."""
    queries: list[str] = []
    kind_of: list[int] = []
    labels: dict[str, list[tuple[int, int]]] = {"own": [], "other": []}
    texts: dict[str, list[str]] = defaultdict(list)
    for number, kind in enumerate(some):
        for one in kind:
            own = [*one.labels, *one.prose]
            drawn = {
                "own": rng.sample(own, min(_LABELS, len(own))),
                "other": rng.sample(one.others, min(_OTHERS, len(one.others))),
            }
            for sort, chosen in drawn.items():
                texts[sort] += chosen
                labels[sort] += [(len(queries), number)] * len(chosen)
            queries.append(one.query(rng))
            kind_of.append(number)
    rows = model([*queries, *texts["own"], *texts["other"]])
    asked, own, others = rows.split([len(queries), len(texts["own"]), len(texts["other"])])
    owner = torch.tensor([at for at, _ in labels["own"]])
    other_owner = torch.tensor([at for at, _ in labels["other"]])
    number = torch.tensor([number for _, number in labels["own"]])
    foreign = number[:, None] != torch.tensor(kind_of)[None]
    chosen_loss = cross_entropy((_SHARP * own @ asked.T).masked_fill(foreign, -1e4), owner)
    near = (own * asked[owner]).sum(1)
    far = (others * asked[other_owner]).sum(1)
    pairs = owner[:, None] == other_owner[None]
    return chosen_loss + softplus(_SHARP * (far[None] - near[:, None]))[pairs].mean()


def nearest(model: Vectors, known: list[list[Asked]]) -> float:
    """The part of labels that come nearest to their own property of all of their kind."""
    model.eval()
    right = many = 0
    with torch.inference_mode():
        for kind in known:
            asked = model([f"{one.name} {one.description}" for one in kind])
            for at, one in enumerate(kind):
                best = (model(list(one.labels)) @ asked.T).argmax(1)
                right += int((best == at).sum())
                many += len(one.labels)
    return right / many


def write(model: Vectors, path: Path) -> None:
    """Writes what differs from the vectors that it began with: tokens seen, and the network."""
    seen = torch.tensor(model.seen())
    with torch.inference_mode():
        rows = (model.tokens(seen) * torch.exp(model.weights(seen))).numpy()
    scales = np.abs(rows).max(axis=1, keepdims=True) / _LEVELS
    parts = {
        "tokens": seen.numpy().astype(np.int32),
        "rows": np.rint(rows / scales).astype(np.int8),
        "scales": scales.astype(np.float32),
    }
    for name, layer in (("inner", model.inner), ("outer", model.outer)):
        parts[name] = layer.weight.detach().numpy().T.astype(np.float16)
        parts[f"{name}_shift"] = layer.bias.detach().numpy().astype(np.float16)
    np.savez_compressed(path, **parts)  # type: ignore[arg-type]  # its stub takes no mapping
    print(f"{path.name}: {path.stat().st_size} bytes, {len(seen)} tokens")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--without")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--out", type=Path, default=label_vectors.PATH)
    given = parser.parse_args()
    torch.manual_seed(_SEED)
    torch.set_num_threads(1)
    paths = sorted((Path(__file__).parent / "made" / "labelled").glob("*.txt"))
    known = [kind for path in paths if path.stem != given.without for kind in kinds(path)]
    unseen = [kind for path in paths if path.stem == given.without for kind in kinds(path)]
    model = Vectors()
    if unseen:
        print(f"nearest to their own property before: {nearest(model, unseen):.3f}")
    fitted(model, known, given.epochs)
    if unseen:
        print(f"after: {nearest(model, unseen):.3f}")
    write(model, given.out)


if __name__ == "__main__":
    main()
