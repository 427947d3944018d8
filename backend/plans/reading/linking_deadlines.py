"""Links words that compare an event with its due date: `late`, `on time`, `days late`.

They need exactly one candidate pair of a deadline and an actual date.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

import polars as pl

from backend.language.synonyms import root, synonyms
from backend.language.tokens import Token
from backend.language.units import measure_of
from backend.language.words import stem
from backend.plans.reading.chart import Chart
from backend.plans.reading.comparing import beside
from backend.plans.reading.derived_properties import of_two, span_between
from backend.plans.reading.linking_types import Lead
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary

_DUE = frozenset(
    map(stem, "due deadline expected expect planned scheduled promised target targeted eta".split())  # noqa: SIM905
)
_PLANNED = frozenset(
    map(stem, ["booked", "scheduled", "planned", "reserved", "arranged", "set", "fixed", "agreed"])
)
_OF_DAYS = frozenset(map(stem, ("day", "date", "time")))
_SIDES = {
    "late": "gt", "overdue": "gt", "delayed": "gt", "too late": "gt", "behind schedule": "gt",
    "after deadline": "gt", "past deadline": "gt", "past due": "gt", "missed deadline": "gt",
    "missing deadline": "gt", "over deadline": "gt", "met deadline": "le", "within deadline": "le",
    "kept deadline": "le",
    "on time": "le", "in time": "le", "punctual": "le", "punctually": "le",
    "by deadline": "le", "before deadline": "lt",
    "early": "lt", "too early": "lt", "ahead of schedule": "lt", "ahead of time": "lt",
}  # fmt: skip
_LENGTHS = ("days late", "days overdue", "days of delay", "delay in days", "delay", "lateness",
            "days too late", "days after deadline")  # fmt: skip
_NAMES = frozenset(map(stem, ("late", "delay", "overdue", "lateness", "punctual")))


def deadline(vocabulary: Vocabulary) -> tuple[Property, Property] | None:
    """The due date and the actual date; None if they are uncertain, or if a separate property
    records lateness.
    """
    if any(_NAMES & {*p.parts, *p.weak} for p in vocabulary.properties):
        return None
    dated = [prop for prop in vocabulary.properties if prop.dated]
    due = [prop for prop in dated if _is_due(prop)]
    if len(due) != 1:
        return None
    topic = due[0].described - _DUE - _OF_DAYS
    others = [prop for prop in dated if prop is not due[0]]
    same = [p for p in others if _roots(topic) & _roots({*p.described, *p.parts})]
    meant = {other for word in topic for other in synonyms(word)}
    alike = [p for p in others if _roots(meant) & _roots({*p.described, *p.parts})]
    end = [prop for prop in others if prop is vocabulary.end]
    for group in (same, alike, end, others):
        if len(group) == 1:
            return due[0], group[0]
    return None


def _is_planned(prop: Property) -> bool:
    """Whether a date is planned: `booked_for`, not `booked_on`."""
    words = prop.label.lower().split()
    return bool(_PLANNED & set(prop.parts)) and words[-1] == "for"


def _roots(words: Iterable[str]) -> set[str]:
    return set(map(root, words))


def ahead_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Links `ahead` and `in advance` to the days between two dates, which such words do not
    name.
    """
    words = [token.lower for token in tokens]
    dated = [prop for prop in vocabulary.properties if prop.dated]
    spans = [span for pair in combinations(dated[:_MOST_DATES], 2) if (span := span_between(*pair))]
    features = (("derived: several dates", 1.0),) if len(spans) > 1 else ()
    for phrase in _AHEAD if spans else ():
        length = len(parts := phrase.split())
        for i in range(len(words)):
            if words[i : i + length] == parts and words[i + length : i + length + 1] != ["of"]:
                for span in spans:
                    chart.add(i, i + length, "Ahead", span, features)


def lead_links(chart: Chart, vocabulary: Vocabulary) -> None:
    """For each link of a date, links the days since the preceding date, for words without a start:
    `took two weeks to arrive`.
    """
    for edge in chart.edges("Prop"):
        days = _leads(vocabulary).get(edge.value.field)
        if days is not None:
            chart.add(edge.start, edge.end, "Lead", Lead(days), edge.features)


def stay_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Links words such as `took` and `away` to the days from the beginning to the end of documents
    that have one of each, and no property of their own for the time between.
    """
    pair, end = vocabulary.stay, vocabulary.end
    span = span_between(*pair) if pair else _leads(vocabulary).get(end.field) if end else None
    if span is None or any(_is_duration(prop) for prop in vocabulary.properties):
        return
    for i, token in enumerate(tokens):
        if token.lower in _STAYING:
            chart.add(i, i + 1, "Stay", Lead(span), (("time of the documents", 1.0),))


def _is_duration(prop: Property) -> bool:
    return prop.unit is not None and measure_of(prop.unit.name) == "time"


_STAYING = frozenset(
    """
    take takes took taken taking last lasts lasted lasting spend spends spent stay stays stayed
    remain remained away duration length
    """.split()  # noqa: SIM905
)


@lru_cache(maxsize=64)
def _leads(vocabulary: Vocabulary) -> dict[str, Property]:
    """For dates the days since the preceding one: the latest unplanned date that all documents have
    and that is not later in nearly all documents.
    """
    dated = [prop for prop in vocabulary.properties if prop.dated]
    table = vocabulary.collection.table
    times = {prop.field: table.get_column(prop.field) for prop in dated}
    days = {name: times[name].cast(pl.Date, strict=False) for name in times}
    leads: dict[str, Property] = {}
    for prop in dated:
        stages: list[tuple[float, Property]] = []
        for other in dated:
            timed = prop.kind == other.kind == "datetime"
            of = times if timed else days
            passed = (of[prop.field] - of[other.field]).dt.total_seconds()
            lapses = passed.drop_nulls().to_list()
            if other is prop or other.gaps or _is_due(other) or not sum(lapses) > 0:
                continue
            if sum(lapse >= 0 for lapse in lapses) >= _NEARLY_ALL * len(lapses):
                stages.append((sum(lapses) / len(lapses), other))
        nearest = min(stages, key=lambda stage: stage[0], default=None)
        span = None if nearest is None else of_two("days_since", prop, nearest[1])
        if span is not None:
            leads[prop.field] = span
    return leads


def _is_due(prop: Property) -> bool:
    return bool(_DUE & {*prop.parts, *prop.described}) or _is_planned(prop)


_NEARLY_ALL = 0.9
_MOST_DATES = 4
_AHEAD = ("ahead", "in advance", "beforehand", "ahead of time", "before the day")


def deadline_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds the links to a chart."""
    places = [i for i, token in enumerate(tokens) if token.lower not in _ARTICLES]
    words = [tokens[i].lower for i in places]
    if not _FIRST.intersection(words) or (pair := deadline(vocabulary)) is None:
        return
    due, actual = pair
    days = of_two("days_since", actual, due)
    features = (("deadline", 1.0),)
    for i in range(len(words)):
        for phrase, op in _SIDES.items():
            end = i + len(parts := phrase.split())
            if words[i:end] == parts and (condition := beside(actual, op, due)) is not None:
                chart.add(places[i], places[end - 1] + 1, "Flag", condition, features)
                if op == "gt" and days is not None:
                    chart.add(places[i], places[end - 1] + 1, "Late", Lead(days), features)
        for phrase in _LENGTHS:
            end = i + len(parts := phrase.split())
            if words[i:end] == parts and days is not None:
                chart.add(places[i], places[end - 1] + 1, "Prop", days, features)


_ARTICLES = frozenset({"the", "a", "their", "its", "his", "her", "our", "any"})
_FIRST = frozenset(phrase.split()[0] for phrase in (*_SIDES, *_LENGTHS))
