"""From the phrases of a chart to whole requests.

A request is a bag of phrases: their sequence is scored, but any order is accepted. Words that no
phrase covers are skipped at a cost, low for politeness and high for content, and are recorded so
that nothing is dropped silently.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

from backend.language.common_words import PARTICIPLES, is_past
from backend.language.dates import Span
from backend.language.frequent_words import is_english
from backend.language.lexicon import LONGEST_PHRASE, phrases
from backend.language.month_names import ENGLISH_MONTHS
from backend.language.tokens import LETTER, Token, expand, tokenise
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.chart import REMARK, Chart, Edge, Grammar
from backend.plans.reading.comparing import one_of
from backend.plans.reading.derived_properties import of_two
from backend.plans.reading.grammar import GRAMMAR
from backend.plans.reading.grammar_types import (
    Columns,
    Contrast,
    First,
    FirstGroups,
    Newest,
    Part,
    SameOne,
    Sorting,
    Whole,
)
from backend.plans.reading.letters import with_letters
from backend.plans.reading.linker import link
from backend.plans.reading.linking_meanings import BY_MEANING, meaning_links
from backend.plans.reading.linking_nouns import GUESSED, guessed_nouns
from backend.plans.reading.linking_themes import theme_links
from backend.plans.reading.linking_types import Theme
from backend.plans.reading.phrasing import Bound, Key, Measure
from backend.plans.reading.properties import Property
from backend.plans.reading.restating import restated
from backend.plans.reading.score import summed, weights
from backend.plans.reading.sorts import LIGHT, is_light, sort_of
from backend.plans.reading.talk import about_the_asker, talk
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.plan_nodes import BasicFilter

_PHRASES = (
    "Cond", "Cols", "Measures", "Sort", "Key", "First", "FirstGroups", "Part", "Having", "Noun",
    "Share", "Ties", "Newest", "Overall", "AskWhen", "Relative", "Versus", "Several",
)  # fmt: skip
_OF_QUESTIONS = ("Contrast", "HavingOf", "Whole", "Same", "Theme")
"""Phrases that only first questions have."""
_UNDERSCORE = re.compile(
    r"(?:(?<=[a-z])_(?=[a-z\d])|(?<=\d)_(?=[a-z]))(?![^\"“”]*[\"”])", re.IGNORECASE
)
BY_FIGURE = "best by a figure"
"""The feature of a reading that ranks groups by a figure of each."""
_BEAM = 40
_LONGEST = 80
"""The maximum number of tokens of a request; anything longer is a text, not a question."""
_MOST = 60


@dataclass(frozen=True)
class Request:
    """One reading of a text. `skipped` are unexplained words, `asides` those of clauses unrelated
    to documents, `nouns` those read as the documents; `remarks` state other assumptions.
    """

    conditions: tuple[BasicFilter, ...] = ()
    times: tuple[tuple[str, Span], ...] = ()
    columns: tuple[str, ...] = ()
    distinct: bool = False
    measures: tuple[Measure, ...] = ()
    keys: tuple[Key, ...] = ()
    sorts: tuple[Sorting, ...] = ()
    firsts: tuple[First, ...] = ()
    first_groups: tuple[FirstGroups, ...] = ()
    parts: tuple[Part, ...] = ()
    having: tuple[Bound, ...] = ()
    shares: tuple[Measure, ...] = ()
    ties: bool = False
    newest: tuple[Newest, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    wholes: tuple[Whole, ...] = ()
    same: tuple[SameOne, ...] = ()
    themes: tuple[Theme, ...] = ()
    documents: bool = False
    edits: tuple[Any, ...] = ()
    skipped: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Read:
    """A request with the features of its reading and their weights."""

    request: Request
    features: Mapping[str, float]
    score: float


@dataclass(frozen=True)
class Way:
    """How to read a text: with a grammar whose phrases of the kinds in `more` go to
    `Request.edits`, and words of the kind `aside` that do not affect the wish. Words may get a
    meaning that they do not name if it is at least this `likely`.
    """

    grammar: Grammar
    more: tuple[str, ...] = ()
    aside: str = ""
    likely: float = 0.5

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of phrases that a request consists of."""
        return (*_PHRASES, *self.more, *(_OF_QUESTIONS if self is QUESTIONS else ()))

    @cached_property
    def steering(self) -> frozenset[str]:
        """The words of constructions, which express instructions; verbs may also name things."""
        words = self.grammar.words
        return frozenset(w for w in words if w not in PARTICIPLES and not is_past(w))


QUESTIONS = Way(GRAMMAR, more=("Bound",), aside="Idle")
"""Amounts without a named property are in `Request.edits`."""


@dataclass(frozen=True)
class _State:
    score: float
    last: str
    edges: tuple[Edge, ...]
    features: tuple[tuple[str, float], ...]
    skipped: tuple[int, ...]


def plain_text(text: str) -> str:
    """The text as the reader sees it: contractions expanded, column names split into words."""
    # People who know the schema write `home_port`; inside quotation marks it may be a value.
    return _UNDERSCORE.sub(" ", expand(text))


def tokens_of(text: str) -> tuple[str, list[Token]]:
    """The text as the reader sees it, and its tokens."""
    plain = plain_text(text)
    return plain, tokenise(plain)


def read_requests(
    text: str, vocabulary: Vocabulary, today: date, way: Way = QUESTIONS
) -> list[Read]:
    """The readings of a text without duplicates, best first."""
    tokens = with_letters(tokens_of(text)[1], vocabulary)
    if not tokens or len(tokens) > _LONGEST:
        return []
    table = weights()
    chart = _chart_of(tokens, vocabulary, today, way, table)
    compares = any(not edge.value.joined for edge in chart.edges("Contrast"))
    aside = {i for e in chart.edges(way.aside) for i in range(e.start, e.end)}
    starting: dict[int, list[Edge]] = {}
    for kind in way.kinds:
        for edge in chart.edges(kind) if compares or kind != "Contrast" else ():
            if way is not QUESTIONS or not aside.issuperset(range(edge.start, edge.end)):
                starting.setdefault(edge.start, []).append(edge)
    linked = {
        i for kind in ("Prop", "Val") for e in chart.edges(kind) for i in range(e.start, e.end)
    }
    if way is QUESTIONS and compares:
        aside |= {i for i, token in enumerate(tokens) if token.lower in _BETWEEN_SIDES}
    # Talk around a question was already removed by `focus`.
    around = {} if way is QUESTIONS else talk(tokens, _meant(chart, way))
    around |= dict.fromkeys(restated(tokens), "restated")
    named = {e.start for e in chart.edges("Noun") if ("noun: named", 1.0) in e.features} - linked
    wording = _Wording(tokens, around, about_the_asker(tokens), guessed_nouns(chart), named)
    costs = [
        (("skip: light", 1.0),) if i in aside else _skipping(wording, i, i in linked, vocabulary)
        for i in range(len(tokens))
    ]
    done: list[Read] = []
    for state in _paths(len(tokens), starting, costs, table):
        passed = tuple(i for i in state.skipped if i not in aside)
        read = _read(replace(state, skipped=passed), wording, table, way)
        if read is not None and all(read.request != other.request for other in done):
            done.append(read)
    return sorted(done, key=lambda r: -r.score)


def _chart_of(
    tokens: Sequence[Token],
    vocabulary: Vocabulary,
    today: date,
    way: Way,
    table: Mapping[str, float],
    *,
    literal: bool = False,
) -> Chart:
    """All links and phrases of a text; if `literal`, without meanings that words do not name."""
    light = frozenset(i for i, token in enumerate(tokens) if is_light(token))
    light |= _behind_than(tokens)
    chart = Chart(len(tokens), way.grammar, table, light)
    link(chart, tokens, vocabulary, today)
    if not literal:
        meaning_links(chart, tokens, vocabulary, way.steering, way.likely)
        if way is QUESTIONS:
            theme_links(chart, tokens, vocabulary)
    chart.close()
    return chart


_BETWEEN_SIDES = frozenset("than to versus vs against or and between both".split())  # noqa: SIM905
"""The words between the two sides of a contrast."""
_OF_CLAUSES = frozenset(
    """
    what we they he she you i it was were is are be been had have has did do would ever originally
    """.split()  # noqa: SIM905
)


def _behind_than(tokens: Sequence[Token]) -> frozenset[int]:
    """The words after `than` that merely form a clause: `higher than what we had estimated`."""
    light: set[int] = set()
    for i, token in enumerate(tokens):
        clause = tokens[i - 1].lower == "than" or i - 1 in light if i else False
        if clause and token.lower in _OF_CLAUSES | LIGHT:
            light.add(i)
    return frozenset(light)


def names_something(text: str, vocabulary: Vocabulary, today: date) -> bool:
    """Whether a text names a property or value of the collection, or a kind of thing; function
    words (`on`, `no`) and numbers in words (`a million thanks`) do not.
    """
    tokens = with_letters(tokens_of(text)[1], vocabulary)
    if len(tokens) > _LONGEST:
        return True
    chart = _chart_of(tokens, vocabulary, today, QUESTIONS, weights(), literal=True)
    return any(
        _names(tokens[e.start : e.end])
        for kind in ("Prop", "Val", "Noun", "Cond")
        for e in chart.edges(kind)
    )


def _names(tokens: Sequence[Token]) -> bool:
    """Whether some of the tokens are no function words."""
    return any(token.kind == LETTER or token.lower not in _NAMING_NOTHING for token in tokens)


_NAMING = ("Val", "Noun", "Date", "Year", "Bound", "Flag")


def named_places(plain: str, vocabulary: Vocabulary, today: date) -> frozenset[int]:
    """The positions of tokens that certainly name a property, a value, a time or the documents.
    Words that only describe a property or resemble its name do not count, nor do function words
    (`on`, `no`).
    """
    tokens = with_letters(tokenise(plain), vocabulary)
    if len(tokens) > _LONGEST:
        return frozenset(range(len(tokens)))
    chart = _chart_of(tokens, vocabulary, today, QUESTIONS, weights(), literal=True)
    guesses = {(GUESSED, 1.0), ("value: part by common words", 1.0)}
    edges = [e for kind in _NAMING for e in chart.edges(kind) if guesses.isdisjoint(e.features)]
    edges += [e for e in chart.edges("Prop") if _is_named(dict(e.features))]
    return frozenset(
        i for e in edges if _names(tokens[e.start : e.end]) for i in range(e.start, e.end)
    )


def naming_edges(plain: str, vocabulary: Vocabulary, today: date) -> Iterator[Edge]:
    """The values, times, amounts and nouns that words of a short text name."""
    chart = _chart_of(tokenise(plain), vocabulary, today, QUESTIONS, weights(), literal=True)
    for kind in (*_NAMING, "Num"):
        yield from chart.edges(kind)


_NAMING_NOTHING = FUNCTION_WORDS | {"one", "ones", "no"}


def _is_named(features: Mapping[str, float]) -> bool:
    """Whether words name a property rather than describe or resemble one."""
    return features.get("property: words", 0) > features.get("property: synonyms", 0)


@dataclass(frozen=True)
class _Wording:
    """The tokens of a text, with those that are talk, about the asker, possible nouns for the
    documents, or `named` like them and like nothing else.
    """

    tokens: Sequence[Token]
    talk: Mapping[int, str]
    asker: frozenset[int]
    nouns: frozenset[int]
    named: Set[int]

    @cached_property
    def sorts(self) -> list[str]:
        return [
            "number" if i and _is_month(token) else sort_of(token.kind, token.lower)
            for i, token in enumerate(self.tokens)
        ]


def _is_month(token: Token) -> bool:
    """Whether a capitalised word names a month, even if it could be a verb: `May`."""
    return token.lower in ENGLISH_MONTHS and token.text[0].isupper()


_MEANT = ("Val", "Num", "Date", "Year", "Quote", "Flag")


def _meant(chart: Chart, way: Way) -> frozenset[int]:
    """The tokens that can carry meaning: names, values, numbers, and whole phrases."""
    edges = [e for kind in (*_PHRASES, *way.more, *_MEANT) for e in chart.edges(kind)]
    edges += [e for e in chart.edges("Prop") if ("property: only described", 1.0) not in e.features]
    edges = [e for e in edges if (BY_MEANING, 1.0) not in e.features]
    return frozenset(i for e in edges for i in range(e.start, e.end))


def _paths(
    length: int,
    starting: Mapping[int, Sequence[Edge]],
    costs: Sequence[tuple[tuple[str, float], ...]],
    table: Mapping[str, float],
) -> list[_State]:
    """Finds the best paths through a text, phrase by phrase."""
    states: list[list[_State]] = [[] for _ in range(length + 1)]
    states[0] = [_State(0.0, "^", (), (), ())]
    for place in range(length):
        best = sorted(states[place], key=lambda s: -s.score)[:_BEAM]
        cost = sum(table.get(name, 0.0) * amount for name, amount in costs[place])
        for state in best:
            states[place + 1].append(
                _State(state.score + cost, state.last, state.edges,
                       state.features + costs[place], (*state.skipped, place))
            )  # fmt: skip
            for edge in starting.get(place, ()):
                step = f"{state.last} > {edge.kind}"
                more = (("chunk", 1.0), (step, 1.0))
                worth = sum(table.get(name, 0.0) for name, _ in more)
                states[edge.end].append(
                    _State(state.score + edge.score + worth, edge.kind, (*state.edges, edge),
                           state.features + edge.features + more, state.skipped)
                )  # fmt: skip
    return sorted(states[length], key=lambda s: -s.score)[:_MOST]


_TO_DO = frozenset(("you", "please", "to", "us", "me"))
"""An instruction follows these words, as in `could you dig out`."""
_OPENING = frozenset(
    """
    in with by for from about per than without into at on under over against like to who that which
    """.split()  # noqa: SIM905
)
"""A word behind these narrows the documents."""


def _skipping(
    wording: _Wording, i: int, linked: bool, vocabulary: Vocabulary
) -> tuple[tuple[str, float], ...]:
    """The cost of skipping a token."""
    token = wording.tokens[i]
    sort = sort_of(token.kind, token.lower)
    if _is_beyond(wording.tokens, i):
        return (("skip: beyond what plans do", 1.0),)
    if i in wording.talk and sort in _HEAVY:
        return (("skip: talk", 1.0), (f"skip talk: {wording.talk[i]} {sort}", 1.0))
    features = [f"skip: {sort}"]
    if linked and sort not in ("light", "function"):
        features.append("skip: linked")
    if sort in ("content", "verb"):
        features += [f"skip {sort}: {sign}" for sign in _signs(wording, i, vocabulary)]
    return tuple((name, 1.0) for name in features)


def _is_beyond(tokens: Sequence[Token], i: int) -> bool:
    """Whether the first word asks for something no plan can do: `delete all`, `translate`."""
    if not all(sort_of(t.kind, t.lower) in ("light", "function") for t in tokens[:i]):
        return False
    words = tuple(token.lower for token in tokens[i : i + LONGEST_PHRASE])
    known = phrases()
    return any(known.get(words[:n], ("",))[0] == "!" for n in range(1, len(words) + 1))


def _signs(wording: _Wording, i: int, vocabulary: Vocabulary) -> list[str]:
    """Features that suggest whether an unexplained word narrows the documents."""
    tokens = wording.tokens
    token, signs = tokens[i], list[str]()
    if i in wording.asker:
        signs.append("about the asker")
    if i and tokens[i - 1].lower in _TO_DO:
        signs.append("what to do")
    elif i == 0:
        signs.append("at the beginning")
    before = [t for t in tokens[max(0, i - 3) : i] if t.lower not in LIGHT]
    if i and token.text[:1].isupper():
        signs.append("capital")
    if before and before[-1].lower in _OPENING:
        signs.append("behind a preposition")
    if any(t.stem in vocabulary.nouns for t in tokens[max(0, i - 1) : i]):
        signs.append("behind the documents")
    if any(t.stem in vocabulary.nouns for t in tokens[i + 1 : i + 2]):
        signs.append("before the documents")
    if token.lower.endswith(("ed", "ing")):
        signs.append("ed or ing")
    if not is_english(token.lower):
        signs.append("rare")
    if token.stem in vocabulary.text_stems:
        signs.append("in texts")
    if i + 1 >= len(tokens) or tokens[i + 1].kind == "sign":
        signs.append("at the end")
    ahead = tokens[i - 1].lower if i else ""
    if ahead in _TAKING or any(t.lower in ("per", "of") for t in tokens[i + 1 : i + 2]):
        signs.append("what is computed")
    return signs


_TAKING = frozenset(
    "average mean median total sum highest lowest maximum minimum most fewest per".split()  # noqa: SIM905
)
"""The argument of a computation follows these words."""


_HEAVY = ("content", "number", "quoted", "steering", "verb")
"""Kinds of words that carry content."""
_TALK = ("person", "finite", "greeting")
"""Clauses of these kinds carry no content."""


def left_over(wording: _Wording, skipped: Sequence[int], *, talk: bool) -> tuple[str, ...]:
    """The skipped words that carry content, or would if they were not talk."""
    tokens = wording.tokens
    return tuple(
        tokens[i].text
        for i in skipped
        if i not in wording.named
        and sort_of(tokens[i].kind, tokens[i].lower) in _HEAVY
        and (wording.talk.get(i) in _TALK) == talk
    )


def _read(state: _State, wording: _Wording, table: Mapping[str, float], way: Way) -> Read | None:
    bag: dict[str, list[Any]] = {kind: [] for kind in (*_PHRASES, *_OF_QUESTIONS, *way.more)}
    # The part of a share is the last of the conditions.
    for edge in sorted(state.edges, key=lambda e: e.kind == "Share"):
        bag[edge.kind].append(edge.value)
        bag["Cond"] += edge.beside
    for compared in bag["Versus"]:
        bag["Cond"].append(one_of(compared.prop.field, compared.values))
        bag["Key"].append(Key((compared.prop.field,)))
    for counted in bag["HavingOf"]:
        bag["Cond"] += counted.conditions
        bag["Having"].append(counted.bound)
    conditions = tuple(c for c in bag["Cond"] if isinstance(c, BasicFilter))
    times = tuple(c for c in bag["Cond"] if not isinstance(c, BasicFilter))
    columns, measures = _overall(bag)
    firsts = [_in_relation(first, bag["Relative"]) for first in bag["First"]]
    if bag["Relative"] and (not firsts or None in firsts):
        return None
    if bag["Several"] and not _counts_the_first(bag, firsts):
        return None
    kinds = [edge.kind for edge in state.edges]
    behind = "Cols" in kinds and "First" in kinds[kinds.index("Cols") :]
    ranked = _ranked_groups(bag, columns, measures, behind=behind)
    by_figure = BY_FIGURE if bag["Part"] else "total of the best"
    if ranked is not None:
        bag["Part"], bag["Sort"], firsts = [], [], []
        bag["FirstGroups"].append(ranked)
    figures = {m.func for m in (*measures, *(first.measure for first in bag["FirstGroups"]))}
    idle = [func for func in bag["Overall"] if func not in figures]
    request = Request(
        conditions=conditions,
        times=times,
        columns=tuple(dict.fromkeys(prop.field for c in columns for prop in c.props)),
        distinct=any(c.distinct for c in columns),
        measures=tuple(dict.fromkeys(measures)),
        keys=unique([*bag["Key"], *(f.key for f in bag["FirstGroups"] if f.key is not None)]),
        sorts=unique(bag["Sort"]),
        firsts=unique(firsts),
        first_groups=unique(bag["FirstGroups"]),
        parts=(*bag["Part"], *(Part(count) for count in bag["Several"])),
        having=unique(bag["Having"]),
        shares=tuple(dict.fromkeys(bag["Share"])),
        ties=bool(bag["Ties"]),
        newest=tuple(replace(n, when=n.when or bool(bag["AskWhen"])) for n in bag["Newest"]),
        contrasts=tuple(bag["Contrast"]),
        wholes=tuple(bag["Whole"]),
        same=tuple(bag["Same"]),
        themes=tuple(bag["Theme"]),
        documents=bool(bag["Noun"] or bag["Newest"] or bag["Share"]),
        edits=tuple(item for kind in way.more for item in bag[kind]),
        skipped=left_over(wording, state.skipped, talk=False),
        asides=left_over(wording, state.skipped, talk=True),
        nouns=_read_as_documents(state, wording),
        remarks=tuple(
            dict.fromkeys(f.removeprefix(REMARK) for f, _ in state.features if f.startswith(REMARK))
        ),
    )
    more = [*_of_request(request, wording.tokens), *_stretches(state.skipped, wording)]
    more += [("request: average or total left out", float(len(idle)))] if idle else []
    more += [(by_figure, 1.0)] if ranked is not None else []
    counted = [item for item in state.features if not item[0].startswith(REMARK)]
    features = summed([*counted, *more])
    score = state.score + sum(table.get(name, 0.0) * amount for name, amount in more)
    return Read(request, features, score)


def _stretches(skipped: Sequence[int], wording: _Wording) -> list[tuple[str, float]]:
    """The sequences of skipped content words, with their positions. A long sequence of talk says
    hardly more than a short one, so each further word counts less.
    """
    heavy = [i for i in skipped if wording.sorts[i] in _HEAVY]
    if not heavy:
        return []
    length = len(wording.tokens)
    used = [i for i in range(length) if i not in set(skipped) and wording.sorts[i] != "light"]
    starts = [i for k, i in enumerate(heavy) if k == 0 or any(heavy[k - 1] < u < i for u in used)]
    features = [("skips: stretches", float(len(starts)))]
    features += [(f"skips: {n} words", 1.0) for n in (1, 2, 3, 5, 8) if len(heavy) >= n]
    if used:
        features.append(("skips: before what is read", float(sum(i < used[0] for i in heavy))))
        features.append(("skips: behind what is read", float(sum(i > used[-1] for i in heavy))))
        features.append(("skips: part", len(heavy) / (len(heavy) + len(used))))
    return [(name, amount) for name, amount in features if amount]


def _read_as_documents(state: _State, wording: _Wording) -> tuple[str, ...]:
    """The words that this reading takes as nouns for the documents by their position alone."""
    if all(name != GUESSED for name, _ in state.features):
        return ()
    places = sorted(wording.nouns - set(state.skipped))
    return tuple(wording.tokens[i].text for i in places)


def _overall(bag: Mapping[str, list[Any]]) -> tuple[list[Columns], list[Measure]]:
    """The columns and measures of a request; if the only column is a number and `in total` or `on
    average` appears elsewhere, it is measured.
    """
    columns: list[Columns] = bag["Cols"]
    measures = [m for several in bag["Measures"] for m in several]
    props = [prop for c in columns for prop in c.props]
    if len(bag["Overall"]) == len(props) == 1 and not measures and props[0].numeric:
        return [], [Measure(bag["Overall"][0], props[0].field)]
    if len(bag["Overall"]) == len(measures) == 1 and measures[0].func == "sum":
        return columns, [replace(measures[0], func=bag["Overall"][0])]  # "how many … on average"
    return columns, measures


def _ranked_groups(
    bag: Mapping[str, list[Any]], columns: Sequence[Columns], measures: Sequence[Measure],
    *, behind: bool,
) -> FirstGroups | None:  # fmt: skip
    """The groups that rank first by a figure: `the driver with the most litres overall`, `top 3
    drivers by total litres`, `top 3 drivers by most litres`, where the figure is `behind`; None if
    documents are meant, as in `top 3 longest drives`.
    """
    props = [prop for c in columns for prop in c.props]
    plain = not (measures or bag["Key"] or bag["FirstGroups"] or bag["Relative"])
    if len(props) != 1 or not plain or not props[0].worded or props[0].own:
        return None
    match bag["Part"], bag["Sort"], bag["First"], bag["Overall"]:
        case [], _, [first], [func] if first.prop.numeric:
            return FirstGroups(Measure(func, first.prop.field), first.high, first.count, first.skip)
        case [part], [], [first], _ if behind and first.count == 1 and not bag["Several"]:
            extreme = Measure("max" if first.high else "min", first.prop.field)
            return FirstGroups(extreme, first.high, part.count)
        case [part], [sort], [], _ if sort.measure and not (sort.then or bag["Several"]):
            high = part.high is not False and sort.descending is not False
            return FirstGroups(sort.measure, high, part.count, part.skip)
    return None


def _counts_the_first(bag: Mapping[str, list[Any]], firsts: Sequence[First | None]) -> bool:
    """Whether a separate number applies to a ranking without a number of its own."""
    ends = [*firsts, *bag["FirstGroups"], *bag["Newest"]]
    plain = not bag["Part"] and len(bag["Several"]) == len(ends) == 1
    return plain and ends[0] is not None and ends[0].count == 1


def _in_relation(first: First, others: Sequence[Property]) -> First | None:
    """The first documents by an amount relative to another one; None if there is no such ratio."""
    if not others:
        return first
    share = of_two("share_of", first.prop, others[0]) if len(others) == 1 else None
    return None if share is None else replace(first, prop=share)


def unique(items: Sequence[Any]) -> tuple[Any, ...]:
    """Each item once; properties cannot be hashed."""
    return tuple(item for i, item in enumerate(items) if item not in items[:i])


def _of_request(request: Request, tokens: Sequence[Token]) -> list[tuple[str, float]]:
    """Features of a request as a whole."""
    asked = tokens[0].lower
    if asked == "how" and len(tokens) > 1:
        asked = f"how {tokens[1].lower}"
    shape = shape_of(request)
    results = [(f"shape: {shape}", 1.0), (f"asked: {_asked(asked)} {shape}", 1.0)]
    fields = [c.field for c in request.conditions]
    results.append(("request: several conditions on one property", len(fields) - len(set(fields))))
    results.append(("request: no document named", float(not request.documents)))
    results.append(("request: conditions", float(len(fields))))
    results.append(("request: firsts", float(max(0, len(request.firsts) - 1))))
    results.append(("request: sorts", float(max(0, len(request.sorts) - 1))))
    return [(name, amount) for name, amount in results if amount]


_KNOWN = frozenset(
    {
        "what", "which", "who", "how many", "how much", "when", "where", "for", "count", "list",
        "show", "find", "give", "return", "sort", "order", "please",
    }
)  # fmt: skip


def _asked(word: str) -> str:
    return word if word in _KNOWN else "other"


def shape_of(request: Request) -> str:
    """The kind of answer that a request asks for."""
    parts = ["share"] if request.shares else []
    parts += ["whole groups"] if request.wholes else []
    parts += [f"contrast {contrast.way}" for contrast in request.contrasts]
    if request.measures:
        kinds = {m.func for m in request.measures}
        parts.append("+".join(sorted(kinds)) if len(kinds) == 1 else "measures")
    if request.keys:
        parts.append("key")
    if request.columns:
        parts.append("distinct" if request.distinct else "columns")
    for name, items in (
        ("first", request.firsts), ("newest", request.newest),
        ("first group", request.first_groups), ("having", request.having), ("sort", request.sorts),
        ("part", request.parts),
    ):  # fmt: skip
        if items:
            parts.append(name)
    return " ".join(parts) or ("documents" if request.conditions else "everything")
