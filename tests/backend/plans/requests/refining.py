"""The grammar of feedback that changes which documents are found."""

from collections.abc import Iterator

from tests.backend.plans.requests.cases import (
    Record,
    Want,
    docs,
    equals,
    lines,
)
from tests.backend.plans.requests.wording import (
    Wording,
    holding,
    phrased,
)

Cases = Iterator[tuple[str, str, str, Want]]


def _narrowed(w: Wording, records: list[Record], key: str) -> Cases:
    a, b = w.first, w.second
    one, two = a.values[0], b.values[0]
    start = f"{b.name} {two}" if not b.fronted else f"{two} {w.nouns}"
    both = docs(records, key, equals(a.field, one), equals(b.field, two))
    for text in lines(f"""
only {phrased(a, one)}
just the ones {phrased(a, one)}
limit to {one}
only those {phrased(a, one)}
restrict this to {one}
I only want {one}
keep only the ones {phrased(a, one)}
narrow it down to {one}
{one} only
show me only the {one} {w.nouns}
filter for {one}
but only {phrased(a, one)}
can you limit it to {w.nouns} {phrased(a, one)}?
only {w.nouns} {phrased(a, one)} please
add a filter for {a.name} {one}
also filter by {a.name} {one}
the {a.name} should be {one}
{a.name} must be {one}
just {one}
of those, only the ones {phrased(a, one)}
which of them are {phrased(a, one)}?
let's focus on {one}
I'm only interested in {one}
reduce to {one}
keep {one} and drop the rest
only consider {one}
everything outside {one} can go
where {a.name} is {one}
those {phrased(a, one)}
set {a.name} to {one}
and {phrased(a, one)}
with {a.name} {one}
only the {one} ones
only show {one}
"""):
        yield "narrow", start, text, both
    fact = docs(records, key, equals(b.field, two), equals(w.fact.field, True))
    for text in lines(f"""
only the {w.fact.adjective} ones
just those {w.fact.says}
only if {w.fact.adjective}
keep the {w.fact.adjective} ones
{w.fact.adjective} only
they must be {w.fact.adjective}
which of these are {w.fact.adjective}?
only {w.fact.adjective} {w.nouns}
restrict to {w.fact.adjective} {w.nouns}
"""):
        yield "narrow by fact", start, text, fact
    loose = docs(records, key, equals(b.field, two), equals(w.fact.field, False))
    for text in lines(f"""
only the ones {w.fact.denies[0]}
without the {w.fact.adjective} ones
exclude {w.fact.adjective} {w.nouns}
drop the {w.fact.adjective} ones
no {w.fact.adjective} ones
not the {w.fact.adjective} ones
"""):
        yield "narrow by fact", start, text, loose
    for amount in (w.amount, w.other):
        low = amount.bounds[0]
        more = docs(records, key, equals(b.field, two), lambda r, f=amount.field, n=low: r[f] > n)
        least = docs(records, key, equals(b.field, two), lambda r, f=amount.field, n=low: r[f] >= n)
        less = docs(records, key, equals(b.field, two), lambda r, f=amount.field, n=low: r[f] < n)
        for i, comparison in enumerate(
            lines(f"""
more than {low:g}
over {low:g}
above {low:g}
""")
        ):
            yield "narrow by number", start, f"only those {holding(amount, comparison, i)}", more
            yield "narrow by number", start, f"{amount.name} {comparison}", more
            yield "narrow by number", start, f"where the {amount.name} is {comparison}", more
            yield (
                "narrow by number",
                start,
                f"keep only the ones {holding(amount, comparison, i)}",
                more,
            )
        yield "narrow by number", start, f"the {amount.name} must be at least {low:g}", least
        yield "narrow by number", start, f"require a {amount.name} of at least {low:g}", least
        yield "narrow by number", start, f"add a minimum {amount.name} of {low:g}", least
        yield (
            "narrow by number",
            start,
            f"drop everything with a {amount.name} under {low:g}",
            least,
        )
        yield "narrow by number", start, f"ignore those with a {amount.name} below {low:g}", least
        yield "narrow by number", start, f"only if the {amount.name} is less than {low:g}", less
        yield "narrow by number", start, f"not those with a {amount.name} of {low:g} or more", less
    f = w.moment.field
    since = docs(records, key, equals(b.field, two), lambda r: r[f] >= "2023")
    for text in lines(f"""
since 2023
only since 2023
from 2023 onwards
only those {w.moment.verb} since 2023
{w.moment.verb} in 2023 or later
nothing before 2023
exclude everything before 2023
the {w.moment.name} should be 2023 or later
2023 and later
starting from 2023
"""):
        yield "narrow by date", start, text, since
    inside = docs(records, key, equals(b.field, two), lambda r: r[f][:4] == "2022")
    for text in lines(f"""
only 2022
in 2022
just the ones from 2022
limit to 2022
{w.moment.verb} in 2022
restrict the time to 2022
only the year 2022
"""):
        yield "narrow by date", start, text, inside
    gone = docs(records, key, equals(b.field, two), lambda r: r[w.gap.field] is None)
    there = docs(records, key, equals(b.field, two), lambda r: r[w.gap.field] is not None)
    for text in lines(f"""
only those without {w.gap.one}
only the ones with no {w.gap.name}
just those missing {w.gap.one}
where the {w.gap.name} is missing
"""):
        yield "narrow by gap", start, text, gone
    for text in lines(f"""
only those with {w.gap.one}
leave out those without {w.gap.one}
exclude the ones with no {w.gap.name}
they need to have {w.gap.one}
drop the ones that have no {w.gap.name}
"""):
        yield "narrow by gap", start, text, there
    mentioning = docs(records, key, equals(b.field, two), lambda r: w.mention in r["text"].lower())
    for text in lines(f"""
only those that mention "{w.mention}"
the text must contain "{w.mention}"
only if "{w.mention}" is mentioned
mentioning "{w.mention}"
"""):
        yield "narrow by text", start, text, mentioning


def _excluded(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one, two = a.values[0], a.values[1]
    start = f"{w.fact.adjective} {w.nouns}"
    true = equals(w.fact.field, True)
    rest = docs(records, key, true, lambda r: r[a.field] != one)
    for text in lines(f"""
exclude {one}
without the {one} ones
leave out {one}
not {phrased(a, one)}
drop the {one} ones
everything but {one}
other than {one}
except {one}
remove {w.nouns} {phrased(a, one)}
get rid of anything {phrased(a, one)}
but not {phrased(a, one)}
ignore {one}
no {one}
skip {one}
not {one}
all but {one}
omit those {phrased(a, one)}
anything except {one}
I don't want {one}
please leave out the ones {phrased(a, one)}
minus {one}
take out {one}
filter out {one}
exclude the {a.name} {one}
{one} should not be included
the {a.name} must not be {one}
remove everything {phrased(a, one)}
not the ones {phrased(a, one)}
leave {one} out
filter {one} out
take {one} out
I'm not interested in {one}
"""):
        yield "exclude", start, text, rest
    neither = docs(records, key, true, lambda r: r[a.field] not in (one, two))
    for text in lines(f"""
exclude {one} and {two}
neither {one} nor {two}
without {one} or {two}
leave out {one} as well as {two}
not {one} and not {two}
"""):
        yield "exclude", start, text, neither
    yield "exclude", start, f"exclude {one} || also exclude {two}", neither
    yield "exclude", start, f"without {one} || and {two} neither", neither


def _widened(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one, two, three = a.values[:3]
    start = f"{w.nouns} {phrased(a, one)}"
    both = docs(records, key, equals(a.field, one, two))
    for text in lines(f"""
also {two}
include {two} as well
add {two}
and {two} too
{two} as well
plus {two}
{two} too please
also include {w.nouns} {phrased(a, two)}
or {two}
both {one} and {two}
extend it to {two}
include {two}
as well as {two}
don't forget {two}
and also {two}
also those {phrased(a, two)}
{one} or {two}
together with {two}
{two} should be included too
add the ones {phrased(a, two)}
widen that to {two}
I also want {two}
not only {one} but also {two}
{one} and {two}
in addition {two}
let {two} in too
{two} is fine too
"""):
        yield "widen", start, text, both
    yield (
        "widen",
        start,
        f"add {two} and {three}",
        docs(records, key, equals(a.field, one, two, three)),
    )
    yield (
        "widen",
        start,
        f"also {two} || also {three}",
        docs(records, key, equals(a.field, one, two, three)),
    )


def _replaced(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one, two = a.values[:2]
    start = f"{w.nouns} {phrased(a, one)}"
    other = docs(records, key, equals(a.field, two))
    for text in lines(f"""
make it {two}
{two} instead of {one}
{two} instead
change {one} to {two}
switch to {two}
replace {one} with {two}
I meant {two}
no, I meant {two}
not {one} but {two}
actually {two}
sorry, {two}
rather {two}
{two} rather than {one}
use {two} for the {a.name}
oops, {two} not {one}
should be {two}
what about {two}?
same for {two}
now for {two}
and for {two}?
change the {a.name} to {two}
{two}, not {one}
no, {two}
how about {two}?
swap {one} for {two}
instead of {one} use {two}
try {two}
the same but for {two}
now {two}
set the {a.name} to {two}
I actually meant {two}
wait, {two} instead
it should be {two} instead of {one}
do the same for {two}
look at {two} instead
that should have been {two}
I said {two}
not {one}, {two}
correction: {two}
make that {two}
exchange {one} for {two}
turn {one} into {two}
"""):
        yield "replace", start, text, other
    n = Want("number", len(other.data))
    for text in lines(f"""
and {phrased(a, two)}?
what about {phrased(a, two)}?
and for {two}?
same for {two}
"""):
        yield "replace", f"how many {start}?", text, n


def _moved(w: Wording, records: list[Record], key: str) -> Cases:
    for amount in (w.amount, w.other):
        low, high = amount.bounds
        start = f"{w.nouns} {holding(amount, f'over {low:g}')}"
        more = docs(records, key, lambda r, f=amount.field, n=high: r[f] > n)
        for text in lines(f"""
make it {high:g}
change {low:g} to {high:g}
raise the threshold to {high:g}
{high:g} instead of {low:g}
use {high:g} instead
I meant {high:g}
increase that to {high:g}
over {high:g}
raise it to {high:g}
no, {high:g}
more than {high:g} instead
set the {amount.name} to more than {high:g}
make that over {high:g}
actually over {high:g}
change the {amount.name} to over {high:g}
replace {low:g} with {high:g}
the limit should be {high:g}
bump it up to {high:g}
{high:g}, not {low:g}
{high:g} rather than {low:g}
"""):
            yield "move a number", start, text, more
        less = docs(records, key, lambda r, f=amount.field, n=low: r[f] < n)
        for text in lines(f"""
under {low:g} instead
I meant under {low:g}
less than {low:g} instead
no, below {low:g}
below instead of above
"""):
            yield "move a number", start, text, less
    f = w.moment.field
    start = f"{w.nouns} {w.moment.verb} in 2022"
    later = docs(records, key, lambda r: r[f][:4] == "2023")
    for text in lines("""
2023 instead
make it 2023
change 2022 to 2023
I meant 2023
now 2023
what about 2023?
in 2023 instead of 2022
the year after
use 2023
"""):
        yield "move a date", start, text, later
    both = docs(records, key, lambda r: r[f][:4] in ("2022", "2023"))
    for text in lines("""
also 2023
and 2023 as well
2022 and 2023
include 2023 too
extend to 2023
"""):
        yield "move a date", start, text, both


def _removed(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one = a.values[0]
    start = f"{w.fact.adjective} {w.nouns} {phrased(a, one)}"
    rest = docs(records, key, equals(w.fact.field, True))
    for text in lines(f"""
remove the {a.name} filter
drop the {a.name} condition
any {a.name}
ignore the {a.name}
regardless of {a.name}
all {a.plural}
forget the {a.name} restriction
the {a.name} does not matter
the {a.name} doesn't matter
I don't care about the {a.name}
no {a.name} filter
never mind the {a.name}
take off the {a.name} filter
without the {a.name} filter
in any {a.name}
not just {phrased(a, one)}
for all {a.plural}
remove the {one} filter
drop the {one} restriction
whatever the {a.name}
independent of the {a.name}
don't restrict the {a.name}
don't filter by {a.name}
no longer limit to {one}
every {a.name} is fine
lift the {a.name} restriction
stop filtering by {a.name}
the {a.name} can be anything
"""):
        yield "remove a filter", start, text, rest
    everything = docs(records, key)
    for text in lines(f"""
remove all filters
clear the filters
no filters
drop all conditions
show all {w.nouns}, without any filter
remove every filter
reset the filters
"""):
        yield "remove a filter", start, text, everything
    only = docs(records, key, equals(a.field, one))
    for text in lines("""
remove the first filter
drop filter 1
take out the first condition
"""):
        yield "ordinal", f"{w.fact.adjective} {w.nouns} || only {one}", text, only
    for text in lines("""
remove the second filter
remove the last filter
drop the second condition
"""):
        yield "ordinal", f"{w.fact.adjective} {w.nouns} || only {one}", text, rest


REFINING_PARTS = (_narrowed, _excluded, _widened, _replaced, _moved, _removed)
