"""All values in the running for each property of a document, with the probability of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from backend.extraction.candidates import Candidate
from backend.extraction.compound import Found
from backend.extraction.cues import Cues
from backend.extraction.document import Document
from backend.extraction.extractors import candidates
from backend.extraction.features import Measure, Rows
from backend.extraction.forest import forest
from backend.extraction.groups import Group, grouped
from backend.extraction.labels import Rivals, give_up_claimed, settle
from backend.extraction.reading import Reading
from backend.extraction.targets import Target, item_target
from backend.extraction.wanted import Wanted, wanted
from backend.extraction.wide import MAX_OF_LIST, MAX_PLACES, spots
from backend.inference.trees import Odds

InnerValues = Callable[[Sequence[Target], Document], Mapping[str, Found]]
MIN_SCORE = 0.2
"""Below this a candidate is a guess nobody asked for."""
_FITTED = {
    "date": "date", "datetime": "date", "int": "number", "float": "number", "string": "string",
    "custom": "string", "bool": "bool", "choice": "choice",
}  # fmt: skip
_TEXTS = ("string", "custom", "array")
_MOST_RIVALS = 12
_VOTE = 0.7
_CLAIMS, _SURER = 0.75, 0.1
_SURE_LIST = 0.75
"""A list under its own label or heading is surer than items found one by one."""
_MAX_ITEMS = 200
_ITEM = 0.5
"""From this probability on a value is one of a list."""


@dataclass
class Weighed:
    """A property, the values in its running and how sure each of them is."""

    target: Target
    groups: list[Group]
    confidences: list[float]
    logits: Odds | None = None
    rows: Rows | None = None

    def without(self, refused: Group) -> "Weighed":
        """What is left when a value is refused: its chances go to the others."""
        at = self.groups.index(refused)
        groups = self.groups[:at] + self.groups[at + 1 :]
        if self.logits is None or self.rows is None:
            return Weighed(self.target, groups, self.confidences[:at] + self.confidences[at + 1 :])
        logits, rows = np.delete(self.logits, at), np.delete(self.rows, at, axis=0)
        sure = forest().confidences(logits, rows)
        return Weighed(self.target, groups, sure, logits, rows)


@dataclass
class Running:
    """A property and the values in its running, measured but not weighed."""

    target: Target
    kind: str
    groups: list[Group]
    rows: Rows
    lists: list[Group]
    """Whole lists and objects, which the rules alone weigh."""


def measured(
    compiled: Sequence[Target], document: Document, inner_values: InnerValues
) -> list[Running]:
    """The values in the running for each property that the fitted score weighs.

    An array of text is measured by its items.
    """
    rivals = Rivals(compiled)

    def inner(targets: Sequence[Target], reading: Reading) -> Mapping[str, Found]:
        return inner_values(targets, document.part(reading))

    found = [
        [c for c in candidates(t, document.reading, rivals, inner) if c.score >= MIN_SCORE]
        for t in compiled
    ]
    kinds = [target.shape.kind for target in compiled]
    settle(found, kinds)
    give_up_claimed(found, kinds)
    cues = [Cues(target, document) for target in compiled]
    asks = [_wanted(target) for target in compiled]
    running = []
    for at, (target, own) in enumerate(zip(compiled, found, strict=True)):
        others = [number for number in range(len(cues)) if number != at][:_MOST_RIVALS]
        measure = Measure(
            _single(target), asks[at], document, cues[at], [cues[one] for one in others],
            [asks[one] for one in others if compiled[one].shape.kind in _TEXTS],
        )  # fmt: skip
        running.append(_running(target, own, document, cues[at], asks[at], measure))
    return running


def _single(target: Target) -> Target:
    """An array of text as one of its items; anything else as it is."""
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
    measure: Measure,
) -> Running:
    one = _single(target)
    kind = "item" if one is not target else _FITTED.get(target.shape.kind, "")
    most = MAX_OF_LIST if kind == "item" else MAX_PLACES
    found = spots(one, asks, document, cues, most) if kind else []
    groups = grouped([] if kind == "item" else own, found)
    rows = measure.rows(groups, kind or "string")
    lists = grouped(own, []) if kind in ("item", "") else []
    return Running(target, kind, groups, rows, lists)


def weighed(
    compiled: Sequence[Target], document: Document, inner_values: InnerValues, *, voting: bool
) -> list[Weighed]:
    """The values in the running for each property, with calibrated probabilities.

    With `voting` each further extractor that gives a value counts for it.
    """
    running = measured(compiled, document, inner_values)
    fitted = forest()
    logits = fitted.logits(np.concatenate([one.rows for one in running]))
    out, start = [], 0
    for one in running:
        own = logits[start : start + len(one.groups)]
        start += len(one.groups)
        if one.kind == "item":
            out.append(_list(one, (1.0 / (1.0 + np.exp(-own))).tolist()))
        elif one.kind == "":
            out.append(Weighed(one.target, one.lists, [group.score for group in one.lists]))
        else:
            if voting:
                own = own + _VOTE * np.array([len(group.sources) for group in one.groups])
            sure = fitted.confidences(own, one.rows)
            out.append(Weighed(one.target, one.groups, sure, own, one.rows))
    return _without_claimed(out)


def _without_claimed(all_weighed: Sequence[Weighed]) -> list[Weighed]:
    """What surely is another property's is no longer in the running.

    Two properties may have equal values, but hardly ever the very same place.
    """
    claims: dict[tuple[int, int, int], tuple[float, int]] = {}
    for at, one in enumerate(all_weighed):
        best = max(zip(one.confidences, one.groups, strict=True), key=_first, default=None)
        if best is not None and best[0] >= _CLAIMS:
            for place in best[1].places:
                claims[place] = max(claims.get(place, (0.0, -1)), (best[0], at))
    out = []
    for at, one in enumerate(all_weighed):
        left = one
        for sure, group in zip(one.confidences, one.groups, strict=True):
            owners = [claims.get(place, (0.0, at)) for place in group.places]
            if owners and all(own != at and claim > sure + _SURER for claim, own in owners):
                left = left.without(group)
        out.append(left)
    return out


def _first(pair: tuple[float, Group]) -> float:
    return pair[0]


def _list(one: Running, chances: Sequence[float]) -> Weighed:
    """A whole list that the document shows as one, or the items that are likely by themselves."""
    lists, sure = one.lists, [group.score for group in one.lists]
    ranked = sorted(zip(chances, one.groups, strict=True), key=lambda pair: -pair[0])
    kept: list[tuple[float, Group]] = []
    for chance, group in ranked[:_MAX_ITEMS]:
        text = group.key
        if chance >= _ITEM and not any(text in other.key or other.key in text for _, other in kept):
            kept.append((chance, group))
    if kept and max(sure, default=0.0) < _SURE_LIST:
        kept.sort(key=lambda pair: _position(pair[1]))
        mean = sum(chance for chance, _ in kept) / len(kept)
        first = kept[0][1]
        items = Group(repr(one), [group.value for _, group in kept], [], first.spots)
        lists, sure = [items, *lists], [mean, *sure]
    return Weighed(one.target, lists, sure)


def _position(group: Group) -> tuple[int, int]:
    place = group.spots[0].place
    return place.segment.order, place.start
