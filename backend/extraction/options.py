"""Finds values of a closed list in a document: written out, in part, ticked, or only implied.

Choices in the schema and a list in a description are treated alike. Each mention gets traits; the
fitted score decides which value the document means.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from backend.extraction.cues import Cues
from backend.extraction.document import Document
from backend.extraction.segments import Place, Segment
from backend.extraction.spots import Spot
from backend.extraction.units import UNITS
from backend.extraction.words import content

LITERAL, SIGN, STEMS, PART, MEANT = 1.0, 0.9, 0.7, 0.4, 0.0
"""How explicit a mention is."""
MAX_OPTIONS = 40
_MOST_MEANT = 4
"""The number of best-matching places at which a value may be implied."""
_WORD = re.compile(r"[^\W_]+")
_TICK = re.compile(r"(?:[☒☑✓✔✗✘●■]|\[[xX✓]\]|\([xX✓]\))\s*$")
_NO_TICK = re.compile(r"(?:[☐□○]|\[[ _]?\]|\([ _]\))\s*$")
_ANY_TICK = re.compile(r"[☒☑✓✔✗✘●■]|\[[xX✓]\]|\([xX✓]\)")
_ANY_BOX = re.compile(r"[☐□○☒☑✓✔✗✘●■]|\[[ _xX✓]?\]|\([ _xX✓]\)")
_NEGATED = re.compile(
    r"(?:\b(?:no|not|none|never|without|neither|nor|instead of|rather than)\b|n[o’']t\b)"
    r"[^.;:]{0,24}$",
    re.IGNORECASE,
)


def option_spots(choices: Sequence[Any], document: Document, cues: Cues) -> list[Spot]:
    """Every mention of one of the values, and the values that may be implied without one."""
    values = {text: choice for choice in choices[:MAX_OPTIONS] if (text := str(choice).strip())}
    known = list(values)
    mentions = {
        segment.order: item
        for segment in document.segments
        if not segment.joined and (item := _mentions(tuple(known), segment))
    }
    named = {option for spots in mentions.values() for option, _, _, _ in spots}
    shared = {"options": min(12.0, len(known)), "options_named": min(6.0, len(named))}
    spots = []
    for segment in document.segments:
        for option, start, end, how in mentions.get(segment.order, ()):
            here = {other for other, _, _, _ in mentions[segment.order]}
            traits = shared | _traits(segment, start, end)
            traits |= {"literal": how, "options_here": min(6.0, len(here))}
            place = Place(segment, start, end)
            spots.append(Spot(values[option], place, "option", 1.0, None, traits))
    return spots + _meant(values, document, cues, shared)


def _traits(segment: Segment, start: int, end: int) -> dict[str, float]:
    """What precedes a mention directly: a ticked or empty box, a "not"."""
    before = segment.text[:start]
    ticked = 1.0 if _TICK.search(before) else -1.0 if _NO_TICK.search(before) else 0.0
    if ticked == 0.0 and not _ANY_BOX.search(before):
        behind = segment.text[end : end + 4]
        box = _ANY_BOX.match(behind.lstrip())
        ticked = 0.0 if box is None else 1.0 if _ANY_TICK.match(box[0]) else -1.0
    return {"ticked": ticked, "denied": float(_NEGATED.search(before[-60:]) is not None)}


def _meant(
    values: Mapping[str, Any], document: Document, cues: Cues, shared: dict[str, float]
) -> list[Spot]:
    """Each value at the places that match the property best, with its similarity to them."""
    places = sorted(
        (s for s in document.segments if not s.joined and _WORD.search(s.text)),
        key=lambda s: -(cues.quick(Place(s, 0, len(s.text))) + cues.sensed[s.order]),
    )[:_MOST_MEANT]
    known = list(values)
    if not places or len(known) < 2:
        return []
    near = document.senses.likeness(known, places)
    spots = []
    for at, option in enumerate(known):
        for column, segment in enumerate(places):
            others = max(near[other, column] for other in range(len(known)) if other != at)
            traits = shared | {
                "literal": MEANT,
                "meant": float(near[at, column]),
                "meant_more": float(near[at, column] - others),
            }
            place = Place(segment, 0, len(segment.text))
            spots.append(Spot(values[option], place, "option", 0.3, None, traits))
    return spots


def _mentions(known: tuple[str, ...], segment: Segment) -> list[tuple[str, int, int, float]]:
    """Option, first and last character and explicitness of each mention that is not part of a
    longer one.
    """
    results: list[tuple[str, int, int, float]] = []
    patterns = _patterns(known)
    text = segment.text
    for option in known:
        words, stems, partial, written = patterns[option]
        hits = [(m.start(), m.end(), LITERAL) for m in words.finditer(text)]
        if not hits and written is not None:
            hits = [(m.start(), m.end(), SIGN) for m in written.finditer(text)]
        if not hits and stems and stems <= segment.stems:
            hits = [(*_first(segment, stems), STEMS)]
        if not hits and partial and not partial.isdisjoint(segment.stems):
            hits = [(*_first(segment, partial), PART)]
        results += [(option, start, end, how) for start, end, how in hits]
    return [
        one
        for one in results
        if not any(
            other[1] <= one[1] and one[2] <= other[2] and other[2] - other[1] > one[2] - one[1]
            for other in results
            if other[3] >= STEMS
        )
    ]


def _first(segment: Segment, stems: frozenset[str]) -> tuple[int, int]:
    return next((start, end) for start, end, word in segment.words if word in stems)


Pattern = tuple[re.Pattern[str], frozenset[str], frozenset[str], re.Pattern[str] | None]


@lru_cache(maxsize=200)
def _patterns(known: tuple[str, ...]) -> dict[str, Pattern]:
    """For each value the patterns of its words in any spelling, its stems, its distinctive stems,
    and its signs.
    """
    own = {option: frozenset(content(option)) for option in known}
    results = {}
    for option in known:
        written = r"[\W_]{0,2}".join(re.escape(word) for word in _WORD.findall(option))
        words = re.compile(rf"(?<!\w){written or re.escape(option)}(?!\w)", re.IGNORECASE)
        others = frozenset().union(*(own[other] for other in known if other != option))
        alone = frozenset(w for w in own[option] - others if len(w) > 3 and not w.isdigit())
        partial = alone if len(own[option]) > 1 else frozenset()
        results[option] = (words, own[option], partial, _signs(option))
    return results


@lru_cache(maxsize=200)
def _signs(option: str) -> re.Pattern[str] | None:
    """Other spellings of the same unit, such as the sign or name of a currency."""
    unit = UNITS.get(option.strip().lower())
    if unit is None or unit.dimension != "money":
        return None
    ways = sorted((way for way, one in UNITS.items() if one == unit), key=len, reverse=True)
    signs = "|".join(re.escape(way) for way in ways)
    return re.compile(rf"(?<![^\W\d_$]|[$])(?:{signs})(?![^\W\d_])", re.IGNORECASE)
