"""Links words that compare a number with what it should have been: `over budget`, `below their
target`, `longer than it was scheduled`, `more than they had asked for`.

They need exactly one property for what was planned or asked for, and one for what came of it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from backend.language.adjectives import COMPARATIVES
from backend.language.tokens import Token
from backend.language.units import measure_of
from backend.language.words import stem
from backend.plans.reading.chart import Chart
from backend.plans.reading.comparing import beside
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary

Pair = tuple[Property, Property]
"""What came of it, and what it should have been."""


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_BUDGET = _stems("budget budgeted")
_PLANNED = _BUDGET | _stems(
    """plan planned schedule scheduled target targeted goal aim aimed quote quoted estimate
    estimated expect expected forecast intended projected"""
)
_ASKED = _stems("ask asked request requested claim claimed demand demanded")
_GROUPS = (_PLANNED, _ASKED)
_CAME = _stems(
    """actual actually measured spent spending paid awarded granted received real attended used cost
    expense expenditure achieved"""
)
_SIDES = {
    "over": "gt", "above": "gt", "exceeded": "gt", "exceed": "gt", "exceeding": "gt",
    "exceeds": "gt", "broke": "gt", "blew": "gt", "within": "le", "on": "le", "kept": "le",
    "under": "lt", "below": "lt",
}  # fmt: skip
_MORE = {"more": "gt", "higher": "gt", "greater": "gt", "larger": "gt", "bigger": "gt",
         "stronger": "gt", "less": "lt", "lower": "lt", "fewer": "lt", "smaller": "lt",
         "weaker": "lt"}  # fmt: skip
_BETWEEN = frozenset(
    """it they he she we you i one was were is are had has have been be did the a an their its his
    her our what would d originally initially at first""".split()  # noqa: SIM905
)
"""Words between a comparison and what it compares with."""
_BEFORE = frozenset(
    """take took taken takes last lasted lasts ran run come came out turned got get gets received
    scored weigh weighed weighs were was been have""".split()  # noqa: SIM905
)
_BEHIND = frozenset({"for", "time", "value", "level", "amount", "figure", "number"})
_FEATURES = (("deadline", 1.0), ("two properties", 1.0))


def target_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds the condition for each such phrase."""
    for i, token in enumerate(tokens):
        than = i + 1 < len(tokens) and tokens[i + 1].lower == "than"
        place = i + 2 if than else i + 1
        while place < len(tokens) and tokens[place].lower in _BETWEEN:
            place += 1
        pair = _pair(tokens[place].stem, vocabulary) if place < len(tokens) else None
        op = _comparison(token.lower, pair[0], than=than) if pair is not None else None
        condition = beside(pair[0], op, pair[1]) if pair is not None and op is not None else None
        if pair is None or condition is None:
            continue
        end = place + 1
        while end < len(tokens) and _belongs(tokens[end], pair[1]):
            end += 1
        start = i
        while start and tokens[start - 1].lower in _BEFORE:
            start -= 1
        for begin in {start, i}:
            chart.add(begin, end, "Flag", condition, _FEATURES)


def _belongs(token: Token, planned: Property) -> bool:
    return token.lower in _BEHIND or (token.kind == "word" and token.stem in planned.parts)


def _comparison(word: str, actual: Property, *, than: bool) -> str | None:
    """The comparison that a word expresses, in front of `than` or without it."""
    lasts = actual.unit is not None and measure_of(actual.unit.name) == "time"
    if not than:
        if word in ("beat", "beats", "beaten"):
            return "lt" if lasts else "gt"
        return _SIDES.get(word)
    degree = COMPARATIVES.get(word)
    if degree is not None and degree.dimension == "speed":
        return ("lt" if degree.high else "gt") if lasts else None
    if degree is not None and degree.dimension != "date":
        return "gt" if degree.high else "lt"
    return _MORE.get(word)


@lru_cache(maxsize=512)
def _pair(word: str, vocabulary: Vocabulary) -> Pair | None:
    """The numbers that a word such as `planned` compares; None if they are uncertain."""
    for group in _GROUPS:
        if word not in group:
            continue
        numbers = [prop for prop in vocabulary.properties if prop.numeric]
        planned = [prop for prop in numbers if group & {*prop.parts, *prop.weak}]
        named = [prop for prop in planned if word in (*prop.parts, *prop.weak)]
        if len(wanted := named or planned) != 1:
            return None
        others = list(_counterparts(wanted[0], [p for p in numbers if p not in planned]))
        return (others[0], wanted[0]) if len(others) == 1 else None
    return None


def _counterparts(planned: Property, numbers: Sequence[Property]) -> Iterator[Property]:
    """What may have come of it: numbers in the same unit called so, or else of the same name."""
    alike = [prop for prop in numbers if _unit(prop) == _unit(planned)]
    came = [prop for prop in alike if _CAME & {*prop.parts, *prop.weak}]
    own = set(planned.parts) - _PLANNED - _ASKED
    yield from came or [prop for prop in alike if own & set(prop.parts)]


def _unit(prop: Property) -> str | None:
    return None if prop.unit is None else prop.unit.name
