"""The syntax tree of a filter and the meaning of its nodes.

    Comparison   path = < <= > >= literal: false for a missing value or another type
    Like         path like pattern: % any text, _ one character, case-insensitive; a pattern
                 without wildcards matches anywhere in the value
    OneOf        path in (literals): equal to any of them
    IsNull       path is null: no such property, null or an empty list
    Not          a condition that a document with a value there does not satisfy
    And, Or

As in SQL, a document without a value passes neither a condition nor its negation, so `path != 1`,
`not (path = 1)` and `path not in (1)` are the same. `negated` makes the opposite of a whole tree.
Numbers compare with numbers, text with text by code point (so ISO dates compare as dates), moments
with texts that are moments (in UTC where an offset is known), and booleans only by =. The
texts "true" and "false", in any case, also equal booleans, because callers quote them. A condition
on an array is true when any item satisfies it, its negation when no item does; an object satisfies
none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias

from backend.language.words import IN_NAMES

Value: TypeAlias = str | float | int | bool | datetime
"""A literal; a moment, without an offset, stands for one that was written as text."""
KEYWORDS: Final = frozenset(("and", "or", "not", "like", "in", "is", "null"))
"""Words that a bare property name must not be."""

_PLAIN = re.compile(rf"[{IN_NAMES}]+")
_WORD = re.compile(rf"[^\W\d][{IN_NAMES}]*")
Operator = Literal["=", "<", "<=", ">", ">="]


@dataclass(frozen=True)
class Path:
    """Names from the document's `properties` inwards.

    `column` (from 1) is the path's place in the filter text; a `whole` path begins with
    `properties` there.
    """

    parts: tuple[str, ...]
    column: int = field(default=1, compare=False)
    whole: bool = field(default=False, compare=False)

    @property
    def text(self) -> str:
        """For display."""
        return ".".join(self.parts)

    @property
    def spelt(self) -> str:
        """In filter syntax, quoted where needed."""
        return ".".join(("properties", *map(_part, self.parts)))

    @property
    def bare(self) -> str:
        """In filter syntax without `properties.`, where that parses back to the same path."""
        first, *rest = self.parts
        if "`" in first or first == "properties":
            return self.spelt
        plain = _WORD.fullmatch(first) and first.lower() not in KEYWORDS
        return ".".join((first if plain else f"`{first}`", *map(_part, rest)))


CONFIDENCE: Final = "confidence"
"""The prefix for the confidence of an extracted value: `confidence.total < 0.8`."""


def rated(path: Path) -> str | None:
    """The extracted property whose confidence a path refers to; None for other paths.

    Confidences are stored with a document's evidence, not among its properties.
    """
    return path.parts[1] if len(path.parts) == 2 and path.parts[0] == CONFIDENCE else None


@dataclass(frozen=True)
class Comparison:
    path: Path
    operator: Operator
    value: Value


@dataclass(frozen=True)
class Like:
    path: Path
    pattern: str


@dataclass(frozen=True)
class OneOf:
    path: Path
    values: tuple[Value, ...]


@dataclass(frozen=True)
class IsNull:
    path: Path


@dataclass(frozen=True)
class Not:
    inner: "Condition"


@dataclass(frozen=True)
class And:
    parts: "tuple[Expression, ...]"


@dataclass(frozen=True)
class Or:
    parts: "tuple[Expression, ...]"


Condition: TypeAlias = Comparison | Like | OneOf | IsNull
Expression: TypeAlias = Condition | Not | And | Or


def conditions(expression: Expression) -> Iterator[Condition]:
    """All conditions of the tree, in reading order."""
    match expression:
        case And(parts) | Or(parts):
            for part in parts:
                yield from conditions(part)
        case Not(inner):
            yield inner
        case _:
            yield expression


def rewritten(expression: Expression, change: Callable[[Condition], Expression]) -> Expression:
    """The tree with each condition replaced by what `change` makes of it."""
    match expression:
        case And(parts):
            return And(tuple(rewritten(part, change) for part in parts))
        case Or(parts):
            return Or(tuple(rewritten(part, change) for part in parts))
        case Not(inner):
            return negated(change(inner))
        case _:
            return change(expression)


def negated(expression: Expression) -> Expression:
    """The opposite, with each negation at its condition, which an unknown value never passes."""
    match expression:
        case And(parts):
            return Or(tuple(map(negated, parts)))
        case Or(parts):
            return And(tuple(map(negated, parts)))
        case Not(inner):
            return inner
        case _:
            return Not(expression)


def or_unknown(expression: Expression) -> Expression:
    """The tree that a document also passes if values that it lacks could make it pass."""
    match expression:
        case And(parts):
            return And(tuple(map(or_unknown, parts)))
        case Or(parts):
            return Or(tuple(map(or_unknown, parts)))
        case IsNull() | Not(IsNull()):
            return expression
    path = expression.inner.path if isinstance(expression, Not) else expression.path
    return Or((expression, IsNull(path)))


def depth(expression: Expression) -> int:
    """The nesting depth; a single condition, negated or not, has depth 1."""
    match expression:
        case And(parts) | Or(parts):
            return 1 + max(map(depth, parts))
        case _:
            return 1


def boolean_of(value: Value) -> bool | None:
    """The boolean that a literal can equal: itself, or a quoted true or false."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return None


def _part(name: str) -> str:
    """A name after a dot."""
    if _PLAIN.fullmatch(name):
        return name
    return quoted(name) if "`" in name else f"`{name}`"


def quoted(text: str) -> str:
    r"""The text in double quotes; only quotes and backslashes are escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
