"""The grammar of questions: wordings with slots, filled from each collection."""

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from tests.backend.plans.requests.cases import (
    Case,
    Record,
    Test,
    Want,
    by,
    by_time,
    kept,
    mean,
    numbers,
    ordered,
    ranking,
    table,
)
from tests.backend.plans.requests.wording import Amount, Category, Wording

Found = Iterator[tuple[str, str, Want]]


def questions(words: Wording, records: list[Record], key: str) -> Iterator[Case]:
    """All questions about one collection."""
    for part in (_values, _numbers, _dates, _facts, _gaps, _counts, _figures, _tables,
                 _superlatives, _bounds, _orders, _shares, _relative, _spans, _pairs,
                 _differences, _columns, _texts, _refused):  # fmt: skip
        for sort, text, want in part(words, records, key):
            yield Case(words.name, sort, (text,), want)


def docs(records: list[Record], key: str, *tests: Test) -> Want:
    return Want("docs", {record[key] for record in kept(records, *tests)})


def equals(field: str, *values: object) -> Test:
    return lambda record: record[field] in values


def differs(field: str, *values: object) -> Test:
    return lambda record: record[field] not in values


def said(category: Category, value: str, i: int = 0) -> str:
    return category.says[i % len(category.says)].format(value)


def holding(amount: Amount, comparison: str, i: int = 0) -> str:
    form = amount.holds[i % len(amount.holds)]
    return form.replace("{of}", "of ").replace("{}", comparison)


ASKING = (
    "{}", "show me {}", "list all {}", "find {}", "which {} are there?", "give me the {}",
    "I need all {}", "Please get me the {}", "could you show me {}?", "what {} do we have?",
    "are there any {}?", "display {}", "I'm looking for {}", "let me see the {}",
)  # fmt: skip


def asked(i: int, phrase: str) -> str:
    return ASKING[i % len(ASKING)].format(phrase)


def _values(w: Wording, records: list[Record], key: str) -> Found:
    a, b = w.first, w.second
    for i, form in enumerate(ASKING):
        yield "value", asked(i, f"{w.nouns} {said(a, a.values[i % 3], i)}"), docs(
            records, key, equals(a.field, a.values[i % 3]))  # fmt: skip
        if b.fronted:
            yield "value in front", form.format(f"{b.values[i % 3]} {w.nouns}"), docs(
                records, key, equals(b.field, b.values[i % 3]))  # fmt: skip
    one, two, three = a.values[:3]
    either = docs(records, key, equals(a.field, one, two))
    for text in (
        f"{w.nouns} {said(a, one)} or {two}", f"{w.nouns} {said(a, one)} and {two}",
        f"{w.nouns} either {said(a, one)} or {said(a, two)}",
        f"{w.nouns} {said(a, one)} as well as {two}", f"{w.nouns} {said(a, one)}, {two}",
        f"all {w.nouns} whose {a.name} is {one} or {two}",
        f"{w.nouns} where {a.name} is one of {one}, {two}", f"both {one} and {two} {w.nouns}",
        f"{w.nouns} {said(a, one)} and those {said(a, two)}",
    ):  # fmt: skip
        yield "two values", text, either
    yield "two values", f"{w.nouns} {said(a, one)}, {two} or {three}", docs(
        records, key, equals(a.field, one, two, three))  # fmt: skip
    without = docs(records, key, differs(a.field, one))
    for text in (
        f"{w.nouns} not {said(a, one)}", f"{w.nouns} that are not {said(a, one)}",
        f"all {w.nouns} except the ones {said(a, one)}", f"{w.nouns} other than those {said(a, one)}",
        f"{w.nouns} excluding {one}", f"{w.nouns} apart from {one}", f"every {w.noun} but {one}",
        f"all {w.nouns} except {one}", f"{w.nouns} whose {a.name} isn't {one}",
        f"{w.nouns} where the {a.name} is anything but {one}", f"{w.nouns}, leaving out {one}",
        f"{w.nouns} outside {one}", f"non-{one} {w.nouns}", f"{w.nouns} from any {a.name} but {one}",
        f"{w.nouns} with a {a.name} other than {one}", f"all {w.nouns} minus the {one} ones",
    ):  # fmt: skip
        yield "not a value", text, without
    yield "not two values", f"{w.nouns} {said(a, one)[:0]}neither in {one} nor in {two}", docs(
        records, key, differs(a.field, one, two))  # fmt: skip
    yield "not two values", f"{w.nouns} outside {one} and {two}", docs(
        records, key, differs(a.field, one, two))  # fmt: skip
    both = docs(records, key, equals(a.field, one), equals(b.field, b.values[0]))
    for text in (
        f"{b.values[0]} {w.nouns} {said(a, one)}", f"{w.nouns} {said(a, one)} {said(b, b.values[0])}",
        f"{one} {w.nouns} that are {b.values[0]}", f"{w.nouns} {said(a, one)} with {b.name} {b.values[0]}",
        f"{w.nouns} where {a.name} = {one} and {b.name} = {b.values[0]}",
        f"{a.name}: {one}, {b.name}: {b.values[0]}",
    ):  # fmt: skip
        yield "two properties", text, both


ABOVE = ("more than {}", "over {}", "above {}", "greater than {}", "> {}", "in excess of {}",
         "upwards of {}", "larger than {}", "higher than {}", "exceeding {}")  # fmt: skip
AT_LEAST = ("at least {}", "no less than {}", "no fewer than {}", "a minimum of {}", "{} or more",
            ">= {}", "not less than {}", "{} and up", "{}+")  # fmt: skip
BELOW = ("less than {}", "under {}", "below {}", "fewer than {}", "< {}", "lower than {}",
         "smaller than {}")  # fmt: skip
AT_MOST = ("at most {}", "no more than {}", "up to {}", "a maximum of {}", "{} or less", "<= {}",
           "not more than {}", "{} or fewer", "{} at most", "not over {}")  # fmt: skip
BETWEEN = ("between {} and {}", "from {} to {}", "{} to {}", "{}-{}", "somewhere between {} and {}",
           "in the range of {} to {}", "at least {} and at most {}",
           "at least {} but no more than {}")  # fmt: skip


def comparisons(field: str, low: float, high: float) -> Iterator[tuple[str, Test]]:
    shown, shown_high = f"{low:g}", f"{high:g}"
    groups: tuple[tuple[Sequence[str], Test], ...] = (
        (ABOVE, lambda r: r[field] > low), (AT_LEAST, lambda r: r[field] >= low),
        (BELOW, lambda r: r[field] < low), (AT_MOST, lambda r: r[field] <= low),
    )  # fmt: skip
    for forms, test in groups:
        for form in forms:
            yield form.format(shown), test
    for form in BETWEEN:
        yield form.format(shown, shown_high), lambda r: low <= r[field] <= high


def _numbers(w: Wording, records: list[Record], key: str) -> Found:
    for amount in (w.amount, w.other):
        low, high = amount.bounds
        for i, (comparison, test) in enumerate(comparisons(amount.field, low, high)):
            yield "number", f"{w.nouns} {holding(amount, comparison, i)}", docs(records, key, test)
            text = f"{w.nouns} where the {amount.name} is {comparison}"
            yield "number", asked(i, text), docs(records, key, test)
        above = docs(records, key, lambda r: r[amount.field] > high)
        for i, spelled in enumerate(amount.spelled):
            yield "unit", f"{w.nouns} {holding(amount, f'over {spelled}', i)}", above
            yield "unit", f"which {w.nouns} have a {amount.name} above {spelled}?", above
        both = docs(records, key, lambda r: r[amount.field] > low,
                    equals(w.first.field, w.first.values[0]))  # fmt: skip
        for i in range(3):
            place = said(w.first, w.first.values[0], i)
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


def _dates(w: Wording, records: list[Record], key: str) -> Found:
    f, verb, name = w.moment.field, w.moment.verb, w.moment.name
    forms: tuple[tuple[str, Test], ...] = (
        ("in 2023", lambda r: r[f][:4] == "2023"), ("during 2022", lambda r: r[f][:4] == "2022"),
        ("before 2021", lambda r: r[f] < "2021"), ("after 2022", lambda r: r[f] > "2022-12-31"),
        ("since 2023", lambda r: r[f] >= "2023"), ("in March 2022", lambda r: r[f][:7] == "2022-03"),
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
        ("last year", lambda r: r[f][:4] == "2025"), ("this year", lambda r: r[f][:4] == "2026"),
        ("in the last 12 months", lambda r: r[f] > "2025-05-28"),
        ("in the past two years", lambda r: r[f] > "2024-05-28"),
        ("within the last 6 months", lambda r: r[f] > "2025-11-28"),
        ("in 2021 or 2023", lambda r: r[f][:4] in ("2021", "2023")),
        ("no later than 2020", lambda r: r[f] < "2021"), ("not in 2022", lambda r: r[f][:4] != "2022"),
        ("outside 2022", lambda r: r[f][:4] != "2022"), ("in early 2023", lambda r: "2023" <= r[f] < "2023-05"),
        ("more than two years ago", lambda r: r[f] < "2024-05-28"),
        ("in the summer of 2022", lambda r: "2022-06" <= r[f] < "2022-09"),
        ("at the end of 2022", lambda r: "2022-09" <= r[f] < "2023"),
    )  # fmt: skip
    for i, (span, test) in enumerate(forms):
        sort = "vague date" if span.startswith(("in early", "at the end")) else "date"
        yield sort, f"{w.nouns} {verb} {span}", docs(records, key, test)
        yield sort, asked(i, f"{w.nouns} with a {name} {span}"), docs(records, key, test)
        yield sort, f"{w.nouns} {span}", docs(records, key, test)


def _facts(w: Wording, records: list[Record], key: str) -> Found:
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
    yield "fact and value", f"{w.fact.adjective} {w.nouns} {said(w.first, w.first.values[1])}", both
    yield "fact and value", f"{w.nouns} {said(w.first, w.first.values[1])} {w.fact.says}", both


def _gaps(w: Wording, records: list[Record], key: str) -> Found:
    g = w.gap
    gone = docs(records, key, lambda r: r[g.field] is None)
    there = docs(records, key, lambda r: r[g.field] is not None)
    for text in (
        f"{w.nouns} without {g.one}", f"{w.nouns} with no {g.name}", f"{w.nouns} missing {g.one}",
        f"{w.nouns} where the {g.name} is missing", f"{w.nouns} that have no {g.name}",
        f"{w.nouns} lacking {g.one}", f"{w.nouns} with an unknown {g.name}",
        f"{w.nouns} where no {g.name} is recorded", f"{w.nouns} that don't have {g.one}",
        f"which {w.nouns} have an empty {g.name}?", f"{w.nouns} whose {g.name} is not known",
        f"{w.nouns} where {g.name} is null", f"{w.nouns} with a blank {g.name}",
    ):  # fmt: skip
        yield "gap", text, gone
    for text in (
        f"{w.nouns} with {g.one}", f"{w.nouns} that have {g.one}", f"{w.nouns} with a known {g.name}",
        f"{w.nouns} where the {g.name} is known", f"{w.nouns} whose {g.name} is recorded",
        f"{w.nouns} where {g.name} is not missing", f"{w.nouns} that do have {g.one}",
    ):  # fmt: skip
        yield "no gap", text, there


HOW_MANY = (
    "how many {n} {p}?", "how many {n} are there {p}?", "number of {n} {p}", "count the {n} {p}",
    "count of {n} {p}", "what is the number of {n} {p}?", "total number of {n} {p}",
    "what's the count of {n} {p}?", "tell me how many {n} {p} there are", "how many of the {n} are {p}?",
    "I'd like to know the number of {n} {p}", "how many {n} do we have {p}", "tally of {n} {p}",
)  # fmt: skip


def _counts(w: Wording, records: list[Record], key: str) -> Found:
    place = w.first.values[0]
    there = Want("number", len(kept(records, equals(w.first.field, place))))
    true = Want("number", len(kept(records, equals(w.fact.field, True))))
    for i, form in enumerate(HOW_MANY):
        yield "count", form.format(n=w.nouns, p=w.first.says[0].format(place)), there
        if "of the" not in form:
            yield "count", form.format(n=w.nouns, p=w.fact.says), true
    yield "count", f"how many {w.nouns} are {w.fact.adjective}?", true
    yield "count", f"how many {w.nouns} are there in total?", Want("number", len(records))
    yield "count", f"how many {w.nouns} are there?", Want("number", len(records))
    for category in (w.first, w.second):
        different = Want("number", len({r[category.field] for r in records}))
        for text in (
            f"how many different {category.plural} are there?", f"number of distinct {category.plural}",
            f"how many {category.plural} are there?", f"count the unique {category.plural}",
            f"in how many {category.plural} do we have {w.nouns}?",
            f"how many unique {category.plural} appear?", f"number of different {category.plural}",
        ):  # fmt: skip
            yield "distinct count", text, different
        names = Want("values", {r[category.field] for r in records})
        for text in (
            f"which {category.plural} are there?", f"list the {category.plural}",
            f"what {category.plural} occur?", f"show the different {category.plural}",
            f"all distinct {category.plural}", f"list of {category.plural}",
            f"what are the {category.plural}?", f"name all {category.plural}",
        ):  # fmt: skip
            yield "distinct values", text, names


Figure = Callable[[list[float]], float]
FIGURES: tuple[tuple[Sequence[str], Figure], ...] = (
    (("average {}", "mean {}", "avg {}", "what is the average {}", "what's the mean {}",
      "how high is the average {}", "the {} on average"), mean),
    (("total {}", "sum of the {}", "what is the total {}", "the combined {}", "overall {}",
      "add up the {}"), sum),
    (("median {}", "what is the median {}"), median),
    (("maximum {}", "highest {}", "what is the highest {}", "what's the largest {}", "max {}",
      "biggest {}"), max),
    (("minimum {}", "lowest {}", "what is the lowest {}", "smallest {}", "min {}"), min),
)  # fmt: skip


def _figures(w: Wording, records: list[Record], key: str) -> Found:
    place = w.first.values[1]
    some = kept(records, equals(w.first.field, place))
    true = kept(records, equals(w.fact.field, True))
    for amount in (w.amount, w.other):
        for forms, figure in FIGURES:
            for i, form in enumerate(forms):
                text = form.format(amount.name)
                where = f"{w.nouns} {said(w.first, place, i)}"
                wanted = Want("number", figure(numbers(some, amount.field)))
                if form in ("highest {}", "biggest {}", "lowest {}", "smallest {}"):
                    text = f"what is the {text}"
                yield "figure", f"{text} of {where}", wanted
                yield "figure", f"{text} for {w.fact.adjective} {w.nouns}", Want(
                    "number", figure(numbers(true, amount.field)))  # fmt: skip
                yield "figure", f"{text} across all {w.nouns}", Want(
                    "number", figure(numbers(records, amount.field)))  # fmt: skip


def _tables(w: Wording, records: list[Record], key: str) -> Found:
    for c in (w.first, w.second):
        groups = by(records, c.field)
        for text in (
            f"{w.nouns} per {c.name}", f"how many {w.nouns} per {c.name}?",
            f"number of {w.nouns} by {c.name}", f"count by {c.name}", f"breakdown by {c.name}",
            f"for each {c.name}, how many {w.nouns} are there?", f"{w.noun} counts by {c.name}",
            f"how many {w.nouns} does each {c.name} have?", f"{w.nouns} grouped by {c.name}",
            f"distribution of {w.nouns} across {c.plural}", f"how do the {w.nouns} split by {c.name}?",
            f"count the {w.nouns} in each {c.name}", f"break the {w.nouns} down by {c.name}",
            f"how are the {w.nouns} distributed over the {c.plural}?",
            f"number of {w.nouns} for every {c.name}", f"group the {w.nouns} by {c.name} and count them",
            f"give me a count of {w.nouns} per {c.name}", f"tally {w.nouns} by {c.name}",
        ):  # fmt: skip
            yield "counts per group", text, table(groups, len)
        for a in (w.amount, w.other):
            average = table(groups, lambda m, f=a.field: mean(numbers(m, f)))
            for text in (
                f"average {a.name} per {c.name}", f"average {a.name} by {c.name}",
                f"for each {c.name}, the average {a.name}", f"what is the mean {a.name} in each {c.name}?",
                f"mean {a.name} of the {w.nouns} for every {c.name}",
                f"compare the average {a.name} across {c.plural}",
                f"how does the average {a.name} vary by {c.name}?",
                f"average {a.name} of {w.nouns} grouped by {c.name}",
                f"the average {a.name} broken down by {c.name}", f"per {c.name}: average {a.name}",
                f"what's the average {a.name} for the different {c.plural}?",
            ):  # fmt: skip
                yield "figures per group", text, average
            yield "figures per group", f"total {a.name} per {c.name}", table(
                groups, lambda m, f=a.field: sum(numbers(m, f)))  # fmt: skip
            yield "figures per group", f"highest {a.name} per {c.name}", table(
                groups, lambda m, f=a.field: max(numbers(m, f)))  # fmt: skip
            yield "figures per group", f"the maximum {a.name} in each {c.name}", table(
                groups, lambda m, f=a.field: max(numbers(m, f)))  # fmt: skip
            yield "figures per group", f"median {a.name} by {c.name}", table(
                groups, lambda m, f=a.field: median(numbers(m, f)))  # fmt: skip


def _superlatives(w: Wording, records: list[Record], key: str) -> Found:
    for a in (w.amount, w.other):
        plain = a.name.removeprefix("number of ")
        most = "most" if plain != a.name else "highest"
        least = "fewest" if plain != a.name else "lowest"
        for text in (
            f"the {w.noun} with the {most} {plain}", f"which {w.noun} has the {most} {plain}?",
            f"what {w.noun} has the highest {a.name}?", f"{w.noun} with the largest {a.name}",
            f"find the {w.noun} that has the greatest {a.name}",
        ):  # fmt: skip
            yield "superlative", text, ordered(records, a.field, down=True, count=1)
        for text in (
            f"the {w.noun} with the {least} {plain}", f"which {w.noun} has the lowest {a.name}?",
            f"{w.noun} with the smallest {a.name}",
        ):  # fmt: skip
            yield "superlative", text, ordered(records, a.field, down=False, count=1)
        for text in (
            f"top 5 {w.nouns} by {a.name}", f"the 5 {w.nouns} with the {most} {plain}",
            f"five {w.nouns} with the highest {a.name}", f"top five {w.nouns} in terms of {a.name}",
            f"{w.nouns} with the {most} {plain}, top 5", f"which 5 {w.nouns} have the {most} {plain}?",
            f"5 largest {w.nouns} by {a.name}", f"the top 5 by {a.name}",
            f"show the 5 {w.nouns} that have the highest {a.name}",
        ):  # fmt: skip
            yield "top n", text, ordered(records, a.field, down=True, count=5)
        for text in (
            f"bottom 4 {w.nouns} by {a.name}", f"the 4 {w.nouns} with the {least} {plain}",
            f"4 {w.nouns} with the lowest {a.name}", f"the four {w.nouns} having the smallest {a.name}",
        ):  # fmt: skip
            yield "top n", text, ordered(records, a.field, down=False, count=4)
    f, verb = w.moment.field, w.moment.verb
    for text in (f"the 3 most recent {w.nouns}", f"latest 3 {w.nouns}", f"3 newest {w.nouns}",
                 f"the three {w.nouns} {verb} last", f"last 3 {w.nouns} by {w.moment.name}"):  # fmt: skip
        yield "top n", text, ordered(records, f, down=True, count=3)
    for text in (f"the oldest {w.noun}", f"the earliest {w.noun}", f"the {w.noun} {verb} first"):
        yield "superlative", text, ordered(records, f, down=False, count=1)
    for c in (w.first, w.second):
        groups = by(records, c.field)
        for text in (
            f"which {c.name} has the most {w.nouns}?", f"the {c.name} with the most {w.nouns}",
            f"what {c.name} has the highest number of {w.nouns}?", f"most common {c.name}",
            f"most frequent {c.name}", f"which {c.name} is the most common?",
            f"which {c.name} occurs most often?", f"top {c.name} by number of {w.nouns}",
            f"what is the most common {c.name} among the {w.nouns}?",
        ):  # fmt: skip
            yield "extreme group", text, ranking(groups, len, count=1)
        for text in (f"which {c.plural} have the most {w.nouns}?", f"{c.plural} ranked by number of {w.nouns}",
                     f"which {c.plural} led to the most {w.nouns}?"):  # fmt: skip
            yield "ranked groups", text, ranking(groups, len)
        for text in (f"which {c.name} has the fewest {w.nouns}?", f"the {c.name} with the least {w.nouns}",
                     f"the least common {c.name}"):  # fmt: skip
            yield "extreme group", text, ranking(groups, len, down=False, count=1)
        for text in (f"top 3 {c.plural} by number of {w.nouns}", f"the 3 {c.plural} with the most {w.nouns}",
                     f"3 most common {c.plural}", f"the three most frequent {c.plural}",
                     f"which 3 {c.plural} have the most {w.nouns}?",
                     f"top 3 {c.plural}"):  # fmt: skip
            yield "top groups", text, ranking(groups, len, count=3)
        for a in (w.amount, w.other):
            average = ranking(groups, lambda m, f=a.field: mean(numbers(m, f)), count=1)
            total = ranking(groups, lambda m, f=a.field: sum(numbers(m, f)), count=1)
            for text in (f"which {c.name} has the highest average {a.name}?",
                         f"the {c.name} with the largest average {a.name}",
                         f"what {c.name} has the greatest mean {a.name}?",
                         f"in which {c.name} is the average {a.name} highest?"):  # fmt: skip
                yield "extreme group", text, average
            for text in (f"which {c.name} has the highest total {a.name}?",
                         f"the {c.name} with the largest total {a.name}"):  # fmt: skip
                yield "extreme group", text, total
            yield "top groups", f"top 2 {c.plural} by average {a.name}", ranking(
                groups, lambda m, f=a.field: mean(numbers(m, f)), count=2)  # fmt: skip
            yield "top groups", f"the 2 {c.plural} with the lowest average {a.name}", ranking(
                groups, lambda m, f=a.field: mean(numbers(m, f)), down=False, count=2)  # fmt: skip


def _bounds(w: Wording, records: list[Record], key: str) -> Found:
    for c in (w.first, w.second):
        groups = by(records, c.field)
        counts = sorted(map(len, groups.values()))
        n = counts[len(counts) // 2]
        many = {k: m for k, m in groups.items() if len(m) > n}
        least = {k: m for k, m in groups.items() if len(m) >= n}
        few = {k: m for k, m in groups.items() if len(m) < n}
        for text in (f"{c.plural} with more than {n} {w.nouns}", f"which {c.plural} have more than {n} {w.nouns}?",
                     f"list {c.plural} having over {n} {w.nouns}"):  # fmt: skip
            yield "bounded groups", text, table(many, len)
        for text in (f"{c.plural} with at least {n} {w.nouns}", f"which {c.plural} have {n} or more {w.nouns}?",
                     f"count per {c.name}, but only {c.plural} with at least {n} {w.nouns}"):  # fmt: skip
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
            for text in (f"{c.plural} with an average {a.name} above {bound:.8g}",
                         f"which {c.plural} have an average {a.name} over {bound:.8g}?",
                         f"{c.plural} whose average {a.name} exceeds {bound:.8g}",
                         f"{c.plural} where the average {a.name} is greater than {bound:.8g}",
                         f"average {a.name} per {c.name} where it is above {bound:.8g}"):  # fmt: skip
                yield "bounded groups", text, Want("table", high)


def _orders(w: Wording, records: list[Record], key: str) -> Found:
    for a in (w.amount, w.other):
        down = ordered(records, a.field, down=True)
        for text in (f"{w.nouns} sorted by {a.name} descending", f"{w.nouns} by {a.name}, highest first",
                     f"all {w.nouns} ordered by {a.name} from high to low",
                     f"{w.nouns} in descending order of {a.name}", f"{w.nouns} sorted by {a.name}, largest first",
                     f"rank the {w.nouns} by {a.name}", f"{w.nouns} from highest to lowest {a.name}",
                     f"list the {w.nouns} by decreasing {a.name}"):  # fmt: skip
            yield "order", text, down
        up = ordered(records, a.field, down=False)
        for text in (f"{w.nouns} sorted by {a.name}", f"{w.nouns} ordered by ascending {a.name}",
                     f"{w.nouns} by {a.name}, lowest first", f"{w.nouns} sorted by {a.name} ascending",
                     f"{w.nouns} from lowest to highest {a.name}", f"{w.nouns} in order of {a.name}",
                     f"sort the {w.nouns} by {a.name}, smallest first"):  # fmt: skip
            yield "order", text, up
        some = kept(records, equals(w.fact.field, True))
        yield "order", f"{w.fact.adjective} {w.nouns} sorted by {a.name} descending", ordered(
            some, a.field, down=True)  # fmt: skip
    f = w.moment.field
    for text in (f"{w.nouns}, newest first", f"{w.nouns} sorted by {w.moment.name}, latest first",
                 f"{w.nouns} from newest to oldest", f"{w.nouns} in reverse chronological order",
                 f"most recent {w.nouns} first"):  # fmt: skip
        yield "order", text, ordered(records, f, down=True)
    for text in (
        f"{w.nouns} in chronological order",
        f"{w.nouns}, oldest first",
        f"{w.nouns} by {w.moment.name}",
    ):
        yield "order", text, ordered(records, f, down=False)
    for text in (f"show 7 {w.nouns}", f"any 7 {w.nouns}", f"first 7 {w.nouns}", f"give me 7 {w.nouns}",
                 f"7 {w.nouns}", f"list seven {w.nouns}"):  # fmt: skip
        yield "limit", text, Want("cut", (7, {r[key] for r in records}))


def _shares(w: Wording, records: list[Record], key: str) -> Found:
    place = w.first.values[0]
    there = kept(records, equals(w.first.field, place))
    true = kept(records, equals(w.fact.field, True))
    both = kept(there, equals(w.fact.field, True))
    for text in (f"what percentage of {w.nouns} are {w.fact.adjective}?", f"share of {w.fact.adjective} {w.nouns}",
                 f"what share of the {w.nouns} are {w.fact.adjective}?", f"percentage of {w.nouns} {w.fact.says}",
                 f"what fraction of all {w.nouns} is {w.fact.adjective}?", f"proportion of {w.fact.adjective} {w.nouns}",
                 f"how many percent of the {w.nouns} are {w.fact.adjective}?"):  # fmt: skip
        yield "share", text, Want("number", len(true) / len(records))
    for text in (f"what percentage of {w.nouns} are {said(w.first, place)}?",
                 f"share of {w.nouns} {said(w.first, place)}",
                 f"what percent of all {w.nouns} is {said(w.first, place)}?"):  # fmt: skip
        yield "share", text, Want("number", len(there) / len(records))
    for text in (f"what percentage of {w.nouns} {said(w.first, place)} are {w.fact.adjective}?",
                 f"of the {w.nouns} {said(w.first, place)}, what share is {w.fact.adjective}?",
                 f"among {w.nouns} {said(w.first, place)}, what percentage are {w.fact.adjective}?",
                 f"{said(w.first, place)}, what fraction of {w.nouns} is {w.fact.adjective}?"):  # fmt: skip
        yield "share", text, Want("number", len(both) / len(there))
    bound = w.amount.bounds[1]
    high = kept(records, lambda r: r[w.amount.field] > bound)
    yield "share", f"what share of {w.nouns} has a {w.amount.name} above {bound:.8g}?", Want(
        "number", len(high) / len(records))  # fmt: skip
    one, two = (kept(records, equals(w.first.field, v)) for v in w.first.values[:2])
    ratio = Want("number", len(one) / len(two))
    yield (
        "ratio",
        f"ratio of {w.nouns} {said(w.first, place)} to {w.nouns} {said(w.first, w.first.values[1])}",
        ratio,
    )
    yield "ratio", f"ratio of {place} to {w.first.values[1]} {w.nouns}", ratio
    groups = by(records, w.first.field)
    flag = w.fact.field
    inside = table(groups, lambda m: len([r for r in m if r[flag]]) / len(m))
    for text in (f"percentage of {w.fact.adjective} {w.nouns} per {w.first.name}",
                 f"share of {w.fact.adjective} {w.nouns} by {w.first.name}",
                 f"for each {w.first.name}, what percentage of {w.nouns} are {w.fact.adjective}?",
                 f"what fraction of {w.nouns} is {w.fact.adjective} in each {w.first.name}?",
                 f"proportion of {w.fact.adjective} {w.nouns} for every {w.first.name}",
                 f"what percentage of the {w.nouns} in each {w.first.name} are {w.fact.adjective}?"):  # fmt: skip
        yield "share per group", text, inside
    whole = table(groups, lambda m: len(m) / len(records))
    for text in (f"share of {w.nouns} per {w.first.name}", f"percentage of {w.nouns} by {w.first.name}",
                 f"what percentage of {w.nouns} does each {w.first.name} have?",
                 f"percentage breakdown of {w.nouns} by {w.first.name}"):  # fmt: skip
        yield "share per group", text, whole


def _relative(w: Wording, records: list[Record], key: str) -> Found:
    for a in (w.amount, w.other):
        plain = a.name.removeprefix("number of ")
        middle = mean(numbers(records, a.field))
        above = docs(records, key, lambda r: r[a.field] > middle)
        below = docs(records, key, lambda r: r[a.field] < middle)
        for text in (f"{w.nouns} with above average {a.name}", f"{w.nouns} with an above-average {a.name}",
                     f"{w.nouns} whose {a.name} is above average", f"{w.nouns} with more {plain} than average",
                     f"{w.nouns} where the {a.name} is higher than average",
                     f"{w.nouns} whose {a.name} is above the average", f"which {w.nouns} have a {a.name} above average?",
                     f"{w.nouns} with a higher than average {a.name}",
                     f"{w.nouns} with a {a.name} greater than the mean"):  # fmt: skip
            yield "above average", text, above
        for text in (f"{w.nouns} with below average {a.name}", f"{w.nouns} whose {a.name} is below average",
                     f"{w.nouns} with a lower than average {a.name}",
                     f"{w.nouns} where the {a.name} is less than the average"):  # fmt: skip
            yield "above average", text, below
        groups = by(records, w.second.field)
        best = {max(numbers(m, a.field)) for m in groups.values()}
        for text in (f"the {w.noun} with the highest {a.name} in each {w.second.name}",
                     f"for each {w.second.name}, the {w.noun} with the highest {a.name}",
                     f"top {w.noun} per {w.second.name} by {a.name}"):  # fmt: skip
            yield (
                "top per group",
                text,
                Want("docs", {r[key] for r in records if r[a.field] in best}),
            )
        firsts = {v for m in groups.values() for v in sorted(numbers(m, a.field), reverse=True)[:2]}
        for text in (f"top 2 {w.nouns} per {w.second.name} by {a.name}",
                     f"the 2 {w.nouns} with the highest {a.name} for each {w.second.name}"):  # fmt: skip
            yield (
                "top per group",
                text,
                Want("docs", {r[key] for r in records if r[a.field] in firsts}),
            )


def _spans(w: Wording, records: list[Record], key: str) -> Found:
    f, verb = w.moment.field, w.moment.verb
    years, months = by_time(records, f, 4), by_time(records, f, 7)
    for text in (f"{w.nouns} per year", f"how many {w.nouns} each year?", f"number of {w.nouns} by year",
                 f"{w.nouns} {verb} per year", f"yearly number of {w.nouns}", f"{w.nouns} by year of {w.moment.name}",
                 f"annual count of {w.nouns}", f"count {w.nouns} year by year", f"how many {w.nouns} were {verb} every year?",
                 f"number of {w.nouns} over the years"):  # fmt: skip
        yield "time", text, table(years, len)
    for text in (
        f"{w.nouns} per month",
        f"monthly count of {w.nouns}",
        f"number of {w.nouns} by month",
    ):
        yield "time", text, table(months, len)
    for a in (w.amount, w.other):
        average = table(years, lambda m, f=a.field: mean(numbers(m, f)))
        for text in (f"average {a.name} per year", f"yearly average {a.name}", f"average {a.name} by year of {w.moment.name}",
                     f"how did the average {a.name} develop over the years?",
                     f"annual mean {a.name}"):  # fmt: skip
            yield "time", text, average
    best = ranking(years, len, count=1)
    for text in (f"which year had the most {w.nouns}?", f"in which year were most {w.nouns} {verb}?",
                 f"the year with the most {w.nouns}"):  # fmt: skip
        yield "time", text, best


def _pairs(w: Wording, records: list[Record], key: str) -> Found:
    a, b = w.first, w.second
    groups = by(records, a.field, b.field)
    for text in (f"{w.nouns} by {a.name} and {b.name}", f"number of {w.nouns} per {a.name} and {b.name}",
                 f"count for each combination of {a.name} and {b.name}",
                 f"{w.nouns} grouped by {a.name} and {b.name}",
                 f"how many {w.nouns} per {a.name} and per {b.name}?"):  # fmt: skip
        yield "two keys", text, table(groups, len)
    yield "two keys", f"average {w.other.name} by {a.name} and {b.name}", table(
        groups, lambda m: mean(numbers(m, w.other.field)))  # fmt: skip
    groups = by(records, a.field)
    both = Want("table", {k: [len(m), mean(numbers(m, w.other.field))] for k, m in groups.items()})
    for text in (f"number of {w.nouns} and average {w.other.name} per {a.name}",
                 f"count and average {w.other.name} by {a.name}"):  # fmt: skip
        yield "two figures", text, both
    figures = Want("table", {
        k: [min(numbers(m, w.other.field)), max(numbers(m, w.other.field))] for k, m in groups.items()
    })  # fmt: skip
    yield "two figures", f"minimum and maximum {w.other.name} per {a.name}", figures


def _differences(w: Wording, records: list[Record], key: str) -> Found:
    one, two = w.first.values[:2]
    left, right = (kept(records, equals(w.first.field, v)) for v in (one, two))
    more = Want("number", len(left) - len(right))
    for text in (f"how many more {w.nouns} {said(w.first, one)} than {said(w.first, two)}?",
                 f"difference between the number of {w.nouns} {said(w.first, one)} and {said(w.first, two)}"):  # fmt: skip
        yield "difference", text, more
    a = w.other
    gap = Want("number", mean(numbers(left, a.field)) - mean(numbers(right, a.field)))
    for text in (f"difference in average {a.name} between {one} and {two}",
                 f"how much higher is the average {a.name} {said(w.first, one)} than {said(w.first, two)}?",
                 f"average {a.name} {said(w.first, one)} minus average {a.name} {said(w.first, two)}"):  # fmt: skip
        yield "difference", text, gap
    both = {one: mean(numbers(left, a.field)), two: mean(numbers(right, a.field))}
    for text in (f"compare the average {a.name} of {one} and {two}",
                 f"average {a.name}: {one} vs {two}", f"average {a.name} {said(w.first, one)} versus {two}"):  # fmt: skip
        yield "comparison", text, Want("table", both)


def _columns(w: Wording, records: list[Record], key: str) -> Found:
    a, b, c = w.first, w.second, w.other
    fields = Want("shown", {a.field, c.field})
    for text in (f"show the {a.name} and {c.name} of each {w.noun}", f"list {a.name} and {c.name} for all {w.nouns}",
                 f"{a.name} and {c.name} of all {w.nouns}", f"just the {a.name} and the {c.name} of every {w.noun}",
                 f"give me the {a.name} and {c.name} columns"):  # fmt: skip
        yield "columns", text, fields
    yield "columns", f"show {a.name}, {b.name} and {c.name} for each {w.noun}", Want(
        "shown", {a.field, b.field, c.field})  # fmt: skip


def _texts(w: Wording, records: list[Record], key: str) -> Found:
    mentioned = docs(records, key, lambda r: w.mention in r["text"].lower())
    for text in (f'{w.nouns} that mention "{w.mention}"', f'{w.nouns} containing "{w.mention}"',
                 f'{w.nouns} whose text contains "{w.mention}"', f"{w.nouns} with the word '{w.mention}'",
                 f'{w.nouns} mentioning "{w.mention}"', f'{w.nouns} where "{w.mention}" is mentioned'):  # fmt: skip
        yield "quoted text", text, mentioned
    yield (
        "quoted text",
        f'how many {w.nouns} mention "{w.mention}"?',
        Want("number", len(mentioned.data)),
    )


def _refused(w: Wording, records: list[Record], key: str) -> Found:
    for text, named in (
        (f"{w.nouns} in Atlantis", "atlantis"), (f"average happiness of {w.nouns}", "happiness"),
        (f"{w.nouns} per galaxy", "galaxy"), (f"sort {w.nouns} by sweetness", "sweetness"),
        (f"average {w.first.name} of {w.nouns}", w.first.name.split()[-1]),
        (f"{w.nouns} with more than 5 unicorns", "unicorn"),
        (f"email me the {w.nouns}", "email"), (f"draw a chart of {w.nouns} per {w.first.name}", "chart"),
        (f"{w.nouns} that smell funny", "smell"), (f"purple {w.nouns}", "purple"),
        ("delete all documents", "delete"), (f"predict next year's {w.nouns}", "predict"),
    ):  # fmt: skip
        yield "refused", text, Want("refused", named)
