"""Values of properties that ask for a currency: that of the document's amounts.

A currency is seldom written as it is asked for: "£" beside the amounts is GBP, and "$" is whatever
dollar the country uses. So it is not chosen among the texts of a document but counted over all its
amounts; `currency_marks` knows the signs, and what distinguishes currencies that share one.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backend.extraction.currency_marks import CODES, USUAL, clues, mark_of, marks, sharing
from backend.extraction.document import Document
from backend.extraction.extracted import Extracted, Guess
from backend.extraction.segments import Segment
from backend.extraction.targets import Target
from backend.extraction.validators import passes
from backend.extraction.value_faults import default_of
from backend.extraction.words import spelled

_NAMED = frozenset({"currency", "currencies", "ccy"})
_BESIDES = frozenset({"code", "codes", "iso", "used", "name", "unit", "symbol", "sign"})
_LABEL = re.compile(
    r"\b(?:currency|währung|devise|moneda|divisa|valuta|munteenheid)\b", re.IGNORECASE
)
_BEHIND_LABEL = 24
"""How far behind its label a currency may be stated."""
_STATED, _CLEAR, _SHOWN, _USUAL, _DIVIDED, _UNCLEAR = 0.97, 0.95, 0.9, 0.7, 0.6, 0.4
"""Confidence in a currency that a label states; that all amounts carry; whose sign several share
but something in the document points to its country; that a shared sign usually means, or that
stands beside no amount; that most of the amounts carry; and that is one of several.
"""
_BESIDE = 5
"""The maximum length of a mark before an amount, with a space."""
_MOST, _SOLE = 0.6, 0.85
"""The share of marks from which a currency is that of most amounts, and that of all."""


Amount = tuple[int | None, object]
"""The element of a number that was read, and the number."""


@dataclass(frozen=True)
class Currency:
    """The currency of a document: its code, its confidence (0..1) and the place that shows it."""

    code: str
    confidence: float
    place: Segment


def asks_for_currency(target: Target) -> bool:
    """Whether the value is the currency itself: `currency`, `invoice_currency_code`; choices and
    examples, if there are any, name some that are known here.
    """
    words = [word for word in spelled(target.name).lower().split() if word not in _BESIDES]
    if target.shape.kind not in ("string", "choice") or not words or words[-1] not in _NAMED:
        return False
    shown = target.shape.choices or target.examples
    return not shown or any(map(_names_one, shown))


def with_currencies(
    extracted: Mapping[str, Extracted], wanted: Sequence[Target], document: Document
) -> dict[str, Extracted]:
    """The values, with the document's currency for the property that asks for it.

    Two such properties mean different currencies of one document, which only their labels tell
    apart; they keep what was read if it is a currency.
    """
    asking = [target for target in wanted if asks_for_currency(target)]
    read = {target.name: _only_currencies(extracted[target.name], target) for target in asking}
    given = {(one.element, one.value) for one in extracted.values()
             if isinstance(one.value, int | float)}  # fmt: skip
    if len(asking) == 1 and (currency := currency_of(document, given)) is not None:
        (target,) = asking
        value = _as_asked(currency.code, target)
        if value is not None and passes(value, target.shape.validators):
            read[target.name] = _given(value, currency, read[target.name])
    return {**extracted, **read}


def _only_currencies(read: Extracted, target: Target) -> Extracted:
    """What was read, without values that name no currency. A choice is one of the schema's."""
    if target.shape.kind == "choice":
        return read
    alternatives = [one for one in read.alternatives if _names_one(one.value)]
    if read.value is None or read.confidence == 0 or _names_one(read.value):
        return replace(read, alternatives=alternatives)
    return Extracted(default_of(target.shape), 0.0, alternatives=alternatives)


def _names_one(value: Any) -> bool:
    return mark_of(str(value)) is not None


def currency_of(document: Document, given: Collection[Amount] = ()) -> Currency | None:
    """The currency of the document's amounts, if anything shows one. Of several currencies that of
    the `given` values is meant.
    """
    every = [
        (mark, segment)
        for segment in document.segments
        if not segment.joined
        for mark in marks(segment.text)
    ]
    meant, shown = _meant(Counter(mark.meant for mark, _ in every), document)
    seen = [(mark, meant.get(mark.meant, mark.meant), segment) for mark, segment in every]
    for mark, code, segment in seen:
        if code in CODES and _is_stated(segment, mark.start):
            return Currency(code, _STATED, segment)
    beside = [one for one in seen if one[0].beside]
    carried = Counter(code for _, code, _ in beside or seen)
    own = {meant.get(mark, mark) for mark in _marks_of(given, document)}
    carried = Counter({code: carried[code] for code in own & carried.keys()}) or carried
    code, times = carried.most_common(1)[0] if carried else ("", 0)
    if code not in CODES:
        return None
    share = times / carried.total()
    confidence = _CLEAR if share >= _SOLE else _DIVIDED if share >= _MOST else _UNCLEAR
    if not beside:
        confidence = min(confidence, _USUAL)
    elif all(mark.meant != code for mark, _ in every):
        confidence = min(confidence, _SHOWN if shown else _USUAL)
    place = next(segment for _, one, segment in beside or seen if one == code)
    return Currency(code, confidence, place)


def _marks_of(given: Collection[Amount], document: Document) -> set[str]:
    """What the marks right beside these values mean."""
    return {
        mark.meant
        for segment, number in document.numbers
        if (segment.element, number.value) in given
        for mark in marks(segment.text)
        if mark.beside and number.start - _BESIDE <= mark.start <= number.end + 1
    }


def _meant(counted: Counter[str], document: Document) -> tuple[dict[str, str], bool]:
    """What each sign that several currencies share means here, and whether something shows it."""
    meant, shown = {}, False
    for mark in counted:
        shared = sharing(mark)
        if not shared:
            continue
        own = Counter({code: counted[code] for code in shared if counted[code]})
        own = own or clues((s.text for s in document.segments if not s.joined), shared)
        ranked = own.most_common(2)
        if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
            meant[mark], shown = ranked[0][0], True
        elif mark in USUAL:
            meant[mark] = USUAL[mark]
    return meant, shown


def _is_stated(segment: Segment, start: int) -> bool:
    """Whether a label directly before a mark says that it is the currency."""
    before = segment.text[:start]
    label = _LABEL.search(before[-_BEHIND_LABEL:])
    return label is not None or (not before.strip() and bool(_LABEL.search(segment.left or "")))


def _as_asked(code: str, target: Target) -> Any:
    """The currency as choices, examples or name ask for it; None if it is none of the choices."""
    if target.shape.kind == "choice":
        options = {mark_of(str(option)): option for option in target.shape.choices or []}
        shared = {one: option for mark, option in options.items() for one in sharing(mark or "")}
        return options.get(code, shared.get(code))
    examples = [example for example in target.examples if mark_of(example)]
    if any(mark_of(example) == code for example in examples):
        return next(example for example in examples if mark_of(example) == code)
    if not all(len(example) == len(code) for example in examples):
        return None
    return code.lower() if examples and all(map(str.islower, examples)) else code


def _given(value: Any, currency: Currency, read: Extracted) -> Extracted:
    """The value of the currency in place of what was read, which stays an alternative."""
    place = currency.place
    guess = Guess(value, currency.confidence, place.page, list(place.bbox), place.element)
    others = [one for one in read.alternatives if one.value != value]
    if currency.confidence < _DIVIDED:
        return replace(read, alternatives=[guess, *others])
    return Extracted(
        value, guess.confidence, guess.page, guess.bbox, guess.element,
        others=read.others, alternatives=others,
    )  # fmt: skip
