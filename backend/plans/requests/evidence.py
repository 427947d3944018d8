"""Checks that words ask for each change of an edit, and that each word has an effect.

Features of any edit, whatever its origin: a condition on a property that no word names, an
unrequested average, a named value without effect. Their weights are fitted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest

from backend.language.common_words import is_past
from backend.language.nouns import singular
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.assembly import QUESTIONS
from backend.plans.reading.chart import Chart, Edge, Grammar
from backend.plans.reading.letters import with_letters
from backend.plans.reading.linker import link
from backend.plans.reading.linking_meanings import BY_MEANING, DOUBT, meaning_links
from backend.plans.reading.linking_nouns import GUESSED
from backend.plans.reading.linking_types import Degreed, Value
from backend.plans.reading.phrasing import KEY
from backend.plans.reading.properties import Property
from backend.plans.reading.score import weights
from backend.plans.reading.sorts import LIGHT, is_light
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.bounds import only_number
from backend.plans.requests.cues import stored_values
from backend.plans.requests.plan_state import PlanState
from backend.plans.requests.ruled_out import Pointers, is_superlative, pointers_of, ruled_out
from workbench.contract.derived_fields import derived_field, sources_of
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import SIZE
from workbench.contract.plan_nodes import BasicFilter, canonical_field
from workbench.contract.plan_validation import texts_in

_LINKS_ONLY = Grammar(())
_MOST = 3
_POINTING = LIGHT | FUNCTION_WORDS | {"one", "ones", "no", "not", "same", "first", "last"}
"""Words that need no effect, even if a property has such a name."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMPUTED_BY: Mapping[str, frozenset[str]] = {
    "avg": _words("average averages mean means avg averaged typical typically"),
    "median": _words("median medians middle"),
    "sum": _words(
        """total totals sum sums altogether together much combined overall add added adding many all
        amount come comes worth in"""
    ),
    "count": _words(
        """how many count counts counted number numbers per by each for much often most fewest
        frequency total split group grouped break broken tally every documents"""
    ),
    "distinct": _words("different distinct unique many number count various"),
    "max": _words("max maximum most top best peak record latest last newest longest ever"),
    "min": _words("min minimum least bottom lowest worst earliest first oldest ever"),
    "share": _words("share percentage percent proportion part rate fraction % portion"),
}
_BUCKETS = _words(
    """month months monthly year years yearly annual annually quarter quarters quarterly week weeks
    weekly weekday weekdays day days daily hour hours"""
)
_COUNTING = _words("many count counts counted number numbers much total tally often times")
_FREEING = _words(
    """drop remove without forget ignore any all every everything everybody everyone anybody anyone
    either whatever regardless matter overall whole total again back undo instead rather not other
    others rest also too both include including longer lose scrap leave out delete omit skip except
    no never full entire irrespective restriction condition filter wider altogether back add plus
    anything irrelevant disregard lift limit meant whichever"""
)
_WHOLE = _words(
    """all any every each everything everybody everyone whole full entire complete rest others other
    more drop remove forget limit no without ranking undo cap cutoff only"""
)
_EVERYTHING = _words("all every everything everybody everyone whole total full entire complete")
_TURNING = _words("other others rest opposite remaining remainder contrary reverse else")
_CUTTING = _words(
    """first last top bottom one single latest newest earliest most least which who what few couple
    pair half dozen best worst winner leader only just"""
)
_ORDERING = _words(
    """sort sorted order ordered rank ranked arrange arranged by first last top bottom descending
    ascending alphabetical alphabetically latest newest earliest oldest most least recent best worst
    up down begin beginning start starting chronological chronologically desc asc reverse decreasing
    increasing list highest lowest date"""
)
_LINING_UP = _words("sort sorted order ordered rank ranked list")
_OF_ONE = _words("most least fewest first last top bottom leads leading wins tops")
_TOGETHER = _words("altogether together combined total")
_UNSORTING = _ORDERING | _words(
    "sorting ordering ranking drop remove without forget ignore undo no not back never scrap lose"
)
_STEERING = _COUNTING.union(_CUTTING, _ORDERING, _FREEING, _TURNING, *_COMPUTED_BY.values()) - {
    "date"
}
_LASTING = _words("longer shorter")
_THOSE = _words("those them these")
_NO_GROUPS = _words("one once single only time of other last please name mentioned cent")
_PERSONAL = _words("they them their theirs his hers her its he she")
_DEFINING = _words("with who whose which that where without from in for of on by at having not")
_LISTING = _THOSE | _words(
    """list listed show shown see display give which who what whose where names it that ones all
    documents first last top find get back undo everything them"""
)
_LISTS = _words("list show display which who")
"""First words of requests that want documents rather than a number."""
_MOVING = _words("raise lower increase decrease reduce extend bump lift shift move widen")
_OF_SIZE = _words(
    """biggest largest highest most greatest smallest lowest least fewest maximum busiest quietest
    commonest rarest dearest cheapest heaviest lightest"""
)
_OF_TIME = _words("latest newest earliest recent recently")


@dataclass(frozen=True)
class Evidence:
    """The meanings of a follow-up's words: `named` are fields that a word or a value names,
    `hinted` those that words only resemble or describe; `steps` are numbers by which something
    changes; `values` and `props` map the position of a word to possible values and fields. `things`
    are fields of identifying whole numbers: `room_number`, and `advisor` if the words mention
    advisors; `happened` are dates of what was done at some time: `which of them have been sold`;
    `pointers` are how they relate to what was shown.
    """

    words: frozenset[str]
    dates: frozenset[str]
    numbers: frozenset[str]
    dated: bool
    numbered: bool
    steps: frozenset[float]
    points_back: bool
    listed: bool
    noun: bool
    lists: bool
    each: bool
    replaced: frozenset[str]
    named: frozenset[str]
    hinted: frozenset[str]
    values: Mapping[int, frozenset[str]]
    props: Mapping[int, frozenset[str]]
    things: frozenset[str]
    happened: frozenset[str]
    pointers: Pointers

    def asks_for(self, field: str) -> bool:
        """Whether a word names a field, or each of those that it is computed from."""
        return field in self.named or all(name in self.named for name in _behind(field))

    def hints_at(self, field: str) -> bool:
        return any(name in self.hinted for name in (field, *_behind(field)))


def _behind(field: str) -> tuple[str, ...]:
    """The fields that one is computed from: two dates, a list whose length it is, or itself."""
    return tuple(name.removesuffix(SIZE) for name in sources_of(field))


def evidence_of(tokens: Sequence[Token], vocabulary: Vocabulary, today: date) -> Evidence:
    """The possible meanings of each word of a follow-up."""
    tokens = with_letters(tokens, vocabulary)
    light = frozenset(i for i, token in enumerate(tokens) if is_light(token))
    chart = Chart(len(tokens), _LINKS_ONLY, weights(), light)
    link(chart, tokens, vocabulary, today)
    meaning_links(chart, tokens, vocabulary, QUESTIONS.steering, QUESTIONS.likely)
    named: set[str] = set()
    hinted: set[str] = set()
    values: dict[int, set[str]] = {}
    props: dict[int, set[str]] = {}
    kinds = [(e.start, dict(e.features)) for e in chart.edges("Noun")]
    nouns = {i for i, features in kinds if GUESSED not in features}
    documents = {i for i, features in kinds if "noun: named" in features}
    for edge, fields, named_so in _links(chart):
        sure = named_so and not _is_aside(edge, tokens)
        places = [i for i in range(edge.start, edge.end) if tokens[i].kind != "sign"]
        (named if sure else hinted).update(fields)
        if edge.kind not in ("Prop", "Val"):
            continue
        meant = [str(v).lower() for v in edge.value.values] if edge.kind == "Val" else list(fields)
        for i in places:
            if tokens[i].lower in _POINTING or i in nouns:
                continue
            literal = sure and all(name != BY_MEANING for name, _ in edge.features)
            if literal and tokens[i].lower not in _STEERING:
                (values if edge.kind == "Val" else props).setdefault(i, set()).update(meant)
                if edge.kind == "Val" and edge.value.prop.scale is not None:
                    props.setdefault(i, set()).update(fields)  # "above medium" names other steps
    return Evidence(
        words=frozenset(token.lower for i, token in enumerate(tokens) if not _meant(tokens, i)),
        each=_each(tokens, documents, numbered=bool(chart.edges("Num"))),
        replaced=_replaced(tokens, props),
        dates=frozenset(prop.field for prop in vocabulary.properties if prop.dated),
        numbers=frozenset(p.field for p in vocabulary.properties if p.numeric or p.scale),
        dated=bool(chart.edges("Date") or chart.edges("Year")),
        numbered=bool(chart.edges("Num")),
        steps=_steps(chart, tokens),
        points_back=_points_back(tokens),
        listed=bool(nouns) or any(token.lower in _LISTING for token in tokens),
        noun=bool(documents),
        lists=bool(tokens) and tokens[0].lower in _LISTS,
        named=frozenset(named),
        hinted=frozenset(hinted),
        values={i: frozenset(meant) for i, meant in values.items()},
        props={i: frozenset(meant) for i, meant in props.items()},
        things=frozenset(_things(tokens, vocabulary)),
        happened=frozenset(_happened(tokens, chart)),
        pointers=pointers_of(
            tokens, frozenset(edge.value.field for edge in chart.edges("Asked")), nouns
        ),
    )


def _happened(tokens: Sequence[Token], chart: Chart) -> Iterator[str]:
    """The dates whose verb says that something was done, where nobody asks when."""
    if any(token.lower in _WHEN for token in tokens):
        return
    for edge in chart.edges("Prop"):
        done = is_past(tokens[edge.start].lower) and edge.end == edge.start + 1
        if edge.value.dated and done and edge.start and tokens[edge.start - 1].lower in _BEEN:
            yield edge.value.field


_WHEN = _words("when date dates day days what time times")
_BEEN = _words("been was were is are be got")


def _things(tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[str]:
    """The fields of whole numbers that identify things rather than count them."""
    spoken = {token.lower for token in tokens}
    several = {singular(word) for word in spoken} - spoken
    for prop in vocabulary.properties:
        named_after = prop.kind == "int" and prop.unit is None and prop.last_part in several
        if named_after or prop.names_things:
            yield prop.field


def _meant(tokens: Sequence[Token], i: int) -> bool:
    """`I mean` computes nothing."""
    before = tokens[i - 1].lower if i else ""
    return tokens[i].lower in ("mean", "means") and before in ("i", "we", "you", "it", "that")


def _each(tokens: Sequence[Token], documents: Set[int], *, numbered: bool) -> bool:
    """Whether groups are asked for: `per type`, but not `per document` or `500 per month`."""
    return any(
        token.lower in ("each", "per", "every")
        and i not in documents
        and tokens[i].kind == "word"
        and tokens[i].lower not in _NO_GROUPS
        and not (numbered and tokens[i].lower in _BUCKETS)
        for i, token in enumerate(tokens[:-1], 1)
    )


def _steps(chart: Chart, tokens: Sequence[Token]) -> frozenset[float]:
    """The numbers by which something should change: `raise it by 10`."""
    if not any(token.lower in _MOVING for token in tokens):
        return frozenset()
    behind = [e for e in chart.edges("Num") if e.start and tokens[e.start - 1].lower == "by"]
    return frozenset(edge.value.value for edge in behind)


def _points_back(tokens: Sequence[Token]) -> bool:
    """Whether words refer to earlier results: `they`, `of those`, but not `those with`."""
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.lower in _PERSONAL:
            return True
        behind = "" if following is None else following.lower
        if token.lower in _THOSE and behind not in _DEFINING:
            return True
    return False


def _links(chart: Chart) -> Iterator[tuple[Edge, tuple[str, ...], bool]]:
    """Links to properties with the fields that they concern, and whether they are certain."""
    for kind in ("Prop", "Flag", "Val", "Superlative", "Comparative", "Adjective"):
        for edge in chart.edges(kind):
            match edge.value:
                case Property():
                    fields: tuple[str, ...] = (edge.value.field,)
                case Value() | Degreed():
                    fields = (edge.value.prop.field,)
                case BasicFilter():
                    fields = tuple(_fields_of(edge.value))
                case _:
                    continue
            yield edge, fields, _is_sure(dict(edge.features))


def _is_aside(edge: Edge, tokens: Sequence[Token]) -> bool:
    """Whether words only say what a property belongs to: `verdict` in `days_to_verdict`; or which
    part of a date is meant: `Thursday`.
    """
    if isinstance(edge.value, Value):
        return derived_field(edge.value.prop.field) is not None
    spoken = {token.stem for token in tokens[edge.start : edge.end]}
    return isinstance(edge.value, Property) and spoken <= edge.value.aside


def _is_sure(features: Mapping[str, float]) -> bool:
    """Whether words name something rather than describe or resemble it."""
    if "value: part by common words" in features or "value: common word" in features:
        return False
    if BY_MEANING in features:
        return features[DOUBT] <= _SLIGHT
    if "property" not in features:
        return True
    if "property: asked" in features:
        return True
    literal = features.get("property: words", 0.0) > features.get("property: synonyms", 0.0)
    return literal and not features.get("property: part missing", 0.0) > 0.5


_SLIGHT = 0.3
"""The doubt up to which a phrase names its probable meaning."""


def _fields_of(condition: BasicFilter) -> Iterator[str]:
    for part in (condition, *(condition.any_of or [])):
        for field in (part.field, part.start_field, part.end_field):
            if field:
                yield field


def supported(
    evidence: Evidence, was: PlanState, now: PlanState, before: Plan, after: Plan, *, fresh: bool
) -> dict[str, float]:
    """Features of an edit: changes that no word asks for, and words without effect."""
    features = dict.fromkeys(_unasked(evidence, was, now, fresh=fresh), 1.0)
    answered = stored_values(after) | (set() if fresh else stored_values(before))
    used = _used(now) if fresh else _used(now) | _used(was)
    lost_values = {
        i
        for i, meant in evidence.values.items()
        if answered.isdisjoint(meant) and used.isdisjoint(evidence.props.get(i, ()))
    }
    lost = {
        i
        for i, meant in evidence.props.items()
        if i not in evidence.values and used.isdisjoint(meant)
    }
    features |= dict.fromkeys(_unanswered(evidence, was, now), 1.0)
    if not fresh and _stays(evidence.replaced, was, now):
        features["instead: what is to go stays"] = 1.0
    if not fresh:
        features |= dict.fromkeys(ruled_out(evidence.pointers, was, now), 1.0)
    if not fresh and "instead" in evidence.words:
        if _only_adds(was, now):
            features["instead: nothing goes"] = 1.0
        elif was.keys and now.keys and not set(was.keys) & set(now.keys):
            features["instead: another key"] = 1.0
    narrowed = now.filters or now.keys or now.measures or now.counts or not was.filters
    if fresh and not narrowed and evidence.words.isdisjoint(_EVERYTHING):
        features["new question about everything"] = 1.0
    if fresh and evidence.points_back:
        features["new question that points back"] = 1.0
    if lost_values:
        features["unanswered: value"] = float(min(len(lost_values), _MOST))
    if lost:
        features["unanswered: property"] = float(min(len(lost), _MOST))
    return features


def _unanswered(evidence: Evidence, was: PlanState, now: PlanState) -> Iterator[str]:
    """Words that ask for a step which the plan lacks."""
    words = evidence.words
    functions = {measure.func for measure in now.measures}
    for func in ("avg", "median"):
        named = any(func in name for name in (*evidence.named, *evidence.hinted))
        if words & _COMPUTED_BY[func] and func not in functions and not named:
            yield f"unanswered: {func}"
    if words & _TOGETHER and now.gives == "docs" and not words & _WHOLE:
        yield "unanswered: sum"
    longer = was.lines != now.lines and (now.lines or 0) > 1
    if evidence.lists and now.gives == "number" and longer:
        yield "unanswered: documents"
    of_list = "each" in words and bool(was.shown) and now.gives == "number"
    if (evidence.each or of_list) and not now.keys and now.share is None:
        yield "unanswered: each"
    of_whole = now.divides or any(m.func == "share" for m in now.measures)
    if words & {"percent", "percentage", "share", "proportion"} and not of_whole:
        yield "unanswered: share"
        if words & {"share", "proportion"} and not any("share" in name for name in evidence.named):
            yield "unanswered: proportion"


def _used(state: PlanState) -> set[str]:
    """The fields that a plan uses, each also under those that it is computed from."""
    texts = (text for node in state.draft.used() for text in texts_in(node.extras))
    plain = set(map(canonical_field, texts))
    return plain | {source for name in plain for source in _behind(name)}


def _unasked(evidence: Evidence, was: PlanState, now: PlanState, *, fresh: bool) -> Iterator[str]:
    yield from _conditions(evidence, was, now, fresh=fresh)
    words = evidence.words
    for key in now.keys:
        if key in was.keys or ("each" in words and was.shown == (key,)):
            continue
        in_time = key in evidence.dates and words & _BUCKETS
        if not (evidence.asks_for(key) or in_time):
            yield "unasked: hinted key" if evidence.hints_at(key) else "unasked: key"
        dates = evidence.dates.intersection(sources_of(key))
        if dates.isdisjoint(evidence.named) and _another_date(dates, evidence, was):
            yield "unasked: another date"
    yield from _figures(evidence, was, now)
    if now.counts and not was.counts and now.share is None and words.isdisjoint(_COUNTING):
        yield "unasked: count"
    if now.gives == "docs" != was.gives and not (fresh or evidence.listed):
        yield "unasked: documents"
    if was.counted and not now.counted and now.counts and not (fresh or evidence.listed):
        yield "unasked: values no longer counted"
    if now.counted in was.shown and evidence.noun and not evidence.asks_for(now.counted):
        yield "unasked: values counted"
    yield from _order(evidence, was, now)
    if now.lines != was.lines:
        if now.lines is None:
            joined = any(node.node_type == "FieldIn" for node in now.draft.used())
            if not (fresh or joined or now.counts or words & _WHOLE):
                yield "unasked: limit gone"
        elif not evidence.numbered and words.isdisjoint(_CUTTING) and not _superlative(words):
            yield "unasked: limit"
    if now.gives == "docs" and now.lines == 1 != was.lines and now.order is None:
        yield "one of no order"
    for field in now.shown:
        if field not in was.shown and field in evidence.happened:
            yield "unasked: column"
        elif field not in (*was.shown, *evidence.pointers.asked) and not evidence.asks_for(field):
            yield "unasked: hinted column" if evidence.hints_at(field) else "unasked: column"


def _another_date(dates: Set[str], evidence: Evidence, was: PlanState) -> bool:
    """Whether a plan has a date already, and not one of these."""
    fields = [*was.keys, *(c.field for c in was.filters), *([was.order] if was.order else [])]
    known = evidence.dates.intersection(name for field in fields for name in sources_of(field))
    return bool(dates and known) and dates.isdisjoint(known)


_INSTEAD = (("instead", "of"), ("rather", "than"), ("in", "place", "of"))


def _replaced(tokens: Sequence[Token], props: Mapping[int, Set[str]]) -> frozenset[str]:
    """The fields and functions to be replaced: `instead of the type`, `rather than the average`."""
    spoken = tuple(token.lower for token in tokens)
    behind = (
        i + len(phrase)
        for phrase in _INSTEAD
        for i in range(len(spoken))
        if spoken[i : i + len(phrase)] == phrase
    )
    places = {i for start in behind for i in (start, start + 1) if i < len(spoken)}
    words = {spoken[i] for i in places}
    functions = {func for func in ("avg", "median") if words & _COMPUTED_BY[func]}
    if words & {"total", "totals", "sum", "sums"}:
        functions.add("sum")
    return frozenset(functions).union(*(props.get(i, ()) for i in places))


def _stays(named: Set[str], was: PlanState, now: PlanState) -> bool:
    """Whether a plan still groups by, computes or shows what should go."""
    kept = [
        *(set(was.keys) & set(now.keys)),
        *(set(was.shown) & set(now.shown)),
        *(measure.field for measure in was.measures if measure in now.measures),
        *(measure.func for measure in was.measures if measure in now.measures),
    ]
    return any(name in named for name in kept)


def _only_adds(was: PlanState, now: PlanState) -> bool:
    """Whether keys, measures or columns are added to those of a plan, which all stay."""
    sides: tuple[tuple[Sequence[object], Sequence[object]], ...] = (
        (was.keys, now.keys), (was.measures, now.measures), (was.shown, now.shown),
    )  # fmt: skip
    return any(
        before and len(after) > len(before) and all(item in after for item in before)
        for before, after in sides
    )


def _superlative(words: Iterable[str]) -> bool:
    return any(map(is_superlative, words))


def _conditions(
    evidence: Evidence, was: PlanState, now: PlanState, *, fresh: bool
) -> Iterator[str]:
    gone = [c for c in was.filters if c not in now.filters]
    new = [c for c in now.filters if c not in was.filters]
    times = [c for c in was.filters if only_number(c) is not None]
    lasting = len(times) == 1 and "_since" in times[0].field and times[0] in now.filters
    for condition in new:
        fields = set(_fields_of(condition))
        if lasting and evidence.words & _LASTING and only_number(condition) is not None:
            yield "a time is compared with something else"
        if evidence.steps & {condition.start, condition.end, condition.query}:
            yield "a step is a bound"
        if any(map(evidence.asks_for, fields)):
            continue
        part = derived_field(condition.field)
        if part is not None and part.other is None:
            if _another_date({part.field} - evidence.named, evidence, was):
                yield "unasked: another date"
            continue
        if evidence.dated and condition.is_date:
            if evidence.dates & evidence.named:
                yield "unasked: another date"
            continue
        other = any(c.field == condition.field for c in gone)
        if other and (evidence.numbered or evidence.words & (_TURNING | _FREEING)):
            continue
        hinted = any(map(evidence.hints_at, fields))
        yield "unasked: hinted condition" if hinted else "unasked: condition"
    replaced = {field for condition in new for field in _fields_of(condition)}
    for condition in gone if not fresh else ():
        fields = set(_fields_of(condition))
        named = any(map(evidence.asks_for, fields)) or (evidence.dated and condition.is_date)
        freed = evidence.words & (_FREEING | _TURNING)
        if not (named or freed or fields & replaced):
            yield "unasked: condition gone"
    if gone and "of" in evidence.words and evidence.words & _THOSE:
        yield "of those: a condition goes"


def _figures(evidence: Evidence, was: PlanState, now: PlanState) -> Iterator[str]:
    known = {was.order, *(measure.field for measure in was.measures), *was.shown}
    functions = {measure.func for measure in was.measures}
    for measure in now.measures:
        if measure in was.measures:
            continue
        asked = _COMPUTED_BY.get(measure.func, frozenset())
        if measure.func == "count":
            if not was.measures or set(map(repr, was.measures)) <= set(map(repr, now.measures)):
                continue
            asked = _COUNTING
        if measure.func == "sum" and now.divides:
            asked |= _COMPUTED_BY["share"]
        ends = measure.func in ("max", "min") and _superlative(evidence.words)
        if measure.func not in functions and evidence.words.isdisjoint(asked) and not ends:
            yield f"unasked: {measure.func}"
        field = measure.field
        if measure.func == "sum" and field in evidence.things:
            yield "unasked: things added up"
        if field is not None and field not in known and not evidence.asks_for(field):
            yield "unasked: hinted figure" if evidence.hints_at(field) else "unasked: figure"


def _order(evidence: Evidence, was: PlanState, now: PlanState) -> Iterator[str]:
    order, words = now.order, evidence.words
    if order is None:
        listed = was.order is not None and not was.keys and was.gives == now.gives == "docs"
        if listed and words.isdisjoint(_UNSORTING):
            yield "unasked: order gone"
        return
    sorts = [state.draft.on_spine("Sort") for state in (was, now)]
    ways = [bool(sort[-1].extras.get("descending")) if sort else None for sort in sorts]
    if order == was.order and ways[0] == ways[1] and now.lines == was.lines:
        return
    figures = {measure.field for measure in now.measures}
    by_figure = bool(now.keys) and (order in figures or order not in (*now.keys, KEY))
    if words & _OF_SIZE and words.isdisjoint(_OF_TIME):
        if order in evidence.dates:
            yield "superlative of size by a date"
        elif not by_figure and order not in evidence.numbers:
            yield "superlative of size by no number"
    if order == was.order:
        return
    if not (by_figure or order in now.keys or order == KEY or evidence.asks_for(order)):
        yield "unasked: hinted order" if evidence.hints_at(order) else "unasked: order by this"
    if words.isdisjoint(_ORDERING | _CUTTING) and not _superlative(words):
        yield "unasked: order"
    asks_which = words & {"which", "who"} and words.isdisjoint(_LINING_UP)
    extreme = _superlative(words) or words & _OF_ONE
    if now.keys and not now.limited and asks_which and extreme:
        yield "which one: all are ordered"
