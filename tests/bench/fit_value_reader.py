"""Fits the network that reads documents closely: `backend/inference/value_reader.npz`, and how sure
it makes: the arrays of `backend/extraction/weights.npz` that begin with “close”.

    python -m tests.bench.fit_value_reader --start FOLDER --from FILE [--real FOLDER]...
                                           [--rounds N]

It learns which values of a document its properties mean, or that none does. Sometimes a property
comes without its description, and others are asked that belong to other kinds of documents. What it
counts beside the odds by signs, and how sure
both make, is fitted on what networks say that have not learned from a part of the kinds
(`known_documents.PARTS`), and signs that have not seen them (`fit_properties.left_out`). `--start`
is the folder of all-MiniLM-L6-v2 (see `phrase_network`), `--from` what `fit_phrases` kept. Needs
torch and LightGBM.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from backend.extraction import forest
from backend.extraction.close_reading import READ, Asking, Closely, read_closely, reading
from backend.extraction.document import Document
from backend.extraction.features import NAMES
from backend.extraction.weighing import HOPELESS, SURE
from backend.inference.phrase_vectors import encoder
from backend.inference.value_reader import TYPES, Sheet, ValueReader
from tests.bench import fit_properties
from tests.bench.fit_properties import Asked, Scored
from tests.bench.known_documents import PARTS, known_documents, part_of
from tests.bench.value_reader_network import Reader

ROUNDS, TOGETHER = 10, 6
RATE, RATE_OF_HEAD, DECAY, WARM, LEAST_RATE = 1.6e-4, 1e-3, 0.02, 40, 0.03
BARE, FOREIGN, FEWER = 0.25, 0.5, 0.6
"""How often a property has no description, a sheet has properties of other kinds, or only some of
its own.
"""
MOST_OF_KIND, MADE = 40, 0.12
"""Documents of one kind in a round, and the part of the made ones."""
_MOST_ASKED, _MOST_FOREIGN, _LEAST_ASKED = 14, 2, 4
_LISTED, _LEAST_LISTED = 0.3, 3
_SAID = [READ.index("signs"), READ.index("read")]
_NEAR, _MIXING_STEPS = 10.0, 40
_WORTH = {"made": 0.3, "written": 0.7, "real": 1.0}
_FILE = Path(__file__).parents[2] / "backend" / "inference" / "value_reader.npz"


@dataclass(frozen=True)
class Lesson:
    """A property with the odds that signs give its values, and which of them are right."""

    asking: Asking
    right: NDArray[np.bool_]
    scored: Scored


@dataclass(frozen=True)
class Lessons:
    """A document with its properties."""

    kind: str
    document: Document
    properties: Sequence[Lesson]

    @property
    def source(self) -> str:
        """Whether it is made, written or real."""
        first = self.kind.partition(" ")[0]
        return first if first in _WORTH else "made"


def lessons(folders: Sequence[Path]) -> list[Lessons]:
    """All documents whose values are known, with what signs say that have not seen their kind."""
    known = list(known_documents(1, 1, folders))
    read = [Document(one.elements) for one in known]
    asked = [
        [own for own in fit_properties.asked(one, document) if len(own.rows)]
        for one, document in zip(known, read, strict=True)
    ]
    places = {id(own): at for at, some in enumerate(asked) for own in some}
    of_document: dict[int, list[Lesson]] = defaultdict(list)
    for scored in fit_properties.left_out([own for some in asked for own in some]):
        own = scored.one
        lesson = Lesson(own.running.asking(scored.logits), own.right > 0, scored)
        of_document[places[id(own)]].append(lesson)
    return [Lessons(known[at].kind, read[at], own) for at, own in sorted(of_document.items())]


class Drawing:
    """Draws sheets from lessons, each time others."""

    def __init__(self, learned: Sequence[Lessons]) -> None:
        self._learned = learned
        self._others: dict[str, list[tuple[str, Lesson]]] = defaultdict(list)
        for document in learned:
            for one in document.properties:
                self._others[one.asking.kind].append((document.kind, one))

    def round(self) -> list[Lessons]:
        """The documents of one round: not too many of a kind."""
        kinds = defaultdict(list)
        for one in self._learned:
            kinds[one.kind if one.source == "real" else one.source].append(one)
        out = []
        for kind, own in kinds.items():
            most = int(MADE * len(own)) if kind == "made" else MOST_OF_KIND
            out += own if kind == "written" else random.sample(own, min(len(own), max(1, most)))
        random.shuffle(out)
        return out

    def sheet(self, one: Lessons) -> tuple[Sheet, list[tuple[Lesson, Sequence[int]]]]:
        """A document with some of its properties and some that it knows nothing of; beside each
        the numbers of the values that stand there.
        """
        asked = random.sample(one.properties, len(one.properties))
        if len(asked) > _LEAST_ASKED and random.random() < FEWER:
            least = max(_LEAST_ASKED, len(asked) // 2)
            asked = asked[: random.randint(least, len(asked))]
        asked = asked[:_MOST_ASKED]
        if random.random() < FOREIGN:
            for _ in range(random.randint(1, _MOST_FOREIGN)):
                lesson = random.choice(one.properties)
                kind, other = random.choice(self._others[lesson.asking.kind])
                if kind != one.kind and lesson.asking.kind not in ("bool", "choice"):
                    asked.insert(random.randrange(len(asked) + 1), _foreign(lesson, other))
        asked = [_bare(lesson) if random.random() < BARE else lesson for lesson in asked]
        sheet, read = reading(one.document, [lesson.asking for lesson in asked])
        return sheet, list(zip(asked, read, strict=False))


def _foreign(lesson: Lesson, other: Lesson) -> Lesson:
    """Values of a document, asked for by a property of another kind."""
    asking = lesson.asking._replace(target=other.asking.target)
    return replace(lesson, asking=asking, right=np.zeros(len(lesson.right), dtype=np.bool_))


def _bare(lesson: Lesson) -> Lesson:
    """A property without its description."""
    target = lesson.asking.target
    shape = target.shape.model_copy(update={"description": None})
    return replace(lesson, asking=lesson.asking._replace(target=replace(target, shape=shape)))


def fitted(reader: Reader, learned: Sequence[Lessons], rounds: int) -> Reader:
    """Learns; prints how wrong the odds still are."""
    random.seed(1)
    torch.manual_seed(1)
    drawing = Drawing(learned)
    head = [p for name, p in reader.named_parameters() if not name.startswith("network")]
    body = [p for p in reader.network.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": RATE}, {"params": head, "lr": RATE_OF_HEAD}], weight_decay=DECAY
    )
    steps = rounds * len(drawing.round()) // TOGETHER
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda at: min(1, (at + 1) / WARM) * max(LEAST_RATE, 1 - at / steps)
    )
    losses: list[float] = []
    reader.train()
    while len(losses) < steps:
        order = drawing.round()
        for first in range(0, len(order), TOGETHER):
            loss = _loss(reader, drawing, order[first : first + TOGETHER])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(body, 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            if len(losses) % 25 == 0:
                print(f"{len(losses)} of {steps}: {np.mean(losses[-25:]):.3f}", flush=True)
    return reader


def _loss(reader: Reader, drawing: Drawing, documents: Sequence[Lessons]) -> Tensor:
    """How little of the share goes to what is right, or to "none" where nothing is."""
    sheets, asked = list[Sheet](), list[tuple[Lesson, Sequence[int], float]]()
    for one in documents:
        sheet, own = drawing.sheet(one)
        sheets.append(sheet)
        asked += [(lesson, read, _WORTH[one.source]) for lesson, read in own]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        answers = reader(sheets)
    total, count = torch.zeros(()), 1e-6
    for odds, (lesson, read, worth) in zip(answers, asked, strict=True):
        right = torch.tensor(lesson.right[list(read)])
        item = lesson.asking.kind == "item"
        if not len(right) or (not item and lesson.right.any() and not right.any()):
            continue  # what is right stands where nothing is read
        if item:
            wrong = binary_cross_entropy_with_logits(odds, right.float(), reduction="sum")
            total = total + worth * _LISTED * wrong / max(_LEAST_LISTED, int(right.sum()))
            count += worth * _LISTED
            continue
        every, aim = torch.cat([odds, torch.zeros(1)]), torch.cat([right, ~right.any()[None]])
        total = total + worth * (torch.logsumexp(every, 0) - torch.logsumexp(every[aim], 0))
        count += worth
    return total / count


@dataclass
class Again:
    """A document with the odds by signs of each property, and what reading says of those in doubt,
    by their numbers.
    """

    lessons: Lessons
    read: dict[int, Closely]

    def scored(self, mixed: NDArray[np.float32]) -> list[Scored]:
        """What becomes of those in doubt."""
        own = self.lessons.properties
        odds = [lesson.scored.logits for lesson in own]
        for at, closely in self.read.items():
            odds[at] = closely.rows[:, _SAID] @ mixed[_type(own[at])][:2] + mixed[_type(own[at])][2]
        rivals = forest.rivalry(odds, [lesson.scored.one.starts for lesson in own])
        return [
            Scored(_read(own[at].scored.one, closely), odds[at], rivals[at])
            for at, closely in self.read.items()
        ]


def _type(lesson: Lesson) -> int:
    return TYPES.index(lesson.asking.kind)


def read_again(learned: Iterable[Lessons], reader: ValueReader) -> list[Again]:
    """What a network says of properties of which signs are not sure."""
    out = []
    for one in learned:
        single = [at for at, own in enumerate(one.properties) if own.asking.kind != "item"]
        scored = [one.properties[at].scored for at in single]
        running = [(own.logits, own.one.rows, own.rivals) for own in scored]
        sure = forest.forest().by_signs.confidences(running)
        doubted = [at for at, own in zip(single, sure, strict=True) if HOPELESS <= max(own) < SURE]
        answers = read_closely(one.document, [one.properties[at].asking for at in doubted], reader)
        read = {at: own for at, own in zip(doubted, answers, strict=True) if own is not None}
        out.append(Again(one, read))
    return out


def mixture(results: Sequence[Again]) -> NDArray[np.float32]:
    """For each of `TYPES` what odds by signs and by reading count together, and what is added; what
    few properties ask for is near to what holds for all.
    """
    examples = [
        (_type(lesson), torch.tensor(closely.rows[:, _SAID]), torch.tensor(lesson.right))
        for one in results
        for at, closely in one.read.items()
        for lesson in (one.lessons.properties[at],)
    ]
    shared = torch.tensor([1.0, 0.3, 0.0], requires_grad=True)
    own = torch.zeros((len(TYPES), 3), requires_grad=True)
    optimizer = torch.optim.LBFGS([shared, own], max_iter=_MIXING_STEPS)

    def wrong() -> Tensor:
        optimizer.zero_grad()
        total = _NEAR * (own**2).sum()
        for kind, rows, right in examples:
            counts = shared + own[kind]
            odds = rows @ counts[:2] + counts[2]
            every = torch.cat([odds, torch.zeros(1)])
            aim = torch.cat([right, ~right.any()[None]])
            total = total + torch.logsumexp(every, 0) - torch.logsumexp(every[aim], 0)
        total.backward()
        return total

    optimizer.step(wrong)
    return np.asarray((shared + own).detach().numpy(), dtype=np.float32)


def _read(one: Asked, closely: Closely) -> Asked:
    """A property with what its judge sees of a close reading."""
    return replace(one, rows=np.concatenate([one.rows, closely.rows], axis=1))


def write_judging(results: Sequence[Scored]) -> None:
    """How sure a close reading makes, into the weights of extraction."""
    constraints = fit_properties.JUDGE_SETTINGS["monotone_constraints"]
    own = constraints[: len(NAMES)] + [0] * len(READ) + constraints[len(NAMES) :]
    fit_properties.JUDGE_SETTINGS["monotone_constraints"] = own
    knots, levels = fit_properties.curve(fit_properties.crossed(results))
    judge = fit_properties.arrays("judge", *fit_properties.judge_of(results).boosters)
    new = judge | {"knots": knots, "levels": levels}
    path = Path(forest.__file__).with_name(forest.WEIGHTS)
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files if not name.startswith(forest.CLOSE)}
    content = BytesIO()
    np.savez_compressed(content, **kept, **{f"{forest.CLOSE}{n}": a for n, a in new.items()})
    path.write_bytes(content.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--from", dest="kept", type=Path, required=True)
    parser.add_argument("--real", type=Path, action="append", default=[])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    learned = lessons(given.real)
    again: list[Again] = []
    with TemporaryDirectory() as folder:
        for part in range(PARTS):
            known = [one for one in learned if part_of(one.kind) != part]
            file = Path(folder) / f"{part}.npz"
            reader = fitted(Reader(given.start, given.kept), known, given.rounds)
            reader.write(file, np.ones((len(TYPES), 3), dtype=np.float32))
            unknown = [one for one in learned if part_of(one.kind) == part]
            again += read_again(unknown, ValueReader(encoder(), file))
    mixed = mixture(again)
    write_judging([scored for one in again for scored in one.scored(mixed)])
    fitted(Reader(given.start, given.kept), learned, given.rounds).write(_FILE, mixed)
    print(f"{_FILE.name}: {_FILE.stat().st_size} bytes, {len(learned)} documents")


if __name__ == "__main__":
    main()
