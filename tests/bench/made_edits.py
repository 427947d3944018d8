"""Follow-ups made from phrases by class over the tables of a set, as examples for fitting.

    READINGS=FOLDER python -m tests.bench.made_edits --keep FILE [--kind anew|voices]
    READINGS=… python -m tests.bench.fit_edits --also FILE --write

A phrase is said about a plan of its class, with names and values of a table put in; what it asks
for are operations, so that the right answer is what these give. They are training: what they
measure says nothing about people.
"""

import argparse
import os
import pickle
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from backend.language.tokens import tokenise
from backend.language.words import stem
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveLimit,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShowFields,
    ToCount,
    ToDocuments,
    WidenFilter,
)
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.comparing import compare, one_of
from backend.plans.reading.grammar_conditions import denied
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.follow_ups import documents_of
from tests.backend.plans.desk import ACCOUNT, Desk
from tests.bench.fit_edits import as_example, read
from tests.bench.fit_readings import Example
from tests.bench.made_voices import over_time, voices
from tests.bench.plan_answers import answer
from tests.bench.readings import Tables
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash

Operations = Sequence[Operation]


@dataclass(frozen=True)
class Names:
    """What is put into phrases: two values of `s`, another property of words, two of numbers."""

    s: Property
    v: str
    w: str
    s2: Property
    n: Property
    m: Property
    x: float
    y: float
    noun: str
    k: int
    k2: int

    def wording(self) -> dict[str, Any]:
        x, y = (int(a) if a == int(a) else a for a in (self.x, self.y))
        return {
            "v": self.v, "w": self.w, "S": self.s.label, "S2": self.s2.label, "N": self.n.label,
            "M": self.m.label, "x": x, "y": y, "noun": self.noun, "k": self.k, "k2": self.k2,
        }  # fmt: skip


def phrases(t: Names) -> Iterator[tuple[Operations, Operations, str]]:
    """Operations that make a plan, operations asked for, and phrases for them, `|` between."""
    has_v, has_w = one_of(t.s.field, [t.v]), one_of(t.s.field, [t.w])
    over, over_y = compare(t.n, "gt", t.x), compare(t.n, "gt", t.y)
    narrowed = [AddFilter(has_v)]
    first = [SetSort(t.n.field, None, True), SetLimit(t.k)]
    grouped = [SetGroup(Key((t.s2.field,)))]
    average = [*narrowed, SetMeasures((Measure("avg", t.n.field),))]
    counted = [*narrowed, ToCount()]
    other_value = """what about {w}? | and {w}? | how about {w} then | {w} instead | no, I meant {w}
        | make it {w} | I meant {w}, not {v} | {w} rather than {v} | not {v}, {w} | and for {w}?
        | the same for {w} | same for {w} please | now {w} | replace {v} with {w} | sorry, {w}
        | switch to {w} | could you do {w} instead? | {w}, not {v} | and the same with {w} please
        | do {w} instead of {v}"""
    for before in (narrowed, counted, average, [*narrowed, *grouped], [*narrowed, *first]):
        yield before, [ChangeFilter(has_w)], other_value
    yield (
        narrowed, [WidenFilter(has_w)],
        """also {w} | {w} too | include {w} as well | add {w} | let {w} in too | both {v} and {w}
        | {w} as well please | and also {w}""",
    )  # fmt: skip
    yield (
        [*narrowed, AddFilter(over)], [RemoveFilter(field=t.s.field)],
        """drop the {S} filter | never mind the {S} | the {S} does not matter | any {S}
        | forget about the {S} | remove the condition on {S} | without the {S} condition
        | no {S} filter | the {S} condition is not needed | do not worry about the {S}
        | rm {S} filter | it may be any {S}""",
    )  # fmt: skip
    yield (
        [*narrowed, AddFilter(over)], [RemoveFilter(field=t.n.field)],
        """drop the {N} condition | any {N} | the {N} can be anything, forget about the {N}
        | remove the {N} filter | the {N} filter can go | without the {N} filter""",
    )  # fmt: skip
    opposite = denied(has_v)
    assert opposite is not None
    yield (
        narrowed, [ChangeFilter(opposite, has_v)],
        "the others | the rest | not {v} | all but {v} | everything except {v}",
    )  # fmt: skip
    yield (
        [], [AddFilter(opposite)],
        """not {v} | without {v} | leave out {v} | exclude {v} | no {v} | all but {v}
        | everything except {v} | not the {v} ones | drop the ones with {v}
        | take out {v} please""",
    )  # fmt: skip
    for before in ([], grouped, first):
        yield (
            before, [AddFilter(has_v)],
            """only {v} | just {v} | only the {v} ones | for {v} only | only {noun} with {S} {v}
            | keep only {v} | just the ones with {v} | restrict it to {v} | {S} {v} only
            | same but only {v} | I only want {v}""",
        )  # fmt: skip
    yield (
        narrowed, [AddFilter(over)],
        """only those with {N} above {x} | of those, which have a {N} over {x}? | {N} > {x}
        | just the ones where {N} is more than {x} | which of them have a {N} greater than {x}?
        | and with a {N} of more than {x} | keep only the ones with more than {x} {N}""",
    )  # fmt: skip
    under = denied(compare(t.n, "lt", t.x))
    assert under is not None
    yield (
        narrowed, [AddFilter(under)],
        """leave out those with {N} under {x} | without the ones with a {N} below {x}
        | drop anything with a {N} under {x} | exclude the ones with {N} less than {x}""",
    )  # fmt: skip
    yield from _ordered(t, narrowed)
    yield from _numbers(t, narrowed, counted, average, grouped)
    yield from _cut(t, first)
    yield (
        [AddFilter(over)], [ChangeFilter(over_y, over)],
        """make it {y} | {y} instead of {x} | raise that to {y} | more than {y} instead
        | should be {y}, not {x} | {y} rather than {x} | change it to {y}
        | more than {y}, not {x}""",
    )  # fmt: skip


def questions_anew(t: Names) -> Iterator[tuple[Operations, Operations, str]]:
    """Plans, and new questions that have nothing to do with them, with what these ask for."""
    has_v, has_w = one_of(t.s.field, [t.v]), one_of(t.s.field, [t.w])
    over = compare(t.n, "gt", t.x)
    narrowed = [AddFilter(has_v)]
    figure = SetMeasures((Measure("avg", t.m.field),))
    grouped = SetGroup(Key((t.s2.field,)))
    for before in ([*narrowed, figure], [*narrowed, ToCount()], [*narrowed, grouped]):
        yield (
            before, [AddFilter(has_w)],
            """list all {noun} with {S} {w} | show me all {noun} with {S} {w}
            | list the {noun} whose {S} is {w} | which {noun} have the {S} {w}?""",
        )  # fmt: skip
    for before in ([figure, AddFilter(has_v)], [*narrowed, ToCount()], [grouped], narrowed):
        yield (
            before, [AddFilter(has_w), AddFilter(over)],
            """please list the {noun} with {S} {w} and a {N} above {x}
            | which {noun} with {S} {w} have a {N} of more than {x}? | show me the {noun} with a {N}
            above {x} and the {S} {w} | list the {noun} whose {S} is {w} and whose {N} is above {x}
            """,
        )  # fmt: skip
    for before in ([*narrowed, ToCount()], narrowed, [*narrowed, figure]):
        yield (
            before, [grouped, SetMeasures((Measure("avg", t.n.field),))],
            """what is the average {N} of all {noun} for each {S2}? | average {N} of all {noun} by
            {S2} | for all {noun}, the average {N} per {S2} | show the average {N} of all the {noun}
            for every {S2}""",
        )  # fmt: skip
        yield (
            before, [AddFilter(over), SetSort(t.m.field, None, True)],
            """list all {noun} with a {N} above {x}, sorted by {M}, highest first
            | show all {noun} with {N} over {x}, ordered by {M} from high to low""",
        )  # fmt: skip
    yield narrowed, [ToCount()], "how many {noun} are there in total? | count all {noun}"
    yield [*narrowed, ToCount()], [], "list all {noun} | show all {noun} | show me all the {noun}"


def _ordered(t: Names, narrowed: Operations) -> Iterator[tuple[Operations, Operations, str]]:
    down, up = SetSort(t.n.field, None, True), SetSort(t.n.field, None, False)
    other = SetSort(t.m.field, None, True)
    for before in (narrowed, [*narrowed, other], [*narrowed, up]):
        yield (
            before, [down],
            """sort by {N}, highest first | sort them by {N}, starting from the highest
            | order by {N} descending | highest {N} first please | sort by {N} from high to low
            | arrange them by {N}, largest first | sort it by {N}, biggest at the top
            | sort by {N} instead, highest first | rank them by {N} with the highest at the top
            | by {N}, starting with the highest | put the ones with the highest {N} first
            | sort by {N} desc""",
        )  # fmt: skip
    yield (
        narrowed, [up],
        """sort by {N}, lowest first | sort them by {N} from low to high | lowest {N} at the top
        | order them by {N}, starting with the lowest | by {N}, smallest first | sort by {N}
        | sort those by {N}, lowest at the top | ascending by {N}""",
    )  # fmt: skip
    for before in (narrowed, []):
        yield (
            before, [down, SetLimit(1)],
            """the one with the highest {N} | which of them has the highest {N}?
            | which is the biggest by {N}? | the highest of them by {N} | the highest {N} of them
            | only the one with the most {N} | which one has the highest {N}?
            | the one with the highest {N} among them please 
            | which of those has the largest {N}""",
        )  # fmt: skip
        yield (
            before, [up, SetLimit(1)],
            """the one with the lowest {N} | which of those has the lowest {N}?
            | the smallest by {N} | the lowest {N} among them | which is the lowest by {N}?
            | the lowest of them by {N} please | who has the lowest {N}?""",
        )  # fmt: skip
        yield (
            before, [down, SetLimit(t.k)],
            """the top {k} by {N} | the {k} with the highest {N} | just the {k} with the highest {N}
            | only the {k} highest by {N} | top {k} {noun} by {N} | first {k} by {N}, highest first
            | the {k} highest {N} only""",
        )  # fmt: skip
    yield (
        [*narrowed, down, SetLimit(1)], [up],
        "and the lowest? | the lowest instead | the smallest? | and the one with the lowest {N}?",
    )  # fmt: skip


def _cut(t: Names, first: Operations) -> Iterator[tuple[Operations, Operations, str]]:
    yield (
        first, [SetLimit(t.k2)],
        """make it {k2} | {k2} instead of {k} | {k2} please | only the first {k2} | just {k2}
        | top {k2} instead | {k2} rather than {k} | show {k2} | I meant {k2} | just the top {k2}
        | {k2}, not {k} | the first {k2} are enough | top {k2} is plenty""",
    )  # fmt: skip
    yield (
        first, [RemoveLimit()],
        """all of them | no limit | remove the limit | show them all | not only {k}, all of them
        | see them all instead of only {k} | without the limit | the whole list please
        | the limit of {k} is not needed | drop the limit | no cap, show every one""",
    )  # fmt: skip
    yield (
        first, [SetSort(t.n.field, None, False)],
        """the lowest instead | lowest first instead | lowest instead of highest
        | the other way round | the {k} lowest instead | reverse the order | lowest first
        | the {k} lowest rather than the highest | and the lowest {k}?""",
    )  # fmt: skip
    yield (
        first, [SetSort(t.m.field, None, True)],
        """by {M} instead | sort by {M} instead | by {M} rather than {N} | I meant {M}, not {N}
        | {M} instead of {N} | top {k} by {M} instead""",
    )  # fmt: skip


def _numbers(
    t: Names, narrowed: Operations, counted: Operations, average: Operations, grouped: Operations
) -> Iterator[tuple[Operations, Operations, str]]:
    yield (
        narrowed, [ToCount()],
        """how many is that? | how many are there? | how many of them? | count them | how many then
        | just the number | give me the count | how many {noun} is that | count | how many?
        | just how many? | the number only, not the list | how many are they altogether""",
    )  # fmt: skip
    for func, word in (("avg", "average"), ("sum", "total"), ("max", "highest"), ("min", "lowest")):
        figure = [SetMeasures((Measure(func, t.n.field),))]  # type: ignore[arg-type]
        yield narrowed, figure, _figures(word)
    for before in (narrowed, counted):
        yield (
            before, [SetGroup(Key((t.s2.field,)))],
            """per {S2} | by {S2} | how many per {S2}? | break that down by {S2} | split by {S2}
            | for each {S2} | count them by {S2} | group them by {S2} | the number for each {S2}
            | split that by {S2} | the same by {S2} | same per {S2}""",
        )  # fmt: skip
    for before in (counted, [*narrowed, *grouped], average):
        yield (
            before, [ToDocuments()],
            """list them | show them | which ones are they? | list those {noun} | list, not count
            | show me the {noun} | do not count, list them | the {noun} themselves please
            | I want to see the {noun} | just list those {noun} | list the {noun} instead""",
        )  # fmt: skip
    yield (
        narrowed, [ShowFields((t.s2.field, t.n.field))],
        """show only the {S2} and {N} | just {S2} and {N} | only {S2} and {N} please
        | I only need {S2} and {N} | with the columns {S2} and {N} 
        | give me {S2} and {N} of them""",
    )  # fmt: skip
    yield (
        narrowed, [ListValues(t.s2.field)],
        """the different {S2} values | which {S2} are they? each once | distinct {S2} only
        | list the {S2} once each | what different {S2} are there among them?
        | just the {S2}, each once""",
    )  # fmt: skip
    by_count = SetSort(None, Measure("count"), True)
    yield (
        grouped, [by_count],
        """most first | highest first | sort by count, highest first | largest at the top
        | biggest first | in descending order | starting with the highest | the highest count first
        | sort, highest number first | the {S2} with the highest number first""",
    )  # fmt: skip
    yield (
        grouped, [by_count, SetLimit(1)],
        """which has the most? | which {S2} has the most? | only the top one
        | which one has the most | the {S2} with the most | just the biggest
        | which is the highest?""",
    )  # fmt: skip
    yield (
        grouped, [SetMeasures((Measure("avg", t.n.field),))],
        """average {N} instead | use the average {N} | the average {N} instead of the count
        | the average {N} rather than the number | show the average {N} for each instead""",
    )  # fmt: skip
    yield (
        grouped, [SetGroup(Key((t.s.field,)))],
        "by {S} instead | per {S} rather than per {S2} | by {S} instead of {S2} | by {S}, not {S2}",
    )  # fmt: skip
    for func, word in (("median", "median"), ("max", "maximum"), ("sum", "total")):
        yield (
            average, [SetMeasures((Measure(func, t.n.field),))],  # type: ignore[arg-type]
            f"""the {word} instead | and the {word}? | {word} instead of average | the {word}?
            | not the average, the {word} | {word} rather than average | now the {word}""",
        )  # fmt: skip
    yield (
        average, [SetMeasures((Measure("avg", t.m.field),))],
        "{M} instead | {M}, not {N} | I meant {M} | {M} rather than {N} | and for {M}?",
    )  # fmt: skip


def _figures(word: str) -> str:
    return f"""the {word} {{N}} of them | what is their {word} {{N}}? | {word} {{N}} please
        | the {word} {{N}} of those | not how many, the {word} {{N}} of them
        | just the {word} {{N}}, as a number"""


_FRAMES = (
    "{}", "{}", "{}", "please {}", "ok, {}", "{} please", "hmm, {}", "thanks. now {}",
    "could you {}", "sorry, {}", "{} then", "actually {}", "{}, if you would", "hi, {}",
    "oh and {}", "{} thanks",
)  # fmt: skip


def names_of_table(desk: Desk, dice: random.Random, noun: str) -> Names | None:
    """Properties and values of a table that phrases can name; None where it has too few."""
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    counts = vocabulary.values.counts
    words = [
        p
        for p in vocabulary.properties
        if p.worded and not p.key and 2 <= len(counts.get(p.field, {})) <= 40
    ]
    numbers = [p for p in vocabulary.properties if p.numeric and not p.key and not p.is_year]
    numbers = [p for p in numbers if p.low is not None and p.low != p.high]
    if len(words) < 2 or len(numbers) < 2:
        return None
    s, s2 = dice.sample(words, 2)
    n, m = dice.sample(numbers, 2)
    elsewhere = {v for p in words if p is not s for v in counts[p.field]}
    own = sorted(set(counts[s.field]) - elsewhere) or sorted(counts[s.field])
    v, w = dice.sample(own if len(own) > 1 else sorted(counts[s.field]), 2)
    low, high = float(n.low), float(n.high)  # type: ignore[arg-type]
    whole = n.kind == "int"
    x, y = (low + (high - low) * share for share in (0.3, 0.45))
    x, y = (float(int(a)) if whole else round(a, 1) for a in (x, y))
    if x == y:
        return None
    k, k2 = dice.sample(range(2, 8), 2)
    return Names(s, v, w, s2, n, m, x, y, noun, k, k2)


def made(desk: Desk, domain: str, noun: str, dice: random.Random, kind: str) -> Iterator[Example]:
    """One phrase of each class about a table, as examples; `kind` is edits, anew for those that
    start over, or voices.
    """
    anew = kind == "anew"
    names = names_of_table(desk, dice, noun)
    if names is None:
        return
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    listed = {"edits": phrases, "anew": questions_anew, "voices": partial(_voices, desk)}[kind]
    for start, wanted, notes in listed(names):
        phrase = dice.choice([" ".join(p.split()) for p in notes.split("|")])
        if kind != "voices" or dice.random() < 0.3:
            phrase = dice.choice(_FRAMES).format(phrase)
        if dice.random() < _SPOILED and (strange := _spoiled(phrase, names, vocabulary, dice)):
            options = read(desk, _plan(Draft.of(desk.everything()), start, desk), strange)
            yield as_example(options, [False] * len(options), domain, "made spoiled", strange)
            continue
        text = phrase.format(**names.wording())
        with suppress(Unclear, IndexError):
            before = _plan(Draft.of(desk.everything()), start, desk)
            after = _plan(Draft.of(desk.everything() if anew else before), wanted, desk)
            if plan_hash(before) == plan_hash(after):
                continue
            options = read(desk, before, text)
            answers = [answer(c.plan, vocabulary.collection) for c in options]
            right_answer = answer(after, vocabulary.collection)
            wanted_hash = plan_hash(after)
            right = [
                plan_hash(c.plan) == wanted_hash
                or (right_answer is not None and given == right_answer)
                for c, given in zip(options, answers, strict=True)
            ]
            yield as_example(options, right, domain, "made anew" if anew else "made", text)


_SPOILED = 0.15
_STRANGE = """
    Gotham|Zanzibar|Narnia|haunted|velvet|Martian|organic|turquoise|horsepower|mood|postcode|salary
    |balcony|lantern|dragons|astronauts|vegetarian|altitude|mortgage|barcode
"""


def _spoiled(phrase: str, names: Names, vocabulary: Vocabulary, dice: random.Random) -> str | None:
    """The phrase about something that the collection knows nothing of: nothing is right then."""
    known = names.wording()
    places = [name for name in ("v", "w", "S2", "S", "N", "M") if f"{{{name}}}" in phrase]
    word = dice.choice([" ".join(w.split()) for w in _STRANGE.split("|")])
    if not places or vocabulary.values_at(tokenise(word), 0)[0]:
        return None
    if vocabulary.names_part(stem(word)):
        return None
    return phrase.format(**{**known, dice.choice(places): word})


def _voices(desk: Desk, names: Names) -> Iterator[tuple[Operations, Operations, str]]:
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    yield from voices(names)
    for prop in [p for p in vocabulary.properties if p.dated][:1]:
        days = vocabulary.collection.table.get_column(prop.field).drop_nulls()
        years = sorted({int(str(day)[:4]) for day in days})
        following = [(a, b) for a, b in pairwise(years) if b - a == 1]
        for start, wanted, text in over_time(names, prop, following[-1]) if following else ():
            yield start, wanted, text.replace("{D}", prop.label)


def _plan(draft: Draft, operations: Operations, desk: Desk) -> Plan:
    for operation in operations:
        if isinstance(operation, ToDocuments):
            draft = documents_of(draft)
            continue
        draft, _, _ = apply(draft, operation, "")
    return draft.as_plan(desk.everything())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", required=True)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("edits", "anew", "voices"), default="edits")
    options = parser.parse_args()
    folder = Path(os.environ["READINGS"])
    dice = random.Random(options.seed)
    examples: list[Example] = []
    listed = sorted(path.stem for path in (folder / "schema").iterdir())
    dice.shuffle(listed)
    done = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        tables = Tables(folder, Path(work))
        for name in listed:
            noun = tables._schema(name).get("noun", name)
            more = list(made(tables.desk(name), f"made/{name}", noun, dice, options.kind))
            examples += more
            done += bool(more)
            if done >= options.tables:
                break
    Path(options.keep).write_bytes(pickle.dumps(examples))
    print(len(examples), sum(any(item.right) for item in examples))


if __name__ == "__main__":
    main()
