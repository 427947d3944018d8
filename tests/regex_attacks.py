"""Texts on which a regular expression may take more than linear time.

They are made from the pattern: for each part that repeats, a text that reaches it, then many of
what it matches, then what nothing expects.
"""

import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_UNBOUNDED = 50
"""A part that may repeat more often than this is tried as if it had no limit."""
_PREFERRED = " aA1.,-('\"\n:/<#"
_TAILS = ("", "\n\x00 ;")

# Private, but the only parser there is; `sre_parse` warns that it is deprecated.
_parser: Any = importlib.import_module("re._parser")


@dataclass(frozen=True)
class Attack:
    """A text that may grow: what comes first, what repeats, and what comes last."""

    start: str
    unit: str
    tail: str

    def text(self, size: int) -> str:
        """About as many characters as asked for."""
        return self.start + self.unit * (size // len(self.unit)) + self.tail


def attacks(pattern: str | bytes, flags: int) -> Iterator[Attack]:
    """The texts on which the pattern may fail late.

    Example:
        >>> Attack("a", " ", "") in list(attacks(r"a\\s*b", 0))
        True
    """
    tree = _parser.parse(pattern, flags)
    seen: set[tuple[str, str]] = set()
    for before, body in _repeats(list(tree), ""):
        for unit in dict.fromkeys(_sample(body, wish) for wish in _PREFERRED):
            for start, again in (("", unit), (before, unit), ("", before + unit)):
                if again and (start, again) not in seen:
                    seen.add((start, again))
                    yield from (Attack(start, again, tail) for tail in _TAILS)


def _repeats(items: list[Any], before: str) -> Iterator[tuple[str, list[Any]]]:
    """The repeated parts with a text that leads to them."""
    for at, (kind, value) in enumerate(items):
        lead = before + _sample(items[:at], "a")
        name = str(kind)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            if value[1] > _UNBOUNDED:
                yield lead, list(value[2])
            yield from _repeats(list(value[2]), lead)
        else:
            for inner in _inner(name, value):
                yield from _repeats(inner, lead)


def _inner(name: str, value: Any) -> Iterable[list[Any]]:
    if name == "SUBPATTERN":
        return [list(value[3])]
    if name == "ATOMIC_GROUP":
        return [list(value)]
    if name == "BRANCH":
        return [list(branch) for branch in value[1]]
    if name in {"ASSERT", "ASSERT_NOT"} and value[0] > 0:
        return [list(value[1])]
    return []


def _sample(items: Iterable[Any], wish: str) -> str:
    """A short text that the items match, with the wished character wherever one may be chosen."""
    return "".join(_one(str(kind), value, wish) for kind, value in items)


def _one(name: str, value: Any, wish: str) -> str:
    if name == "LITERAL":
        return chr(value)
    if name in {"NOT_LITERAL", "ANY"}:
        return wish if name == "ANY" or value != ord(wish) else "b"
    if name == "IN":
        return _member(value, wish)
    if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        return _sample(value[2], wish) * value[0]
    inner = list(_inner(name, value)) if not name.startswith("ASSERT") else []
    return _sample(inner[0], wish) if inner else ""


_CATEGORIES = {
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_WORD": lambda one: one.isalnum() or one == "_",
}


def _member(choices: list[Any], wish: str) -> str:
    """A character of the set: the wished one if it is in it."""
    for one in wish + _PREFERRED + "bBé":
        if _within(choices, one):
            return one
    first, value = choices[0]
    return chr(value if str(first) == "LITERAL" else value[0] if str(first) == "RANGE" else 0xFF)


def _within(choices: list[Any], one: str) -> bool:
    wanted = True
    for kind, value in choices:
        name = str(kind)
        if name == "NEGATE":
            wanted = False
        elif (
            (name == "LITERAL" and value == ord(one))
            or (name == "RANGE" and value[0] <= ord(one) <= value[1])
            or (name == "CATEGORY" and _in_category(str(value), one))
        ):
            return wanted
    return not wanted


def _in_category(name: str, one: str) -> bool:
    plain = _CATEGORIES.get(name.replace("_NOT_", "_"))
    return plain is not None and plain(one) != ("_NOT_" in name)
