"""The grammar of questions as people ask them in passing: in a hurry, politely, or half said."""

from collections.abc import Iterator

from tests.backend.plans.requests.cases import (
    Record,
    Want,
    above_number,
    by,
    docs,
    equals,
    kept,
    lines,
    numbers,
    ordered,
    table,
)
from tests.backend.plans.requests.wording import Wording, holding, phrased

Cases = Iterator[tuple[str, str, Want]]

TALK = lines("""
{} pls
hi! just wondering, {}?
{} thx
so, {} so far
could you also tell me {}, if it is not too much trouble?
honestly, {} right now
hm, {}
basically {}
I'm after {}
""")

_SPELLED = {8: "eight", 20: "twenty", 150: "a hundred and fifty", 500: "five hundred",
            300: "three hundred", 900: "nine hundred", 5: "five", 3000: "three thousand",
            12000: "twelve thousand", 20000: "twenty thousand",
            70000: "seventy thousand"}  # fmt: skip


def _in_passing(w: Wording, records: list[Record], key: str) -> Cases:
    place = w.first.values[0]
    there = docs(records, key, equals(w.first.field, place))
    count = Want("number", len(there.data))
    for i, form in enumerate(TALK):
        phrase = f"{w.nouns} {phrased(w.first, place, i)}"
        yield "talk", form.format(f"how many {phrase} there are"), count
    for form in lines("""
{} pls
{} thx
hm, {}
"""):
        yield "talk", form.format(f"all {w.nouns} {phrased(w.first, place)}"), there


def _spelled(w: Wording, records: list[Record], key: str) -> Cases:
    for amount in (w.amount, w.other):
        for bound in amount.bounds:
            words = _SPELLED[int(bound)]
            above = docs(records, key, above_number(amount.field, bound))
            for i, form in enumerate(("more than {}", "over {}", "more then {}", "above {}")):
                text = f"{w.nouns} {holding(amount, form.format(words), i)}"
                yield "spelled number", text, above


def _weighed(w: Wording, records: list[Record], key: str) -> Cases:
    one, two = w.first.values[:2]
    pair = kept(records, equals(w.first.field, one, two))
    counts = table(by(pair, w.first.field), len)
    for text in lines(f"""
are there more {w.nouns} in {one} or in {two}?
do we have more {one} or more {two} {w.nouns}?
were there more {w.nouns} in {one} or {two}?
compare {one} and {two}: how many {w.nouns}?
"""):
        yield "either or", text, counts


def _shared(w: Wording, records: list[Record], key: str) -> Cases:
    one = records[3]
    same = docs(records, key, equals(w.first.field, one[w.first.field]))
    others = Want("docs", same.data - {one[key]})
    for text in lines(f"""
{w.nouns} with the same {w.first.name} as {one[key]}
all {w.nouns} that have the same {w.first.name} as {one[key]}
"""):
        yield "same as another", text, same
    yield "same as another", f"other {w.nouns} with the same {w.first.name} as {one[key]}", others


def _in_time(w: Wording, records: list[Record], key: str) -> Cases:
    field = w.moment.field
    for count in (2, 5):
        for end, down in (("last", True), ("first", False)):
            wanted = ordered(records, field, down=down, count=count)
            yield "first and last", f"the {end} {count} {w.nouns}", wanted
            yield "first and last", f"show me the {end} {count} {w.nouns} please", wanted
    yield "first and last", f"{w.nouns} sorted by date", ordered(records, field, down=False)
    yield "first and last", f"most recent {w.noun}", ordered(records, field, down=True, count=1)
    late = docs(records, key, lambda r: r[field] >= "2022-10")
    yield "half a date", f"{w.nouns} from October 2022 on", late
    spring = docs(records, key, lambda r: "2022-03-05" <= r[field] <= "2022-05-20")
    yield "half a date", f"{w.nouns} {w.moment.verb} between 5 March and 20 May 2022", spring
    days = docs(records, key, lambda r: "2022-03-05" <= r[field] <= "2022-03-30")
    yield "half a date", f"{w.nouns} {w.moment.verb} between 5 and 30 March 2022", days
    early = docs(records, key, lambda r: "01" <= r[field][5:7] <= "03")
    yield "half a date", f"{w.nouns} {w.moment.verb} in the first quarter", early


def _spread(w: Wording, records: list[Record], key: str) -> Cases:
    for amount in (w.amount, w.other):
        values = numbers(records, amount.field)
        gap = Want("number", max(values) - min(values))
        for text in lines(f"""
difference between the highest and the lowest {amount.name}
difference between the maximum and minimum {amount.name}
"""):
            yield "difference of extremes", text, gap


EVERYDAY_PARTS = (_in_passing, _spelled, _weighed, _shared, _in_time, _spread)
