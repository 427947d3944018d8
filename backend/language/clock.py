"""Times of day in English: `6 pm`, `10 in the morning`, `14:30`, `noon`, `the evening`."""

from collections.abc import Sequence
from datetime import date

from backend.language.dates import Span
from backend.language.numerals import numeral_at
from backend.language.tokens import Token

_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 23), "night": (22, 5)}
"""The hours that a part of the day means if nobody says which."""
_POINTS = {"noon": 12, "midday": 12, "midnight": 0}
_ANY_DAY = date(2000, 1, 1)
_HALVES = {"am": 0, "pm": 12}


def clock_at(tokens: Sequence[Token], i: int) -> tuple[Span, int] | None:
    """The time of day that begins at token `i`, and its number of tokens."""
    words = [token.lower for token in tokens[i : i + 7]]
    if not words:
        return None
    for length in (2, 1):
        part = _PARTS.get(words[length - 1]) if len(words) >= length else None
        if part is not None and (length == 1 or words[0] == "the"):
            name, (start, end) = words[length - 1], part
            return _span(start, end, f"read “{name}” as from {start} to {end} o’clock"), length
    if words[0] in _POINTS:
        return _span(_POINTS[words[0]]), 1
    read = _hour(tokens, i, words)
    return None if read is None else (_span(read[0]), read[1])


def _span(start: float, end: float | None = None, note: str | None = None) -> Span:
    hours = (start, start if end is None else end)
    return Span(_ANY_DAY, _ANY_DAY, yearless=True, note=note, hours=hours)


def _hour(tokens: Sequence[Token], i: int, words: Sequence[str]) -> tuple[float, int] | None:
    """An hour with what says that it is one, in 24 hours, and the number of tokens."""
    digits = words[0].removesuffix("am").removesuffix("pm")
    if digits != words[0] and digits.isdecimal():
        return _in_half(float(digits), words[0][-2:], 1)
    number = numeral_at(tokens, i)
    if number is None or number.unit or number.value != int(number.value):
        return None
    hour, used = number.value, number.end - i
    timed = words[used : used + 1] == [":"] and words[used + 1 : used + 2] != []
    if timed and words[used + 1].isdecimal() and int(words[used + 1]) < 60:
        hour, used = hour + int(words[used + 1]) / 60, used + 2
    rest = words[used : used + 4]
    if rest[:1] and rest[0] in _HALVES:
        return _in_half(hour, rest[0], used + 1)
    if rest[1:3] == [".", "m"] and rest[0] in ("a", "p"):
        return _in_half(hour, rest[0] + "m", used + 3 + (rest[3:] == ["."]))
    if rest[:2] == ["in", "the"] and rest[2:3] and rest[2] in ("morning", "afternoon", "evening"):
        return _in_half(hour, "am" if rest[2] == "morning" else "pm", used + 3)
    if rest[:2] == ["at", "night"]:
        return _in_half(hour, "pm" if hour >= 6 and hour < 12 else "am", used + 2)
    if rest[:1] and rest[0] in ("and", "to", "-", "until") and hour <= 12:
        later = clock_at(tokens, i + used + 1)  # "between 9 and 11 am"
        end = None if later is None or later[0].hours is None else later[0].hours[0]
        earlier = [start for start in (hour % 12, hour % 12 + 12) if end and start < end]
        return (max(earlier), used) if earlier else None
    clock = 2 * (rest[:2] == ["o", "clock"])
    return (hour, used + clock) if (timed or clock) and hour < 24 else None


def _in_half(hour: float, half: str, length: int) -> tuple[float, int] | None:
    return (hour % 12 + _HALVES[half], length) if 0 < hour <= 12.99 else None
