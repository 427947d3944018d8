"""Fits what properties ask for the sender of a document, and which signs show the sender.

    python -m tests.bench.fit_senders FOLDER… [--write]

`document_parties.jsonl` has 1,500 properties of 150 kinds of documents, each with the role of the
party it asks for; the score of `backend/extraction/sender_asked` is fitted on them, and written
with `--write`. FOLDER are folders of real documents with their elements, as in `fit_properties
--real`; of their values, and of what is left without the sender, the weights of
`backend/extraction/senders` are fitted and printed. Both are first measured on kinds that were left
out. Needs torch.

The weights that ship come from 220 documents of 26 kinds, each of another sender, by two hands that
had not seen the code, and from 60 receipts and invoices.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from backend.extraction import sender_asked, senders
from backend.extraction.document import Document
from backend.extraction.engine import compiled
from backend.extraction.targets import Target
from backend.extraction.weighing import weighed_alone
from tests.bench.known_documents import Known, plain, real
from workbench.contract.elements import Element

_LABELS = Path(__file__).with_name("document_parties.jsonl")
_LEAST_TIMES, _FOLDS = 3, 10
_ROUNDS, _RATE, _DECAY, _DECAY_OF_SIGNS = 300, 0.02, 1e-3, 2e-3
_MISSING = 0.1
"""What a document counts whose sender was taken out, beside one that has it."""
Floats = NDArray[np.float32]


@dataclass
class Case:
    """The signs of the values of one property, and which of them is right."""

    kind: str
    rows: Floats
    right: NDArray[np.bool_]
    worth: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = [json.loads(line) for line in _LABELS.read_text("utf-8").splitlines()]
    words = [set(sender_asked.words(one["name"], one["description"])) for one in lines]
    times = Counter(word for own in words for word in own)
    vocabulary = sorted(word for word, count in times.items() if count >= _LEAST_TIMES)
    at = {word: number for number, word in enumerate(vocabulary)}
    rows = np.stack([sender_asked.features(at, o["name"], o["description"]) for o in lines])
    wanted = np.array([one["role"] == "sender" for one in lines])
    left_out = np.zeros(len(lines), dtype=np.float32)
    fold = _folds([one["kind"] for one in lines])
    for number in range(_FOLDS):
        out = fold == number
        weights, bias = _logistic(rows[~out], wanted[~out])
        left_out[out] = rows[out] @ weights + bias
    _print_asked(left_out, wanted, np.array([bool(one["description"]) for one in lines]))
    if options.write:
        weights, bias = _logistic(rows, wanted)
        np.savez_compressed(
            sender_asked.__file__.replace(".py", ".npz"),
            vocabulary="\n".join(vocabulary), weights=weights, bias=bias,
        )  # fmt: skip
    cases = list(_cases(options.folders))
    if not cases:
        return
    fold = _folds([case.kind for case in cases])
    results = []
    for number in range(_FOLDS):
        signs, none = _signs([c for c, f in zip(cases, fold, strict=True) if f != number])
        results += [(c, signs, none) for c, f in zip(cases, fold, strict=True) if f == number]
    _print_signs(results)
    signs, none = _signs(cases)
    print(dict(zip(senders.SIGNS, np.round(signs, 2).tolist(), strict=True)), "none", f"{none:.2f}")


def _folds(kinds: Sequence[str]) -> NDArray[np.int64]:
    """The fold of each kind."""
    number = {kind: at % _FOLDS for at, kind in enumerate(sorted(set(kinds)))}
    return np.array([number[kind] for kind in kinds])


def _logistic(rows: Floats, wanted: NDArray[np.bool_]) -> tuple[Floats, float]:
    torch.manual_seed(0)
    layer = torch.nn.Linear(rows.shape[1], 1)
    steps = torch.optim.Adam(layer.parameters(), _RATE, weight_decay=_DECAY)
    inputs, aim = torch.tensor(rows), torch.tensor(wanted, dtype=torch.float32)
    for _ in range(_ROUNDS):
        steps.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(layer(inputs)[:, 0], aim)
        loss.backward()  # type: ignore[no-untyped-call]
        steps.step()
    return layer.weight.detach().numpy()[0].astype(np.float32), float(layer.bias.detach())


def _print_asked(odds: Floats, wanted: NDArray[np.bool_], described: NDArray[np.bool_]) -> None:
    for name, chosen in (("all", np.ones_like(wanted)), ("described", described)):
        given, true = odds[chosen] > 0, wanted[chosen]
        both = (given & true).sum()
        print(f"asks for the sender, {name}: P {both / given.sum():.3f} R {both / true.sum():.3f}")


def _cases(folders: Sequence[Path]) -> Iterator[Case]:
    """The uncertain properties that ask for the sender."""
    for folder in folders:
        for known in real(folder):
            yield from _of(known)


def _of(known: Known) -> Iterator[Case]:
    """The properties of a document, and of what is left of it without the sender."""
    document = Document(known.elements)
    wanted = compiled(known.schema)
    for target in filter(sender_asked.asks_for_sender, wanted):
        truth = plain(known.truth.get(target.name))
        yield from _case(known.kind, wanted, document, target.name, truth, 1.0)
        left = [one for one in known.elements if truth not in plain(_text(one))]
        if len(left) < len(known.elements):
            yield from _case(known.kind, wanted, Document(left), target.name, truth, _MISSING)


def _case(
    kind: str, wanted: Sequence[Target], document: Document, name: str, truth: str, worth: float
) -> Iterator[Case]:
    found = weighed_alone(wanted, document, lambda *_: {}, voting=False)
    for at in senders.asking(found):
        if found[at].target.name == name:
            rows, which = senders.sender_rows(found, at, senders.Paper(document))
            if not which:
                continue
            right = [plain(found[at].groups[number].value) == truth for number in which]
            yield Case(kind, rows.astype(np.float32), np.array(right, dtype=np.bool_), worth)


def _text(element: Element) -> str:
    cells = element.table.cells if element.table is not None else []
    return " ".join([element.text_representation or "", *(cell.content for cell in cells)])


def _signs(cases: Sequence[Case]) -> tuple[Floats, float]:
    """Weights that give the right value, or none, most of the share."""
    first = torch.zeros(len(senders.SIGNS))
    first[0] = 1.0
    weights, none = first.clone().requires_grad_(), torch.zeros(1, requires_grad=True)
    rows = [(torch.tensor(case.rows), torch.tensor(case.right), case.worth) for case in cases]
    steps = torch.optim.Adam([weights, none], 1.5 * _RATE)
    for _ in range(_ROUNDS):
        steps.zero_grad()
        losses = [worth * _loss(one, right, weights, none) for one, right, worth in rows]
        loss: Tensor = torch.stack(losses).mean()
        loss = loss + _DECAY_OF_SIGNS * ((weights - first) ** 2).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        steps.step()
    return weights.detach().numpy(), float(none.detach())


def _loss(rows: Tensor, right: Tensor, weights: Tensor, none: Tensor) -> Tensor:
    chances = torch.log_softmax(torch.cat([rows @ weights, none]), 0)
    return -torch.logsumexp(chances[:-1][right], 0) if right.any() else -chances[-1]


def _print_signs(results: Sequence[tuple[Case, Floats, float]]) -> None:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for case, signs, none in results:
        before = 1.0 / (1.0 + np.exp(-case.rows[:, 0]))
        odds = np.exp(case.rows @ signs)
        after = odds / (odds.sum() + np.exp(none))
        suffix = "" if case.worth == 1.0 else ", sender taken out"
        for name, chances in (("before" + suffix, before), ("with signs" + suffix, after)):
            best = int(np.argmax(chances))
            counts[name][2] += 1
            if chances[best] >= 0.5:
                counts[name][0] += 1
                counts[name][1] += int(case.right[best])
    for name, (given, right, wanted) in counts.items():
        print(f"{name}: {given} of {wanted} given, {right} right")


if __name__ == "__main__":
    main()
