"""The classes of text that a property asks for, from its name, description and examples.

"Company that issued it" asks for an organisation, "State or country" for a place, an example like
"4 years" for a duration. General English; no word belongs to a kind of document.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from backend.extraction.class_words import CLASSES
from backend.extraction.spans import classes
from backend.extraction.words import content

_PLAIN = frozenset({"name", "person", "body", "legal", "quoted", "heading", "place"})
_KIN = {
    "legal": {"legal": 1.0, "body": 0.85, "name": 0.6, "person": 0.55, "heading": 0.3},
    "body": {"body": 1.0, "legal": 0.9, "name": 0.6, "person": 0.55, "heading": 0.3},
    "person": {"person": 1.0, "name": 0.4},
    "place": {"place": 1.0, "name": 0.6, "person": 0.35},
    "heading": {"heading": 1.0, "quoted": 0.6, "name": 0.3, "post": 0.3},
    "code": {"code": 1.0, "phone": 0.3},
    "phrase": {"phrase": 1.0, "post": 0.8, "name": 0.3},
    "post": {"post": 1.0, "phrase": 0.6, "name": 0.4},
    "name": {"name": 1.0, "person": 0.8, "body": 0.8, "place": 0.8, "legal": 0.6},
}
_LISTED = re.compile(
    r"(?::|\bone of)\s++(?=[^:;.]++\.?\s*+$)"
    r"(?P<list>[^:;.]*[^:;.\s]\s++or\s++[^:;.,]++)\.?\s*+$"
)
_BETWEEN = re.compile(r",\s*(?:or\s+)?|(?<!\s)\s+or\s+")
_LONGEST, _MOST = 4, 12
_UNCLASSED_MATCH, _LOOSE = 0.3, 0.85
_EARLY = 5
"""The first words of a description say what the value is; later ones say what it belongs to."""


@dataclass(frozen=True)
class Wanted:
    """How strongly each class is asked for, 0 to 1; empty if nothing indicates one."""

    weights: dict[str, float]
    by_example: bool

    @cached_property
    def loose(self) -> float:
        """The match of a text that is visually separate, whatever its form."""
        return max(_UNCLASSED_MATCH, _LOOSE * self.match("phrase"))

    @cached_property
    def is_person(self) -> bool:
        """Whether only a person's name is asked for."""
        return not self.by_example and self.weights.keys() - {"name"} == {"person"}

    def match(self, kind: str) -> float:
        """The match of a class of text; 0.5 if nothing is known."""
        if not self.weights:
            return 0.5
        known = self._matches.get(kind)
        if known is None:
            known = self._matches[kind] = max(
                weight * _KIN.get(wanted, {wanted: 1.0}).get(kind, 0.0)
                for wanted, weight in self.weights.items()
            )
        return known

    @cached_property
    def _matches(self) -> dict[str, float]:
        return {}


def wanted(name: str, description: str, examples: Sequence[str]) -> Wanted:
    """The classes that a text property asks for."""
    weights: dict[str, float] = {}

    def add(kinds: Sequence[str], weight: float) -> None:
        for kind in kinds:
            weights[kind] = max(weights.get(kind, 0.0), weight)

    words = content(name)
    for at, word in enumerate(words):
        add(CLASSES.get(word, ()), 0.9 if at == len(words) - 1 else 0.55)
    for at, word in enumerate(content(description)):
        if word not in words:
            add(CLASSES.get(word, ()), 0.75 if at < _EARLY else 0.3)
    shown = [classes(example) for example in examples]
    if shown:
        common: dict[str, float] = {}
        for kinds in shown:
            for kind in kinds:
                common[kind] = common.get(kind, 0.0) + 1.0 / len(shown)
        distinct = {k: w for k, w in common.items() if k not in _PLAIN or len(common) <= 3}
        if distinct:
            weights = {k: 0.35 * w for k, w in weights.items()}
            add([k for k, w in distinct.items() if w >= 0.5], 1.0)
            add([k for k, w in distinct.items() if w < 0.5], 0.7)
    return Wanted(weights, bool(shown))


@lru_cache(maxsize=2_000)
def options(description: str) -> tuple[str, ...]:
    """The possible values that a description lists: "…: prepaid, collect or none"."""
    listed = _LISTED.search(description)
    if listed is None:
        return ()
    choices = tuple(part.strip(" .") for part in _BETWEEN.split(listed["list"]) if part.strip(" ."))
    short = all(len(option.split()) <= _LONGEST for option in choices)
    return choices if short and 2 <= len(choices) <= _MOST else ()
