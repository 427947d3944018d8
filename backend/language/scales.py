"""Ordinal scales of words: `low`, `medium`, `high`.

A property with such values has an order, so that `harder than moderate` can be read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Each line goes from low to high; synonyms for one step are separated by a slash. A leading `+`
# means that high is good, `-` that low is.
_TABLE = """
- none | negligible/trivial | low/slight | medium/moderate/elevated | high | very high/severe/critical/extreme
- minor/mild | moderate | major/serious | severe | critical | catastrophic/fatal
- very easy/beginner | easy/simple | moderate/medium/intermediate | hard/difficult/challenging/demanding/advanced | expert/very hard/extreme
+ dead | very poor/very bad/terrible | poor/bad/weak | fair/average/mediocre | satisfactory/adequate/ok | good/strong | very good | excellent/outstanding/superb
+ tiny | small/little | medium/mid-sized | large/big | very large/extra large/huge
+ trainee/apprentice | junior/assistant | regular/associate | senior | lead/principal | chief
+ bronze | silver | gold | platinum | diamond
+ never | rarely/seldom | sometimes/occasionally | often/frequently | always
+ short | medium | long
+ cold | cool | mild | warm | hot
- narrow | medium | wide
- dry | off-dry/medium dry | medium/medium sweet | sweet
+ primary | secondary | tertiary
- planned | ongoing/in progress | finished/completed/done
"""  # noqa: E501


@dataclass(frozen=True)
class Scale:
    """Values from low to high, and whether high is good."""

    steps: tuple[str, ...]
    up_is_good: bool

    def place(self, value: object) -> int | None:
        return self.steps.index(str(value)) if str(value) in self.steps else None


@dataclass(frozen=True)
class _Line:
    ranks: dict[str, int]
    up_is_good: bool


def _read() -> tuple[_Line, ...]:
    lines = []
    for line in _TABLE.strip().splitlines():
        sign, rest = line.split(" ", 1)
        steps = [step.strip().split("/") for step in rest.split("|")]
        ranks = {word: rank for rank, words in enumerate(steps) for word in words}
        lines.append(_Line(ranks, sign == "+"))
    return tuple(lines)


_LINES = _read()
_FEWEST, _MOST = 2, 12
_MARKS = frozenset({"grade", "class", "rating", "quality", "mark", "category", "label", "level"})
_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d++)")


def scale_of(values: Sequence[str], name_and_description: str) -> Scale | None:
    """The order of the values of a property, or None.

    The description may list them in order. Single letters are grades, A the best.
    """
    if not _FEWEST <= len(values) <= _MOST:
        return None
    return (
        _by_words(values, name_and_description.lower())
        or _by_letters(values, name_and_description.lower())
        or _by_numbers(values)
    )


def _by_words(values: Sequence[str], description: str) -> Scale | None:
    lowered = {value.lower(): value for value in values}
    for line in _LINES:
        known = sorted((v for v in lowered if v in line.ranks), key=lambda v: line.ranks[v])
        if len({line.ranks[v] for v in known}) < max(2, (len(lowered) + 1) // 2):
            continue
        if len(known) == len(lowered):
            return Scale(tuple(lowered[v] for v in known), line.up_is_good)
        places = {v: _place(description, v) for v in lowered}
        if min(places.values()) < 0:
            continue
        listed = sorted(lowered, key=lambda v: places[v])
        for order in (listed, listed[::-1]):
            if [v for v in order if v in line.ranks] == known:
                return Scale(tuple(lowered[v] for v in order), line.up_is_good)
    return None


def _place(text: str, word: str) -> int:
    match = re.search(rf"\b{re.escape(word)}\b", text)
    return -1 if match is None else match.start()


def _by_letters(values: Sequence[str], description: str) -> Scale | None:
    single = all(len(value) == 1 and "A" <= value <= "G" for value in values)
    if not single or not _MARKS & set(re.findall(r"[a-z]+", description)):
        return None
    return Scale(tuple(sorted(values, reverse=True)), True)


def _by_numbers(values: Sequence[str]) -> Scale | None:
    """`Phase 1` to `Phase 4`."""
    matches = {value: match for value in values if (match := _NUMBERED.fullmatch(value))}
    if len(matches) != len(set(values)) or len({match[1] for match in matches.values()}) != 1:
        return None
    return Scale(tuple(sorted(values, key=lambda value: int(matches[value][2]))), True)


def side_of(comparative: str, scale: Scale) -> bool | None:
    """Whether `harder` or `milder` points up the scale; None where its adjective is not a step."""
    bases = _bases(comparative)
    if bases & {"better", "worse"}:
        return ("better" in bases) == scale.up_is_good
    middle = (len(scale.steps) - 1) / 2
    for place, step in enumerate(scale.steps):
        if step.lower() in bases and place != middle:
            return place > middle
    steps = {step.lower() for step in scale.steps}
    for line in _LINES:
        if sum(word in line.ranks for word in steps) < _FEWEST:
            continue
        ranks = [line.ranks[word] for word in steps if word in line.ranks]
        for base in bases & set(line.ranks):
            if line.ranks[base] != (middle := (min(ranks) + max(ranks)) / 2):
                return line.ranks[base] > middle
    return None


def _bases(comparative: str) -> set[str]:
    word = comparative.lower()
    if word in ("better", "worse", "tougher"):
        return {"hard"} if word == "tougher" else {word}
    cut = word.removesuffix("est") if word.endswith("est") else word.removesuffix("er")
    bases = {word, cut, cut + "e"}
    if cut.endswith("i"):
        bases.add(cut[:-1] + "y")
    if len(cut) > 2 and cut[-1] == cut[-2]:
        bases.add(cut[:-1])
    return bases
