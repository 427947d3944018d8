"""Follow-ups in three voices by class: formal, chatty and terse, for `made_edits`.

Each entry has operations that make a plan, operations that are asked for, and phrases for them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from backend.language.dates import Span, whole_year
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    InExtremeGroups,
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
)
from backend.plans.reading.comparing import compare, one_of
from backend.plans.reading.grammar_conditions import denied, in_time
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.properties import Property

if TYPE_CHECKING:
    from tests.bench.made_edits import Names

Operations = Sequence[Operation]
Voices = Iterator[tuple[Operations, Operations, str]]


def voices(t: "Names") -> Voices:
    """All classes that need no date."""
    yield from _values(t)
    yield from _figures(t)
    yield from _groups(t)
    yield from _pointing(t)
    yield from _documents(t)


def _pointing(t: "Names") -> Voices:
    """What is asked about the one group that was shown."""
    has_v = one_of(t.s.field, [t.v])
    first = [SetGroup(Key((t.s2.field,))), SetSort(None, Measure("count"), True), SetLimit(1)]
    there: Operations = [InExtremeGroups(t.s2.field, Measure("count"))]
    yield (
        first, there,
        """list them | show me the {noun} of that {S2} | which {noun} are those?
        | let me see the {noun} of that one | show everything of this {S2} | list that {S2}'s {noun}
        | and which {noun} are these? | show me that {S2}'s {noun}""",
    )  # fmt: skip
    yield (
        first, [*there, AddFilter(has_v)],
        """which of its {noun} have the {S} {v}? | that {S2}'s {noun} with {S} {v}
        | list the {v} {noun} of that {S2} | show me the {noun} there with {S} {v}""",
    )  # fmt: skip
    yield (
        first, [*there, SetMeasures((Measure("avg", t.n.field),))],
        """what is the average {N} there? | and the average {N} of that {S2}? | average {N} there
        | what's the mean {N} for that one? | and what is the average {N} of that one?""",
    )  # fmt: skip
    yield (
        first, [*there, SetMeasures((Measure("sum", t.n.field),))],
        """what is the total {N} there? | and the total {N} of that {S2}?
        | how much {N} is that in total for that one? | the sum of {N} for this {S2}""",
    )  # fmt: skip
    yield (
        first, [SetMeasures((Measure("avg", t.n.field),)), RemoveLimit()],
        """the average {N} for each instead | now the average {N} for every {S2}
        | give me the average {N} of each {S2} | average {N} per {S2}, all of them""",
    )  # fmt: skip
    highest = [AddFilter(has_v), SetMeasures((Measure("max", t.n.field),))]
    yield (
        highest, [ToDocuments(), SetSort(t.n.field, None, True), SetLimit(1)],
        """which one is that? | show me that one | which of them has that? | let me see that one
        | which one has it?""",
    )  # fmt: skip


def _values(t: "Names") -> Voices:
    has_v, has_w = one_of(t.s.field, [t.v]), one_of(t.s.field, [t.w])
    over = compare(t.n, "gt", t.x)
    lacks_v = denied(has_v)
    assert lacks_v is not None
    figure = SetMeasures((Measure("avg", t.n.field),))
    for before in ([AddFilter(over)], [SetGroup(Key((t.s2.field,)))], [AddFilter(over), figure]):
        yield (
            before, [AddFilter(has_v)],
            """kindly restrict this to {S} {v} | please confine it to {v} | {v} only pls
            | limit the above to {v} | this should be limited to {v} | I only care about {v}
            | I am only concerned with {v} | only where the {S} is {v} | hm, just {v} actually
            | could we have that for {v} only? | it should be confined to {v}
            | please consider only {v} | narrow that down to {v} for me""",
        )  # fmt: skip
        yield (
            before, [AddFilter(lacks_v)],
            """{v} may be omitted | {v} may be left out | please disregard {v} | no {v} tho
            | the {S} {v} may be omitted | leave {v} aside | {v} need not be included
            | kindly leave out {v} | {v} can be ignored | oh, and not {v} | minus {v}
            | anything but {v} | bar {v} | {v} should be excluded | without {v} if you don't mind
            | please exclude those with {S} {v}""",
        )  # fmt: skip
    counted = [AddFilter(has_v), ToCount()]
    for start in ([], [figure], [ToCount()], [SetGroup(Key((t.s2.field,)))],
                  [SetSort(t.n.field, None, True), SetLimit(t.k)]):  # fmt: skip
        yield (
            [AddFilter(has_v), *start], [ChangeFilter(has_w)],
            """and {w}? | {w}? | how does that look for {w}? | what of {w}?
            | please repeat this for {w} | once more for {w} | the equivalent for {w} please
            | same question for {w} | the same for {w}, please | and what is it for {w}?
            | and the {w} ones? | and now {w} | kindly do the same for {w} | and those with {w}?
            | lovely. and {w}? | what would it be for {w}? | now do {w} | ooh, and {w}?
            | I should like the same for {w} | make that {w} | no, make it {w} | sorry, I meant {w}
            | oops, {w} | no sorry, {w} not {v} | {w} I mean | whoops I meant {w}""",
        )  # fmt: skip
    yield (
        counted, [ChangeFilter(has_w)],
        """kindly indicate the corresponding number for {w} | what is the figure for {w}?
        | please state the corresponding figure for {w} | and how many for {w}?
        | the number for {w}? | how many with {w}? | and how many are {w}?""",
    )  # fmt: skip
    for start in ([AddFilter(over)], [AddFilter(over), ToCount()]):
        for has in (has_v, lacks_v):
            yield (
                [*start, AddFilter(has)], [RemoveFilter(condition=has)],
                """drop the {v} thing | forget the {v} bit | never mind the {v} part
                | undo the {v} condition | lose the {v} filter | scrap the {v} thing
                | the {v} condition is not needed | remove the {v} restriction""",
            )  # fmt: skip
        yield (
            [*start, AddFilter(has_v)], [RemoveFilter(field=t.s.field)],
            """any {S} will do | the {S} is irrelevant | all {S}s again please | any {S}
            | oh, never mind the {S} | whichever {S} | the {S} no longer matters
            | please disregard the {S} | regardless of {S} | forget the {S}, all of them please
            | never mind the {S}, all {S}s again | the restriction to {v} may be lifted
            | irrespective of the {S}""",
        )  # fmt: skip


def _figures(t: "Names") -> Voices:
    has_v, has_w = one_of(t.s.field, [t.v]), one_of(t.s.field, [t.w])
    narrowed = [AddFilter(has_v)]
    yield (
        narrowed, [ToCount()],
        """how many would that be? | state their number | what is their number? | tally
        | count pls | how many in all? | how many have we got then? | so how many is that?
        | and that's how many? | give me just the count | please state how many there are
        | what is the total number? | how many of those are there? | how many {noun} are these
        | and how many does that make?""",
    )  # fmt: skip
    summed = [SetMeasures((Measure("sum", t.n.field),))]
    yield (
        narrowed, summed,
        """state the total of the {N} | what do they add up to in {N}? | total {N}
        | {N} in total? | and the {N} altogether? | the sum of their {N} | sum of {N} pls
        | what is the {N} of these in total? | add up the {N} for me | total {N} of these
        | please give the total {N} | and the total {N}? | total up the {N}""",
    )  # fmt: skip
    average = [*narrowed, SetMeasures((Measure("avg", t.n.field),))]
    for func, word in (("median", "median"), ("sum", "total"), ("max", "maximum")):
        for start in (average, [*average, SetGroup(Key((t.s2.field,)))]):
            yield (
                start, [SetMeasures((Measure(func, t.n.field),))],  # type: ignore[arg-type]
                f"""the {word} should be given in place of the average | the {word} please
                | please replace the average by the {word} | {word} not average | {word} instead
                | I'd rather see the {word} than the average | now not the average, but the {word}
                | make it the {word} | and what is the {word}? | the {word} would be better
                | use the {word} in place of the average | and the {word} then? | no, the {word}""",
            )  # fmt: skip
    for start in ([*narrowed, *summed], [*narrowed, *summed, SetGroup(Key((t.s2.field,)))]):
        yield (
            start, [SetMeasures((Measure("sum", t.m.field),))],
            """now {M} instead of {N} | and for {M}? | the same for {M} | the same with {M}
            | {M} rather than {N} | and now the total {M} instead | not the {N}, the {M}
            | I'd rather see the {M} than the {N} | and the {M}? | what about {M}?
            | and now by {M} instead of {N} | the total {M} in place of the {N} please
            | instead of the {N}, the {M}""",
        )  # fmt: skip
    yield (
        average, [ChangeFilter(has_w)],
        """kindly indicate the corresponding figure for {w} | what is the average for {w}?
        | and the average for {w}? | and that for {w}? | what's the figure for {w}?
        | please give the corresponding value for {w} | what would that be for {w}
        | and the same number for {w}? | the average for {w} please""",
    )  # fmt: skip
    for start in ([*narrowed, ToCount()], average):
        yield (
            start, [ToDocuments()],
            """let me see those then | show me the {noun} behind that | which ones are these?
            | please list them | list pls | which are they? | let me have the list
            | kindly list the {noun} concerned | and which {noun} are those? | show them to me
            | show me those | which {noun} are that? | can I see them?""",
        )  # fmt: skip
        yield (
            start, [ToDocuments(), SetSort(t.n.field, None, True)],
            """list them, highest {N} first | show me those, highest {N} first
            | let me see them then, by {N}, largest first | list them by {N}, highest first
            | please list them by {N} in descending order""",
        )  # fmt: skip


def _groups(t: "Names") -> Voices:
    has_v = one_of(t.s.field, [t.v])
    narrowed = [AddFilter(has_v)]
    summed = SetMeasures((Measure("sum", t.n.field),))
    key, other = SetGroup(Key((t.s2.field,))), SetGroup(Key((t.s.field,)))
    for start in ([*narrowed, summed], [*narrowed, ToCount()]):
        yield (
            start, [key],
            """please differentiate this by {S2} | kindly present this by {S2} | by {S2}
            | please state this separately for each {S2} | split that up by {S2} | {S2}-wise
            | can you split that up by {S2}? | could this be shown per {S2}? | per {S2} pls
            | set this out by {S2} | disaggregate by {S2} | broken down by {S2} please
            | divide that by {S2} | how is that distributed over the {S2}s? | and by {S2}?
            | please present this figure for each {S2} | same by {S2} | what is that per {S2}?
            | show me that for every {S2} | split it per {S2}""",
        )  # fmt: skip
    yield (
        narrowed, [key, SetMeasures((Measure("count"),))],
        """and how many is that for each {S2}? | how many per {S2}? | how many for each {S2}?
        | and how many of them per {S2}? | count per {S2} | their number for each {S2}
        | how many is that by {S2} | please state the number for each {S2} | #/{S2}""",
    )  # fmt: skip
    by_sum = SetSort(None, Measure("sum", t.n.field), True)
    yield (
        [key, summed], [by_sum],
        """arrange the {S2}s from the highest total to the lowest | highest total first
        | please arrange them in descending order of the total | largest total at the top
        | rank them by total | put the largest at the top | highest first pls
        | sort by the total, highest first | order them from the highest to the lowest
        | biggest first if you'd be so kind | in descending order please | rank the {S2}s by that
        | the biggest total at the top please""",
    )  # fmt: skip
    by_count = SetSort(None, Measure("count"), True)
    for start, order in (([key], by_count), ([key, summed], by_sum)):
        yield (
            start, [order, SetLimit(1)],
            """which {S2} is on the first place? | which {S2} comes first? | who is top?
            | which one is at the top? | which {S2} leads? | biggest? | largest | top one only
            | which {S2} is in first place? | which {S2} is at the top of the list?
            | which is the highest? | and which is the highest of them? | just the top one
            | which {S2} has the highest?""",
        )  # fmt: skip
        yield (
            start, [order, SetLimit(t.k)],
            """the top {k} will do | just the top {k} | only the {k} highest | top {k}
            | only the first {k}, highest first | the {k} largest would be enough
            | the {k} highest {S2}s please""",
        )  # fmt: skip
        yield (
            start, [other],
            """by {S} instead of {S2} | rather by {S} | now by {S} | per {S} instead
            | I'd rather have it by {S} | by {S} in place of {S2} | {S} instead of {S2}
            | no, by {S} | I meant by {S} | same by {S} | not {S2}, {S}""",
        )  # fmt: skip
        yield (
            start, [other, order],
            """by {S} instead of {S2}, highest first | per {S} instead, highest first
            | by {S} rather than {S2}, largest first""",
        )  # fmt: skip
        yield (
            [*start, order, SetLimit(1)], [RemoveLimit()],
            """all of them | show me all of them | and the others? | the whole list please
            | now for every {S2} | all {S2}s please | and the rest | all of the {S2}s""",
        )  # fmt: skip
        yield (
            [*start, order, SetLimit(1)], [SetSort(descending=False)],
            """and the lowest? | the lowest? | what about the lowest? | and the one at the bottom?
            | and which is the lowest? | the lowest instead""",
        )  # fmt: skip
    yield (
        [key], [SetMeasures((Measure("avg", t.n.field),))],
        """now not the number, but the average {N} | the average {N} instead of the number
        | now the average {N} for each {S2} | I'd rather see the average {N} | average {N} pls
        | the average {N} in place of the number | now the average {N} for each""",
    )  # fmt: skip


def _documents(t: "Names") -> Voices:
    has_v = one_of(t.s.field, [t.v])
    narrowed = [AddFilter(has_v)]
    over = AddFilter(compare(t.n, "gt", t.x))
    down = SetSort(t.n.field, None, True)
    for start in (narrowed, [over]):
        yield (
            start, [down],
            """arrange them by {N}, the highest first | {N} desc | highest {N} first pls
            | please arrange the {noun} by {N} in descending order | highest {N} at the top
            | kindly sort these by {N} from the highest to the lowest | put the highest {N} first
            | by {N}, highest first if you'd be so kind | largest {N} first please""",
        )  # fmt: skip
        yield (
            start, [SetSort(t.n.field, None, False)],
            """please arrange the {noun} by {N} in ascending order | {N} asc | lowest {N} first
            | kindly arrange them by {N}, the lowest first | in ascending order of {N}
            | by {N} from the lowest to the highest""",
        )  # fmt: skip
        yield (
            start, [down, SetLimit(t.k)],
            """the {k} with the highest {N} please | top {k} by {N} | only the {k} highest by {N}
            | show me the {k} with the highest {N} | which {k} have the highest {N}?""",
        )  # fmt: skip
        yield (
            start, [down, SetLimit(1)],
            """the one with the highest {N}? | which one has the highest {N}? | highest {N}?
            | which of them has the highest {N}? | just the one with the highest {N}""",
        )  # fmt: skip
        yield (
            start, [SetGroup(Key((t.s2.field,)))],
            "how many of them per {S2}? | count them by {S2} | how many of these for each {S2}",
        )  # fmt: skip
        yield (
            start, [ShowFields((t.s2.field, t.n.field))],
            """only {S2} and {N} please | I only need the {S2} and the {N} | {S2} and {N} will do
            | just {S2} and {N}, nothing else""",
        )  # fmt: skip
        yield (
            start, [ListValues(t.s2.field)],
            """which {S2}s are that? each once | just the {S2}s, once each
            | the different {S2}s please""",
        )  # fmt: skip
    for k in (t.k, t.k2):
        yield (
            [*narrowed, down], [SetLimit(k)],
            f"""the first {k} please | the first {k} will do | the top {k} will do | {k} will do
            | just the top {k}, my screen is tiny | {k} is plenty | only the first {k} | top {k}
            | no more than {k} | {_spelt(k)} will do | just the first {_spelt(k)} | {k} max
            | I only need the first {_spelt(k)} | the top {_spelt(k)}""",
        )  # fmt: skip
    yield (
        [*narrowed, down], [SetLimit(1)],
        """the first one | just the first | first one only | the top one | only the first one
        | just the top one please | show me only the first | the first of them""",
    )  # fmt: skip
    yield (
        [*narrowed, down, SetLimit(1)], [SetLimit(t.k)],
        "the top {k} | make it {k} | show me the first {k} | {k} of them | now the top {k}",
    )  # fmt: skip
    yield (
        [*narrowed, down, SetLimit(1)], [SetSort(descending=False)],
        "and the lowest? | the lowest? | what about the lowest? | and the smallest?",
    )  # fmt: skip


def _spelt(number: int) -> str:
    return "zero one two three four five six seven eight nine".split()[number]  # noqa: SIM905


def over_time(t: "Names", d: Property, years: tuple[int, int]) -> Voices:
    """Classes about a date, with two years that follow each other."""
    one, other = (_year(year) for year in years)
    in_one, in_other = in_time(d, "in", one), in_time(d, "in", other)
    assert in_one is not None and in_other is not None
    y, z = years
    figure = SetMeasures((Measure("sum", t.n.field),))
    for start in ([], [ToCount()], [figure], [SetGroup(Key((t.s.field,)))]):
        yield (
            start, [AddFilter(in_one)],
            f"""only {{D}} in {y} | {{D}} in {y} | only those {{D}} in {y} | in {y} only
            | limited to {y} | only {y} | just {y} please | for {y} only | {y} only
            | limit this to the year {y} | please confine it to {{D}} in the year {y}""",
        )  # fmt: skip
        yield (
            [*start, AddFilter(in_one)], [ChangeFilter(in_other)],
            f"""and in {z}? | what about {z}? | {z}? | same for {z} | and {z}? | make it {z}
            | {z} instead | in {z} instead | no, I meant {z} | and for {z}? | now {z} | {z}
            | the same for {z} please | and the year after? | the following year? | {z} rather
            | what was it in {z}? | and in the year {z}? | kindly do the same for {z}""",
        )  # fmt: skip
        yield (
            [*start, AddFilter(in_other)], [ChangeFilter(in_one)],
            """and the year before? | the year before that? | the previous year? | and the year
            before that? | sorry, I meant the year before""",
        )  # fmt: skip
        yield (
            [*start, AddFilter(one_of(t.s.field, [t.v])), AddFilter(in_one)],
            [RemoveFilter(field=d.field)],
            f"""any year | regardless of the year | forget the {y} thing | never mind the year
            | drop the {{D}} condition | in any year | not just {y}, all years
            | all years please""",
        )  # fmt: skip
    for measure in (ToCount(), figure):
        for bucket, words in (("month", "month"), ("year", "year")):
            yield (
                [measure], [SetGroup(Key((d.field,), bucket))],  # type: ignore[arg-type]
                f"""same by {words} of {{D}} | by {words} of {{D}} | per {words} of {{D}}
                | break that down by {words} of {{D}} | for each {words} of {{D}}
                | please present this by {words} of {{D}}""",
            )  # fmt: skip
            yield (
                [measure, AddFilter(in_one)], [SetGroup(Key((d.field,), bucket))],  # type: ignore[arg-type]
                f"""same by {words} | by {words} | per {words} | break that down by {words}
                | for each {words} | please present this by {words} | and by {words}?
                | {words} by {words} | the same for each {words}""",
            )  # fmt: skip
    for high, way in ((True, "newest"), (False, "oldest")):
        yield (
            [AddFilter(one_of(t.s.field, [t.v])), SetSort(d.field, None, not high)],
            [SetSort(d.field, None, high)],
            f"{way} first | {way} at the top please | rather {way} first | put the {way} first",
        )  # fmt: skip
    latest = [SetSort(d.field, None, True)]
    for start in (latest, [*latest, SetLimit(1)], [SetSort(d.field, None, False)]):
        yield (
            start, [*latest, SetLimit(t.k)],
            """the last {k} | show me the last {k} | the latest {k} | the {k} latest
            | just the most recent {k} | the {k} most recent ones""",
        )  # fmt: skip
    yield (
        [*latest, SetLimit(t.k)], [SetSort(d.field, None, False), SetLimit(t.k)],
        "and the {k} earliest? | the {k} earliest | the {k} oldest instead | the first {k} instead",
    )  # fmt: skip


def _year(year: int) -> Span:
    return replace(whole_year(year), year=year)
