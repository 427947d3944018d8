"""All candidate values for each property of a document, with the probability of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from backend.extraction.candidates import Candidate
from backend.extraction.close_reading import is_short, read_closely
from backend.extraction.compound import InnerValue
from backend.extraction.contrasts import has_contrary, rules_out
from backend.extraction.cues import Contest, Cues
from backend.extraction.document import Document
from backend.extraction.extractors import candidates
from backend.extraction.features import NAMES, Measure, Rows
from backend.extraction.forest import Judging, JudgingLists, forest, rivalry
from backend.extraction.groups import Group, grouped
from backend.extraction.labels import Rivals, give_up_claimed, settle
from backend.extraction.layouts import Asking
from backend.extraction.list_lengths import longest
from backend.extraction.lists import Listing, listing_rows, listings
from backend.extraction.naming import title_before
from backend.extraction.normal_forms import normal
from backend.extraction.reading import Reading
from backend.extraction.references import is_numbered
from backend.extraction.segments import Place
from backend.extraction.senders import with_senders
from backend.extraction.sensing import Sensing
from backend.extraction.spans import without_title
from backend.extraction.spots import Spot
from backend.extraction.tagged import Tagged
from backend.extraction.targets import Target, item_target
from backend.extraction.ticks import TICKED
from backend.extraction.values import clean
from backend.extraction.wanted import Wanted, wanted
from backend.extraction.weighed import Opinion, Weighed
from backend.extraction.wide import says_none, spots
from backend.extraction.words import content
from backend.inference.trees import Odds

InnerValues = Callable[[Sequence[Target], Document], Mapping[str, InnerValue]]
MIN_SCORE = 0.2
"""Below this score a candidate is a mere guess."""
_FITTED = {
    "date": "date", "datetime": "date", "int": "number", "float": "number", "string": "string",
    "custom": "string", "bool": "bool", "choice": "choice",
}  # fmt: skip
_TEXTS = ("string", "custom", "array")
_MOST_RIVALS = 12
_VOTE = 1.0
_CLAIMS, _SURER = 0.75, 0.1
HOPELESS, SURE, LIST_SURE = 0.02, 0.76, 0.7
"""Properties whose best value has a confidence between these are read closely, lists up to
`LIST_SURE`.
"""
_NAMES, _NAMED = 0.9, 0.55
"""A list whose label matches the name of the property this well gets at least this confidence: it
is right more often than not.
"""
_TICKS = 0.4
"""The same for the ticked options of a form: they are a list beyond doubt."""
_MIDNIGHT = "00:00:00"
"""The time of a date without one."""
_PERCENT, _RATE = "percent", 0.4
_DEFINED = 0.84
"""The minimum score of a definition that contains all words of the property's name."""


@dataclass
class Running:
    """A property and its candidate values, measured but not weighed."""

    target: Target
    kind: str
    groups: list[Group]
    lists: list[Group]
    """Whole lists and objects from the rules."""
    places: Sequence[Sequence[Place]] = ()
    """The places of each value, best surroundings first."""
    rows: Rows = field(default_factory=lambda: np.zeros((0, len(NAMES)), dtype=np.float32))

    @property
    def single(self) -> bool:
        """Whether the property has one value, for which the candidates compete."""
        return self.kind not in ("item", "")

    @property
    def asks(self) -> str:
        """The type of its values, as the network knows it."""
        return "item" if self.kind == "item" else self.target.shape.kind

    def asking(self, odds: Odds) -> Asking:
        """The property as the network reads it."""
        values = [group.value for group in self.groups]
        return Asking(self.target, self.asks, values, self.places, odds)

    def listings(self, odds: Odds, tagged: Tagged | None = None) -> list[Listing]:
        """The lists in the running for an array."""
        most = longest(self.target.name, self.target.shape.description or "")
        return listings(self.groups, self.lists, odds, self._tagged_lists(tagged), tagged, most)

    def _tagged_lists(self, tagged: Tagged | None) -> list[list[Spot]]:
        """The lists that the tags of a close reading show."""
        one = _single(self.target)
        return [] if tagged is None else [
            [
                Spot(normal(value, one) if one.examples else value, place, "piece", 0.0)
                for place in places
                if (value := clean(place.segment.text[place.start : place.end]))
            ]
            for places in tagged.lists()
        ]  # fmt: skip


def measured(
    compiled: Sequence[Target], document: Document, inner_values: InnerValues
) -> list[Running]:
    """The candidate values of each property that the fitted score weighs.

    An array of text is measured by its items.
    """
    rivals = Rivals(compiled)

    def inner(targets: Sequence[Target], reading: Reading) -> Mapping[str, InnerValue]:
        return inner_values(targets, document.part(reading))

    proposed = [
        [c for c in candidates(t, document.reading, rivals, inner) if c.score >= MIN_SCORE]
        for t in compiled
    ]
    kinds = [target.shape.kind for target in compiled]
    settle(proposed, kinds)
    give_up_claimed(proposed, kinds)
    asked = np.concatenate([target.sense.asked[1:2] for target in compiled])
    sensed = document.senses.nearest(asked)
    cues = [Cues(target, document, near) for target, near in zip(compiled, sensed, strict=True)]
    asks = [_wanted(target) for target in compiled]
    rivals_of = [[n for n in range(len(cues)) if n != at][:_MOST_RIVALS] for at in range(len(cues))]
    contest = Contest(cues)
    running, measures = [], []
    for at, (target, own) in enumerate(zip(compiled, proposed, strict=True)):
        one = _running(target, own, document, cues[at], asks[at])
        texts = [asks[n] for n in rivals_of[at] if compiled[n].shape.kind in _TEXTS]
        measures.append(
            Measure(_single(target), asks[at], document, cues[at], contest, texts, one.groups)
        )
        running.append(one)
    singles = [_single(target) for target in compiled]
    sensing = Sensing(document.senses, singles, [measure.beside for measure in measures])
    for at, (one, measure) in enumerate(zip(running, measures, strict=True)):
        one.places = measure.places
        one.rows = measure.rows(one.kind or "string", sensing.rows(at, rivals_of[at]))
    return running


def _single(target: Target) -> Target:
    """An array of text as one of its items; anything else unchanged."""
    item = target.shape.item_type
    if target.shape.kind == "array" and item is not None and item.kind in ("string", "custom"):
        return item_target(target, item)
    return target


def _wanted(target: Target) -> Wanted:
    one = _single(target)
    described = one.shape.description or target.shape.description or ""
    return wanted(target.name, described, one.examples)


def _running(
    target: Target,
    own: list[Candidate],
    document: Document,
    cues: Cues,
    asks: Wanted,
) -> Running:
    """The candidates for a property, not yet measured."""
    one = _single(target)
    kind = "item" if one is not target else _FITTED.get(target.shape.kind, "")
    wide = spots(one, asks, document, cues, listed=kind == "item") if kind else []
    names = frozenset(target.name_words)
    if has_contrary(names):
        wide = [spot for spot in wide if not rules_out(_label(spot.place, document), names)]
        own = [candidate for candidate in own if not rules_out(content(candidate.label), names)]
    if kind == "number":
        own = [c for c in own if c.pair is None or c.pair.period in target.periods]
        own = [c for c in own if c.source != "below" or not is_numbered(_written(c))]
    if one.examples:
        wide = [spot._replace(value=normal(spot.value, one)) for spot in wide]
        own = [replace(candidate, value=normal(candidate.value, one)) for candidate in own]
    if one.wants_title:
        wide = [_with_title(spot, one.wants_title > 0) for spot in wide]
    if asks.is_person and target.shape.kind in _TEXTS:
        wide = [spot for spot in wide if not _has_digit(spot.value)]
        own = [candidate for candidate in own if not _has_digit(candidate.value)]
    if kind == "date" and one.wants_end:
        own = _at_end(own, document, last=one.wants_end > 0)
    if target.shape.kind == "datetime":
        own = [_timed(candidate, wide) for candidate in own]
    if kind == "item":
        wide = [spot for spot in wide if not says_none(spot.value)]
        own = [candidate for candidate in own if not says_none(candidate.value)]
    groups = grouped([] if kind == "item" else own, wide)
    lists = grouped(own, []) if kind in ("item", "") else []
    return Running(target, kind, groups, lists)


def _written(candidate: Candidate) -> str:
    """The text behind the candidate's label."""
    return "" if candidate.pair is None else candidate.pair.value


def _label(place: Place, document: Document) -> tuple[str, ...]:
    """The stems of a place's label: its clause before it, or else the texts beside it."""
    lead = document.lead(place)
    if lead:
        return content(lead)
    segment = place.segment
    beside = (segment.left, segment.above, segment.row, segment.column)
    return tuple(chain.from_iterable(map(content, beside)))


def _with_title(spot: Spot, wanted: bool) -> Spot:
    """Extends a name by the titles in front of it, or removes those that it has."""
    segment, start, end = spot.place
    if spot.kind == "person" and wanted:
        start = title_before(segment.text, start)
        return spot._replace(value=clean(segment.text[start:end]), place=Place(segment, start, end))
    if spot.kind != "address" and not wanted:
        return spot._replace(value=without_title(spot.value))
    return spot


def _at_end(own: list[Candidate], document: Document, *, last: bool) -> list[Candidate]:
    """Replaces either end of a labelled period by the end that is asked for."""
    ends = {
        (element, first if last else final): final if last else first
        for element, first, final in document.periods
    }
    if not ends:
        return own
    return [replace(c, value=ends.get((c.element, c.value), c.value)) for c in own]


def _timed(candidate: Candidate, spots: Sequence[Spot]) -> Candidate:
    """A labelled date with the time of day that stands near it, if it has none itself."""
    day, _, clock = str(candidate.value).partition("T")
    near = (
        spot.value
        for spot in spots
        if spot.place.segment.element == candidate.element and str(spot.value).startswith(day)
    )
    if clock != _MIDNIGHT:
        return candidate
    return replace(candidate, value=next(near, candidate.value))


def _has_digit(value: object) -> bool:
    """Whether a text has a digit, which rules it out as a person's name."""
    return isinstance(value, str) and any(map(str.isdigit, value))


def weighed(
    compiled: Sequence[Target], document: Document, inner_values: InnerValues, *, voting: bool
) -> list[Weighed]:
    """The candidate values for each property, with calibrated probabilities, in the end those that
    take senders and the claims of other properties into account.

    With `voting` each further extractor that proposes a value adds to its odds.
    """
    each_alone = weighed_alone(compiled, document, inner_values, voting=voting)
    return _without_claimed(with_senders(each_alone, document))


def weighed_alone(
    compiled: Sequence[Target], document: Document, inner_values: InnerValues, *, voting: bool
) -> list[Weighed]:
    """The same before properties compete. Those whose best value has a confidence from `HOPELESS`
    to `SURE` are read closely.
    """
    running = measured(compiled, document, inner_values)
    fitted = forest()
    odds = fitted.logits([(one.rows, one.single) for one in running])
    if voting:
        odds = [
            own + _VOTE * np.array([len(group.sources) for group in one.groups])
            if one.single
            else own
            for one, own in zip(running, odds, strict=True)
        ]
    starts = [[group.starts for group in one.groups] for one in running]
    single = [at for at, one in enumerate(running) if one.single]
    rows = [one.rows for one in running]
    of_lists = fitted.lists_of_short if is_short(document) else fitted.lists_by_signs
    out = [_unjudged(one, own, of_lists) for one, own in zip(running, odds, strict=True)]

    def judge(some: Sequence[int], judging: Judging) -> None:
        rivals = rivalry(odds, starts)
        opinions = [Opinion(odds[at], rows[at], rivals[at], judging) for at in some]
        confidences = judging.confidences([opinion[:3] for opinion in opinions])
        for at, opinion, own in zip(some, opinions, confidences, strict=True):
            out[at] = Weighed(running[at].target, running[at].groups, own, opinion)

    judge(single, fitted.by_signs)
    doubted = [at for at, one in enumerate(running) if in_doubt(one, out[at].confidences)]
    readings = read_closely(document, [running[at].asking(odds[at]) for at in doubted])
    read = {at: one for at, one in zip(doubted, readings, strict=True) if one is not None}
    for at, one in read.items():
        odds[at], rows[at] = one.odds, np.concatenate([rows[at], one.rows], axis=1)
    judge([at for at in read if running[at].single], fitted.by_reading)
    for at in read:
        if not running[at].single:
            out[at] = _list(running[at], odds[at], fitted.lists_by_reading, read[at].tagged)
    for at in single:
        out[at].confidences = _defined(out[at].groups, out[at].confidences)
        if not running[at].target.takes_percent:
            out[at].confidences = _rates_doubted(out[at].groups, out[at].confidences)
    return out


def in_doubt(one: Running, confidences: Sequence[float]) -> bool:
    """Whether a property is read closely."""
    surest = LIST_SURE if one.kind == "item" else SURE
    return bool(one.kind) and HOPELESS <= max(confidences, default=0.0) < surest


def _unjudged(one: Running, odds: Odds, of_lists: JudgingLists) -> Weighed:
    """Weighed lists, or what the rules found; a single value before any opinion."""
    if one.kind == "item":
        return _list(one, odds, of_lists)
    if one.single:
        return Weighed(one.target, one.groups, [])
    return Weighed(one.target, one.lists, [group.score for group in one.lists])


def _defined(groups: Sequence[Group], sure: Sequence[float]) -> list[float]:
    """Raises the confidence of a name that the text itself defines with the name of the property,
    as in Alder Foods Ltd (the "Supplier"): it is right more often than not.
    """
    return [
        max(
            own,
            _NAMED * any(c.source == "definition" and c.score >= _DEFINED for c in g.candidates),
        )
        for own, g in zip(sure, groups, strict=True)
    ]


def _rates_doubted(groups: Sequence[Group], sure: Sequence[float]) -> list[float]:
    """Lowers the confidence of percentages, which amounts of money are not. They stay in the
    running: where a rate is likeliest, the next amount is hardly the one that is asked for.
    """
    return [
        min(own, _RATE) if group.unit == _PERCENT else own
        for own, group in zip(sure, groups, strict=True)
    ]


def _without_claimed(all_weighed: Sequence[Weighed]) -> list[Weighed]:
    """Removes values at places that another property claims with high confidence.

    Two properties may have equal values, but hardly ever at the very same place.
    """
    claims: dict[tuple[int, int, int], tuple[float, int]] = {}
    for at, one in enumerate(all_weighed):
        best = max(zip(one.confidences, one.groups, strict=True), key=_first, default=None)
        if best is not None and best[0] >= _CLAIMS:
            for place in best[1].shown:
                claims[place] = max(claims.get(place, (0.0, -1)), (best[0], at))
    if not claims:
        return list(all_weighed)
    out = []
    for at, one in enumerate(all_weighed):
        claimed = []
        for sure, group in zip(one.confidences, one.groups, strict=True):
            owners = [claims.get(place, (0.0, at)) for place in group.places]
            if owners and all(own != at and claim > sure + _SURER for claim, own in owners):
                claimed.append(group)
        out.append(one.without(*claimed) if claimed else one)
    return out


def _first(pair: tuple[float, Group]) -> float:
    return pair[0]


def _list(
    one: Running, logits: Odds, judging: JudgingLists, tagged: Tagged | None = None
) -> Weighed:
    """The possible lists of the document, with their expected share of correct items."""
    running = one.listings(logits, tagged)
    sure = judging.confidences(listing_rows(running, one.groups, one.rows, logits, tagged))
    sure = [
        max(own, _NAMED * (listing.score >= (_TICKS if TICKED in listing.ways else _NAMES)))
        for own, listing in zip(sure, running, strict=True)
    ]
    return Weighed(one.target, [_listed(listing, one.groups) for listing in running], sure)


def _listed(listing: Listing, groups: Sequence[Group]) -> Group:
    candidates = [] if listing.candidate is None else [listing.candidate]
    spots = [spot for number in listing.members[:1] for spot in groups[number].spots]
    spots = spots or list(listing.spots[:1])
    return Group(repr(listing.keys), listing.values, candidates, spots)
