"""The grammar of questions for numbers, groups, orders and shares."""

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from tests.backend.plans.requests.cases import (
    Record,
    Want,
    above_number,
    below_number,
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

Cases = Iterator[tuple[str, str, Want]]
Figure = Callable[[list[float]], float]
FIGURES: tuple[tuple[Sequence[str], Figure], ...] = (
    (
        lines("""
average {}
mean {}
avg {}
what is the average {}
what's the mean {}
how high is the average {}
the {} on average
"""),
        mean,
    ),
    (
        lines("""
total {}
sum of the {}
what is the total {}
the combined {}
overall {}
add up the {}
"""),
        sum,
    ),
    (("median {}", "what is the median {}"), median),
    (
        lines("""
maximum {}
highest {}
what is the highest {}
what's the largest {}
max {}
biggest {}
"""),
        max,
    ),
    (
        lines("""
minimum {}
lowest {}
what is the lowest {}
smallest {}
min {}
"""),
        min,
    ),
)


def _figures(w: Wording, records: list[Record], key: str) -> Cases:
    place = w.first.values[1]
    some = kept(records, equals(w.first.field, place))
    true = kept(records, equals(w.fact.field, True))
    for amount in (w.amount, w.other):
        for forms, figure in FIGURES:
            for i, form in enumerate(forms):
                text = form.format(amount.name)
                where = f"{w.nouns} {phrased(w.first, place, i)}"
                wanted = Want("number", figure(numbers(some, amount.field)))
                if form in lines("""
highest {}
biggest {}
lowest {}
smallest {}
"""):
                    text = f"what is the {text}"
                yield "figure", f"{text} of {where}", wanted
                yield (
                    "figure",
                    f"{text} for {w.fact.adjective} {w.nouns}",
                    Want("number", figure(numbers(true, amount.field))),
                )
                yield (
                    "figure",
                    f"{text} across all {w.nouns}",
                    Want("number", figure(numbers(records, amount.field))),
                )


def _tables(w: Wording, records: list[Record], key: str) -> Cases:
    for c in (w.first, w.second):
        groups = by(records, c.field)
        for text in lines(f"""
{w.nouns} per {c.name}
how many {w.nouns} per {c.name}?
number of {w.nouns} by {c.name}
count by {c.name}
breakdown by {c.name}
for each {c.name}, how many {w.nouns} are there?
{w.noun} counts by {c.name}
how many {w.nouns} does each {c.name} have?
{w.nouns} grouped by {c.name}
distribution of {w.nouns} across {c.plural}
how do the {w.nouns} split by {c.name}?
count the {w.nouns} in each {c.name}
break the {w.nouns} down by {c.name}
how are the {w.nouns} distributed over the {c.plural}?
number of {w.nouns} for every {c.name}
group the {w.nouns} by {c.name} and count them
give me a count of {w.nouns} per {c.name}
tally {w.nouns} by {c.name}
"""):
            yield "counts per group", text, table(groups, len)
        for a in (w.amount, w.other):
            average = table(groups, lambda m, f=a.field: mean(numbers(m, f)))
            for text in lines(f"""
average {a.name} per {c.name}
average {a.name} by {c.name}
for each {c.name}, the average {a.name}
what is the mean {a.name} in each {c.name}?
mean {a.name} of the {w.nouns} for every {c.name}
compare the average {a.name} across {c.plural}
how does the average {a.name} vary by {c.name}?
average {a.name} of {w.nouns} grouped by {c.name}
the average {a.name} broken down by {c.name}
per {c.name}: average {a.name}
what's the average {a.name} for the different {c.plural}?
"""):
                yield "figures per group", text, average
            yield (
                "figures per group",
                f"total {a.name} per {c.name}",
                table(groups, lambda m, f=a.field: sum(numbers(m, f))),
            )
            yield (
                "figures per group",
                f"highest {a.name} per {c.name}",
                table(groups, lambda m, f=a.field: max(numbers(m, f))),
            )
            yield (
                "figures per group",
                f"the maximum {a.name} in each {c.name}",
                table(groups, lambda m, f=a.field: max(numbers(m, f))),
            )
            yield (
                "figures per group",
                f"median {a.name} by {c.name}",
                table(groups, lambda m, f=a.field: median(numbers(m, f))),
            )


def _superlatives(w: Wording, records: list[Record], key: str) -> Cases:
    for a in (w.amount, w.other):
        plain = a.name.removeprefix("number of ")
        most = "most" if plain != a.name else "highest"
        least = "fewest" if plain != a.name else "lowest"
        for text in lines(f"""
the {w.noun} with the {most} {plain}
which {w.noun} has the {most} {plain}?
what {w.noun} has the highest {a.name}?
{w.noun} with the largest {a.name}
find the {w.noun} that has the greatest {a.name}
"""):
            yield "superlative", text, ordered(records, a.field, down=True, count=1)
        for text in lines(f"""
the {w.noun} with the {least} {plain}
which {w.noun} has the lowest {a.name}?
{w.noun} with the smallest {a.name}
"""):
            yield "superlative", text, ordered(records, a.field, down=False, count=1)
        for text in lines(f"""
top 5 {w.nouns} by {a.name}
the 5 {w.nouns} with the {most} {plain}
five {w.nouns} with the highest {a.name}
top five {w.nouns} in terms of {a.name}
{w.nouns} with the {most} {plain}, top 5
which 5 {w.nouns} have the {most} {plain}?
5 largest {w.nouns} by {a.name}
the top 5 by {a.name}
show the 5 {w.nouns} that have the highest {a.name}
"""):
            yield "top n", text, ordered(records, a.field, down=True, count=5)
        for text in lines(f"""
bottom 4 {w.nouns} by {a.name}
the 4 {w.nouns} with the {least} {plain}
4 {w.nouns} with the lowest {a.name}
the four {w.nouns} having the smallest {a.name}
"""):
            yield "top n", text, ordered(records, a.field, down=False, count=4)
    f, verb = w.moment.field, w.moment.verb
    for text in lines(f"""
the 3 most recent {w.nouns}
latest 3 {w.nouns}
3 newest {w.nouns}
the three {w.nouns} {verb} last
last 3 {w.nouns} by {w.moment.name}
"""):
        yield "top n", text, ordered(records, f, down=True, count=3)
    for text in lines(f"""
the oldest {w.noun}
the earliest {w.noun}
the {w.noun} {verb} first
"""):
        yield "superlative", text, ordered(records, f, down=False, count=1)
    for c in (w.first, w.second):
        groups = by(records, c.field)
        for text in lines(f"""
which {c.name} has the most {w.nouns}?
the {c.name} with the most {w.nouns}
what {c.name} has the highest number of {w.nouns}?
most common {c.name}
most frequent {c.name}
which {c.name} is the most common?
which {c.name} occurs most often?
top {c.name} by number of {w.nouns}
what is the most common {c.name} among the {w.nouns}?
"""):
            yield "extreme group", text, ranking(groups, len, count=1)
        for text in lines(f"""
which {c.plural} have the most {w.nouns}?
{c.plural} ranked by number of {w.nouns}
which {c.plural} led to the most {w.nouns}?
"""):
            yield "ranked groups", text, ranking(groups, len)
        for text in lines(f"""
which {c.name} has the fewest {w.nouns}?
the {c.name} with the least {w.nouns}
the least common {c.name}
"""):
            yield "extreme group", text, ranking(groups, len, down=False, count=1)
        for text in lines(f"""
top 3 {c.plural} by number of {w.nouns}
the 3 {c.plural} with the most {w.nouns}
3 most common {c.plural}
the three most frequent {c.plural}
which 3 {c.plural} have the most {w.nouns}?
top 3 {c.plural}
"""):
            yield "top groups", text, ranking(groups, len, count=3)
        for a in (w.amount, w.other):
            average = ranking(groups, lambda m, f=a.field: mean(numbers(m, f)), count=1)
            total = ranking(groups, lambda m, f=a.field: sum(numbers(m, f)), count=1)
            for text in lines(f"""
which {c.name} has the highest average {a.name}?
the {c.name} with the largest average {a.name}
what {c.name} has the greatest mean {a.name}?
in which {c.name} is the average {a.name} highest?
"""):
                yield "extreme group", text, average
            for text in (
                f"which {c.name} has the highest total {a.name}?",
                f"the {c.name} with the largest total {a.name}",
            ):
                yield "extreme group", text, total
            yield (
                "top groups",
                f"top 2 {c.plural} by average {a.name}",
                ranking(groups, lambda m, f=a.field: mean(numbers(m, f)), count=2),
            )
            yield (
                "top groups",
                f"the 2 {c.plural} with the lowest average {a.name}",
                ranking(groups, lambda m, f=a.field: mean(numbers(m, f)), down=False, count=2),
            )


def _bounds(w: Wording, records: list[Record], key: str) -> Cases:
    for c in (w.first, w.second):
        groups = by(records, c.field)
        counts = sorted(map(len, groups.values()))
        n = counts[len(counts) // 2]
        many = {k: m for k, m in groups.items() if len(m) > n}
        least = {k: m for k, m in groups.items() if len(m) >= n}
        few = {k: m for k, m in groups.items() if len(m) < n}
        for text in lines(f"""
{c.plural} with more than {n} {w.nouns}
which {c.plural} have more than {n} {w.nouns}?
list {c.plural} having over {n} {w.nouns}
"""):
            yield "bounded groups", text, table(many, len)
        for text in lines(f"""
{c.plural} with at least {n} {w.nouns}
which {c.plural} have {n} or more {w.nouns}?
count per {c.name}, but only {c.plural} with at least {n} {w.nouns}
"""):
            yield "bounded groups", text, table(least, len)
        for text in (
            f"{c.plural} with fewer than {n} {w.nouns}",
            f"{c.plural} that have less than {n} {w.nouns}",
        ):
            yield "bounded groups", text, table(few, len)
        for a in (w.amount, w.other):
            averages = {k: mean(numbers(m, a.field)) for k, m in groups.items()}
            bound = round(sorted(averages.values())[len(averages) // 2] - 0.01, 2)
            high = {k: v for k, v in averages.items() if v > bound}
            for text in lines(f"""
{c.plural} with an average {a.name} above {bound:.8g}
which {c.plural} have an average {a.name} over {bound:.8g}?
{c.plural} whose average {a.name} exceeds {bound:.8g}
{c.plural} where the average {a.name} is greater than {bound:.8g}
average {a.name} per {c.name} where it is above {bound:.8g}
"""):
                yield "bounded groups", text, Want("table", high)


def _orders(w: Wording, records: list[Record], key: str) -> Cases:
    for a in (w.amount, w.other):
        down = ordered(records, a.field, down=True)
        for text in lines(f"""
{w.nouns} sorted by {a.name} descending
{w.nouns} by {a.name}, highest first
all {w.nouns} ordered by {a.name} from high to low
{w.nouns} in descending order of {a.name}
{w.nouns} sorted by {a.name}, largest first
rank the {w.nouns} by {a.name}
{w.nouns} from highest to lowest {a.name}
list the {w.nouns} by decreasing {a.name}
"""):
            yield "order", text, down
        up = ordered(records, a.field, down=False)
        for text in lines(f"""
{w.nouns} sorted by {a.name}
{w.nouns} ordered by ascending {a.name}
{w.nouns} by {a.name}, lowest first
{w.nouns} sorted by {a.name} ascending
{w.nouns} from lowest to highest {a.name}
{w.nouns} in order of {a.name}
sort the {w.nouns} by {a.name}, smallest first
"""):
            yield "order", text, up
        some = kept(records, equals(w.fact.field, True))
        yield (
            "order",
            f"{w.fact.adjective} {w.nouns} sorted by {a.name} descending",
            ordered(some, a.field, down=True),
        )
    f = w.moment.field
    for text in lines(f"""
{w.nouns}, newest first
{w.nouns} sorted by {w.moment.name}, latest first
{w.nouns} from newest to oldest
{w.nouns} in reverse chronological order
most recent {w.nouns} first
"""):
        yield "order", text, ordered(records, f, down=True)
    for text in lines(f"""
{w.nouns} in chronological order
{w.nouns}, oldest first
{w.nouns} by {w.moment.name}
"""):
        yield "order", text, ordered(records, f, down=False)
    for text in lines(f"""
show 7 {w.nouns}
any 7 {w.nouns}
first 7 {w.nouns}
give me 7 {w.nouns}
7 {w.nouns}
list seven {w.nouns}
"""):
        yield "limit", text, Want("cut", (7, {r[key] for r in records}))


def _shares(w: Wording, records: list[Record], key: str) -> Cases:
    place = w.first.values[0]
    there = kept(records, equals(w.first.field, place))
    true = kept(records, equals(w.fact.field, True))
    both = kept(there, equals(w.fact.field, True))
    for text in lines(f"""
what percentage of {w.nouns} are {w.fact.adjective}?
share of {w.fact.adjective} {w.nouns}
what share of the {w.nouns} are {w.fact.adjective}?
percentage of {w.nouns} {w.fact.says}
what fraction of all {w.nouns} is {w.fact.adjective}?
proportion of {w.fact.adjective} {w.nouns}
how many percent of the {w.nouns} are {w.fact.adjective}?
"""):
        yield "share", text, part(text, Want("number", len(true) / len(records)))
    for text in lines(f"""
what percentage of {w.nouns} are {phrased(w.first, place)}?
share of {w.nouns} {phrased(w.first, place)}
what percent of all {w.nouns} is {phrased(w.first, place)}?
"""):
        yield "share", text, part(text, Want("number", len(there) / len(records)))
    for text in lines(f"""
what percentage of {w.nouns} {phrased(w.first, place)} are {w.fact.adjective}?
of the {w.nouns} {phrased(w.first, place)}, what share is {w.fact.adjective}?
among {w.nouns} {phrased(w.first, place)}, what percentage are {w.fact.adjective}?
{phrased(w.first, place)}, what fraction of {w.nouns} is {w.fact.adjective}?
"""):
        yield "share", text, part(text, Want("number", len(both) / len(there)))
    bound = w.amount.bounds[1]
    high = kept(records, lambda r: r[w.amount.field] > bound)
    yield (
        "share",
        f"what share of {w.nouns} has a {w.amount.name} above {bound:.8g}?",
        Want("number", len(high) / len(records)),
    )
    one, two = (kept(records, equals(w.first.field, v)) for v in w.first.values[:2])
    ratio = Want("number", len(one) / len(two))
    other = phrased(w.first, w.first.values[1])
    yield (
        "ratio",
        f"ratio of {w.nouns} {phrased(w.first, place)} to {w.nouns} {other}",
        ratio,
    )
    yield "ratio", f"ratio of {place} to {w.first.values[1]} {w.nouns}", ratio
    groups = by(records, w.first.field)
    flag = w.fact.field
    inside = table(groups, lambda m: len([r for r in m if r[flag]]) / len(m))
    for text in lines(f"""
percentage of {w.fact.adjective} {w.nouns} per {w.first.name}
share of {w.fact.adjective} {w.nouns} by {w.first.name}
for each {w.first.name}, what percentage of {w.nouns} are {w.fact.adjective}?
what fraction of {w.nouns} is {w.fact.adjective} in each {w.first.name}?
proportion of {w.fact.adjective} {w.nouns} for every {w.first.name}
what percentage of the {w.nouns} in each {w.first.name} are {w.fact.adjective}?
"""):
        yield "share per group", text, part(text, inside)
    whole = table(groups, lambda m: len(m) / len(records))
    for text in lines(f"""
share of {w.nouns} per {w.first.name}
percentage of {w.nouns} by {w.first.name}
what percentage of {w.nouns} does each {w.first.name} have?
percentage breakdown of {w.nouns} by {w.first.name}
"""):
        yield "share per group", text, part(text, whole)


def _relative(w: Wording, records: list[Record], key: str) -> Cases:
    for a in (w.amount, w.other):
        plain = a.name.removeprefix("number of ")
        middle = mean(numbers(records, a.field))
        above = docs(records, key, above_number(a.field, middle))
        below = docs(records, key, below_number(a.field, middle))
        for text in lines(f"""
{w.nouns} with above average {a.name}
{w.nouns} with an above-average {a.name}
{w.nouns} whose {a.name} is above average
{w.nouns} with more {plain} than average
{w.nouns} where the {a.name} is higher than average
{w.nouns} whose {a.name} is above the average
which {w.nouns} have a {a.name} above average?
{w.nouns} with a higher than average {a.name}
{w.nouns} with a {a.name} greater than the mean
"""):
            yield "above average", text, above
        for text in lines(f"""
{w.nouns} with below average {a.name}
{w.nouns} whose {a.name} is below average
{w.nouns} with a lower than average {a.name}
{w.nouns} where the {a.name} is less than the average
"""):
            yield "above average", text, below
        groups = by(records, w.second.field)
        best = {max(numbers(m, a.field)) for m in groups.values()}
        for text in lines(f"""
the {w.noun} with the highest {a.name} in each {w.second.name}
for each {w.second.name}, the {w.noun} with the highest {a.name}
top {w.noun} per {w.second.name} by {a.name}
"""):
            yield (
                "top per group",
                text,
                Want("docs", {r[key] for r in records if r[a.field] in best}),
            )
        firsts = {v for m in groups.values() for v in sorted(numbers(m, a.field), reverse=True)[:2]}
        for text in (
            f"top 2 {w.nouns} per {w.second.name} by {a.name}",
            f"the 2 {w.nouns} with the highest {a.name} for each {w.second.name}",
        ):
            yield (
                "top per group",
                text,
                Want("docs", {r[key] for r in records if r[a.field] in firsts}),
            )


def _spans(w: Wording, records: list[Record], key: str) -> Cases:
    f, verb = w.moment.field, w.moment.verb
    years, months = by_time(records, f, 4), by_time(records, f, 7)
    for text in lines(f"""
{w.nouns} per year
how many {w.nouns} each year?
number of {w.nouns} by year
{w.nouns} {verb} per year
yearly number of {w.nouns}
{w.nouns} by year of {w.moment.name}
annual count of {w.nouns}
count {w.nouns} year by year
how many {w.nouns} were {verb} every year?
number of {w.nouns} over the years
"""):
        yield "time", text, table(years, len)
    for text in lines(f"""
{w.nouns} per month
monthly count of {w.nouns}
number of {w.nouns} by month
"""):
        yield "time", text, table(months, len)
    for a in (w.amount, w.other):
        average = table(years, lambda m, f=a.field: mean(numbers(m, f)))
        for text in lines(f"""
average {a.name} per year
yearly average {a.name}
average {a.name} by year of {w.moment.name}
how did the average {a.name} develop over the years?
annual mean {a.name}
"""):
            yield "time", text, average
    best = ranking(years, len, count=1)
    for text in lines(f"""
which year had the most {w.nouns}?
in which year were most {w.nouns} {verb}?
the year with the most {w.nouns}
"""):
        yield "time", text, best


def _pairs(w: Wording, records: list[Record], key: str) -> Cases:
    a, b = w.first, w.second
    groups = by(records, a.field, b.field)
    for text in lines(f"""
{w.nouns} by {a.name} and {b.name}
number of {w.nouns} per {a.name} and {b.name}
count for each combination of {a.name} and {b.name}
{w.nouns} grouped by {a.name} and {b.name}
how many {w.nouns} per {a.name} and per {b.name}?
"""):
        yield "two keys", text, table(groups, len)
    yield (
        "two keys",
        f"average {w.other.name} by {a.name} and {b.name}",
        table(groups, lambda m: mean(numbers(m, w.other.field))),
    )
    groups = by(records, a.field)
    both = Want("table", {k: [len(m), mean(numbers(m, w.other.field))] for k, m in groups.items()})
    for text in (
        f"number of {w.nouns} and average {w.other.name} per {a.name}",
        f"count and average {w.other.name} by {a.name}",
    ):
        yield "two figures", text, both
    figures = Want(
        "table",
        {
            k: [min(numbers(m, w.other.field)), max(numbers(m, w.other.field))]
            for k, m in groups.items()
        },
    )
    yield "two figures", f"minimum and maximum {w.other.name} per {a.name}", figures


def _differences(w: Wording, records: list[Record], key: str) -> Cases:
    one, two = w.first.values[:2]
    left, right = (kept(records, equals(w.first.field, v)) for v in (one, two))
    more = Want("number", len(left) - len(right))
    for text in (
        f"how many more {w.nouns} {phrased(w.first, one)} than {phrased(w.first, two)}?",
        f"difference between the number of {w.nouns} {phrased(w.first, one)}"
        f" and {phrased(w.first, two)}",
    ):
        yield "difference", text, more
    a = w.other
    gap = Want("number", mean(numbers(left, a.field)) - mean(numbers(right, a.field)))
    for text in lines(f"""
difference in average {a.name} between {one} and {two}
how much higher is the average {a.name} {phrased(w.first, one)} than {phrased(w.first, two)}?
average {a.name} {phrased(w.first, one)} minus average {a.name} {phrased(w.first, two)}
"""):
        yield "difference", text, gap
    both = {one: mean(numbers(left, a.field)), two: mean(numbers(right, a.field))}
    for text in lines(f"""
compare the average {a.name} of {one} and {two}
average {a.name}: {one} vs {two}
average {a.name} {phrased(w.first, one)} versus {two}
"""):
        yield "comparison", text, Want("table", both)


def _columns(w: Wording, records: list[Record], key: str) -> Cases:
    a, b, c = w.first, w.second, w.other
    fields = Want("shown", {a.field, c.field})
    for text in lines(f"""
show the {a.name} and {c.name} of each {w.noun}
list {a.name} and {c.name} for all {w.nouns}
{a.name} and {c.name} of all {w.nouns}
just the {a.name} and the {c.name} of every {w.noun}
give me the {a.name} and {c.name} columns
"""):
        yield "columns", text, fields
    yield (
        "columns",
        f"show {a.name}, {b.name} and {c.name} for each {w.noun}",
        Want("shown", {a.field, b.field, c.field}),
    )


def _texts(w: Wording, records: list[Record], key: str) -> Cases:
    mentioned = docs(records, key, lambda r: w.mention in r["text"].lower())
    for text in lines(f"""
{w.nouns} that mention "{w.mention}"
{w.nouns} containing "{w.mention}"
{w.nouns} whose text contains "{w.mention}"
{w.nouns} with the word '{w.mention}'
{w.nouns} mentioning "{w.mention}"
{w.nouns} where "{w.mention}" is mentioned
"""):
        yield "quoted text", text, mentioned
    yield (
        "quoted text",
        f'how many {w.nouns} mention "{w.mention}"?',
        Want("number", len(mentioned.data)),
    )


def _refused(w: Wording, records: list[Record], key: str) -> Cases:
    for text, named in (
        (f"{w.nouns} in Atlantis", "atlantis"),
        (f"average happiness of {w.nouns}", "happiness"),
        (f"{w.nouns} per galaxy", "galaxy"),
        (f"sort {w.nouns} by sweetness", "sweetness"),
        (f"average {w.first.name} of {w.nouns}", w.first.name.split()[-1]),
        (f"{w.nouns} with more than 5 unicorns", "unicorn"),
        (f"email me the {w.nouns}", "email"),
        (f"draw a chart of {w.nouns} per {w.first.name}", "chart"),
        (f"{w.nouns} that smell funny", "smell"),
        (f"purple {w.nouns}", "purple"),
        ("delete all documents", "delete"),
        (f"predict next year's {w.nouns}", "predict"),
    ):
        yield "refused", text, Want("refused", named)


NUMBER_PARTS = (
    _figures,
    _tables,
    _superlatives,
    _bounds,
    _orders,
    _shares,
    _relative,
    _spans,
    _pairs,
    _differences,
    _columns,
    _texts,
    _refused,
)
