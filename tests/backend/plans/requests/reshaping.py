"""The grammar of feedback that changes what is made of the documents."""

from collections.abc import Iterator
from statistics import median

from tests.backend.plans.requests.cases import (
    Record,
    Want,
    by,
    by_time,
    docs,
    equals,
    kept,
    lines,
    mean,
    numbers,
    ordered,
    part,
    ranking,
    table,
)
from tests.backend.plans.requests.wording import (
    Wording,
    phrased,
)

Cases = Iterator[tuple[str, str, str, Want]]


def _counted(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one = a.values[0]
    start = f"{w.nouns} {phrased(a, one)}"
    there = kept(records, equals(a.field, one))
    for text in lines(f"""
how many are there?
how many is that?
count them
just the number
how many?
give me the count
only count them
what's the number?
how many of those are there?
just count
number only
how many are that?
tell me how many
how many {w.nouns} is that?
I just need the number
count those
the count please
show the count instead
just tell me how many there are
what is the total number?
"""):
        yield "to count", start, text, Want("number", len(there))
    both = Want("number", len(kept(there, equals(w.fact.field, True))))
    for text in lines(f"""
how many of them are {w.fact.adjective}?
how many of those are {w.fact.adjective}?
count only the {w.fact.adjective} ones
how many are {w.fact.adjective}?
and how many of these are {w.fact.adjective}?
"""):
        yield "to count", start, text, both
    different = Want("number", len({r[w.second.field] for r in there}))
    for text in lines(f"""
how many different {w.second.plural} is that?
count the distinct {w.second.plural}
how many {w.second.plural} are among them?
"""):
        yield "to count", start, text, different
    names = Want("values", {r[w.second.field] for r in there})
    for text in lines(f"""
which {w.second.plural} are these?
list the {w.second.plural}
just the distinct {w.second.plural}
what {w.second.plural} do they have?
"""):
        yield "to values", start, text, names


def _listed(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one = a.values[0]
    there = docs(records, key, equals(a.field, one))
    for start in lines(f"""
how many {w.nouns} {phrased(a, one)}?
{w.nouns} {phrased(a, one)} per {w.second.name}
average {w.other.name} of {w.nouns} {phrased(a, one)}
"""):
        for text in lines(f"""
show them
list them
which ones?
show me the actual {w.nouns}
show the {w.nouns} instead
I want to see the {w.nouns}
list those {w.nouns}
just list the {w.nouns}
which are they?
show me which ones
list them all
the {w.nouns} themselves
I want to see them
show the documents
"""):
            yield "to documents", start, text, there


def _sorted(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one = a.values[0]
    start = f"{w.nouns} {phrased(a, one)}"
    some = kept(records, equals(a.field, one))
    for amount in (w.amount, w.other):
        for text in lines(f"""
order them by {amount.name} descending
highest {amount.name} first
rank by {amount.name}
sort by {amount.name}, highest first
sort by {amount.name} from high to low
largest {amount.name} first
put the ones with the highest {amount.name} first
sort descending by {amount.name}
in descending order of {amount.name}
order by {amount.name} desc
starting with the highest {amount.name}
sorted by {amount.name}, biggest on top
sort them by decreasing {amount.name}
"""):
            yield "sort", start, text, ordered(some, amount.field, down=True)
        for text in lines(f"""
sort by {amount.name}
sort by {amount.name}, lowest first
order by {amount.name} ascending
sort them by {amount.name} please
lowest {amount.name} first
sort ascending by {amount.name}
arrange them by {amount.name}
"""):
            yield "sort", start, text, ordered(some, amount.field, down=False)
    f = w.moment.field
    for text in lines(f"""
newest first
most recent first
put the most recent first
latest first
sort by date, newest first
sort by {w.moment.name} descending
from newest to oldest
"""):
        yield "sort", start, text, ordered(some, f, down=True)
    for text in lines(f"""
oldest first
chronologically
in chronological order
by {w.moment.name}
earliest first
"""):
        yield "sort", start, text, ordered(some, f, down=False)
    placed = f"{start} sorted by {w.other.name} descending"
    for text in lines("""
reverse the order
the other way round
ascending instead
ascending
lowest first
flip the order
sort it the other way
from low to high
smallest first please
in ascending order
not descending but ascending
"""):
        yield "turn", placed, text, ordered(some, w.other.field, down=False)
    for text in lines("""
don't sort
remove the sorting
no sorting
unsorted
drop the sort
without sorting
the order doesn't matter
no particular order
"""):
        yield "unsort", placed, text, docs(records, key, equals(a.field, one))
    for text in lines(f"""
by {w.amount.name} instead
sort by {w.amount.name} instead of {w.other.name}
sort by {w.amount.name} instead
"""):
        yield "resort", placed, text, ordered(some, w.amount.field, down=True)


def _limited(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    some = records
    start = f"{w.nouns} sorted by {w.other.name} descending"
    for text in lines(f"""
top 5
only the first 5
just 5
limit to 5
show 5
show me 5 of them
5 is enough
no more than 5
the first five
only 5
give me the top 5
at most 5
cut it to 5
limit the list to 5
five results are enough
only show the top five
keep the top 5
just 5 {w.nouns}
5 please
limit 5
max 5
"""):
        yield "limit", start, text, ordered(some, w.other.field, down=True, count=5)
    limited = f"top 5 {w.nouns} by {w.other.name}"
    for text in lines("""
make it 8
8 instead
8 instead of 5
give me 8 instead
show 8
top 8
increase it to 8
I want 8
the first 8
rather 8
change the limit to 8
8 rather than 5
can I have 8?
extend to 8
limit of 8
"""):
        yield "relimit", limited, text, ordered(some, w.other.field, down=True, count=8)
    for text in lines("""
no limit
all of them
show everything
remove the limit
show all
without the limit
don't limit it
I want to see all of them
the full list
not just 5
"""):
        yield "unlimit", limited, text, ordered(some, w.other.field, down=True)
    for text in lines("""
the bottom 5 instead
the lowest 5 instead
bottom 5
the 5 lowest
the smallest 5
"""):
        yield "relimit", limited, text, ordered(some, w.other.field, down=False, count=5)
    for text in lines(f"""
the 3 with the highest {w.amount.name}
top 3 by {w.amount.name}
only the 3 with the largest {w.amount.name}
"""):
        yield (
            "top",
            f"{w.nouns} {phrased(a, a.values[0])}",
            text,
            ordered(
                kept(records, equals(a.field, a.values[0])), w.amount.field, down=True, count=3
            ),
        )


def _grouped(w: Wording, records: list[Record], key: str) -> Cases:
    a, b = w.first, w.second
    start = f"{w.fact.adjective} {w.nouns}"
    true = kept(records, equals(w.fact.field, True))
    groups = by(true, a.field)
    for text in lines(f"""
group by {a.name}
break it down by {a.name}
per {a.name}
split by {a.name}
for each {a.name}
how does that break down by {a.name}?
count by {a.name}
how many per {a.name}?
group them by {a.name}
by {a.name}, please
show the count per {a.name}
how many in each {a.name}?
break that down per {a.name}
grouped by {a.name}
distribution over the {a.plural}
number per {a.name}
what's the breakdown by {a.name}?
group these by {a.name} and count them
split them up by {a.name}
I'd like to see it by {a.name}
how are they spread over the {a.plural}?
give me the numbers for each {a.name}
"""):
        yield "group", start, text, table(groups, len)
        yield "group", f"how many {start}?", text, table(groups, len)
    grouped = f"number of {start} per {a.name}"
    other = table(by(true, b.field), len)
    for text in lines(f"""
by {b.name} instead
group by {b.name} instead of {a.name}
per {b.name} instead
by {b.name}, not by {a.name}
make it per {b.name}
change the grouping to {b.name}
use {b.name} instead of {a.name}
I meant by {b.name}
switch to {b.name}
replace {a.name} by {b.name}
rather by {b.name}
group by {b.name}
no, per {b.name}
not by {a.name} but by {b.name}
"""):
        yield "regroup", grouped, text, other
    both = table(by(true, a.field, b.field), len)
    for text in lines(f"""
by {a.name} and {b.name}
also by {b.name}
and by {b.name} too
add {b.name} to the grouping
split further by {b.name}
additionally group by {b.name}
and also per {b.name}
break it down further by {b.name}
"""):
        yield "second key", grouped, text, both
    count = Want("number", len(true))
    for text in lines(f"""
no grouping
don't group
overall
without the grouping
just the total
ungroup
remove the grouping
in total
not per {a.name}
all together
don't split by {a.name}
"""):
        yield "ungroup", grouped, text, count
    years, months = (by_time(true, w.moment.field, n) for n in (4, 7))
    for text in lines(f"""
by year
per year
yearly
group by year
annual numbers
how many each year?
by year of {w.moment.name}
year by year
over the years
for each year
"""):
        yield "time", start, text, table(years, len)
    for text in lines("""
monthly instead
by month instead
per month instead of per year
make it monthly
by month
"""):
        yield "time", f"{start} per year", text, table(months, len)
    for text in lines(f"""
only the top 2
top 2
just the 2 largest
the two biggest
show the top two
only the 2 {a.plural} with the most
limit to the 2 most common
"""):
        yield "top groups", grouped, text, ranking(groups, len, count=2)
    for text in lines("""
largest first
sort by count
highest first
sort by the number, descending
most first
sort descending
biggest groups first
"""):
        yield "sort groups", grouped, text, ranking(groups, len)
    for text in lines(f"""
which {a.name} has the most?
only the largest one
just the top one
the biggest one
"""):
        yield "top groups", grouped, text, ranking(groups, len, count=1)


def _measured(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one = a.values[0]
    start = f"{w.nouns} {phrased(a, one)}"
    some = kept(records, equals(a.field, one))
    for m in (w.amount, w.other):
        values = numbers(some, m.field)
        for text in lines(f"""
what's the average {m.name}?
average {m.name}
show the average {m.name} instead
what is their average {m.name}?
and the average {m.name}?
compute the mean {m.name}
give me the mean {m.name}
how high is their {m.name} on average?
the average {m.name} of these
"""):
            yield "measure", start, text, Want("number", mean(values))
        for text in lines(f"""
what's the total {m.name}?
sum up the {m.name}
the sum of the {m.name}
total {m.name} of those
"""):
            yield "measure", start, text, Want("number", sum(values))
        for text in lines(f"""
what's the highest {m.name}?
maximum {m.name}
what is the largest {m.name} among them?
"""):
            yield "measure", start, text, Want("number", max(values))
        begun = f"average {m.name} of {start}"
        for text in lines("""
use the median
median instead of average
the median instead
make it the median
I meant the median
median, not average
change average to median
switch to the median
not the average but the median
rather the median
"""):
            yield "remeasure", begun, text, Want("number", median(values))
        for text in lines("""
make it the total
the sum instead
total instead
sum, not average
"""):
            yield "remeasure", begun, text, Want("number", sum(values))
    begun = f"average {w.other.name} per {a.name}"
    groups = by(records, a.field)
    for text in lines(f"""
{w.amount.name} instead
use the {w.amount.name} instead of the {w.other.name}
average {w.amount.name} instead
the average {w.amount.name}, not the {w.other.name}
change it to the {w.amount.name}
for the {w.amount.name} instead
"""):
        yield "remeasure", begun, text, table(groups, lambda m: mean(numbers(m, w.amount.field)))
    both = Want(
        "table",
        {
            k: [mean(numbers(m, w.other.field)), max(numbers(m, w.other.field))]
            for k, m in groups.items()
        },
    )
    for text in lines(f"""
add the maximum
also show the highest {w.other.name}
and the maximum as well
include the maximum
add the maximum {w.other.name}
plus the max
show the maximum too
"""):
        yield "add a measure", begun, text, both
    counted = Want(
        "table", {k: [mean(numbers(m, w.other.field)), len(m)] for k, m in groups.items()}
    )
    for text in lines(f"""
also show the count
add the count
and the number of {w.nouns}
include the count
also add how many {w.nouns} there are
with the number of documents too
"""):
        yield "add a measure", begun, text, counted
    left = table(groups, len)
    for text in lines("""
drop the average
without the average
remove the average
"""):
        yield (
            "drop a measure",
            f"number of {w.nouns} and average {w.other.name} per {a.name}",
            text,
            left,
        )


def _bounded(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    groups = by(records, a.field)
    counts = sorted(map(len, groups.values()))
    n = counts[len(counts) // 2]
    start = f"number of {w.nouns} per {a.name}"
    least = table({k: m for k, m in groups.items() if len(m) >= n}, len)
    for text in lines(f"""
only those with at least {n}
only {a.plural} with at least {n} {w.nouns}
at least {n}
drop {a.plural} with fewer than {n}
ignore {a.plural} with less than {n} {w.nouns}
hide the ones below {n}
keep groups with {n} or more
leave out those with under {n}
only where there are at least {n} {w.nouns}
exclude {a.plural} that have fewer than {n} {w.nouns}
{n} or more only
with a minimum of {n}
remove the groups with less than {n}
"""):
        yield "bound", start, text, least
    averages = {k: mean(numbers(m, w.other.field)) for k, m in groups.items()}
    bound = round(sorted(averages.values())[len(averages) // 2] - 0.01, 2)
    high = Want("table", {k: v for k, v in averages.items() if v > bound})
    for text in lines(f"""
only {a.plural} with an average above {bound:.8g}
only those above {bound:.8g}
over {bound:.8g} only
where the average is above {bound:.8g}
keep those with more than {bound:.8g}
only where it exceeds {bound:.8g}
only the ones whose average is over {bound:.8g}
"""):
        yield "bound", f"average {w.other.name} per {a.name}", text, high


def _shared(w: Wording, records: list[Record], key: str) -> Cases:
    a = w.first
    one = a.values[0]
    there = kept(records, equals(a.field, one))
    start = f"{w.nouns} {phrased(a, one)}"
    for begun in (start, f"how many {start}?"):
        for text in lines(f"""
what percentage is that?
as a percentage
what share of all {w.nouns} is that?
how much is that in percent?
as a percentage of all {w.nouns}
what fraction of all is that?
show it as a percentage
as a share of the total
in percent
"""):
            yield "share", begun, text, part(text, Want("number", len(there) / len(records)))
    inside = Want("number", len(kept(there, equals(w.fact.field, True))) / len(there))
    for text in lines(f"""
what percentage of them are {w.fact.adjective}?
what share of those is {w.fact.adjective}?
and what fraction of these are {w.fact.adjective}?
what percentage is {w.fact.adjective}?
how many percent of them are {w.fact.adjective}?
"""):
        yield "share", start, text, part(text, inside)
    groups = by(records, a.field)
    for text in lines("""
as percentages
in percent
as a share of the total
show percentages instead of counts
as a percentage of all
"""):
        yield (
            "share per group",
            f"number of {w.nouns} per {a.name}",
            text,
            part(text, table(groups, lambda m: len(m) / len(records))),
        )
    flag = w.fact.field
    for text in lines(f"""
what percentage of each is {w.fact.adjective}?
show the share of {w.fact.adjective} ones
percentage of {w.fact.adjective} {w.nouns} instead
"""):
        yield (
            "share per group",
            f"number of {w.nouns} per {a.name}",
            text,
            part(text, table(groups, lambda m: len([r for r in m if r[flag]]) / len(m))),
        )


def _several(w: Wording, records: list[Record], key: str) -> Cases:
    a, b, m = w.first, w.second, w.other
    one, two = a.values[:2]
    start = f"{b.values[0]} {w.nouns}"
    some = kept(records, equals(a.field, one), equals(b.field, b.values[0]))
    for text in lines(f"""
only {one}, sorted by {m.name} descending
limit to {one} and sort by {m.name}, highest first
only {phrased(a, one)}, and order by {m.name} from high to low
keep only {one}; sort by {m.name} descending
only {one}. Sort by {m.name} descending.
first filter for {one}, then sort by {m.name} descending
filter for {one} and then rank by {m.name}
"""):
        yield "several", start, text, ordered(some, m.field, down=True)
    for text in lines(f"""
only {one}, top 3 by {m.name}
only {one} and just the 3 with the highest {m.name}
only {one}, sorted by {m.name} descending, limited to 3
restrict to {one}, sort by {m.name} descending and show the first 3
"""):
        yield "several", start, text, ordered(some, m.field, down=True, count=3)
    left = by(kept(records, equals(b.field, b.values[0]), lambda r: r[a.field] != one), a.field)
    for text in lines(f"""
exclude {one} and group by {a.name}
without {one}, per {a.name}
leave out {one} and count by {a.name}
group by {a.name} but leave out {one}
break down by {a.name}, excluding {one}
"""):
        yield "several", start, text, table(left, len)
    swapped = docs(records, key, equals(a.field, two), equals(w.fact.field, True))
    for text in lines(f"""
{two} instead of {one} and only {w.fact.adjective} ones
switch to {two} and keep only those {w.fact.says}
change {one} to {two}, and only the {w.fact.adjective} ones
{two} instead, and only {w.fact.adjective}
"""):
        yield "several", f"{w.nouns} {phrased(a, one)}", text, swapped
    both = docs(
        records, key, equals(a.field, one), equals(b.field, b.values[0]), equals(w.fact.field, True)
    )
    for text in lines(f"""
only {w.fact.adjective} ones {phrased(a, one)}
only {one} and only {w.fact.adjective}
they should be {w.fact.adjective} and {phrased(a, one)}
only those {phrased(a, one)} {w.fact.says}
"""):
        yield "several", start, text, both
    free = docs(records, key, equals(a.field, one))
    for text in lines(f"""
drop the {b.name} filter and only {one}
only {one}, any {b.name}
forget the {b.name}, but only {phrased(a, one)}
"""):
        yield "several", start, text, free
    n = Want("number", len(some))
    for text in lines(f"""
only {one} and count them
how many of them are {phrased(a, one)}?
only {one}, and just the number
"""):
        yield "several", start, text, n


def _shown(w: Wording, records: list[Record], key: str) -> Cases:
    a, c = w.first, w.other
    start = f"{w.fact.adjective} {w.nouns}"
    fields = Want("shown", {a.field, c.field})
    for text in lines(f"""
show only {a.name} and {c.name}
only the {a.name} and {c.name} columns
just give me the {a.name} and the {c.name}
show {a.name} and {c.name}
display only the {a.name} and {c.name}
I only need {a.name} and {c.name}
columns: {a.name}, {c.name}
"""):
        yield "columns", start, text, fields
    more = Want("shown", {a.field, c.field, w.second.field})
    for text in lines(f"""
also show the {w.second.name}
add the {w.second.name}
and the {w.second.name} too
add a {w.second.name} column
"""):
        yield "columns", f"{start} || show only {a.name} and {c.name}", text, more


def _picked(w: Wording, records: list[Record], key: str) -> Cases:
    a, m = w.first, w.other
    one = a.values[0]
    some = kept(records, equals(a.field, one))
    start = f"{w.nouns} {phrased(a, one)}"
    for text in lines(f"""
which one has the highest {m.name}?
only the one with the highest {m.name}
which of them has the largest {m.name}?
just the one with the greatest {m.name}
which of these {w.nouns} has the highest {m.name}?
"""):
        yield "pick", start, text, ordered(some, m.field, down=True, count=1)
    for text in lines("""
only the most recent one
just the latest
the newest one
only the latest one
"""):
        yield "pick", start, text, ordered(some, w.moment.field, down=True, count=1)
    groups = by(some, w.second.field)
    for text in lines(f"""
which {w.second.name} is most common among them?
which {w.second.name} has the most?
what's the most frequent {w.second.name}?
"""):
        yield "pick", start, text, ranking(groups, len, count=1)


def _relative(w: Wording, records: list[Record], key: str) -> Cases:
    a, m = w.first, w.other
    one = a.values[0]
    some = kept(records, equals(a.field, one))
    middle = mean(numbers(some, m.field))
    above = docs(some, key, lambda r: r[m.field] > middle)
    for text in lines(f"""
only those with above average {m.name}
only the ones whose {m.name} is above average
with a {m.name} above the average
keep those with a higher than average {m.name}
"""):
        yield "above average", f"{w.nouns} {phrased(a, one)}", text, above


def _refused(w: Wording, records: list[Record], key: str) -> Cases:
    start = f"{w.nouns} {phrased(w.first, w.first.values[0])}"
    for text, named in (
        ("only those in Atlantis", "atlantis"),
        ("make it purple", "purple"),
        ("sort by happiness", "happiness"),
        ("group by galaxy", "galaxy"),
        ("email me the result", "email"),
        ("remove the sort", "sort"),
        ("remove the grouping", "group"),
        (f"replace {w.first.values[1]} with {w.first.values[2]}", w.first.values[1].lower()),
        ("only with more than 3 unicorns", "unicorn"),
        ("remove the fifth filter", "fifth"),
        ("flurb the wug", "flurb"),
        ("undo", "undo"),
        ("average of the sweetness", "sweetness"),
        ("translate it to French", "translate"),
        ("use the median", "median"),
    ):
        yield "refused", start, text, Want("refused", named)


RESHAPING_PARTS = (
    _counted,
    _listed,
    _sorted,
    _limited,
    _grouped,
    _measured,
    _bounded,
    _shared,
    _several,
    _shown,
    _picked,
    _relative,
    _refused,
)
