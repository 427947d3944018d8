"""Lists of texts: which values of a document belong together, and the evidence for each list.

Values belong together if they share a sentence, a column, a label, a heading or a box. These lists,
the labelled lists, and the values that are likely on their own compete by a separate fitted score.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.extraction.candidates import Candidate
from backend.extraction.features import NAMES, Rows
from backend.extraction.groups import Group, text_key
from backend.extraction.spots import InRun, Spot
from backend.extraction.tagged import TAGGED, Tagged

Logits = NDArray[np.float64]

WAYS = (
    "line", "cell", "table", "column", "table_column", "list", "heading", "below", "text", "other",
    "sentence", "shared_column", "shared_label", "shared_heading", "shared_box", "likely",
    "possible", "first", "kindred", "mixed", "two", "three", "run_lines", "run_heads", "run_column",
    "run_row", "run_beside",
)  # fmt: skip
"""The origin of a list: a label (those before "sentence"), a place that its values share, their own
likelihood, or a run of like lines or cells, or of names in a sentence ("run_sentence"), or the tags
of a close reading ("read", or "by_tags" of values that other sources propose). Ticked options and
runs of lines with amounts are "other".
"""
LISTED = (
    *(f"list_{way}" for way in WAYS),
    "list_score", "list_items", "list_mean", "list_least", "list_most", "list_gap", "list_share",
    "list_known", "list_ways", "list_outside", "list_apart", "list_alike", "list_alike_outside",
    "list_about", "list_run_sentence", "list_read", "list_by_tags",
    *(f"list_{name}" for name in TAGGED),
)  # fmt: skip
"""The features of a list besides the mean of its values' features."""
_AT = {name: at for at, name in enumerate(LISTED)}
_TAGS = {"read", "by_tags"}
_LIKELY, _POSSIBLE = 0.0, -1.2
_NEAR = 2.0
"""Values whose log-odds are this close to the likeliest join its list."""
_MAX_ITEMS = 200
_MAX_LISTS = 80
_NO_LOGIT = -4.0
_RUNS = re.compile(r"(.)\1+")
_SHAPED = 60


@dataclass
class Listing:
    """A list of values: those of `members` (group numbers), or those of a label's candidate."""

    keys: tuple[str, ...]
    values: list[Any]
    members: list[int]
    ways: set[str] = field(default_factory=set)
    score: float = 0.0
    candidate: Candidate | None = None
    about: float = 0.0
    """How well what is written beside a run of like lines or cells names the property."""
    spots: Sequence[Spot] = ()
    """Where a close reading read it."""


def listings(
    groups: Sequence[Group],
    whole: Sequence[Group],
    logits: Logits,
    read: Sequence[Sequence[Spot]] = (),
    tagged: Tagged | None = None,
    most: int | None = None,
) -> list[Listing]:
    """The candidate lists; equal ones are merged, with all their origins. A close reading proposes
    those of `read`, and values as they are `tagged`. Longer lists than `most` end there.
    """
    known: dict[tuple[str, ...], Listing] = {}
    by_key = {group.key: number for number, group in enumerate(groups)}

    def add(listing: Listing) -> None:
        if not listing.keys:
            return
        if most is not None and len(listing.keys) > most:
            listing = _first(listing, most, groups)
        same = known.setdefault(tuple(sorted(listing.keys)), listing)
        same.ways |= listing.ways
        same.score = max(same.score, listing.score)
        same.about = max(same.about, listing.about)
        same.candidate = same.candidate or listing.candidate
        same.spots = same.spots or listing.spots

    for group in whole:
        for candidate in group.candidates[:1]:
            if isinstance(candidate.value, list):
                add(_named(candidate, by_key))
    apart: dict[tuple[int, ...], list[int]] = {}
    for run, members in _in_runs(groups):
        add(_of(groups, members, f"run_{run.way}", run.about))
    for way, members in _together(groups, logits):
        kept = apart.get(key := tuple(members))
        if kept is None:  # a sentence, its box and its label often have the same members
            kept = apart[key] = _apart(groups, members, logits)
        add(_of(groups, kept, way))
    for spots in read:
        add(_read(spots, by_key))
    for fits, members in tagged.values() if tagged is not None else ():
        add(_of(groups, _apart(groups, members, fits), "by_tags"))
    ranked = sorted(known.values(), key=lambda one: -_promise(one, logits))
    return ranked[:_MAX_LISTS]


def _promise(one: Listing, logits: Logits) -> float:
    own = float(logits[one.members].mean()) if one.members else _NO_LOGIT
    return own + 4.0 * max(one.score, one.about, bool(one.ways & _TAGS))


def _of(groups: Sequence[Group], members: list[int], way: str, about: float = 0.0) -> Listing:
    """The list of these groups' values."""
    keys = tuple(groups[one].key for one in members)
    return Listing(keys, [groups[one].value for one in members], members, {way}, about=about)


def _first(one: Listing, most: int, groups: Sequence[Group]) -> Listing:
    """The first items of a list, which are no longer all that a label names."""
    keys = one.keys[:most]
    members = [number for number in one.members if groups[number].key in keys]
    return replace(one, keys=keys, values=one.values[:most], members=members, candidate=None)


def _named(candidate: Candidate, by_key: dict[str, int]) -> Listing:
    """A list given by a label."""
    values = list(dict.fromkeys(map(str, candidate.value)))[:_MAX_ITEMS]
    keys = tuple(map(text_key, values))
    members = [by_key[key] for key in keys if key in by_key]
    return Listing(keys, values, members, {candidate.source}, candidate.score, candidate)


def _read(spots: Sequence[Spot], by_key: dict[str, int]) -> Listing:
    """A list that a close reading proposes."""
    values = {text_key(spot.value): spot.value for spot in reversed(spots)}
    keys = tuple(reversed(values))
    members = [by_key[key] for key in keys if key in by_key]
    return Listing(keys, [values[key] for key in keys], members, {"read"}, spots=spots)


def _in_runs(groups: Sequence[Group]) -> Iterator[tuple[InRun, list[int]]]:
    """The values in each run of like lines or cells, in its order."""
    runs: dict[InRun, dict[int, tuple[int, int]]] = {}
    for number, group in enumerate(groups):
        for spot in group.spots:
            if spot.run is not None:
                at = (spot.place.segment.order, spot.place.start)
                runs.setdefault(spot.run, {}).setdefault(number, at)
    for run, places in runs.items():
        yield run, sorted(places, key=places.__getitem__)


def _together(groups: Sequence[Group], logits: Logits) -> Iterator[tuple[str, list[int]]]:
    """Values that share a place, and values that are likely on their own."""
    shared: dict[tuple[Any, ...], list[int]] = {}
    mixed: dict[int, list[int]] = {}
    for number, group in enumerate(groups):
        for place in {place for spot in group.spots for place in _places(spot)}:
            shared.setdefault(place, []).append(number)
        for order in {spot.place.segment.order for spot in group.spots}:
            mixed.setdefault(order, []).append(number)
    for place, members in shared.items():
        yield str(place[0]), members
    for members in mixed.values():
        top = max(float(logits[number]) for number in members)
        yield "mixed", [number for number in members if logits[number] >= top - _NEAR]
    ranked = np.argsort(-logits, kind="stable").tolist()
    apart = _apart(groups, ranked[:12], logits)
    best = sorted(apart, key=lambda number: -logits[number])
    yield "two", best[:2]
    yield "three", best[:3]
    yield "first", ranked[:1]
    yield "likely", [number for number in ranked if logits[number] >= _LIKELY]
    yield "possible", [number for number in ranked if logits[number] >= _POSSIBLE]
    for number in ranked[:1]:
        kinds = {spot.kind for spot in groups[number].spots}
        least = float(logits[number]) - _NEAR
        yield "kindred", [
            other for other in ranked
            if logits[other] >= least and kinds & {spot.kind for spot in groups[other].spots}
        ]  # fmt: skip


def _places(spot: Spot) -> Iterator[tuple[Any, ...]]:
    """The places that a value may share with others of its class."""
    segment, kind = spot.place.segment, spot.kind
    if spot.run is not None:
        return
    yield "sentence", segment.order, kind
    if segment.kind == "cell":
        if segment.column:
            yield "shared_column", segment.element, segment.column, kind
        if segment.row:
            yield "shared_label", segment.row.lower(), kind
    elif segment.left:
        yield "shared_label", segment.left.lower(), kind
    if segment.heading and segment.kind == "List-item":
        yield "shared_heading", segment.heading, segment.page, kind
    if not segment.joined:
        yield "shared_box", segment.element, segment.bbox, kind


def _apart(groups: Sequence[Group], members: Sequence[int], logits: Logits | Rows) -> list[int]:
    """The members in reading order; of overlapping ones the likelier is kept."""
    kept: list[int] = []
    for number in sorted(members, key=lambda one: (-logits[one], -len(groups[one].key))):
        key = groups[number].key
        if not any(key in groups[other].key or groups[other].key in key for other in kept):
            kept.append(number)
        if len(kept) >= _MAX_ITEMS:
            break
    return sorted(kept, key=lambda one: _position(groups[one]))


def _position(group: Group) -> tuple[int, int]:
    place = group.spots[0].place
    return place.segment.order, place.start


def listing_rows(
    lists: Sequence[Listing],
    groups: Sequence[Group],
    rows: Rows,
    logits: Logits,
    tagged: Tagged | None = None,
) -> Rows:
    """For each list the mean of its values' features, and the features of the list itself."""
    out = np.zeros((len(lists), len(NAMES) + len(LISTED)), dtype=np.float32)
    top = float(logits.max()) if len(logits) else _NO_LOGIT
    odds = 1.0 / (1.0 + np.exp(-logits))
    all_odds = max(1e-6, float(odds.sum()))
    near, shapes = _Near(groups), np.array([_shape(group.value) for group in groups])
    for row, one in zip(out, lists, strict=True):
        own = logits[one.members] if one.members else np.array([_NO_LOGIT])
        if one.members:
            row[: len(NAMES)] = np.add.reduce(rows[one.members], axis=0) / len(one.members)
        more = row[len(NAMES) :]
        for way in one.ways:
            more[_AT.get(f"list_{way}", _AT["list_other"])] = 1.0
        more[_AT["list_score"]] = one.score
        more[_AT["list_about"]] = one.about
        more[_AT["list_items"]] = min(12, len(one.keys))
        more[_AT["list_mean"]], more[_AT["list_least"]] = own.mean(), own.min()
        more[_AT["list_most"]], more[_AT["list_gap"]] = own.max(), top - own.max()
        if one.members:
            more[_AT["list_share"]] = odds[one.members].sum() / all_odds
        more[_AT["list_known"]] = len(one.members) / len(one.keys)
        more[_AT["list_ways"]] = len(one.ways)
        if tagged is not None:
            more[-len(TAGGED) :] = tagged.features(one.members, len(one.keys))
        outside = near.outside(one)
        most = float(logits[outside].max()) if len(outside) else _NO_LOGIT
        more[_AT["list_outside"]], more[_AT["list_apart"]] = most, own.min() - most
        shape, alike = Counter(map(_shape, one.values)).most_common(1)[0]
        more[_AT["list_alike"]] = alike / len(one.values)
        more[_AT["list_alike_outside"]] = min(6, int((shapes[outside] == shape).sum()))
    return out


class _Near:
    """Caches which values contain each other."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._keys = [group.key for group in groups]
        self._known: dict[str, NDArray[np.bool_]] = {}

    def outside(self, one: Listing) -> NDArray[np.intp]:
        """The values that neither are in a list nor overlap one of its values."""
        inside = np.zeros(len(self._keys), dtype=np.bool_)
        inside[one.members] = True
        for key in one.keys:
            inside |= self._touching(key)
        return np.flatnonzero(~inside)

    def _touching(self, key: str) -> NDArray[np.bool_]:
        known = self._known.get(key)
        if known is None:
            touching = [key in other or other in key for other in self._keys]
            known = self._known[key] = np.array(touching, dtype=np.bool_)
        return known


@lru_cache(maxsize=20_000)
def _shape(text: str) -> str:
    """The form of a text: runs of capitals, lower-case letters and digits."""
    return _RUNS.sub(r"\1", "".join(
        "9" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c
        for c in text[:_SHAPED]
    ))  # fmt: skip
