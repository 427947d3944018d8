"""Measures candidate values: one row of numbers for each, in the order of `NAMES`.

Features never depend on the name of a property or the kind of a document: only on word similarity,
position, form, and comparison with the other candidates.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log2

import numpy as np
from numpy.typing import NDArray

from backend.extraction.cues import Around, Contest, Cues
from backend.extraction.document import Document
from backend.extraction.given_names import GIVEN_NAMES
from backend.extraction.groups import Group
from backend.extraction.naming import made_of
from backend.extraction.qualifiers import qualified
from backend.extraction.segments import Place
from backend.extraction.senses import Matrix
from backend.extraction.sensing import SENSED, Beside
from backend.extraction.spans import without_title
from backend.extraction.spots import Spot
from backend.extraction.targets import MONEY, Target
from backend.extraction.wanted import Wanted
from backend.extraction.words import GENERIC_STEMS, content, stem

Rows = NDArray[np.float32]
Row = list[float]

_KINDS = ("date", "number", "string", "bool", "choice", "item")
_SOURCES = ("line", "table", "below", "heading", "text", "shape", "definition", "form")
_CLASSES = (
    "legal", "body", "person", "name", "place", "address", "code", "duration", "heading", "line",
    "quoted", "option", "value", "part", "tail", "piece", "time", "phrase", "post",
)  # fmt: skip
_TRAITS = (
    "certain", "clocked", "first_of", "last_of", "after_opening", "headed",
    "unit_fit", "money", "decimals", "year_like",
    "numbering", "bracketed", "largest", "size", "worded", "denied", "answered",
    "literal", "ticked", "options", "options_named", "options_here", "meant", "meant_more",
)  # fmt: skip
_AROUND = (
    "before", "behind", "inside", "sentence", "described", "label", "left", "above", "row",
    "column", "heading", "group", "right", "below", "labelled", "own_fit", "foreign", "role",
    "other_role", "against", "opposed",
)  # fmt: skip
_NAMED = ("given_name", "titled", "initials")
_MADE_OF = ("common", "common_last", "names_body", "names_post", "has_title")
_ASKED = ("person", "body", "legal", "place", "code", "phrase", "post", "heading", "name")
NAMES = (
    *(f"is_{kind}" for kind in _KINDS),
    *(f"score_{source}" for source in (*_SOURCES, "other")),
    "score", "sources", "margin", "rank",
    *(f"class_{name}" for name in _CLASSES),
    *_TRAITS,
    *_AROUND,
    "rival", "around_rank", "around_margin",
    "match", "asks", "like_examples", "fits_pattern", "examples",
    "order", "page", "top", "in_heading", "in_cell", "in_margin", "large", "share", "words",
    "letters", "capitals", "digits", "whole", "behind_total", "linked", "defined", "signed",
    "count", "alone", "earlier", "of_class", "nth_of_class", "name_words", "generic_name",
    "wants_late", "wants_early", "wants_most", "wants_money", "wants_count", "wants_unit",
    "absent", "second_part",
    "begins", "ends", "cut_before", "cut_behind", "sum", "part", "repeats",
    "inner", "outer", "postcode", "commas", "is_label", "addressed", "closing",
    *SENSED, "sense_rank", "sense_margin", "match_rival",
    "from_before", "to_before", "range_first", "range_last", "wants_from", "wants_to",
    *_NAMED, "range_fit", "order_fit",
    *_MADE_OF, *(f"asks_{kind}" for kind in _ASKED), "title_fit", "bears", "bears_margin",
    "qualified", "total_fit", "pair_fit",
)  # fmt: skip
"""The features, in the order of the columns."""
_AT = {name: at for at, name in enumerate(NAMES)}

_PLACED = (
    "order", "page", "top", "in_heading", "in_cell", "in_margin", "large", "share", "whole",
    "alone", "linked", "defined", "signed", "behind_total", "begins", "ends", "cut_before",
    "cut_behind", "second_part", "addressed", "closing", "from_before", "to_before", "range_first",
    "range_last",
)  # fmt: skip
_PLACED_AT = [_AT[name] for name in _PLACED]
_TEXTUAL = ("words", "letters", "capitals", "digits", "commas", "postcode", *_NAMED, *_MADE_OF)
_TEXTUAL_AT = [_AT[name] for name in _TEXTUAL]
_SPOT = (
    *_AROUND, "rival", "around_rank", "around_margin", "match", "match_rival", "sum", "part",
    "repeats", "count", "of_class", "nth_of_class", "earlier", "qualified",
    "pair_fit",
)  # fmt: skip
_SPOT_AT = [_AT[name] for name in _SPOT]
_COMPARED_AT = [_AT[name] for name in ("score", "sources", "margin", "rank", "absent")]
_NESTED_AT = [_AT[name] for name in ("inner", "outer", "is_label")]
_SCORE_AT = {source: _AT[f"score_{source}"] for source in _SOURCES}
_OTHER_AT = _AT["score_other"]
_CLASS_AT = {kind: _AT[f"class_{kind}"] for kind in _CLASSES}

RISING = frozenset(
    {"score", "match", "label", "before", "left", "above", "row", "column", "inside", "own_fit"}
    | {"role", "like_examples", "unit_fit", "sense_asked", "sense_name", "sense_before"}
    | {"range_fit", "order_fit", "title_fit", "bears_margin", "total_fit"}
    | {"pair_fit"}
    | {f"score_{source}" for source in _SOURCES}
)
"""A higher value of these never counts against a candidate."""
FALLING = frozenset(
    {"against", "opposed", "other_role", "foreign", "rival", "sense_rival", "value_rival"}
    | {"qualified"}
)
"""A higher value of these never counts for a candidate."""

_TOTAL = frozenset(
    map(stem, ["total", "sum", "gesamt", "gesamtbetrag", "summe", "totaal", "grand"])
)
_LATE = frozenset(
    content(
        "end expiry expires expiration due deadline until final last latest termination next"
        " closing return returned back valid renewal died death"
    )
)
_EARLY = frozenset(
    content("start begin commencement effective first opening issue issued born birth admission")
)
_COUNT = frozenset(
    content("count many number persons people pieces units copies times visits seats how quantity")
)
_MOST = frozenset(content("total sum maximum overall grand gross"))
_NO_WORDS: frozenset[str] = frozenset()
_JOINED = 0.3
"""The penalty for a place in joined lines compared with one in a line of its own."""
_LINK = re.compile(r"\b(?:between|among|and|by|with|from|to|of|the|for|in)\s*[\"“(]?$")
_ROLE = re.compile(
    r"^[^.;]{0,140}?\(\s*(?:\w+\s+){0,4}[\"“]"
    r"|^,? (?:an?|the) [\w ]{3,60}\b(?:corporation|company|partnership|individual)\b"
)
_OPEN_BEFORE = re.compile(r"(?:[^\W\d_a-z][\w'’&-]{0,40}|\d),?\s$")
_OPEN_BEHIND = re.compile(r",?\s(?:[^\W\d_a-z]|\d|&\s)")
"""A capital or a number right before or behind: the name or address may continue there."""
_ENDS = re.compile(r"(?:te[l1i]\b|fax|phone|e-?mail|gst|vat|www|reg\b)", re.IGNORECASE)
_POSTCODE = re.compile(r"(?<!\d)\d{4,6}(?!\d)|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b")
_ADDRESSED = re.compile(
    r"(?:^|\W)(?:dear|to|attn|attention|for|hello|hi|mrs?|ms|dr|an)\b[.:]?$", re.IGNORECASE
)
_CLOSING = re.compile(
    r"(?:sincerely|regards|faithfully|truly|wishes|respectfully|grüßen|thanks)\W*$", re.IGNORECASE
)
_FROM = re.compile(
    r"\b(?:from|since|starting|starts|beginning|begins|commencing|commences|effective|as of|as from"
    r"|between|opens?|on or after|not before|earliest)\b[\s:]*(?:on |the )?$",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\b(?:to|until|till|through|thru|by|before|ending|ends|expiring|expires|expiry|closing|closes"
    r"|up to|later than|latest|at most|max)\b[\s.:]*(?:on |the )?$",
    re.IGNORECASE,
)
_TO_BEHIND = re.compile(
    r"\s*(?:[-–—]|\b(?:up to|to|until|till|through|thru|and)\b)(?: and including\b)?\s*[\w£€$]",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(
    r"\d\s*+(?:[-–—]|\b(?:up to|to|until|till|through|thru)\b)(?: and including\b)?\s*+"
    r"(?:[£€$]\s*+)?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s*)?$",
    re.IGNORECASE,
)
"""Separators between the ends of a range."""
_INITIAL = re.compile(r"[^\W\d_a-z]\.?")
_MOST_NAMES = 5
_SIGNED = re.compile(r"(?:/s/|\bby\b:?|\bname\b:?|\btitle\b:?|signature|_{4,})", re.IGNORECASE)


class Measure:
    """Measures the candidate values (`groups`) of one property in one document."""

    def __init__(
        self,
        target: Target,
        asks: Wanted,
        document: Document,
        cues: Cues,
        contest: Contest,
        others: Sequence[Wanted],
        groups: Sequence[Group],
    ) -> None:
        self._target = target
        self._asks = asks
        self._document = document
        self._cues = cues
        self._contest = contest
        self._others = others
        self._groups = groups
        self._rival_matches: dict[str, float] = {}
        self.places: list[list[Place]] = []
        """The places of each value, best surroundings first."""
        self._around = [self._best_spot(group) for group in groups]

    @property
    def beside(self) -> Beside:
        """The surroundings of the values, for comparison by meaning."""
        return Beside(
            [None if spot is None else spot.place for spot, _ in self._around],
            [group.candidates[0].label if group.candidates else "" for group in self._groups],
            [group.value if isinstance(group.value, str) else "" for group in self._groups],
        )

    def rows(self, kind: str, senses: Matrix) -> Rows:
        """One row per group; `senses` are its similarities in meaning."""
        groups = self._groups
        if not groups:
            return np.zeros((0, len(NAMES)), dtype=np.float32)
        out = np.repeat(np.array([self._template(kind)], dtype=np.float32), len(groups), axis=0)
        self._add_scores(out)
        placed = [
            (at, spot, near)
            for at, (spot, near) in enumerate(self._around)
            if spot is not None and near is not None
        ]
        self._add_spots(out, placed)
        for row, group, (spot, _) in zip(out, groups, self._around, strict=True):
            if spot is None:
                self._candidate(row, group)
        self._add_texts(out)
        inner, outer = _nested(groups)
        names_a_value = self._document.names_a_value
        keys = [group.key for group in groups]
        out[:, _NESTED_AT] = [(key in inner, key in outer, names_a_value(key)) for key in keys]
        _add_senses(out, senses)
        _add_ends(out)
        return out

    def _template(self, kind: str) -> Row:
        """A row with the features shared by all values of the property."""
        target = self._target
        words = {*target.name_words, *target.described}
        names = list(target.name_words)
        shared = [
            (f"is_{kind}", 1.0),
            ("asks", float(bool(self._asks.weights))),
            ("examples", float(len(target.examples))),
            ("name_words", float(len(names))),
            ("generic_name", float(all(word in GENERIC_STEMS for word in names))),
            ("wants_late", float(bool(words & _LATE))),
            ("wants_early", float(bool(words & _EARLY))),
            ("wants_most", float(bool(words & _MOST))),
            ("wants_money", float(bool(words & MONEY))),
            ("wants_count", float(bool(words & _COUNT))),
            ("wants_unit", float(target.unit is not None)),
            ("wants_from", float(target.wants_end == -1)),
            ("wants_to", float(target.wants_end == 1)),
        ]
        shared += [(f"asks_{kind}", self._asks.weights.get(kind, 0.0)) for kind in _ASKED]
        row = [0.0] * len(NAMES)
        for name, value in shared:
            row[_AT[name]] = value
        return row

    def _best_spot(self, group: Group) -> tuple[Spot | None, Around | None]:
        best: tuple[Spot | None, Around | None] = (None, None)
        most, ranked = -1.0, list[tuple[float, Place]]()
        for spot in group.spots[:6]:
            near = self._cues.around(spot.place)
            sense = self._cues.sensed[spot.place.segment.order]
            worth = near.best + 0.5 * near.sentence + 0.5 * spot.match + 0.5 * sense
            worth += 0.5 * spot.traits.get("literal", 0.0) + spot.traits.get("ticked", 0.0)
            worth -= _JOINED if spot.place.segment.joined else 0.0
            ranked.append((-worth, spot.place))
            if worth > most:
                best, most = (spot, near), worth
        self.places.append([place for _, place in sorted(ranked, key=_first)])
        return best

    def _add_scores(self, out: Rows) -> None:
        """Adds the scores of labels and how each value compares with the others."""
        scores = [group.score for group in self._groups]
        ranking = sorted(scores, reverse=True)
        second = ranking[1] if len(ranking) > 1 else ranking[0]
        compared = []
        for row, group, score in zip(out, self._groups, scores, strict=True):
            rival = second if score >= ranking[0] else ranking[0]
            place = min(6, ranking.index(score))
            compared.append((score, len(group.sources), score - rival, place, group.absent))
            for candidate in group.candidates:
                at = _SCORE_AT.get(candidate.source, _OTHER_AT)
                row[at] = max(row[at], candidate.score)
        out[:, _COMPARED_AT] = compared

    def _add_spots(self, out: Rows, placed: Sequence[tuple[int, Spot, Around]]) -> None:
        """Adds the surroundings of the best place of each value that has one."""
        if not placed:
            return
        nearness = sorted((near.best for _, _, near in placed), reverse=True)
        order: dict[str, list[int]] = {}
        for _, spot, _ in placed:
            order.setdefault(spot.kind, []).append(spot.place.segment.order)
        for members in order.values():
            members.sort()
        rows, columns, traits = [], [], []
        for at, spot, _ in placed:
            for name, value in spot.traits.items():
                rows.append(at)
                columns.append(_AT[name])
                traits.append(value)
            if (column := _CLASS_AT.get(spot.kind)) is not None:
                rows.append(at)
                columns.append(column)
                traits.append(1.0)
        out[rows, columns] = traits
        at_rows = np.array([at for at, _, _ in placed])[:, None]
        out[at_rows, _SPOT_AT] = [
            self._spot(self._groups[at], spot, near, nearness, order[spot.kind])
            for at, spot, near in placed
        ]
        out[at_rows, _PLACED_AT] = [self._place(spot.place) for _, spot, _ in placed]

    def _spot(
        self,
        group: Group,
        spot: Spot,
        near: Around,
        nearness: Sequence[float],
        order: Sequence[int],
    ) -> Row:
        """The features of a place that depend on the property, in the order of `_SPOT`."""
        best = near.best
        rival = nearness[1] if len(nearness) > 1 and best >= nearness[0] else nearness[0]
        match = max([one.match for one in group.spots])
        rival_match = whole = part = repeats = 0.0
        if spot.kind == "number":
            sums = self._document.sums
            whole, part = spot.amount in sums[0], spot.amount in sums[1]
            repeats = min(6, self._document.amounts[spot.amount])
        elif spot.kind not in ("date", "answer"):
            rival_match = match - self._rival_match(spot.kind)
        at = spot.place.segment.order
        return [
            *near[: len(_AROUND)], self._contest.strongest(self._cues, spot.place) - best,
            min(6, nearness.index(best)), best - rival, match, rival_match, whole, part, repeats,
            min(8, len(group.spots)), min(12, len(order)), min(12, order.index(at)),
            order[-1] == at, self._qualified(spot.place), self._pair_fit(spot),
        ]  # fmt: skip

    def _pair_fit(self, spot: Spot) -> float:
        """For one of two dates in a text: 1 if the property asks for it, -1 if it asks for the
        other.
        """
        if spot.kind != "date" or not self._target.wants_end:
            return 0.0
        pair = self._document.date_pairs.get(spot.place.segment.order)
        if pair is None or spot.place.start not in pair:
            return 0.0
        return float(self._target.wants_end * (1 if spot.place.start == pair[1] else -1))

    def _qualified(self, place: Place) -> float:
        """Whether a qualifier beside a place gives its value a different meaning."""
        segment = place.segment
        around = (self._document.lead(place), segment.left, segment.row, segment.column)
        for text in around:
            words = qualified(text) if text else _NO_WORDS
            if words and not words <= self._target.mentioned:
                return 1.0
        return 0.0

    def _rival_match(self, kind: str) -> float:
        """The best match of a class of text with another property."""
        known = self._rival_matches.get(kind)
        if known is None:
            known = max((other.match(kind) for other in self._others), default=0.0)
            self._rival_matches[kind] = known
        return known

    def _place(self, place: Place) -> list[float]:
        """The features of a place that do not depend on the property, computed once per place."""
        key = (place.segment.order, place.start, place.end)
        known = self._document.placed.get(key)
        if known is None:
            known = self._document.placed[key] = _placed(place, self._document)
        return known

    def _candidate(self, row: Rows, group: Group) -> None:
        """Adds the place of a value that only a label gives."""
        best = group.candidates[0]
        row[_AT["page"]] = (best.page - 1) / max(1, self._document.pages)
        row[_AT["match"]] = -1.0
        row[_AT["count"]] = len(group.candidates)
        if best.pair is not None:
            row[_AT["label"]] = self._target.fit(best.pair.label)
            row[_AT["share"]] = 1.0

    def _add_texts(self, out: Rows) -> None:
        """Adds the form of each value that is a text."""
        texts = [
            (at, group.value)
            for at, group in enumerate(self._groups)
            if isinstance(group.value, str)
        ]
        if not texts:
            return
        examples, pattern = self._target.examples, self._target.pattern
        rows = np.array([at for at, _ in texts])
        out[rows[:, None], _TEXTUAL_AT] = [_textual(value) for _, value in texts]
        bears = np.array([self._target.borne(value) for _, value in texts], dtype=np.float32)
        ranking = np.sort(bears)[::-1]
        second = ranking[1] if len(ranking) > 1 else 0.0
        out[rows, _AT["bears"]] = bears
        margin = bears - np.where(bears >= ranking[0], second, ranking[0])
        out[rows, _AT["bears_margin"]] = margin
        out[rows, _AT["title_fit"]] = self._target.wants_title * (
            2.0 * out[rows, _AT["has_title"]] - 1.0
        )
        if examples:
            out[rows, _AT["like_examples"]] = [
                max([_alike(value, example) for example in examples]) for _, value in texts
            ]
        if pattern is not None:
            out[rows, _AT["fits_pattern"]] = [
                pattern.fullmatch(value) is not None for _, value in texts
            ]


@lru_cache(maxsize=20_000)
def _textual(value: str) -> tuple[float, ...]:
    """The composition of a text, in the order of `_TEXTUAL`."""
    letters = sum(map(str.isalpha, value)) or 1
    return (
        min(30, len(value.split())),
        min(200, len(value)),
        sum(map(str.isupper, value)) / letters,
        sum(map(str.isdigit, value)) / max(1, len(value)),
        min(8, value.count(",")),
        _POSTCODE.search(value) is not None,
        *_personal(value),
        *made_of(value),
    )


def _personal(value: str) -> tuple[float, float, float]:
    """Whether a text begins with a given name, with a title or with initials."""
    bare = without_title(value)
    words = bare.replace("-", " ").replace(".", ". ").split()
    if not words or len(words) > _MOST_NAMES:
        return 0.0, 0.0, 0.0
    given = any(word.lower().strip(",") in GIVEN_NAMES for word in words[:2])
    initials = len(words) > 1 and _INITIAL.fullmatch(words[0]) is not None
    return float(given), float(bare != value), float(initials)


def _add_senses(rows: Rows, senses: Matrix) -> None:
    """Adds the similarities in meaning, relative to the other values."""
    first = _AT[SENSED[0]]
    best = senses[:, 0]
    ranking = np.sort(best)[::-1]
    second = ranking[1] if len(ranking) > 1 else 0.0
    rows[:, first : first + len(SENSED)] = senses
    rows[:, _AT["sense_rank"]] = np.minimum(6, (ranking > best[:, None]).sum(axis=1))
    rows[:, _AT["sense_margin"]] = best - np.where(best >= ranking[0], second, ranking[0])


def _add_ends(rows: Rows) -> None:
    """Adds whether a value is the end of a range, or the extreme of all dates, that is
    asked for.
    """
    at = _AT
    ranged = rows[:, at["range_last"]] - rows[:, at["range_first"]]
    dated = rows[:, at["last_of"]] - rows[:, at["first_of"]]
    rows[:, at["range_fit"]] = ranged * (rows[:, at["wants_to"]] - rows[:, at["wants_from"]])
    total = 2.0 * rows[:, at["behind_total"]] - 1.0
    rows[:, at["total_fit"]] = total * rows[:, at["wants_most"]]
    rows[:, at["order_fit"]] = dated * (rows[:, at["wants_late"]] - rows[:, at["wants_early"]])


def _placed(place: Place, document: Document) -> list[float]:
    """The position of a place and what is right beside it, in the order of `_PLACED`."""
    segment, text = place.segment, place.segment.text
    before, behind = text[: place.start], text[place.end :]
    lead, tail = before.rstrip(), behind.lstrip()
    around = content(f"{before[-40:]} {segment.left} {segment.row}")
    beside = f"{before[-30:]} {segment.left} {segment.above}"
    return [
        segment.order / max(1, len(document.segments)),
        (segment.page - 1) / max(1, document.pages),
        log2(1 + segment.order),
        segment.kind in ("Title", "Section-header"),
        segment.kind == "cell",
        segment.kind in ("Page-header", "Page-footer"),
        segment.size,
        (place.end - place.start) / max(1, len(text)),
        segment.whole,
        segment.whole and place.end - place.start >= len(text) - 3,
        _LINK.search(lead[-12:].lower()) is not None,
        _ROLE.search(behind[:260]) is not None,
        _SIGNED.search(beside) is not None,
        any(word in _TOTAL for word in around),
        not lead or lead[-1] in ")|;:",
        not tail or tail[0] in "(|;" or _ENDS.match(tail) is not None,
        _OPEN_BEFORE.search(before[-40:]) is not None,
        _OPEN_BEHIND.match(behind) is not None,
        lead[-1:] in ("(", "“", '"'),
        any(_ADDRESSED.search(text[-24:]) for text in (lead, segment.left)),
        _CLOSING.search(lead[-40:] or segment.above[-40:]) is not None,
        _FROM.search(before[-24:]) is not None,
        _TO.search(before[-24:]) is not None,
        _TO_BEHIND.match(behind) is not None,
        _RANGE_BEFORE.search(before[-16:]) is not None,
    ]


@lru_cache(maxsize=20_000)
def _alike(text: str, example: str) -> float:
    """How similar a text is to an example in words, length, capitals and digits."""
    words, others = len(text.split()), len(example.split())
    length = min(len(text), len(example)) / max(len(text), len(example), 1)
    counted = min(words, others) / max(words, others, 1)
    digits = any(map(str.isdigit, text)) == any(map(str.isdigit, example))
    case = _case(text) == _case(example)
    return 0.3 * length + 0.3 * counted + 0.2 * digits + 0.2 * case


def _first(ranked: tuple[float, Place]) -> float:
    return ranked[0]


def _case(text: str) -> str:
    return "upper" if text.isupper() else "lower" if text.islower() else "mixed"


def _nested(groups: Sequence[Group]) -> tuple[set[str], set[str]]:
    """The texts contained in a longer one of the same class, and those that contain one."""
    classes: dict[str, list[str]] = {}
    for group in groups:
        for kind in {spot.kind for spot in group.spots}:
            classes.setdefault(kind, []).append(group.key)
    inner, outer = set(), set()
    for kind, keys in classes.items():
        if kind in ("date", "number"):
            continue
        for short in keys:
            for long in keys:
                if len(short) < len(long) and short in long:
                    inner.add(short)
                    outer.add(long)
    return inner, outer
