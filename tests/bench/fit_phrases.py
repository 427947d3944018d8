"""Fits the network that tells what phrases mean: writes `backend/inference/phrase_vectors.npz`.

    python -m tests.bench.fit_phrases --start FOLDER [--without 1,4] [--epochs 4] [--minutes 60]
        [--rate 1.2e-4] [--write] [--from FILE] [--keep FILE]

`FOLDER` has the published weights (see `phrase_network`). The examples are in tests/bench/called:
`labels*.jsonl` has, for kinds of documents, what the values of each property are called on them and
what values beside them are called; `phrases*.jsonl` has, for tables, what people say and which
property, value, state or pair of dates they mean, or none. Each file was written by another hand
that had not seen the code. `--without` leaves the files with these numbers out and measures on
them: no kind, table or voice of theirs has been learned.

Needs torch and safetensors: pip install torch safetensors. Four epochs take about 20 minutes on two
cores.
"""

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, softplus

from backend.plans.reading.meanings import Described, MeaningText, meaning_texts
from tests.bench.phrase_network import SHARPNESS, PhraseNetwork

ROOT = Path(__file__).parents[2]
CALLED = Path(__file__).with_name("called")
_BARE = 0.3
"""How often a property is learned without its description."""
_TOGETHER = 2
_CHANCES = (0.5, 0.7, 0.85)
Case = dict[str, Any]


@dataclass
class Lesson:
    """Texts that may be meant, phrases with the place of the text they mean (-1 for none), and
    phrases that mean something other than one text, with the place of that.
    """

    meant: list[str]
    phrases: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    other_places: list[int] = field(default_factory=list)
    may_be_none: bool = False
    sorts: list[str] = field(default_factory=list)
    """What sort of thing each phrase means."""

    def add(self, phrase: str, place: int, sort: str = "is") -> None:
        self.phrases.append(phrase)
        self.places.append(place)
        self.sorts.append(sort)


def described(prop: Case, dice: random.Random | None = None) -> Described:
    """A property as the reader describes it; with dice sometimes without its description."""
    bare = dice is not None and dice.random() < _BARE
    values = tuple(map(str, prop.get("choices") or ()))
    return Described(prop["name"], prop["type"], "" if bare else prop["description"], values)


def of_labels(kind: Sequence[Case], dice: random.Random) -> Lesson:
    """Some labels of each property of a kind of documents, and some that are another value's."""
    lesson = Lesson([described(prop, dice).text for prop in kind])
    states: dict[tuple[int, str], int] = {}
    for at, prop in enumerate(kind):
        for label in [*_some(prop["labels"], 3, dice), *_some(prop["prose"], 1, dice)]:
            lesson.add(_without_value(label), at)
        for other in _some(prop["not"], 3, dice):
            lesson.others.append(_without_value(str(other)))
            lesson.other_places.append(at)
        for text, answer in _some(prop.get("answers") or [], 2, dice):
            state = {True: "yes", False: "no"}.get(answer, str(answer))
            if (at, state) not in states:
                states[at, state] = len(lesson.meant)
                lesson.meant.append(f"{state.lower()}, {lesson.meant[at]}")
            lesson.add(str(text), states[at, state])
    return lesson


def of_phrases(table: Case, dice: random.Random | None = None, most: int = 40) -> Lesson:
    """Phrases about a table; with dice some of them, and pairs of phrases, which mean nothing
    single.
    """
    texts = meaning_texts([described(prop, dice) for prop in table["properties"]])
    names = [prop["name"] for prop in table["properties"]]
    places = {_key(text, names): at for at, text in enumerate(texts)}
    places |= {("days", *key[:0:-1]): at for key, at in places.items() if key[0] == "days"}
    lesson = Lesson([text.text for text in texts], may_be_none=True)
    phrases = table["phrases"] if dice is None else _some(table["phrases"], most, dice)
    for phrase in phrases:
        key = meant_by(phrase)
        if key is None or key in places:
            sort = "none" if key is None else key[0]
            lesson.add(phrase["say"], -1 if key is None else places[key], sort)
    if dice is not None:
        meant = [phrase for phrase in phrases if phrase["means"]]
        for one, other in (dice.sample(meant, 2) for _ in range(3)):
            if one["means"] != other["means"]:
                lesson.add(f"{one['say']} {dice.choice(_BETWEEN)} {other['say']}", -1)
    return lesson


_BETWEEN = ("that", "and", "with", "of the")


def meant_by(phrase: Case) -> tuple[str, ...] | None:
    """What a phrase means, by the names of properties; None for nothing in the table."""
    means, how = phrase["means"], (phrase.get("how") or "").strip()
    if means is None:
        return None
    if isinstance(means, list) and len(means) > 1:
        return (how if how in ("after", "before") else "days", *means[:2])
    name = means[0] if isinstance(means, list) else means
    if how.startswith("="):
        return "value", name, how[1:].strip()
    return how if how in ("high", "low", "missing", "yes", "no") else "is", name


def _key(text: MeaningText, names: Sequence[str]) -> tuple[str, ...]:
    value = (text.value,) if text.sort == "value" else ()
    return (text.sort, *(names[at] for at in text.of), *value)


def _some(items: Sequence[Any], most: int, dice: random.Random) -> list[Any]:
    return dice.sample(list(items), min(most, len(items)))


def _without_value(label: str) -> str:
    return label.replace("{v}", "").strip(" :")


def loss_of(network: PhraseNetwork, lessons: Sequence[Lesson]) -> Tensor:
    """How wrong the network is about some lessons, which are embedded together."""
    rows = network([t for one in lessons for t in (*one.meant, *one.phrases, *one.others)])
    total, first = torch.zeros(()), 0
    for one in lessons:
        ends = [len(one.meant), len(one.phrases), len(one.others)]
        meant, phrases, others = rows[first : first + sum(ends)].split(ends)
        first += sum(ends)
        likeness = SHARPNESS * phrases @ meant.T
        if one.may_be_none:
            none = (SHARPNESS * network.none).expand(len(likeness), 1)
            likeness = torch.cat([likeness, none], dim=1)
        places = torch.tensor([at if at >= 0 else likeness.shape[1] - 1 for at in one.places])
        total = total + cross_entropy(likeness, places, label_smoothing=0.05)
        if one.others:
            own, apart = torch.tensor(one.places), torch.tensor(one.other_places)
            near = (phrases * meant[own]).sum(1)
            far = (others * meant[apart]).sum(1)
            same = own[:, None] == apart[None]
            total = total + softplus(SHARPNESS * (far[None] - near[:, None]))[same].mean()
    return total


def labels_right(network: PhraseNetwork, kinds: Sequence[Sequence[Case]]) -> float:
    """How many labels come nearest to their own property among those of their kind."""
    right = count = 0
    for kind in kinds:
        meant = _embedded(network, [described(prop).text for prop in kind])
        for at, prop in enumerate(kind):
            rows = _embedded(network, list(map(_without_value, prop["labels"])))
            right += int(((rows @ meant.T).argmax(1) == at).sum())
            count += len(rows)
    return right / max(1, count)


def phrases_right(network: PhraseNetwork, tables: Sequence[Case]) -> Iterator[str]:
    """How many phrases are understood, by what is meant; how sure it is, and how often right."""
    counts: Counter[str] = Counter()
    chances: list[tuple[float, bool]] = []
    for table in tables:
        lesson = of_phrases(table)
        meant = _embedded(network, lesson.meant)
        likeness = _embedded(network, lesson.phrases) @ meant.T
        none = torch.full((len(likeness), 1), network.none.item())
        odds = torch.softmax(SHARPNESS * torch.cat([likeness, none], dim=1), dim=1)
        for row, place, sort in zip(odds, lesson.places, lesson.sorts, strict=True):
            best = int(row[:-1].argmax())
            given = int(row.argmax())
            sort_right = given == len(row) - 1 if place < 0 else best == place
            counts[sort] += 1
            counts[f"{sort} right"] += sort_right
            chances.append((float(row[best]), best == place))
    sorts_seen = [sort for sort in counts if not sort.endswith(" right")]
    yield ", ".join(f"{sort} {counts[f'{sort} right']}/{counts[sort]}" for sort in sorts_seen)
    for chance in _CHANCES:
        sure = [right for odds_of, right in chances if odds_of >= chance]
        share = len(sure) / max(1, len(chances))
        yield f"sure at {chance}: {share:.2f} of all, {sum(sure) / max(1, len(sure)):.3f} right"


def _embedded(network: PhraseNetwork, texts: Sequence[str]) -> Tensor:
    network.eval()
    with torch.inference_mode():
        return torch.cat([network(texts[at : at + 256]) for at in range(0, len(texts), 256)])


def _lines(files: Sequence[Path]) -> list[Case]:
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def _by_kind(props: Sequence[Case]) -> list[list[Case]]:
    kinds: dict[str, list[Case]] = defaultdict(list)
    for prop in props:
        kinds[prop["kind"]].append(prop)
    return list(kinds.values())


def fit(
    network: PhraseNetwork, kinds: list[list[Case]], tables: list[Case], epochs: int,
    minutes: float, rate: float,
) -> None:  # fmt: skip
    """Learns all kinds and tables `epochs` times, or as long as there is time."""
    dice, begun = random.Random(1), time.monotonic()
    items: list[Any] = [*kinds, *tables]
    steps = epochs * -(-len(items) // _TOGETHER)
    others = [value for name, value in network.named_parameters() if name != "none"]
    groups = [{"params": others}, {"params": [network.none], "lr": 3e-3}]
    optimizer = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 15) * max(0.03, 1 - step / steps)
    )
    for epoch in range(epochs):
        dice.shuffle(items)
        network.train()
        total = 0.0
        for first in range(0, len(items), _TOGETHER):
            lessons = [of_labels(item, dice) if isinstance(item, list) else of_phrases(item, dice)
                       for item in items[first : first + _TOGETHER]]  # fmt: skip
            loss = loss_of(network, lessons)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            total += loss.item()
            if time.monotonic() - begun > 60 * minutes:
                return
        print(f"epoch {epoch + 1}: loss {total * _TOGETHER / len(items):.3f}, "
              f"{time.monotonic() - begun:.0f} s", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--from", dest="begun", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--without", default="")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(1)
    network = PhraseNetwork(options.start)
    if options.begun:
        network.load_state_dict(torch.load(options.begun))
    without = set(filter(None, options.without.split(",")))
    learned: dict[str, list[Path]] = defaultdict(list)
    kept_apart: dict[str, list[Path]] = defaultdict(list)
    for file in sorted(CALLED.glob("*.jsonl")):
        apart = any(file.stem.endswith(number) for number in without)
        (kept_apart if apart else learned)[file.stem.rstrip("0123456789")].append(file)
    kinds, tables = _by_kind(_lines(learned["labels"])), _lines(learned["phrases"])
    print(f"{len(kinds)} kinds of documents, {len(tables)} tables")
    fit(network, kinds, tables, options.epochs, options.minutes, options.rate)
    if options.keep:
        torch.save(network.state_dict(), options.keep)
    if kept_apart["labels"]:
        right = labels_right(network, _by_kind(_lines(kept_apart["labels"])))
        print(f"labels kept apart: {right:.3f} right")
    for line in phrases_right(network, _lines(kept_apart["phrases"])):
        print(line)
    if options.write:
        network.write(ROOT / "backend" / "inference" / "phrase_vectors.npz")


if __name__ == "__main__":
    main()
