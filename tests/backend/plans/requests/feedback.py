"""The grammar of feedback: a question, what is said of its plan, and the answer afterwards."""

from collections.abc import Iterator
from statistics import median

from tests.backend.plans.requests.cases import (
    Case,
    Record,
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
from tests.backend.plans.requests.questions import docs, equals, holding, said
from tests.backend.plans.requests.wording import Wording

Found = Iterator[tuple[str, str, str, Want]]


def feedback(words: Wording, records: list[Record], key: str) -> Iterator[Case]:
    """All feedback on plans of one collection."""
    for part in (_narrowed, _excluded, _widened, _replaced, _moved, _removed, _counted, _listed,
                 _sorted, _limited, _grouped, _measured, _bounded, _shared, _several, _shown,
                 _picked, _relative, _refused):  # fmt: skip
        for sort, question, said_then, want in part(words, records, key):
            turns = f"{question} || {said_then}".split(" || ")
            yield Case(words.name, sort, tuple(turns), want)


def _narrowed(w: Wording, records: list[Record], key: str) -> Found:
    a, b = w.first, w.second
    one, two = a.values[0], b.values[0]
    start = f"{b.name} {two}" if not b.fronted else f"{two} {w.nouns}"
    both = docs(records, key, equals(a.field, one), equals(b.field, two))
    for text in (
        f"only {said(a, one)}", f"just the ones {said(a, one)}", f"limit to {one}",
        f"only those {said(a, one)}", f"restrict this to {one}", f"I only want {one}",
        f"keep only the ones {said(a, one)}", f"narrow it down to {one}", f"{one} only",
        f"show me only the {one} {w.nouns}", f"filter for {one}", f"but only {said(a, one)}",
        f"can you limit it to {w.nouns} {said(a, one)}?", f"only {w.nouns} {said(a, one)} please",
        f"add a filter for {a.name} {one}", f"also filter by {a.name} {one}",
        f"the {a.name} should be {one}", f"{a.name} must be {one}", f"just {one}",
        f"of those, only the ones {said(a, one)}", f"which of them are {said(a, one)}?",
        f"let's focus on {one}", f"I'm only interested in {one}", f"reduce to {one}",
        f"keep {one} and drop the rest", f"only consider {one}", f"everything outside {one} can go",
        f"where {a.name} is {one}", f"those {said(a, one)}", f"set {a.name} to {one}",
        f"and {said(a, one)}", f"with {a.name} {one}", f"only the {one} ones", f"only show {one}",
    ):  # fmt: skip
        yield "narrow", start, text, both
    fact = docs(records, key, equals(b.field, two), equals(w.fact.field, True))
    for text in (
        f"only the {w.fact.adjective} ones", f"just those {w.fact.says}", f"only if {w.fact.adjective}",
        f"keep the {w.fact.adjective} ones", f"{w.fact.adjective} only", f"they must be {w.fact.adjective}",
        f"which of these are {w.fact.adjective}?", f"only {w.fact.adjective} {w.nouns}",
        f"restrict to {w.fact.adjective} {w.nouns}",
    ):  # fmt: skip
        yield "narrow by fact", start, text, fact
    loose = docs(records, key, equals(b.field, two), equals(w.fact.field, False))
    for text in (f"only the ones {w.fact.denies[0]}", f"without the {w.fact.adjective} ones",
                 f"exclude {w.fact.adjective} {w.nouns}", f"drop the {w.fact.adjective} ones",
                 f"no {w.fact.adjective} ones", f"not the {w.fact.adjective} ones"):  # fmt: skip
        yield "narrow by fact", start, text, loose
    for amount in (w.amount, w.other):
        low = amount.bounds[0]
        more = docs(records, key, equals(b.field, two), lambda r, f=amount.field, n=low: r[f] > n)
        least = docs(records, key, equals(b.field, two), lambda r, f=amount.field, n=low: r[f] >= n)
        less = docs(records, key, equals(b.field, two), lambda r, f=amount.field, n=low: r[f] < n)
        for i, comparison in enumerate((f"more than {low:g}", f"over {low:g}", f"above {low:g}")):
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
    for text in ("since 2023", "only since 2023", "from 2023 onwards", f"only those {w.moment.verb} since 2023",
                 f"{w.moment.verb} in 2023 or later", "nothing before 2023", "exclude everything before 2023",
                 f"the {w.moment.name} should be 2023 or later", "2023 and later", "starting from 2023"):  # fmt: skip
        yield "narrow by date", start, text, since
    inside = docs(records, key, equals(b.field, two), lambda r: r[f][:4] == "2022")
    for text in ("only 2022", "in 2022", "just the ones from 2022", "limit to 2022", f"{w.moment.verb} in 2022",
                 "restrict the time to 2022", "only the year 2022"):  # fmt: skip
        yield "narrow by date", start, text, inside
    gone = docs(records, key, equals(b.field, two), lambda r: r[w.gap.field] is None)
    there = docs(records, key, equals(b.field, two), lambda r: r[w.gap.field] is not None)
    for text in (f"only those without {w.gap.one}", f"only the ones with no {w.gap.name}",
                 f"just those missing {w.gap.one}", f"where the {w.gap.name} is missing"):  # fmt: skip
        yield "narrow by gap", start, text, gone
    for text in (f"only those with {w.gap.one}", f"leave out those without {w.gap.one}",
                 f"exclude the ones with no {w.gap.name}", f"they need to have {w.gap.one}",
                 f"drop the ones that have no {w.gap.name}"):  # fmt: skip
        yield "narrow by gap", start, text, there
    told = docs(records, key, equals(b.field, two), lambda r: w.mention in r["text"].lower())
    for text in (f'only those that mention "{w.mention}"', f'the text must contain "{w.mention}"',
                 f'only if "{w.mention}" is mentioned', f'mentioning "{w.mention}"'):  # fmt: skip
        yield "narrow by text", start, text, told


def _excluded(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one, two = a.values[0], a.values[1]
    start = f"{w.fact.adjective} {w.nouns}"
    true = equals(w.fact.field, True)
    rest = docs(records, key, true, lambda r: r[a.field] != one)
    for text in (
        f"exclude {one}", f"without the {one} ones", f"leave out {one}", f"not {said(a, one)}",
        f"drop the {one} ones", f"everything but {one}", f"other than {one}", f"except {one}",
        f"remove {w.nouns} {said(a, one)}", f"get rid of anything {said(a, one)}",
        f"but not {said(a, one)}", f"ignore {one}", f"no {one}", f"skip {one}", f"not {one}",
        f"all but {one}", f"omit those {said(a, one)}", f"anything except {one}",
        f"I don't want {one}", f"please leave out the ones {said(a, one)}", f"minus {one}",
        f"take out {one}", f"filter out {one}", f"exclude the {a.name} {one}", f"{one} should not be included",
        f"the {a.name} must not be {one}", f"remove everything {said(a, one)}", f"not the ones {said(a, one)}",
        f"leave {one} out", f"filter {one} out", f"take {one} out", f"I'm not interested in {one}",
    ):  # fmt: skip
        yield "exclude", start, text, rest
    neither = docs(records, key, true, lambda r: r[a.field] not in (one, two))
    for text in (f"exclude {one} and {two}", f"neither {one} nor {two}", f"without {one} or {two}",
                 f"leave out {one} as well as {two}", f"not {one} and not {two}"):  # fmt: skip
        yield "exclude", start, text, neither
    yield "exclude", start, f"exclude {one} || also exclude {two}", neither
    yield "exclude", start, f"without {one} || and {two} neither", neither


def _widened(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one, two, three = a.values[:3]
    start = f"{w.nouns} {said(a, one)}"
    both = docs(records, key, equals(a.field, one, two))
    for text in (
        f"also {two}", f"include {two} as well", f"add {two}", f"and {two} too", f"{two} as well",
        f"plus {two}", f"{two} too please", f"also include {w.nouns} {said(a, two)}", f"or {two}",
        f"both {one} and {two}", f"extend it to {two}", f"include {two}", f"as well as {two}",
        f"don't forget {two}", f"and also {two}", f"also those {said(a, two)}", f"{one} or {two}",
        f"together with {two}", f"{two} should be included too", f"add the ones {said(a, two)}",
        f"widen that to {two}", f"I also want {two}", f"not only {one} but also {two}",
        f"{one} and {two}", f"in addition {two}", f"let {two} in too", f"{two} is fine too",
    ):  # fmt: skip
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


def _replaced(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one, two = a.values[:2]
    start = f"{w.nouns} {said(a, one)}"
    other = docs(records, key, equals(a.field, two))
    for text in (
        f"make it {two}", f"{two} instead of {one}", f"{two} instead", f"change {one} to {two}",
        f"switch to {two}", f"replace {one} with {two}", f"I meant {two}", f"no, I meant {two}",
        f"not {one} but {two}", f"actually {two}", f"sorry, {two}", f"rather {two}",
        f"{two} rather than {one}", f"use {two} for the {a.name}", f"oops, {two} not {one}",
        f"should be {two}", f"what about {two}?", f"same for {two}", f"now for {two}",
        f"and for {two}?", f"change the {a.name} to {two}", f"{two}, not {one}", f"no, {two}",
        f"how about {two}?", f"swap {one} for {two}", f"instead of {one} use {two}", f"try {two}",
        f"the same but for {two}", f"now {two}", f"set the {a.name} to {two}", f"I actually meant {two}",
        f"wait, {two} instead", f"it should be {two} instead of {one}", f"do the same for {two}",
        f"look at {two} instead", f"that should have been {two}", f"I said {two}", f"not {one}, {two}",
        f"correction: {two}", f"make that {two}", f"exchange {one} for {two}", f"turn {one} into {two}",
    ):  # fmt: skip
        yield "replace", start, text, other
    n = Want("number", len(other.data))
    for text in (
        f"and {said(a, two)}?",
        f"what about {said(a, two)}?",
        f"and for {two}?",
        f"same for {two}",
    ):
        yield "replace", f"how many {start}?", text, n


def _moved(w: Wording, records: list[Record], key: str) -> Found:
    for amount in (w.amount, w.other):
        low, high = amount.bounds
        start = f"{w.nouns} {holding(amount, f'over {low:g}')}"
        more = docs(records, key, lambda r, f=amount.field, n=high: r[f] > n)
        for text in (
            f"make it {high:g}", f"change {low:g} to {high:g}", f"raise the threshold to {high:g}",
            f"{high:g} instead of {low:g}", f"use {high:g} instead", f"I meant {high:g}",
            f"increase that to {high:g}", f"over {high:g}", f"raise it to {high:g}", f"no, {high:g}",
            f"more than {high:g} instead", f"set the {amount.name} to more than {high:g}",
            f"make that over {high:g}", f"actually over {high:g}", f"change the {amount.name} to over {high:g}",
            f"replace {low:g} with {high:g}", f"the limit should be {high:g}", f"bump it up to {high:g}",
            f"{high:g}, not {low:g}", f"{high:g} rather than {low:g}",
        ):  # fmt: skip
            yield "move a number", start, text, more
        less = docs(records, key, lambda r, f=amount.field, n=low: r[f] < n)
        for text in (f"under {low:g} instead", f"I meant under {low:g}", f"less than {low:g} instead",
                     f"no, below {low:g}", "below instead of above"):  # fmt: skip
            yield "move a number", start, text, less
    f = w.moment.field
    start = f"{w.nouns} {w.moment.verb} in 2022"
    later = docs(records, key, lambda r: r[f][:4] == "2023")
    for text in ("2023 instead", "make it 2023", "change 2022 to 2023", "I meant 2023", "now 2023",
                 "what about 2023?", "in 2023 instead of 2022", "the year after", "use 2023"):  # fmt: skip
        yield "move a date", start, text, later
    both = docs(records, key, lambda r: r[f][:4] in ("2022", "2023"))
    for text in (
        "also 2023",
        "and 2023 as well",
        "2022 and 2023",
        "include 2023 too",
        "extend to 2023",
    ):
        yield "move a date", start, text, both


def _removed(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one = a.values[0]
    start = f"{w.fact.adjective} {w.nouns} {said(a, one)}"
    rest = docs(records, key, equals(w.fact.field, True))
    for text in (
        f"remove the {a.name} filter", f"drop the {a.name} condition", f"any {a.name}",
        f"ignore the {a.name}", f"regardless of {a.name}", f"all {a.plural}",
        f"forget the {a.name} restriction", f"the {a.name} does not matter", f"the {a.name} doesn't matter",
        f"I don't care about the {a.name}", f"no {a.name} filter", f"never mind the {a.name}",
        f"take off the {a.name} filter", f"without the {a.name} filter", f"in any {a.name}",
        f"not just {said(a, one)}", f"for all {a.plural}", f"remove the {one} filter", f"drop the {one} restriction",
        f"whatever the {a.name}", f"independent of the {a.name}", f"don't restrict the {a.name}",
        f"don't filter by {a.name}", f"no longer limit to {one}", f"every {a.name} is fine", f"lift the {a.name} restriction",
        f"stop filtering by {a.name}", f"the {a.name} can be anything",
    ):  # fmt: skip
        yield "remove a filter", start, text, rest
    everything = docs(records, key)
    for text in ("remove all filters", "clear the filters", "no filters", "drop all conditions",
                 f"show all {w.nouns}, without any filter", "remove every filter", "reset the filters"):  # fmt: skip
        yield "remove a filter", start, text, everything
    only = docs(records, key, equals(a.field, one))
    for text in ("remove the first filter", "drop filter 1", "take out the first condition"):
        yield "ordinal", f"{w.fact.adjective} {w.nouns} || only {one}", text, only
    for text in ("remove the second filter", "remove the last filter", "drop the second condition"):
        yield "ordinal", f"{w.fact.adjective} {w.nouns} || only {one}", text, rest


def _counted(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one = a.values[0]
    start = f"{w.nouns} {said(a, one)}"
    there = kept(records, equals(a.field, one))
    for text in (
        "how many are there?", "how many is that?", "count them", "just the number", "how many?",
        "give me the count", "only count them", "what's the number?", "how many of those are there?",
        "just count", "number only", "how many are that?", "tell me how many", f"how many {w.nouns} is that?",
        "I just need the number", "count those", "the count please", "show the count instead",
        "just tell me how many there are", "what is the total number?",
    ):  # fmt: skip
        yield "to count", start, text, Want("number", len(there))
    both = Want("number", len(kept(there, equals(w.fact.field, True))))
    for text in (f"how many of them are {w.fact.adjective}?", f"how many of those are {w.fact.adjective}?",
                 f"count only the {w.fact.adjective} ones", f"how many are {w.fact.adjective}?",
                 f"and how many of these are {w.fact.adjective}?"):  # fmt: skip
        yield "to count", start, text, both
    different = Want("number", len({r[w.second.field] for r in there}))
    for text in (f"how many different {w.second.plural} is that?", f"count the distinct {w.second.plural}",
                 f"how many {w.second.plural} are among them?"):  # fmt: skip
        yield "to count", start, text, different
    names = Want("values", {r[w.second.field] for r in there})
    for text in (f"which {w.second.plural} are these?", f"list the {w.second.plural}",
                 f"just the distinct {w.second.plural}", f"what {w.second.plural} do they have?"):  # fmt: skip
        yield "to values", start, text, names


def _listed(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one = a.values[0]
    there = docs(records, key, equals(a.field, one))
    for start in (f"how many {w.nouns} {said(a, one)}?", f"{w.nouns} {said(a, one)} per {w.second.name}",
                  f"average {w.other.name} of {w.nouns} {said(a, one)}"):  # fmt: skip
        for text in ("show them", "list them", "which ones?", f"show me the actual {w.nouns}",
                     f"show the {w.nouns} instead", f"I want to see the {w.nouns}", f"list those {w.nouns}",
                     f"just list the {w.nouns}", "which are they?", "show me which ones", "list them all",
                     f"the {w.nouns} themselves", "I want to see them", "show the documents"):  # fmt: skip
            yield "to documents", start, text, there


def _sorted(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one = a.values[0]
    start = f"{w.nouns} {said(a, one)}"
    some = kept(records, equals(a.field, one))
    for amount in (w.amount, w.other):
        for text in (
            f"order them by {amount.name} descending", f"highest {amount.name} first", f"rank by {amount.name}",
            f"sort by {amount.name}, highest first", f"sort by {amount.name} from high to low",
            f"largest {amount.name} first", f"put the ones with the highest {amount.name} first",
            f"sort descending by {amount.name}", f"in descending order of {amount.name}",
            f"order by {amount.name} desc", f"starting with the highest {amount.name}",
            f"sorted by {amount.name}, biggest on top", f"sort them by decreasing {amount.name}",
        ):  # fmt: skip
            yield "sort", start, text, ordered(some, amount.field, down=True)
        for text in (f"sort by {amount.name}", f"sort by {amount.name}, lowest first", f"order by {amount.name} ascending",
                     f"sort them by {amount.name} please", f"lowest {amount.name} first",
                     f"sort ascending by {amount.name}", f"arrange them by {amount.name}"):  # fmt: skip
            yield "sort", start, text, ordered(some, amount.field, down=False)
    f = w.moment.field
    for text in ("newest first", "most recent first", "put the most recent first", "latest first",
                 "sort by date, newest first", f"sort by {w.moment.name} descending", "from newest to oldest"):  # fmt: skip
        yield "sort", start, text, ordered(some, f, down=True)
    for text in (
        "oldest first",
        "chronologically",
        "in chronological order",
        f"by {w.moment.name}",
        "earliest first",
    ):
        yield "sort", start, text, ordered(some, f, down=False)
    placed = f"{start} sorted by {w.other.name} descending"
    for text in ("reverse the order", "the other way round", "ascending instead", "ascending", "lowest first",
                 "flip the order", "sort it the other way", "from low to high", "smallest first please",
                 "in ascending order", "not descending but ascending"):  # fmt: skip
        yield "turn", placed, text, ordered(some, w.other.field, down=False)
    for text in ("don't sort", "remove the sorting", "no sorting", "unsorted", "drop the sort", "without sorting",
                 "the order doesn't matter", "no particular order"):  # fmt: skip
        yield "unsort", placed, text, docs(records, key, equals(a.field, one))
    for text in (f"by {w.amount.name} instead", f"sort by {w.amount.name} instead of {w.other.name}",
                 f"sort by {w.amount.name} instead"):  # fmt: skip
        yield "resort", placed, text, ordered(some, w.amount.field, down=True)


def _limited(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    some = records
    start = f"{w.nouns} sorted by {w.other.name} descending"
    for text in ("top 5", "only the first 5", "just 5", "limit to 5", "show 5", "show me 5 of them", "5 is enough",
                 "no more than 5", "the first five", "only 5", "give me the top 5", "at most 5", "cut it to 5",
                 "limit the list to 5", "five results are enough", "only show the top five", "keep the top 5",
                 f"just 5 {w.nouns}", "5 please", "limit 5", "max 5"):  # fmt: skip
        yield "limit", start, text, ordered(some, w.other.field, down=True, count=5)
    limited = f"top 5 {w.nouns} by {w.other.name}"
    for text in ("make it 8", "8 instead", "8 instead of 5", "give me 8 instead", "show 8", "top 8", "increase it to 8",
                 "I want 8", "the first 8", "rather 8", "change the limit to 8", "8 rather than 5", "can I have 8?",
                 "extend to 8", "limit of 8"):  # fmt: skip
        yield "relimit", limited, text, ordered(some, w.other.field, down=True, count=8)
    for text in ("no limit", "all of them", "show everything", "remove the limit", "show all", "without the limit",
                 "don't limit it", "I want to see all of them", "the full list", "not just 5"):  # fmt: skip
        yield "unlimit", limited, text, ordered(some, w.other.field, down=True)
    for text in (
        "the bottom 5 instead",
        "the lowest 5 instead",
        "bottom 5",
        "the 5 lowest",
        "the smallest 5",
    ):
        yield "relimit", limited, text, ordered(some, w.other.field, down=False, count=5)
    for text in (f"the 3 with the highest {w.amount.name}", f"top 3 by {w.amount.name}",
                 f"only the 3 with the largest {w.amount.name}"):  # fmt: skip
        yield "top", f"{w.nouns} {said(a, a.values[0])}", text, ordered(
            kept(records, equals(a.field, a.values[0])), w.amount.field, down=True, count=3)  # fmt: skip


def _grouped(w: Wording, records: list[Record], key: str) -> Found:
    a, b = w.first, w.second
    start = f"{w.fact.adjective} {w.nouns}"
    true = kept(records, equals(w.fact.field, True))
    groups = by(true, a.field)
    for text in (
        f"group by {a.name}", f"break it down by {a.name}", f"per {a.name}", f"split by {a.name}",
        f"for each {a.name}", f"how does that break down by {a.name}?", f"count by {a.name}",
        f"how many per {a.name}?", f"group them by {a.name}", f"by {a.name}, please", f"show the count per {a.name}",
        f"how many in each {a.name}?", f"break that down per {a.name}", f"grouped by {a.name}",
        f"distribution over the {a.plural}", f"number per {a.name}", f"what's the breakdown by {a.name}?",
        f"group these by {a.name} and count them", f"split them up by {a.name}", f"I'd like to see it by {a.name}",
        f"how are they spread over the {a.plural}?", f"give me the numbers for each {a.name}",
    ):  # fmt: skip
        yield "group", start, text, table(groups, len)
        yield "group", f"how many {start}?", text, table(groups, len)
    grouped = f"number of {start} per {a.name}"
    other = table(by(true, b.field), len)
    for text in (f"by {b.name} instead", f"group by {b.name} instead of {a.name}", f"per {b.name} instead",
                 f"by {b.name}, not by {a.name}", f"make it per {b.name}", f"change the grouping to {b.name}",
                 f"use {b.name} instead of {a.name}", f"I meant by {b.name}", f"switch to {b.name}",
                 f"replace {a.name} by {b.name}", f"rather by {b.name}", f"group by {b.name}",
                 f"no, per {b.name}", f"not by {a.name} but by {b.name}"):  # fmt: skip
        yield "regroup", grouped, text, other
    both = table(by(true, a.field, b.field), len)
    for text in (f"by {a.name} and {b.name}", f"also by {b.name}", f"and by {b.name} too", f"add {b.name} to the grouping",
                 f"split further by {b.name}", f"additionally group by {b.name}", f"and also per {b.name}",
                 f"break it down further by {b.name}"):  # fmt: skip
        yield "second key", grouped, text, both
    count = Want("number", len(true))
    for text in ("no grouping", "don't group", "overall", "without the grouping", "just the total", "ungroup",
                 "remove the grouping", "in total", f"not per {a.name}", "all together",
                 f"don't split by {a.name}"):  # fmt: skip
        yield "ungroup", grouped, text, count
    years, months = (by_time(true, w.moment.field, n) for n in (4, 7))
    for text in ("by year", "per year", "yearly", "group by year", "annual numbers", "how many each year?",
                 f"by year of {w.moment.name}", "year by year", "over the years", "for each year"):  # fmt: skip
        yield "time", start, text, table(years, len)
    for text in (
        "monthly instead",
        "by month instead",
        "per month instead of per year",
        "make it monthly",
        "by month",
    ):
        yield "time", f"{start} per year", text, table(months, len)
    for text in ("only the top 2", "top 2", "just the 2 largest", "the two biggest", "show the top two",
                 f"only the 2 {a.plural} with the most", "limit to the 2 most common"):  # fmt: skip
        yield "top groups", grouped, text, ranking(groups, len, count=2)
    for text in ("largest first", "sort by count", "highest first", "sort by the number, descending", "most first",
                 "sort descending", "biggest groups first"):  # fmt: skip
        yield "sort groups", grouped, text, ranking(groups, len)
    for text in (
        f"which {a.name} has the most?",
        "only the largest one",
        "just the top one",
        "the biggest one",
    ):
        yield "top groups", grouped, text, ranking(groups, len, count=1)


def _measured(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one = a.values[0]
    start = f"{w.nouns} {said(a, one)}"
    some = kept(records, equals(a.field, one))
    for m in (w.amount, w.other):
        values = numbers(some, m.field)
        for text in (f"what's the average {m.name}?", f"average {m.name}", f"show the average {m.name} instead",
                     f"what is their average {m.name}?", f"and the average {m.name}?", f"compute the mean {m.name}",
                     f"give me the mean {m.name}", f"how high is their {m.name} on average?",
                     f"the average {m.name} of these"):  # fmt: skip
            yield "measure", start, text, Want("number", mean(values))
        for text in (f"what's the total {m.name}?", f"sum up the {m.name}", f"the sum of the {m.name}",
                     f"total {m.name} of those"):  # fmt: skip
            yield "measure", start, text, Want("number", sum(values))
        for text in (
            f"what's the highest {m.name}?",
            f"maximum {m.name}",
            f"what is the largest {m.name} among them?",
        ):
            yield "measure", start, text, Want("number", max(values))
        begun = f"average {m.name} of {start}"
        for text in ("use the median", "median instead of average", "the median instead", "make it the median",
                     "I meant the median", "median, not average", "change average to median", "switch to the median",
                     "not the average but the median", "rather the median"):  # fmt: skip
            yield "remeasure", begun, text, Want("number", median(values))
        for text in ("make it the total", "the sum instead", "total instead", "sum, not average"):
            yield "remeasure", begun, text, Want("number", sum(values))
    begun = f"average {w.other.name} per {a.name}"
    groups = by(records, a.field)
    for text in (f"{w.amount.name} instead", f"use the {w.amount.name} instead of the {w.other.name}",
                 f"average {w.amount.name} instead", f"the average {w.amount.name}, not the {w.other.name}",
                 f"change it to the {w.amount.name}", f"for the {w.amount.name} instead"):  # fmt: skip
        yield "remeasure", begun, text, table(groups, lambda m: mean(numbers(m, w.amount.field)))
    both = Want("table", {k: [mean(numbers(m, w.other.field)), max(numbers(m, w.other.field))]
                          for k, m in groups.items()})  # fmt: skip
    for text in ("add the maximum", f"also show the highest {w.other.name}", "and the maximum as well",
                 "include the maximum", f"add the maximum {w.other.name}", "plus the max", "show the maximum too"):  # fmt: skip
        yield "add a measure", begun, text, both
    counted = Want(
        "table", {k: [mean(numbers(m, w.other.field)), len(m)] for k, m in groups.items()}
    )
    for text in ("also show the count", "add the count", f"and the number of {w.nouns}", "include the count",
                 f"also add how many {w.nouns} there are", "with the number of documents too"):  # fmt: skip
        yield "add a measure", begun, text, counted
    left = table(groups, len)
    for text in ("drop the average", "without the average", "remove the average"):
        yield (
            "drop a measure",
            f"number of {w.nouns} and average {w.other.name} per {a.name}",
            text,
            left,
        )


def _bounded(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    groups = by(records, a.field)
    counts = sorted(map(len, groups.values()))
    n = counts[len(counts) // 2]
    start = f"number of {w.nouns} per {a.name}"
    least = table({k: m for k, m in groups.items() if len(m) >= n}, len)
    for text in (f"only those with at least {n}", f"only {a.plural} with at least {n} {w.nouns}", f"at least {n}",
                 f"drop {a.plural} with fewer than {n}", f"ignore {a.plural} with less than {n} {w.nouns}",
                 f"hide the ones below {n}", f"keep groups with {n} or more", f"leave out those with under {n}",
                 f"only where there are at least {n} {w.nouns}", f"exclude {a.plural} that have fewer than {n} {w.nouns}",
                 f"{n} or more only", f"with a minimum of {n}", f"remove the groups with less than {n}"):  # fmt: skip
        yield "bound", start, text, least
    averages = {k: mean(numbers(m, w.other.field)) for k, m in groups.items()}
    bound = round(sorted(averages.values())[len(averages) // 2] - 0.01, 2)
    high = Want("table", {k: v for k, v in averages.items() if v > bound})
    for text in (f"only {a.plural} with an average above {bound:.8g}", f"only those above {bound:.8g}", f"over {bound:.8g} only",
                 f"where the average is above {bound:.8g}", f"keep those with more than {bound:.8g}",
                 f"only where it exceeds {bound:.8g}", f"only the ones whose average is over {bound:.8g}"):  # fmt: skip
        yield "bound", f"average {w.other.name} per {a.name}", text, high


def _shared(w: Wording, records: list[Record], key: str) -> Found:
    a = w.first
    one = a.values[0]
    there = kept(records, equals(a.field, one))
    start = f"{w.nouns} {said(a, one)}"
    for begun in (start, f"how many {start}?"):
        for text in ("what percentage is that?", "as a percentage", f"what share of all {w.nouns} is that?",
                     "how much is that in percent?", f"as a percentage of all {w.nouns}", "what fraction of all is that?",
                     "show it as a percentage", "as a share of the total", "in percent"):  # fmt: skip
            yield "share", begun, text, Want("number", len(there) / len(records))
    inside = Want("number", len(kept(there, equals(w.fact.field, True))) / len(there))
    for text in (f"what percentage of them are {w.fact.adjective}?", f"what share of those is {w.fact.adjective}?",
                 f"and what fraction of these are {w.fact.adjective}?", f"what percentage is {w.fact.adjective}?",
                 f"how many percent of them are {w.fact.adjective}?"):  # fmt: skip
        yield "share", start, text, inside
    groups = by(records, a.field)
    for text in ("as percentages", "in percent", "as a share of the total", "show percentages instead of counts",
                 "as a percentage of all"):  # fmt: skip
        yield "share per group", f"number of {w.nouns} per {a.name}", text, table(
            groups, lambda m: len(m) / len(records))  # fmt: skip
    flag = w.fact.field
    for text in (f"what percentage of each is {w.fact.adjective}?", f"show the share of {w.fact.adjective} ones",
                 f"percentage of {w.fact.adjective} {w.nouns} instead"):  # fmt: skip
        yield "share per group", f"number of {w.nouns} per {a.name}", text, table(
            groups, lambda m: len([r for r in m if r[flag]]) / len(m))  # fmt: skip


def _several(w: Wording, records: list[Record], key: str) -> Found:
    a, b, m = w.first, w.second, w.other
    one, two = a.values[:2]
    start = f"{b.values[0]} {w.nouns}"
    some = kept(records, equals(a.field, one), equals(b.field, b.values[0]))
    for text in (f"only {one}, sorted by {m.name} descending", f"limit to {one} and sort by {m.name}, highest first",
                 f"only {said(a, one)}, and order by {m.name} from high to low",
                 f"keep only {one}; sort by {m.name} descending", f"only {one}. Sort by {m.name} descending.",
                 f"first filter for {one}, then sort by {m.name} descending",
                 f"filter for {one} and then rank by {m.name}"):  # fmt: skip
        yield "several", start, text, ordered(some, m.field, down=True)
    for text in (f"only {one}, top 3 by {m.name}", f"only {one} and just the 3 with the highest {m.name}",
                 f"only {one}, sorted by {m.name} descending, limited to 3",
                 f"restrict to {one}, sort by {m.name} descending and show the first 3"):  # fmt: skip
        yield "several", start, text, ordered(some, m.field, down=True, count=3)
    left = by(kept(records, equals(b.field, b.values[0]), lambda r: r[a.field] != one), a.field)
    for text in (f"exclude {one} and group by {a.name}", f"without {one}, per {a.name}",
                 f"leave out {one} and count by {a.name}", f"group by {a.name} but leave out {one}",
                 f"break down by {a.name}, excluding {one}"):  # fmt: skip
        yield "several", start, text, table(left, len)
    swapped = docs(records, key, equals(a.field, two), equals(w.fact.field, True))
    for text in (f"{two} instead of {one} and only {w.fact.adjective} ones", f"switch to {two} and keep only those {w.fact.says}",
                 f"change {one} to {two}, and only the {w.fact.adjective} ones",
                 f"{two} instead, and only {w.fact.adjective}"):  # fmt: skip
        yield "several", f"{w.nouns} {said(a, one)}", text, swapped
    both = docs(
        records, key, equals(a.field, one), equals(b.field, b.values[0]), equals(w.fact.field, True)
    )
    for text in (f"only {w.fact.adjective} ones {said(a, one)}", f"only {one} and only {w.fact.adjective}",
                 f"they should be {w.fact.adjective} and {said(a, one)}",
                 f"only those {said(a, one)} {w.fact.says}"):  # fmt: skip
        yield "several", start, text, both
    free = docs(records, key, equals(a.field, one))
    for text in (f"drop the {b.name} filter and only {one}", f"only {one}, any {b.name}",
                 f"forget the {b.name}, but only {said(a, one)}"):  # fmt: skip
        yield "several", start, text, free
    n = Want("number", len(some))
    for text in (
        f"only {one} and count them",
        f"how many of them are {said(a, one)}?",
        f"only {one}, and just the number",
    ):
        yield "several", start, text, n


def _shown(w: Wording, records: list[Record], key: str) -> Found:
    a, c = w.first, w.other
    start = f"{w.fact.adjective} {w.nouns}"
    fields = Want("shown", {a.field, c.field})
    for text in (f"show only {a.name} and {c.name}", f"only the {a.name} and {c.name} columns",
                 f"just give me the {a.name} and the {c.name}", f"show {a.name} and {c.name}",
                 f"display only the {a.name} and {c.name}", f"I only need {a.name} and {c.name}",
                 f"columns: {a.name}, {c.name}"):  # fmt: skip
        yield "columns", start, text, fields
    more = Want("shown", {a.field, c.field, w.second.field})
    for text in (f"also show the {w.second.name}", f"add the {w.second.name}", f"and the {w.second.name} too",
                 f"add a {w.second.name} column"):  # fmt: skip
        yield "columns", f"{start} || show only {a.name} and {c.name}", text, more


def _picked(w: Wording, records: list[Record], key: str) -> Found:
    a, m = w.first, w.other
    one = a.values[0]
    some = kept(records, equals(a.field, one))
    start = f"{w.nouns} {said(a, one)}"
    for text in (f"which one has the highest {m.name}?", f"only the one with the highest {m.name}",
                 f"which of them has the largest {m.name}?", f"just the one with the greatest {m.name}",
                 f"which of these {w.nouns} has the highest {m.name}?"):  # fmt: skip
        yield "pick", start, text, ordered(some, m.field, down=True, count=1)
    for text in (
        "only the most recent one",
        "just the latest",
        "the newest one",
        "only the latest one",
    ):
        yield "pick", start, text, ordered(some, w.moment.field, down=True, count=1)
    groups = by(some, w.second.field)
    for text in (f"which {w.second.name} is most common among them?", f"which {w.second.name} has the most?",
                 f"what's the most frequent {w.second.name}?"):  # fmt: skip
        yield "pick", start, text, ranking(groups, len, count=1)


def _relative(w: Wording, records: list[Record], key: str) -> Found:
    a, m = w.first, w.other
    one = a.values[0]
    some = kept(records, equals(a.field, one))
    middle = mean(numbers(some, m.field))
    above = docs(some, key, lambda r: r[m.field] > middle)
    for text in (f"only those with above average {m.name}", f"only the ones whose {m.name} is above average",
                 f"with a {m.name} above the average", f"keep those with a higher than average {m.name}"):  # fmt: skip
        yield "above average", f"{w.nouns} {said(a, one)}", text, above


def _refused(w: Wording, records: list[Record], key: str) -> Found:
    start = f"{w.nouns} {said(w.first, w.first.values[0])}"
    for text, named in (
        ("only those in Atlantis", "atlantis"), ("make it purple", "purple"), ("sort by happiness", "happiness"),
        ("group by galaxy", "galaxy"), ("email me the result", "email"), ("remove the sort", "sort"),
        ("remove the grouping", "group"), (f"replace {w.first.values[1]} with {w.first.values[2]}", w.first.values[1].lower()),
        ("only with more than 3 unicorns", "unicorn"), ("remove the fifth filter", "fifth"),
        ("flurb the wug", "flurb"), ("undo", "undo"), ("average of the sweetness", "sweetness"),
        ("translate it to French", "translate"), ("use the median", "median"),
    ):  # fmt: skip
        yield "refused", start, text, Want("refused", named)
