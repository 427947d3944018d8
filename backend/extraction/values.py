"""From text to a value of a property's type: the possible readings and their quality.

`read_values` returns the readings of a text by likelihood. `quality` is 1 for an unambiguous text,
and lower with leftover text, foreign units or ambiguity.
"""

import re
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process

from backend.extraction.dates import Moment, clock_spans, moments
from backend.extraction.habits import Habits
from backend.extraction.numbers import Number, numbers, worded_numbers
from backend.extraction.references import points
from backend.extraction.targets import Target
from backend.extraction.units import Unit, converted, is_known, named_unit
from backend.extraction.words import GENERIC_STEMS, NEGATIONS, content, stem, stems

_YES = frozenset({"yes", "true", "y", "x", "✓", "✔", "☑", "checked", "affirmative"})
_NO = frozenset({"no", "false", "n", "none", "nil", "☐", "unchecked", "negative", "0"})
_ADDRESS = re.compile(r"(?<!\S)(?=\S++$)\S*?(?:\S@\S|://|\bwww\.)\S")
_CODE_WORDS = frozenset(
    content("code id identifier phone zip account postal registration serial version number")
)
MAX_STRING = 200
_REFERENCE = re.compile(
    r"\b(?:per|tables?|figures?|fig\.|exhibit|pages?|pp?\.|sections?|chapter|appendix)\s*$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ABOUT_YEARS = stem("year")


@dataclass(frozen=True)
class Value:
    """One reading of a text; `start` and `end` delimit the part that was read.

    `unit` is the currency code or unit name that a number was written with.
    """

    value: Any
    quality: float
    start: int
    end: int
    unit: str | None = None


_UNKNOWN = Habits()


def read_values(
    target: Target, text: str, *, label: str = "", habits: Habits = _UNKNOWN
) -> list[Value]:
    """Readings of `text` as a value of the target, best first.

    With a `label` the whole text is the value; without one it is running text.
    """
    match target.shape.kind:
        case "date" | "datetime":
            return _dates(target, text, habits.day_first, labelled=bool(label))
        case "int" | "float":
            return _numbers(target, text, label, decimal_comma=habits.decimal_comma)
        case "bool":
            return _bools(target, text, labelled=bool(label))
        case "choice":
            return _choices(target, text, labelled=bool(label))
        case _:
            return _strings(target, text) if label else _spans(target, text)


def _dates(target: Target, text: str, day_first: bool | None, *, labelled: bool) -> list[Value]:
    fmt = (target.shape.format or "").lower()
    if fmt:
        day_first = fmt.startswith(("d", "%d"))
    values = []
    for moment in moments(text, day_first=bool(day_first)):
        quality = 0.97 if moment.certain or day_first is not None else 0.85
        if target.shape.kind == "datetime" and moment.clock is None:
            quality *= 0.9
        values.append(Value(_dated(target, moment), quality, moment.start, moment.end))
    if labelled and len({value.value for value in values}) > 1:
        values = [
            Value(v.value, v.quality * (0.8 if i else 0.95), v.start, v.end)
            for i, v in enumerate(values)
        ]
    return values


def _dated(target: Target, moment: Moment) -> str:
    return moment.iso if target.shape.kind == "datetime" else moment.day.isoformat()


def _numbers(target: Target, text: str, label: str, *, decimal_comma: bool) -> list[Value]:
    claimed = [(moment.start, moment.end) for moment in moments(text)] + clock_spans(text)
    results = [
        n
        for n in numbers(text, decimal_comma=decimal_comma)
        if not any(n.start < end and start < n.end for start, end in claimed)
    ]
    if not results:
        results = [
            n for n in worded_numbers(text) if target.shape.kind == "int" or n.end == len(text)
        ]
    if target.wants_year:
        results = [n for n in results if _YEAR.fullmatch(text[n.start : n.end].strip())]
    if not results:
        return []
    if label and target.shape.kind == "int" and (total := _counted(target, text, results)):
        return [total]
    label_unit = named_unit(label) if label else None
    readings = []
    for rank, number in enumerate(results):
        has = (
            label_unit
            if number.unit is None or number.unit.dimension == number.unit.name
            else number.unit
        )
        value, quality = converted(number.value, has, target.unit)
        if has is None and number.unit is not None and target.unit is not None:
            quality = min(quality, 0.8)  # followed by a word that is no unit we know
        if not label:
            if target.shape.kind == "int" and points(text[: number.start], target.mentioned):
                continue
            quality *= _in_running_text(target, text, number, has)
        if target.shape.kind == "int":
            whole = round(value)
            quality *= 1.0 if abs(whole - value) < 1e-6 else (0.9 if has != target.unit else 0.3)
            value = whole
        quality *= 0.97 if rank == 0 or not label else 0.8
        word = stem(number.word) if number.word else ""
        if word and target.meaning(word)[0] >= 0.8 and word not in GENERIC_STEMS:
            quality = min(1.0, quality * 1.2)
        readings.append(Value(value, quality, number.start, number.end, _unit(has, target.unit)))
    return sorted(readings, key=lambda reading: -reading.quality)


def _unit(has: Unit | None, wants: Unit | None) -> str | None:
    """The unit of a value, after conversion to the wanted one if possible."""
    if has is None or not is_known(has):
        return None
    converts = wants is not None and wants.dimension == has.dimension and has.factor
    return wants.name if wants is not None and converts else has.name


def _in_running_text(target: Target, text: str, number: Number, has: Unit | None) -> float:
    """The likelihood that a number in a sentence is a value, and not a year, a reference or
    a base.
    """
    before, behind = text[: number.start], text[number.end :]
    if _REFERENCE.search(before):
        return 0.3
    if has is not None:
        return 1.0
    aside = before.endswith("(") and behind.startswith((")", "–", "-", ","))
    if aside and number.value >= 0:
        return 0.3  # "(1)", "(3-5)": a reference
    if _YEAR.fullmatch(text[number.start : number.end]) and _ABOUT_YEARS not in target.mentioned:
        return 0.6
    return 0.7 if target.unit is not None and target.unit.factor else 1.0


def _counted(target: Target, text: str, result: list[Number]) -> Value | None:
    """ "1 fatal, 2 serious" for a property that covers both: the sum."""
    if len(result) < 2 or not re.fullmatch(
        r"\s*\d+ [a-z]+(?:(?:, | and |; )\d+ [a-z]+)+\.?\s*", text, re.I
    ):
        return None
    named = [n for n in result if n.word and target.meaning(stem(n.word))[0] >= 0.8]
    if named:
        return Value(int(named[0].value), 0.9, named[0].start, named[0].end)
    return Value(int(sum(n.value for n in result)), 0.8, 0, len(text))


def _bools(target: Target, text: str, *, labelled: bool) -> list[Value]:
    words = text.strip(" .;").lower().split()
    if not words:
        return []
    if labelled:
        first = words[0].strip(",.;:()[]")
        if first in _YES or first in _NO:
            return [Value(first in _YES, 0.97 if len(words) == 1 else 0.9, 0, len(text))]
    stemmed = [word for word in stems(text)]
    names = {name for name in target.name_words if name not in GENERIC_STEMS}
    about = [at for at, word in enumerate(stemmed) if names & target.meaning(word)[1].keys()]
    if about:
        return [_denied_or_not(text, stemmed, about[0], labelled)]
    if labelled:
        parsed = numbers(text)
        if parsed and parsed[0].end >= len(text.strip()):
            return [Value(parsed[0].value > 0, 0.9, 0, len(text))]
        if len(words) <= 3:
            return [Value(False, 0.55, 0, len(text))]
    return []


def _denied_or_not(text: str, stemmed: list[str], at: int, labelled: bool) -> Value:
    """True unless the word is negated, or counted as zero, just before it."""
    before = stemmed[max(0, at - 4) : at]
    count = next((word for word in reversed(before[-2:]) if word.isdigit()), None)
    if count is not None:
        return Value(int(count) > 0, 0.93, 0, len(text))
    denied = any(word in NEGATIONS for word in before)
    return Value(not denied, 0.85 if labelled else 0.75, 0, len(text))


def _choices(target: Target, text: str, *, labelled: bool) -> list[Value]:
    choices = [choice for choice in target.shape.choices or [] if choice is not None]
    lowered = text.strip(" .;").lower()
    results = []
    for choice in choices:
        name = str(choice).lower()
        if lowered == name:
            return [Value(choice, 1.0, 0, len(text))]
        start = _place_of(name, lowered)
        if start is not None:
            share = len(name) / max(len(lowered), 1) if labelled else 0.5
            quality = 0.86 + 0.12 * min(1.0, share)
            results.append((start, Value(choice, quality, start, start + len(name))))
    results = [
        entry for entry in results if not any(_inside(entry[1], other[1]) for other in results)
    ]
    if results:
        results.sort(key=lambda entry: entry[0])
        drop = 1.0 if len(results) == 1 else 0.75
        return [
            Value(v.value, v.quality * drop * (1 if i == 0 else 0.9), v.start, v.end)
            for i, (_, v) in enumerate(results)
        ]
    by_stem = _stem_choices(choices, text)
    if by_stem or not labelled or not choices:
        return by_stem
    best = process.extractOne(
        lowered, [str(choice).lower() for choice in choices], scorer=fuzz.ratio
    )
    if best and best[1] >= 82:
        return [Value(choices[best[2]], 0.85 * best[1] / 100, 0, len(text))]
    return []


def _place_of(name: str, text: str) -> int | None:
    """The first position of a name in a text, as whole words. Compiling a pattern for each of
    thousands of names would be too slow.
    """
    start = text.find(name) if name else -1
    while start >= 0:
        around = text[max(0, start - 1) : start] + text[start + len(name) : start + len(name) + 1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            return start
        start = text.find(name, start + 1)
    return None


def _inside(inner: Value, outer: Value) -> bool:
    return (
        outer is not inner
        and outer.start <= inner.start
        and inner.end <= outer.end
        and outer.end - outer.start > inner.end - inner.start
    )


def _stem_choices(choices: list[Any], text: str) -> list[Value]:
    """Choices whose meaningful words all occur in the text in another form."""
    content_words = set(content(text))
    results = []
    for choice in choices:
        words = content(str(choice))
        if words and all(word in content_words for word in words):
            results.append(Value(choice, 0.8, 0, len(text)))
    return results if len(results) == 1 else []


def _strings(target: Target, text: str) -> list[Value]:
    """A labelled text as a string: the part with the known shape, or all of it."""
    cleaned = clean(re.split(r"\s{2,}", text.strip())[0])
    if not cleaned:
        return []
    if target.pattern is not None:
        match = target.pattern.search(cleaned)
        if match and len(match[0]) < len(cleaned) - 1:
            longest = max(len(example.split()) for example in target.examples)
            if len(cleaned.split()) <= longest:  # no longer than the examples: not cut
                return [Value(cleaned, 0.88, 0, len(text))]
            return [Value(match[0], 0.93, match.start(), match.end())]
        if match:
            return [Value(match[0], 1.0, match.start(), match.end())]
        return [Value(cleaned, 0.65, 0, len(text))]
    quality = 0.96
    if len(cleaned) > MAX_STRING:
        quality = 0.9 if target.wants_long_text else 0.45
    elif (len(cleaned) > 80 and not target.wants_long_text) or (
        target.examples and not _alike(cleaned, target.examples)
    ):
        quality = 0.75
    elif _only_figures(cleaned) and not _CODE_WORDS & {*target.name_words, *target.described}:
        quality = 0.6
    return [Value(cleaned, quality, 0, len(text))]


def _spans(target: Target, text: str) -> list[Value]:
    """Spans of running text with the shape of the examples."""
    if target.pattern is None:
        return []
    return [
        Value(match[0], 0.9, match.start(), match.end()) for match in target.pattern.finditer(text)
    ]


def _alike(text: str, examples: tuple[str, ...]) -> bool:
    """Whether a text is about as long as the examples and has digits only if they do."""
    words = len(text.split())
    longest = max(len(example.split()) for example in examples)
    if words > 3 * longest + 2:
        return False
    return any(char.isdigit() for char in "".join(examples)) or not _only_figures(text)


def _only_figures(text: str) -> bool:
    return sum(char.isalpha() for char in text) < 0.3 * len(text.replace(" ", ""))


def clean(text: str) -> str:
    """Strips quotes, spaces and closing punctuation from a value."""
    cleaned = " ".join(text.split()).strip(" \"'“”‘’;,:•▪◦‣")
    if _ADDRESS.search(cleaned):
        return cleaned.rstrip(".")
    if cleaned.endswith(".") and not re.search(
        r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|No|St|Jr|Sr)\.$", cleaned
    ):
        cleaned = cleaned if cleaned.count(".") > 1 or len(cleaned) > MAX_STRING else cleaned[:-1]
    return cleaned
