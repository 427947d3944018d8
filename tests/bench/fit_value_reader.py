"""Fits the network that reads documents closely: `backend/inference/value_reader.npz`, and how sure
it makes: the arrays of `backend/extraction/weights.npz` that begin with “close”.

    python -m tests.bench.fit_value_reader --start FOLDER --from FILE [--real FOLDER]...
                                           [--rounds N] [--further]

It learns which values of a document its properties mean, or that none does: first on sheets made of
the values of described tables (`described_sheets`), then on documents. Sometimes a property comes
without its description, and others are asked that belong to other kinds of documents. The documents
of a part of the kinds (`known_documents.PARTS`) it never sees: on them its odds are combined with
those by signs, which have not seen the kind either, and the confidence of both is fitted. `--start`
is the folder of all-MiniLM-L6-v2 (see `phrase_network`), `--from` what `fit_phrases` kept. With
`--further` it goes on from the weights that ship, without `--from`. Needs torch and LightGBM.

It learns where a value begins and ends, too, and that a value which is stated, but not among the
candidates, is not missing.

What ships learned eight rounds of documents, then ten more in which the `near` properties of
`short_documents`, most of which are not stated although something near is, came most often, then
eight with `document_kinds`, each of whose documents came twice in a round, then five that also had
every other document of real kinds which it had never seen (agreements, receipts, mails): before
that it made photographed receipts worse than the score alone. Its weights are .7 of those after the
last five rounds and .3 of those before. Then it went on (`--further`): four rounds with the files
of `filed_documents` except `everyday`, three with the first five, and, since it tags the items of
lists, two with the first five and three with the first eight. Then, with as much of a document
beside the properties as fits, three rounds with `reports` and `bookings`, three with `notes` and
three with `slips` as well, the kind of each document being one more property with choices; three
quarters of these weights and one quarter of those before ship. How sure it makes is fitted on kinds
of which neither it nor the score by signs has learned.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from backend.extraction import forest
from backend.extraction.close_reading import READ, Closely, read_closely, reading
from backend.extraction.document import Document
from backend.extraction.features import NAMES
from backend.extraction.layouts import Asking
from backend.extraction.segments import Place
from backend.extraction.weighing import in_doubt
from backend.inference.phrase_vectors import encoder
from backend.inference.trees import Odds
from backend.inference.value_reader import TYPES, ValueReader
from tests.bench import described_sheets, fit_properties
from tests.bench.booster_arrays import arrays
from tests.bench.described_sheets import Exercise, Right
from tests.bench.fit_properties import (
    NETWORK_SEEDS,
    Asked,
    Score,
    Scored,
    asked,
    score_of,
    scored,
)
from tests.bench.known_documents import Known, known_documents, part_of
from tests.bench.value_reader_network import ANY_WORDS, Answered, Reader

ROUNDS, TOGETHER = 8, 8
MADE_STEPS, STILL_MADE, MADE_WORTH = 800, 2, 0.5
"""Steps on made sheets before documents, and made sheets in each step on documents."""
RATE, RATE_AFTER, RATE_FURTHER, RATE_OF_HEAD = 1.2e-4, 1e-4, 6e-5, 1e-3
DECAY, WARM, LEAST_RATE = 0.02, 60, 0.03
BARE, FOREIGN = 0.25, 0.5
"""How often a property has no description, or a sheet has properties of other kinds."""
MOST_OF_KIND, MADE = 40, 0.12
"""Documents of one kind in a round, and the part of the made ones."""
_REHEARSED = 300
"""Other documents in a round that goes on from what ships."""
_ASKED, _MOST_FOREIGN = (4, 6, 8, 12), 2
_LISTED, _LEAST_LISTED, _POINTING, _TAGGED = 0.3, 3, 0.25, 0.4
_MOST_PLACES = 4
_SAID = [READ.index("signs"), READ.index("read")]
_NEAR, _MIXING_STEPS = 10.0, 40
_JUDGED_MADE, _NEAR_SHARE = 5.0, 0.15
"""The weight of made documents where confidence is fitted, since few of their kinds are unseen, and
the share of `near` properties there: about as many as people ask for without there being a value.
"""
_WORTH = {"made": 0.3, "written": 0.7, "real": 1.0}
_FILE = Path(__file__).parents[2] / "backend" / "inference" / "value_reader.npz"


@dataclass(frozen=True)
class Lesson:
    """A property with the odds that signs give its values, and which of them are right."""

    asking: Asking
    right: NDArray[np.bool_]
    wanted: bool
    """Whether the document states a value."""
    places: Sequence[Place]
    """Where it does."""


@dataclass(frozen=True)
class Lessons:
    """A document with its properties."""

    known: Known
    document: Document
    properties: Sequence[Lesson]

    @property
    def kind(self) -> str:
        """The kind of the document."""
        return self.known.kind

    @property
    def source(self) -> str:
        """Whether it is made, written or real."""
        first = self.kind.partition(" ")[0]
        return first if first in _WORTH else "made"


def lessons(known: Iterable[Known]) -> Iterator[Lessons]:
    """Documents whose values are known, with what signs say."""
    for one in known:
        document = Document(one.elements)
        own = list(_asked(one, document))
        odds = forest.forest().logits([(each.rows, each.asks != "item") for each in own])
        made = [lesson_of(each, logits, document) for each, logits in zip(own, odds, strict=True)]
        yield Lessons(one, document, made)


def lesson_of(own: Asked, odds: Odds, document: Document) -> Lesson:
    """A property of a document, with the odds of its values by signs, as a lesson."""
    asking, right = own.running.asking(odds), own.right > 0
    places = [place for at in np.flatnonzero(right) for place in own.running.places[at]]
    if asking.kind in ANY_WORDS:
        places += [place for value in own.truth for place in _written(value, document)]
    return Lesson(asking, right, bool(own.truth), places)


def _written(value: str, document: Document) -> list[Place]:
    """The places of a value as it is compared: capitals and digits without anything between."""
    found = []
    for segment in document.segments:
        text = [(at, c) for at, c in enumerate(segment.text) if c.isalnum() or c == "&"]
        kept = [(at, part) for at, c in text for part in ("AND" if c == "&" else c.upper())]
        start = "".join(part for _, part in kept).find(value)
        if start < 0 or not value:
            continue
        first, last = kept[start][0], kept[start + len(value) - 1][0]
        if _whole_words(segment.text, first, last + 1):
            found.append(Place(segment, first, last + 1))
    plain = [place for place in found if not place.segment.joined]
    return (plain or found)[:_MOST_PLACES]


def _whole_words(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


class Drawing:
    """Draws sheets from lessons, each time others."""

    def __init__(self, learned: Sequence[Lessons]) -> None:
        self._learned = learned
        self._others: dict[str, list[tuple[str, Lesson]]] = defaultdict(list)
        for document in learned:
            for one in document.properties:
                self._others[one.asking.kind].append((document.kind, one))

    def round(self, *, further: bool) -> list[Lessons]:
        """The documents of one round: not too many of a kind. If it goes on from what ships, every
        file and some of the others, so that it does not forget them.
        """
        kinds = defaultdict(list)
        for one in self._learned:
            kinds[one.kind if one.source == "real" else one.source].append(one)
        out = []
        for kind, own in kinds.items():
            most = int(MADE * len(own)) if kind == "made" else MOST_OF_KIND
            out += own if kind == "written" else random.sample(own, min(len(own), max(1, most)))
        if further:
            files = [one for one in self._learned if one.known.filed]
            others = [one for one in out if not one.known.filed]
            out = files + random.sample(others, min(len(others), _REHEARSED))
        random.shuffle(out)
        return out

    def exercise(self, one: Lessons) -> Exercise:
        """A document with some of its properties and some that it knows nothing of."""
        some = random.sample(one.properties, len(one.properties))
        some = some[: random.choice(_ASKED)]
        if random.random() < FOREIGN:
            for _ in range(random.randint(1, _MOST_FOREIGN)):
                lesson = random.choice(one.properties)
                kind, other = random.choice(self._others[lesson.asking.kind])
                if kind != one.kind and lesson.asking.kind not in ("bool", "choice"):
                    some.insert(random.randrange(len(some) + 1), _foreign(lesson, other))
        some = [_bare(lesson) if random.random() < BARE else lesson for lesson in some]
        sheet, read, layout = reading(one.document, [lesson.asking for lesson in some])
        right = []
        for lesson, numbers in zip(some, read, strict=False):
            own = lesson.right[list(numbers)]
            elsewhere = lesson.wanted and not own.any()
            found = {layout.stretch(place) for place in lesson.places} - {None}
            right.append(Right(own, _is_list(lesson), frozenset(found), elsewhere))
        return Exercise(sheet, right, _WORTH[one.source])


def _foreign(lesson: Lesson, other: Lesson) -> Lesson:
    """Values of a document, asked for by a property of another kind."""
    asking = lesson.asking._replace(target=other.asking.target)
    none = np.zeros(len(lesson.right), dtype=np.bool_)
    return replace(lesson, asking=asking, right=none, wanted=False, places=())


def _bare(lesson: Lesson) -> Lesson:
    """A property without its description."""
    target = lesson.asking.target
    shape = target.shape.model_copy(update={"description": None})
    return replace(lesson, asking=lesson.asking._replace(target=replace(target, shape=shape)))


def fitted(reader: Reader, learned: Sequence[Lessons], rounds: int, *, further: bool) -> Reader:
    """Learns from made sheets, unless it has done so before, then from documents; prints how wrong
    the odds still are.
    """
    random.seed(1)
    torch.manual_seed(1)
    known = described_sheets.tables()
    if not further:
        _learn(reader, RATE, [_made(known) for _ in range(MADE_STEPS)])
    drawing = Drawing(learned)

    def steps() -> Iterator[list[Exercise]]:
        order = drawing.round(further=further)
        for first in range(0, len(order), TOGETHER):
            some = [drawing.exercise(one) for one in order[first : first + TOGETHER]]
            yield some + [described_sheets.exercise(known, MADE_WORTH) for _ in range(STILL_MADE)]

    rate = RATE_FURTHER if further else RATE_AFTER
    _learn(reader, rate, [step for _ in range(rounds) for step in steps()])
    return reader


def _made(known: Sequence[Mapping[str, Any]]) -> list[Exercise]:
    return [described_sheets.exercise(known, MADE_WORTH) for _ in range(TOGETHER)]


def _learn(reader: Reader, rate: float, steps: Sequence[Sequence[Exercise]]) -> None:
    head = [p for name, p in reader.named_parameters() if not name.startswith("network")]
    body = [p for p in reader.network.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": rate}, {"params": head, "lr": RATE_OF_HEAD}], weight_decay=DECAY
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda at: min(1, (at + 1) / WARM) * max(LEAST_RATE, 1 - at / len(steps))
    )
    losses: list[float] = []
    reader.train()
    for exercises in steps:
        loss = _loss(reader, exercises)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(body, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if len(losses) % 25 == 0:
            print(f"{len(losses)} of {len(steps)}: {np.mean(losses[-25:]):.3f}", flush=True)


def _loss(reader: Reader, exercises: Sequence[Exercise]) -> Tensor:
    """How little of the share goes to what is right, or to "none" where nothing is, and to where it
    begins and ends.
    """
    with torch.autocast("cpu", dtype=torch.bfloat16):
        answers = reader([exercise.sheet for exercise in exercises])
    wanted = [(right, one.worth) for one in exercises for right in one.right]
    total, count = torch.zeros(()), 1e-6
    for answer, (solution, worth) in zip(answers, wanted, strict=True):
        if solution.places:
            total = total + worth * _POINTING * _misplaced(answer, solution)
        if solution.is_list:
            total = total + worth * _TAGGED * _mistagged(answer, solution)
        found = [place in solution.places for place in answer.proposed]
        right, odds = torch.tensor([*solution.values.tolist(), *found]), answer.odds
        if not len(right):
            continue
        if solution.is_list:
            wrong = binary_cross_entropy_with_logits(odds, right.float(), reduction="sum")
            total = total + worth * _LISTED * wrong / max(_LEAST_LISTED, int(right.sum()))
            count += worth * _LISTED
        elif right.any() or not solution.elsewhere:
            every, aim = torch.cat([odds, torch.zeros(1)]), torch.cat([right, ~right.any()[None]])
            total = total + worth * (torch.logsumexp(every, 0) - torch.logsumexp(every[aim], 0))
            count += worth
    return total / count


def _misplaced(answer: Answered, solution: Right) -> Tensor:
    """How little of the share goes to the right beginnings and ends."""
    firsts, lasts = torch.tensor(sorted(solution.places)).T
    wrong: Tensor = -torch.logsumexp(answer.begins[firsts.unique()], 0)
    return wrong - torch.logsumexp(answer.ends[(lasts - 1).unique()], 0)


def _mistagged(answer: Answered, solution: Right) -> Tensor:
    """How wrong it is about which tokens begin an item, and which are in one."""
    wanted = torch.zeros(len(answer.tags), len(answer.begins))
    for first, last in solution.places:
        wanted[0, first], wanted[1, first:last] = 1, 1
    odds = torch.stack(answer.tags)[:, 1:]  # without the mark before the text
    wrong = binary_cross_entropy_with_logits(odds, wanted[:, 1:], reduction="none").sum(1)
    return (wrong / wanted.sum(1).clamp(min=_LEAST_LISTED)).sum()


@dataclass
class Again:
    """A document with what signs say of each property, and what reading says of those in doubt, by
    their numbers.
    """

    properties: Sequence[Scored]
    read: dict[int, Closely]

    def scored(self, mixed: NDArray[np.float32]) -> list[Scored]:
        """What becomes of those in doubt."""
        odds = [each.logits for each in self.properties]
        for at, closely in self.read.items():
            counts = mixed[_whole(closely), _type(self.properties[at])]
            odds[at] = closely.rows[:, _SAID] @ counts[:2] + counts[2]
        rivals = forest.rivalry(odds, [each.one.starts for each in self.properties])
        return [
            Scored(
                own if own.asks == "item" else _read(own, closely),
                odds[at],
                rivals[at],
                closely.tagged,
            )
            for at, closely in self.read.items()
            for own in (self.properties[at].one,)
        ]


def _type(scored: Scored) -> int:
    return TYPES.index(scored.one.running.asks)


def _is_list(lesson: Lesson) -> bool:
    return lesson.asking.kind == "item"


def _confidences(scored: Scored) -> Sequence[float]:
    """How sure signs are of the values or lists of a property."""
    judges = forest.forest()
    if scored.one.asks == "item":
        return judges.lists_by_signs.confidences(scored.lists[1])
    (sure,) = judges.by_signs.confidences([(scored.logits, scored.one.rows, scored.rivals)])
    return sure


def _whole(closely: Closely) -> int:
    """Whether the document was read as a whole."""
    return int(closely.rows[0, READ.index("whole")])


def read_again(known: Iterable[Known], reader: ValueReader, score: Score) -> Iterator[Again]:
    """What a network says of properties of which signs are not sure, by a score that has not seen
    the kind.
    """
    for one in known:
        document = Document(one.elements)
        own = scored(score, list(_asked(one, document)))
        doubted = [at for at, each in enumerate(own)
                   if in_doubt(each.one.running, _confidences(each))]  # fmt: skip
        asking = [own[at].one.running.asking(own[at].logits) for at in doubted]
        answers = read_closely(document, asking, reader)
        read = {at: one for at, one in zip(doubted, answers, strict=True) if one is not None}
        yield Again(own, read)


def mixture(results: Sequence[Again]) -> NDArray[np.float32]:
    """By whether a document was read as a whole, and by `TYPES`, what odds by signs and by reading
    count together, and what is added; what few properties ask for is near to what holds for all,
    and times, of which there are fewest, are mixed as dates are.
    """
    like = [TYPES.index("date") if name == "datetime" else at for at, name in enumerate(TYPES)]
    examples = [
        (_whole(closely), like[_type(own)], torch.tensor(closely.rows[:, _SAID]),
         torch.tensor(own.one.right > 0))
        for each in results
        for at, closely in each.read.items()
        for own in (each.properties[at],)
    ]  # fmt: skip
    shared = torch.tensor([[1.0, 0.3, 0.0]] * 2, requires_grad=True)
    own = torch.zeros((2, len(TYPES), 3), requires_grad=True)
    optimizer = torch.optim.LBFGS([shared, own], max_iter=_MIXING_STEPS)

    def wrong() -> Tensor:
        optimizer.zero_grad()
        total = _NEAR * (own**2).sum()
        for whole, kind, rows, right in examples:
            counts = shared[whole] + own[whole, kind]
            odds = rows @ counts[:2] + counts[2]
            if TYPES[kind] == "item":
                total = total + _LISTED * binary_cross_entropy_with_logits(odds, right.float())
                continue
            every = torch.cat([odds, torch.zeros(1)])
            aim = torch.cat([right, ~right.any()[None]])
            total = total + torch.logsumexp(every, 0) - torch.logsumexp(every[aim], 0)
        total.backward()
        return total

    optimizer.step(wrong)
    return np.asarray((shared[:, None] + own[:, like]).detach().numpy(), dtype=np.float32)


def _read(one: Asked, closely: Closely) -> Asked:
    """A property with what its judge sees of a close reading."""
    return replace(one, rows=np.concatenate([one.rows, closely.rows], axis=1))


def write_judging(results: Sequence[Scored]) -> None:
    """How sure a close reading makes, into the weights of extraction."""
    constraints = fit_properties.JUDGE_SETTINGS["monotone_constraints"]
    own = constraints[: len(NAMES)] + [0] * len(READ) + constraints[len(NAMES) :]
    fit_properties.JUDGE_SETTINGS["monotone_constraints"] = own
    fit_properties.JUDGED["made"] = _JUDGED_MADE
    new = fit_properties.curves(fit_properties.crossed(results))
    new |= arrays("judge", *fit_properties.judge_of(results).boosters)
    new |= arrays("lists", *fit_properties.lists_of(results).boosters)
    path = Path(forest.__file__).with_name(forest.WEIGHTS)
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files if not name.startswith(forest.CLOSE)}
    content = BytesIO()
    np.savez_compressed(content, **kept, **{f"{forest.CLOSE}{n}": a for n, a in new.items()})
    path.write_bytes(content.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--from", dest="kept", type=Path)
    parser.add_argument("--real", type=Path, action="append", default=[])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--further", action="store_true")
    given = parser.parse_args()
    documents = list(known_documents(1, 1, given.real))
    rng = random.Random(1)
    seen = [one for one in documents if part_of(one.kind)]
    reader = Reader(given.start, given.kept)
    if given.further:
        reader.take(_FILE, _FILE.with_name("phrase_vectors.npz"))
    fitted(reader, list(lessons(seen)), given.rounds, further=given.further)
    reader.write(_FILE, np.ones((2, len(TYPES), 3), dtype=np.float32))
    known = (each for one in seen for each in _asked(one, Document(one.elements)))
    score = score_of(list(known), NETWORK_SEEDS[:1])
    unseen = [
        one
        for one in documents
        if not (part_of(one.kind) or one.exercise)
        and (not one.name.endswith(" near") or rng.random() < _NEAR_SHARE)
    ]
    again = list(read_again(unseen, ValueReader(encoder(), _FILE), score))
    mixed = mixture(again)
    reader.write(_FILE, mixed)
    write_judging([each for one in again for each in one.scored(mixed)])
    print(f"{_FILE.name}: {_FILE.stat().st_size} bytes, {len(seen)} documents")


def _asked(known: Known, document: Document) -> Iterator[Asked]:
    return (each for each in asked(known, document) if len(each.rows))


if __name__ == "__main__":
    main()
