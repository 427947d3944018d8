"""The grammar of questions for documents and for how many there are."""

from collections.abc import Iterator, Sequence

from tests.backend.plans.requests.cases import (
    Record,
    Test,
    Want,
    above_number,
    differs,
    docs,
    equals,
    kept,
    lines,
)
from tests.backend.plans.requests.wording import (
    Wording,
    holding,
    phrased,
)

Cases = Iterator[tuple[str, str, Want]]


ASKING = lines("""
{}
show me {}
list all {}
find {}
which {} are there?
give me the {}
I need all {}
Please get me the {}
could you show me {}?
what {} do we have?
are there any {}?
display {}
I'm looking for {}
let me see the {}
""")


def asked(i: int, phrase: str) -> str:
    return ASKING[i % len(ASKING)].format(phrase)


def _values(w: Wording, records: list[Record], key: str) -> Cases:
    a, b = w.first, w.second
    for i, form in enumerate(ASKING):
        yield (
            "value",
            asked(i, f"{w.nouns} {phrased(a, a.values[i % 3], i)}"),
            docs(records, key, equals(a.field, a.values[i % 3])),
        )
        if b.fronted:
            yield (
                "value in front",
                form.format(f"{b.values[i % 3]} {w.nouns}"),
                docs(records, key, equals(b.field, b.values[i % 3])),
            )
    one, two, three = a.values[:3]
    either = docs(records, key, equals(a.field, one, two))
    for text in lines(f"""
{w.nouns} {phrased(a, one)} or {two}
{w.nouns} {phrased(a, one)} and {two}
{w.nouns} either {phrased(a, one)} or {phrased(a, two)}
{w.nouns} {phrased(a, one)} as well as {two}
{w.nouns} {phrased(a, one)}, {two}
all {w.nouns} whose {a.name} is {one} or {two}
{w.nouns} where {a.name} is one of {one}, {two}
both {one} and {two} {w.nouns}
{w.nouns} {phrased(a, one)} and those {phrased(a, two)}
"""):
        yield "two values", text, either
    yield (
        "two values",
        f"{w.nouns} {phrased(a, one)}, {two} or {three}",
        docs(records, key, equals(a.field, one, two, three)),
    )
    without = docs(records, key, differs(a.field, one))
    for text in lines(f"""
{w.nouns} not {phrased(a, one)}
{w.nouns} that are not {phrased(a, one)}
all {w.nouns} except the ones {phrased(a, one)}
{w.nouns} other than those {phrased(a, one)}
{w.nouns} excluding {one}
{w.nouns} apart from {one}
every {w.noun} but {one}
all {w.nouns} except {one}
{w.nouns} whose {a.name} isn't {one}
{w.nouns} where the {a.name} is anything but {one}
{w.nouns}, leaving out {one}
{w.nouns} outside {one}
non-{one} {w.nouns}
{w.nouns} from any {a.name} but {one}
{w.nouns} with a {a.name} other than {one}
all {w.nouns} minus the {one} ones
"""):
        yield "not a value", text, without
    yield (
        "not two values",
        f"{w.nouns} neither in {one} nor in {two}",
        docs(records, key, differs(a.field, one, two)),
    )
    yield (
        "not two values",
        f"{w.nouns} outside {one} and {two}",
        docs(records, key, differs(a.field, one, two)),
    )
    both = docs(records, key, equals(a.field, one), equals(b.field, b.values[0]))
    for text in lines(f"""
{b.values[0]} {w.nouns} {phrased(a, one)}
{w.nouns} {phrased(a, one)} {phrased(b, b.values[0])}
{one} {w.nouns} that are {b.values[0]}
{w.nouns} {phrased(a, one)} with {b.name} {b.values[0]}
{w.nouns} where {a.name} = {one} and {b.name} = {b.values[0]}
{a.name}: {one}, {b.name}: {b.values[0]}
"""):
        yield "two properties", text, both


ABOVE = lines("""
more than {}
over {}
above {}
greater than {}
> {}
in excess of {}
upwards of {}
larger than {}
higher than {}
exceeding {}
""")
AT_LEAST = lines("""
at least {}
no less than {}
no fewer than {}
a minimum of {}
{} or more
>= {}
not less than {}
{} and up
{}+
""")
BELOW = lines("""
less than {}
under {}
below {}
fewer than {}
< {}
lower than {}
smaller than {}
""")
AT_MOST = lines("""
at most {}
no more than {}
up to {}
a maximum of {}
{} or less
<= {}
not more than {}
{} or fewer
{} at most
not over {}
""")
BETWEEN = lines("""
between {} and {}
from {} to {}
{} to {}
{}-{}
somewhere between {} and {}
in the range of {} to {}
at least {} and at most {}
at least {} but no more than {}
""")


def comparisons(field: str, low: float, high: float) -> Iterator[tuple[str, Test]]:
    shown, shown_high = f"{low:g}", f"{high:g}"
    groups: tuple[tuple[Sequence[str], Test], ...] = (
        (ABOVE, lambda r: r[field] > low),
        (AT_LEAST, lambda r: r[field] >= low),
        (BELOW, lambda r: r[field] < low),
        (AT_MOST, lambda r: r[field] <= low),
    )
    for forms, test in groups:
        for form in forms:
            yield form.format(shown), test
    for form in BETWEEN:
        yield form.format(shown, shown_high), lambda r: low <= r[field] <= high


def _numbers(w: Wording, records: list[Record], key: str) -> Cases:
    for amount in (w.amount, w.other):
        low, high = amount.bounds
        for i, (comparison, test) in enumerate(comparisons(amount.field, low, high)):
            yield "number", f"{w.nouns} {holding(amount, comparison, i)}", docs(records, key, test)
            text = f"{w.nouns} where the {amount.name} is {comparison}"
            yield "number", asked(i, text), docs(records, key, test)
        above = docs(records, key, above_number(amount.field, high))
        for i, spelled in enumerate(amount.spelled):
            yield "unit", f"{w.nouns} {holding(amount, f'over {spelled}', i)}", above
            yield "unit", f"which {w.nouns} have a {amount.name} above {spelled}?", above
        both = docs(
            records, key, above_number(amount.field, low), equals(w.first.field, w.first.values[0])
        )
        for i in range(3):
            place = phrased(w.first, w.first.values[0], i)
            holds = holding(amount, f"more than {low:g}", i)
            yield "number and value", f"{w.nouns} {place} {holds}", both
            yield "number and value", f"{w.nouns} {holds} {place}", both
            yield "number and value", f"{w.nouns} {place} and {holds}", both
    one, two = w.amount, w.other
    yield (
        "two numbers",
        (
            f"{w.nouns} {holding(one, f'more than {one.bounds[0]:g}')}"
            f" and {holding(two, f'under {two.bounds[1]:g}')}"
        ),
        docs(records, key, lambda r: r[one.field] > one.bounds[0] and r[two.field] < two.bounds[1]),
    )


def _dates(w: Wording, records: list[Record], key: str) -> Cases:
    f, verb, name = w.moment.field, w.moment.verb, w.moment.name
    forms: tuple[tuple[str, Test], ...] = (
        ("in 2023", lambda r: r[f][:4] == "2023"),
        ("during 2022", lambda r: r[f][:4] == "2022"),
        ("before 2021", lambda r: r[f] < "2021"),
        ("after 2022", lambda r: r[f] > "2022-12-31"),
        ("since 2023", lambda r: r[f] >= "2023"),
        ("in March 2022", lambda r: r[f][:7] == "2022-03"),
        ("until the end of 2020", lambda r: r[f] < "2021"),
        ("in or after 2023", lambda r: r[f] >= "2023"),
        ("between 2020 and 2022", lambda r: "2020" <= r[f] < "2023"),
        ("from 2020 to 2021", lambda r: "2020" <= r[f] < "2022"),
        ("in Q2 2022", lambda r: "2022-04" <= r[f] < "2022-07"),
        ("in the second quarter of 2022", lambda r: "2022-04" <= r[f] < "2022-07"),
        ("in the first half of 2023", lambda r: "2023" <= r[f] < "2023-07"),
        ("between January and June 2021", lambda r: "2021" <= r[f] < "2021-07"),
        ("on or after 1 May 2023", lambda r: r[f] >= "2023-05-01"),
        ("after March 15, 2024", lambda r: r[f] > "2024-03-15"),
        ("before 2022-06-01", lambda r: r[f] < "2022-06-01"),
        ("last year", lambda r: r[f][:4] == "2025"),
        ("this year", lambda r: r[f][:4] == "2026"),
        ("in the last 12 months", lambda r: r[f] > "2025-05-28"),
        ("in the past two years", lambda r: r[f] > "2024-05-28"),
        ("within the last 6 months", lambda r: r[f] > "2025-11-28"),
        ("in 2021 or 2023", lambda r: r[f][:4] in ("2021", "2023")),
        ("no later than 2020", lambda r: r[f] < "2021"),
        ("not in 2022", lambda r: r[f][:4] != "2022"),
        ("outside 2022", lambda r: r[f][:4] != "2022"),
        ("in early 2023", lambda r: "2023" <= r[f] < "2023-05"),
        ("more than two years ago", lambda r: r[f] < "2024-05-28"),
        ("in the summer of 2022", lambda r: "2022-06" <= r[f] < "2022-09"),
        ("at the end of 2022", lambda r: "2022-09" <= r[f] < "2023"),
    )
    for i, (span, test) in enumerate(forms):
        sort = "vague date" if span.startswith(("in early", "at the end")) else "date"
        yield sort, f"{w.nouns} {verb} {span}", docs(records, key, test)
        yield sort, asked(i, f"{w.nouns} with a {name} {span}"), docs(records, key, test)
        yield sort, f"{w.nouns} {span}", docs(records, key, test)


def _facts(w: Wording, records: list[Record], key: str) -> Cases:
    true = docs(records, key, equals(w.fact.field, True))
    false = docs(records, key, equals(w.fact.field, False))
    for i in range(len(ASKING)):
        yield "fact", asked(i, f"{w.nouns} {w.fact.says}"), true
    yield "fact", f"{w.fact.adjective} {w.nouns}", true
    yield "fact", f"only {w.fact.adjective} {w.nouns}, please", true
    for i, denies in enumerate(w.fact.denies):
        yield "not a fact", f"{w.nouns} {denies}", false
        yield "not a fact", asked(i, f"{w.nouns} {denies}"), false
    both = docs(records, key, equals(w.fact.field, True), equals(w.first.field, w.first.values[1]))
    yield (
        "fact and value",
        f"{w.fact.adjective} {w.nouns} {phrased(w.first, w.first.values[1])}",
        both,
    )
    yield "fact and value", f"{w.nouns} {phrased(w.first, w.first.values[1])} {w.fact.says}", both


def _gaps(w: Wording, records: list[Record], key: str) -> Cases:
    g = w.gap
    gone = docs(records, key, lambda r: r[g.field] is None)
    there = docs(records, key, lambda r: r[g.field] is not None)
    for text in lines(f"""
{w.nouns} without {g.one}
{w.nouns} with no {g.name}
{w.nouns} missing {g.one}
{w.nouns} where the {g.name} is missing
{w.nouns} that have no {g.name}
{w.nouns} lacking {g.one}
{w.nouns} with an unknown {g.name}
{w.nouns} where no {g.name} is recorded
{w.nouns} that don't have {g.one}
which {w.nouns} have an empty {g.name}?
{w.nouns} whose {g.name} is not known
{w.nouns} where {g.name} is null
{w.nouns} with a blank {g.name}
"""):
        yield "gap", text, gone
    for text in lines(f"""
{w.nouns} with {g.one}
{w.nouns} that have {g.one}
{w.nouns} with a known {g.name}
{w.nouns} where the {g.name} is known
{w.nouns} whose {g.name} is recorded
{w.nouns} where {g.name} is not missing
{w.nouns} that do have {g.one}
"""):
        yield "no gap", text, there


HOW_MANY = lines("""
how many {n} {p}?
how many {n} are there {p}?
number of {n} {p}
count the {n} {p}
count of {n} {p}
what is the number of {n} {p}?
total number of {n} {p}
what's the count of {n} {p}?
tell me how many {n} {p} there are
how many of the {n} are {p}?
I'd like to know the number of {n} {p}
how many {n} do we have {p}
tally of {n} {p}
""")


def _counts(w: Wording, records: list[Record], key: str) -> Cases:
    place = w.first.values[0]
    there = Want("number", len(kept(records, equals(w.first.field, place))))
    true = Want("number", len(kept(records, equals(w.fact.field, True))))
    for form in HOW_MANY:
        yield "count", form.format(n=w.nouns, p=w.first.says[0].format(place)), there
        if "of the" not in form:
            yield "count", form.format(n=w.nouns, p=w.fact.says), true
    yield "count", f"how many {w.nouns} are {w.fact.adjective}?", true
    yield "count", f"how many {w.nouns} are there in total?", Want("number", len(records))
    yield "count", f"how many {w.nouns} are there?", Want("number", len(records))
    for category in (w.first, w.second):
        different = Want("number", len({r[category.field] for r in records}))
        for text in lines(f"""
how many different {category.plural} are there?
number of distinct {category.plural}
how many {category.plural} are there?
count the unique {category.plural}
in how many {category.plural} do we have {w.nouns}?
how many unique {category.plural} appear?
number of different {category.plural}
"""):
            yield "distinct count", text, different
        names = Want("values", {r[category.field] for r in records})
        for text in lines(f"""
which {category.plural} are there?
list the {category.plural}
what {category.plural} occur?
show the different {category.plural}
all distinct {category.plural}
list of {category.plural}
what are the {category.plural}?
name all {category.plural}
"""):
            yield "distinct values", text, names


DOCUMENT_PARTS = (_values, _numbers, _dates, _facts, _gaps, _counts)
