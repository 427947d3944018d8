"""The grammar of feedback that corrects by contrast, by the opposite, or by leaving words out."""

from collections.abc import Iterator
from statistics import median

from tests.backend.plans.requests.cases import (
    Record,
    Want,
    by,
    docs,
    equals,
    kept,
    lines,
    mean,
    numbers,
    ordered,
    ranking,
    table,
)
from tests.backend.plans.requests.wording import Wording, holding, phrased

Cases = Iterator[tuple[str, str, str, Want]]


def _contrasted(w: Wording, records: list[Record], key: str) -> Cases:
    """`X, not Y` in the place of whatever is Y in the plan."""
    a, b, m = w.first, w.second, w.other
    groups = by(records, a.field)
    begun = f"average {m.name} per {a.name}"
    sums = table(groups, lambda g: sum(numbers(g, m.field)))
    for text in lines("""
the sum, not the average
the sum not the average
total instead of average
not the average, the sum
sum rather than average
I meant the total, not the average
the total please, not the mean
"""):
        yield "contrast of numbers", begun, text, sums
    highest = table(groups, lambda g: max(numbers(g, m.field)))
    for text in lines(f"""
highest instead of average
the maximum, not the average
the highest {m.name}, not the average
maximum rather than mean
"""):
        yield "contrast of numbers", begun, text, highest
    for text in lines(f"""
per {b.name}, not per {a.name}
per {b.name} and not per {a.name}
by {b.name} rather than by {a.name}
not per {a.name} but per {b.name}
I'd prefer it by {b.name}
make it per {b.name}
{b.name}, not {a.name}
"""):
        other = table(by(records, b.field), lambda g: mean(numbers(g, m.field)))
        yield "contrast of groups", begun, text, other
    for amount in (w.amount, w.other):
        low = amount.bounds[0]
        start = f"{w.nouns} {holding(amount, f'over {low:g}')}"
        less = docs(records, key, lambda r, f=amount.field, n=low: r[f] < n)
        for text in lines("""
below, not above
below instead of above
no wait, below
less, not more
under, not over
I meant below
"""):
            yield "contrast of sides", start, text, less
    one, two = a.values[:2]
    start = f"{w.nouns} {phrased(a, one)}"
    swapped = docs(records, key, equals(a.field, two))
    for text in lines(f"""
{two}, not {one}
{two} not {one}
I meant {two}, not {one}
not {one}, {two}
drop {one} and put {two}
take out {one}, use {two}
wrong {a.name}: {two}
not that - {two}
or rather {two}
"""):
        yield "contrast of values", start, text, swapped


def _turned(w: Wording, records: list[Record], key: str) -> Cases:
    """The opposite of the one condition, however little is said."""
    start = f"{w.fact.adjective} {w.nouns}"
    false = docs(records, key, equals(w.fact.field, False))
    for text in lines("""
the opposite
the other way round
no, the opposite
those that are not
only those that aren't
the ones which are not
the others
all the others
the rest
"""):
        yield "opposite", start, text, false
    gone = docs(records, key, lambda r: r[w.gap.field] is None)
    for text in lines("""
the opposite
the ones without
those without one
the ones that don't have one
only those that have none
"""):
        yield "opposite", f"{w.nouns} with {w.gap.one}", text, gone
    counted = Want("number", len(kept(records, equals(w.fact.field, False))))
    for text in lines("""
and how many are not?
how many of them are not?
"""):
        yield "opposite", f"how many {w.nouns} are {w.fact.adjective}?", text, counted
    a = w.first
    one = a.values[0]
    others = docs(records, key, lambda r: r[a.field] != one)
    for text in lines("""
except those
skip these
anything but that
exclude them
leave those out
"""):
        yield "opposite", f"{w.nouns} {phrased(a, one)}", text, others


def _timed(w: Wording, records: list[Record], key: str) -> Cases:
    """Parts of the year that the plan asks for already, and ranges of time that grow."""
    f = w.moment.field
    start = f"{w.nouns} {w.moment.verb} in 2022"
    spans = (
        ("2022-01-01", "2022-06-30", ["only the first half", "first half only", "just H1"]),
        ("2022-07-01", "2022-12-31", ["the second half of the year", "only the last half"]),
        ("2022-04-01", "2022-06-30", ["Q2 only", "just the second quarter", "April to June"]),
        ("2022-10-01", "2022-12-31", ["only from October on", "since October", "the last quarter"]),
        ("2022-03-01", "2022-03-31", ["only in March", "just March", "limit that to march"]),
        ("2022-01-01", "2022-04-30", ["until April", "only up to April", "through April"]),
        ("2021-01-01", "2021-12-31", ["a year earlier", "the year before", "the previous year"]),
        ("2022-01-01", "2023-12-31", ["extend it to 2023", "until the end of 2023", "2023 too"]),
    )
    for low, high, texts in spans:
        inside = docs(records, key, lambda r, a=low, b=high: a <= r[f] <= b)
        for text in texts:
            yield "beside a year", start, text, inside
    anything = docs(records, key)
    for text in lines("""
drop the year
any year
take the date filter off
remove the time limit
the year doesn't matter
"""):
        yield "beside a year", start, text, anything
    before = docs(records, key, lambda r: r[f] < "2022-03-01")
    for text in lines("""
before, not after
no wait, before
before instead
"""):
        yield "beside a year", f"{w.nouns} {w.moment.verb} after March 2022", text, before


def _ranged(w: Wording, records: list[Record], key: str) -> Cases:
    """Ranges of numbers, moved and widened, one end at a time."""
    for amount in (w.amount, w.other):
        low, high = amount.bounds
        f = amount.field
        start = f"{w.nouns} {holding(amount, f'between {low:g} and {high:g}')}"
        wide = docs(records, key, lambda r, f=f, a=low, b=high: a / 2 <= r[f] <= b * 2)
        for text in lines(f"""
widen it to {low / 2:g}-{high * 2:g}
make it {low / 2:g} to {high * 2:g}
{low / 2:g} to {high * 2:g} instead
between {low / 2:g} and {high * 2:g} rather
"""):
            yield "range", start, text, wide
        above = docs(records, key, lambda r, f=f, a=low: r[f] >= a)
        for text in lines("""
no upper limit
drop the upper bound
without an upper limit
"""):
            yield "range", start, text, above
        higher = docs(records, key, lambda r, f=f, a=low, b=high: a <= r[f] <= b * 2)
        for text in lines(f"""
upper limit {high * 2:g} instead
extend it to {high * 2:g}
the upper bound should be {high * 2:g}
"""):
            yield "range", start, text, higher
        over = f"{w.nouns} {holding(amount, f'over {low:g}')}"
        either = docs(records, key, lambda r, f=f, a=low: r[f] > a or r[f] < a / 2)
        yield "range", over, f"or below {low / 2:g}", either
        closed = docs(records, key, lambda r, f=f, a=low: r[f] >= a)
        for text in lines(f"""
{low:g} itself should count too
{low:g} included
"""):
            yield "range", over, text, closed


def _formed(w: Wording, records: list[Record], key: str) -> Cases:
    """The list instead of the number, the names instead of the list, their order, their keys."""
    a, b, m = w.first, w.second, w.other
    one = a.values[0]
    there = kept(records, equals(a.field, one))
    start = f"{w.nouns} {phrased(a, one)}"
    for text in lines("""
I'd rather see the list
the list, not the count
show me the list instead
as a list please
"""):
        yield "form", f"how many {start}?", text, docs(there, key)
    names = Want("values", {r[b.field] for r in there})
    for text in lines(f"""
the {b.plural}, not the {w.nouns}
give me the {b.plural} instead of the {w.nouns}
"""):
        yield "form", start, text, names
    yield (
        "form",
        f"{start} || which {b.plural} are these?",
        "how many is that?",
        Want("number", len(names.data)),
    )
    groups = by(records, a.field)
    begun = f"number of {w.nouns} per {a.name}"
    for text in lines("""
from the most to the fewest
order it from the largest to the smallest
biggest on top
"""):
        yield "form", begun, text, ranking(groups, len)
    both = f"number of {w.nouns} per {a.name} and {b.name}"
    for text in lines(f"""
without the {b.name}
drop the {b.name} again
not per {b.name}
"""):
        yield "form", both, text, table(groups, len)
    middle = table(groups, lambda g: median(numbers(g, m.field)))
    for text in lines("""
median?
I actually wanted the median
what about the median?
"""):
        yield "form", f"average {m.name} per {a.name}", text, middle
    whole = Want("number", mean(numbers(records, m.field)))
    for text in lines("""
one number for everything
a single figure please
"""):
        yield "form", f"average {m.name} per {a.name}", text, whole
    top = f"top 5 {w.nouns} by {m.name}"
    for text in lines(f"""
by {w.amount.name}
sort by {w.amount.name} instead
"""):
        yield "form", top, text, ordered(records, w.amount.field, down=True, count=5)
    for text in lines("""
the bottom five instead
the smallest ones rather
the five lowest
other direction
"""):
        yield "form", top, text, ordered(records, m.field, down=False, count=5)


def _hurried(w: Wording, records: list[Record], key: str) -> Cases:
    """The same wishes in the spelling of a hurry, and those that begin or end a conversation."""
    a = w.first
    one, two = a.values[:2]
    start = f"{w.nouns} {phrased(a, one)}"
    both = docs(records, key, equals(a.field, one, two))
    for text in lines(f"""
and {two} as well pls
hmm, {two} too thx
{two} incl. pls
btw also {two}
wait, {two} should be in there as well
"""):
        yield "in a hurry", start, text, both
    out = docs(records, key, equals(w.fact.field, True), lambda r: r[a.field] != one)
    for text in lines(f"""
w/o {one}
pls leave {one} out
take {one} off
leave off {one}, thanks
ok, dont show {one}
"""):
        yield "in a hurry", f"{w.fact.adjective} {w.nouns}", text, out
    yield "in a hurry", start, "hw many", Want("number", len(kept(records, equals(a.field, one))))
    anew = docs(records, key, equals(a.field, two))
    for text in lines(f"""
start over: {w.nouns} {phrased(a, two)}
new question: {w.nouns} {phrased(a, two)}
forget all that, {w.nouns} {phrased(a, two)}
"""):
        yield "anew", start, text, anew
    flag = w.fact.field
    some = docs(records, key, lambda r: r[a.field] == one or r[flag])
    for text in lines("""
either of the two is enough
one of the two conditions is enough
"""):
        yield "either", f"{w.fact.adjective} {start}", text, some
    number = Want("number", len(kept(records, equals(a.field, one, two))))
    for text in lines("""
both together
the two combined
"""):
        yield "either", f"how many {start}? || and {phrased(a, two)}?", text, number


AMENDING_PARTS = (_contrasted, _turned, _timed, _ranged, _formed, _hurried)
