"""Dates with the times of day that are stated apart from them: “6 September … kick-off 19:30”.

A time that follows a date at once is read by `dates`. A date without one gets the closest time near
it, before or behind it, in the same text or in one of the next: a property of type datetime asks
for both.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import time
from typing import NamedTuple

from backend.extraction.dates import Moment, clocks
from backend.extraction.segments import Place, Segment

_SPOKEN = re.compile(
    r"(?<![\w.,:/€$£-])(?P<h>[01]?\d|2[0-3])(?:"
    r"\s?h\s?(?P<m1>[0-5]\d)?(?![\w])"
    r"|(?:[.:](?P<m2>[0-5]\d))?\s?(?:Uhr|uur|o[’']?clock|hrs|hours|horas)(?!\w))"
    r"|\b(?:at|kl\.?|um|om|ab|alle|til|from|vers|klo)\s(?P<h2>[01]?\d|2[0-3])\.(?P<m3>[0-5]\d)(?![\d.,]*\d|\s?%)"
    r"|\b(?P<word>noon|midday|midi|mittags|midnight|mezzogiorno|mediodía)\b",
    re.IGNORECASE,
)
"""Times written in other ways than 14:30 and 2.30 pm: “14h30”, “14 Uhr”, “at 14.30”, “noon”."""
_NEXT, _BEFORE = 2, 1.5
"""How many texts away a time may stand, and how much farther one before a date counts than one
behind it.
"""
_BESIDE, _SAME, _NEAR, _FAR = 0.9, 0.6, 0.5, 0.4
"""How close a time is to a date that it follows within `_GAP` characters (at once: 1), in the same
text, in the next one, and in one farther away.
"""
_GAP, _CHARACTERS = 30, 1_000


Clock = tuple[time, int, int]
"""A time of day with its first and last character."""


class Timed(NamedTuple):
    """A date, the words that state it and its time, and how close both are; 0 without a time."""

    moment: Moment
    place: Place
    close: float


def times(text: str) -> list[Clock]:
    """The times of day in a text, in order."""
    plain = clocks(text)
    covered = {at for _, start, end in plain for at in range(start, end)}
    spoken = [one for one in _spoken(text) if covered.isdisjoint(range(*one[1:]))]
    return sorted([*plain, *spoken], key=lambda one: one[1:])


def _spoken(text: str) -> Iterator[Clock]:
    for match in _SPOKEN.finditer(text):
        minute = match["m1"] or match["m2"] or match["m3"] or 0
        hour = match["h"] or match["h2"]
        if match["word"]:
            hour = 0 if match["word"].lower() == "midnight" else 12
        yield time(int(hour), int(minute)), *match.span()


def plain(dated: Sequence[tuple[Segment, Moment]]) -> Iterator[Timed]:
    """Dates with their own times only."""
    for segment, moment in dated:
        place = Place(segment, moment.start, moment.end)
        yield Timed(moment, place, float(moment.clock is not None))


def with_times(
    segments: Sequence[Segment], dated: Sequence[tuple[Segment, Moment]]
) -> Iterator[Timed]:
    """Each date with the time that is closest to it; those without one as they are."""
    own = [segment for segment in segments if not segment.joined]
    at = {segment.order: number for number, segment in enumerate(own)}
    every = [times(segment.text) for segment in own]
    for one in plain(dated):
        first, moment = at[one.place.segment.order], one.moment
        near = [] if moment.clock else [
            (_distance(number - first, moment, start, end), start, end, clock)
            for number in range(max(0, first - _NEXT), min(len(own), first + _NEXT + 1))
            for clock, start, end in _closest(every[number], moment if number == first else None)
        ]  # fmt: skip
        if not near:
            yield one
            continue
        distance, start, end, clock = min(near, key=lambda time: time[:3])
        place = one.place
        if distance < 1:
            place = place._replace(start=min(start, place.start), end=max(end, place.end))
        yield Timed(replace(moment, clock=clock), place, _close(distance))


def _closest(every: list[Clock], moment: Moment | None) -> list[Clock]:
    """The times of a text beside a date in it, or the first one if the date is in another."""
    if moment is None:
        return every[:1]
    at = bisect_left(every, moment.start, key=lambda one: one[1])
    return every[max(0, at - 1) : at + 1]


def _distance(lines: int, moment: Moment, start: int, end: int) -> float:
    """How far a time is from a date: in texts, and within one in a share of it."""
    if lines:
        return -_BEFORE * lines if lines < 0 else lines
    gap = start - moment.end if start >= moment.end else _BEFORE * (moment.start - end)
    return min(0.99, gap / _CHARACTERS)


def _close(distance: float) -> float:
    if distance < 1:
        return _BESIDE if _CHARACTERS * distance <= _GAP else _SAME
    return _NEAR if distance == 1 else _FAR
