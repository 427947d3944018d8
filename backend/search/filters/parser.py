"""Parses a filter. All spelling rules and syntax errors of filters are here."""

import math
import re
from functools import cache, lru_cache

from lark import (
    Lark,
    Token,
    Transformer,
    UnexpectedCharacters,
    UnexpectedInput,
    UnexpectedToken,
    v_args,
)

from backend.language.tokens import composed
from backend.language.words import IN_NAMES
from backend.search.filters.grammar import EXPECTATIONS, GRAMMAR
from backend.search.filters.tree import (
    And,
    Comparison,
    Expression,
    IsNull,
    Like,
    Not,
    OneOf,
    Operator,
    Or,
    Path,
    Value,
    conditions,
    depth,
    negated,
)
from workbench.contract.errors import Invalid
from workbench.contract.search import LONGEST_FILTER

MAX_DEPTH = 32
MAX_CONDITIONS = 250

_OPERATORS: dict[str, Operator] = {
    "=": "=", "==": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
_UNEQUAL = ("!=", "<>")
_PART = re.compile(
    r"""`[^`]+`|(?<!\\)"(?:\\.|[^"\\])++"|(?<!\\)'(?:\\.|[^'\\])++'|"""
    rf"[{IN_NAMES}]+",
    re.DOTALL,
)
_LARGEST_INTEGER = 2**63 - 1


@lru_cache(maxsize=256)  # the same filter comes with many queries and with each of their pages
def parse(text: str) -> Expression:
    """Parses a filter. Invalid at body.properties_filter, with the column (from 1) of the fault."""
    if len(text) > LONGEST_FILTER:
        raise fault(f"the filter is longer than {LONGEST_FILTER} characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise fault("the text has an unpaired surrogate", error.start + 1) from error
    try:
        tree: object = _parser().parse(text)
    except UnexpectedInput as error:
        raise explained(error, text) from error
    expression: Expression = tree  # type: ignore[assignment]  # built by the transformer
    if sum(1 for _ in conditions(expression)) > MAX_CONDITIONS:
        raise fault(f"more than {MAX_CONDITIONS} conditions; use `in (…)` for many values")
    return expression


def parse_path(text: str) -> Path | None:
    """A single property path in filter syntax; None when the text is not one."""
    if _parser_of_paths().fullmatch(text) is None or text == "properties":
        return None
    return _path(Token("PATH", text))


def fault(reason: str, column: int | None = None) -> Invalid:
    """The error for a filter; `column` counts from 1."""
    where = "" if column is None else f" at column {column}"
    end = "" if reason.endswith("?") else "."
    return Invalid.at(
        ("body", "properties_filter"), f"Filter{where}: {reason}{end}", "filter_error"
    )


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", transformer=_Builder())


@cache
def _parser_of_paths() -> re.Pattern[str]:
    return re.compile(_parser().get_terminal("PATH").pattern.to_regexp())


def explained(error: UnexpectedInput, text: str) -> Invalid:
    """A syntax error in words: what was expected, what was there, and where."""
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    position = len(text) if at_end else error.pos_in_stream or 0
    field = "allowed" if isinstance(error, UnexpectedCharacters) else "expected"
    names: set[str] = getattr(error, "accepts", None) or getattr(error, field, None) or set()
    *others, last = sorted({EXPECTATIONS[name] for name in names}) or ["nothing more"]
    wanted = f"{', '.join(others)} or {last}" if others else last
    actual = f"found {text[position : position + 20]!r}" if text[position:] else "the filter ends"
    hint = " (texts need quotes)" if "STRING" in names and text[position:][:1].isalpha() else ""
    if text[position:][:1] in ("'", '"') and text[position - 1 : position] == text[position]:
        hint = f" (a quote inside a text is \\{text[position]})"
    return fault(f"expected {wanted}{hint}, {actual}", position + 1)


@v_args(inline=True)
class _Builder(Transformer[Token, Expression]):
    """Runs while parsing, bottom up, so nesting never turns into recursion here."""

    def either(self, *parts: Expression) -> Expression:
        return parts[0] if len(parts) == 1 else _shallow(Or(parts))

    def both(self, *parts: Expression) -> Expression:
        return parts[0] if len(parts) == 1 else _shallow(And(parts))

    def negation(self, inner: Expression) -> Expression:
        return _shallow(negated(inner))

    def comparison(self, path: Path, operator: Token, value: Value) -> Expression:
        if operator in _UNEQUAL:
            return Not(Comparison(path, "=", value))
        return Comparison(path, _OPERATORS[operator], value)

    def like(self, path: Path, pattern: str) -> Expression:
        return _like(path, pattern)

    def not_like(self, path: Path, pattern: str) -> Expression:
        return Not(_like(path, pattern))

    def one_of(self, path: Path, values: tuple[Value, ...]) -> Expression:
        return OneOf(path, values)

    def not_one_of(self, path: Path, values: tuple[Value, ...]) -> Expression:
        return Not(OneOf(path, values))

    def is_null(self, path: Path) -> Expression:
        return IsNull(path)

    def is_not_null(self, path: Path) -> Expression:
        return Not(IsNull(path))

    def literals(self, *values: Value) -> tuple[Value, ...]:
        return values

    def text(self, value: str) -> str:
        return value

    def number(self, token: Token) -> Value:
        return _number(token)

    def true(self, _token: Token) -> bool:
        return True

    def false(self, _token: Token) -> bool:
        return False

    def STRING(self, token: Token) -> str:
        return composed(_unquoted(token))  # as values are stored

    def PATH(self, token: Token) -> Path:
        return _path(token)


def _like(path: Path, pattern: str) -> Like:
    if not pattern:
        reason = "every text contains an empty one: compare with =, or use `is not null`"
        raise fault(reason, path.column)
    return Like(path, str(pattern))


def _shallow(expression: Expression) -> Expression:
    if depth(expression) > MAX_DEPTH:
        raise fault(f"conditions are nested deeper than {MAX_DEPTH}")
    return expression


def _number(token: Token) -> int | float:
    if token.lstrip("+-").isdecimal() and abs(int(token)) <= _LARGEST_INTEGER:
        return int(token)
    value = float(token)
    if not math.isfinite(value):
        raise fault(f"{token[:20]} is not a number that can be compared", token.column)
    return value


def _path(token: Token) -> Path:
    parts = tuple(_unquoted(part) for part in _PART.findall(token))
    whole = parts[0] == "properties"
    if whole and len(parts) == 1:
        raise fault("properties needs a name after it, as in properties.entity.name", token.column)
    return Path(parts[whole:], token.column or 1, whole)


def _unquoted(text: str) -> str:
    r"""Strips quotes; `\"`, `\'` and `\\` lose the backslash, other escapes keep it."""
    if text[0] == "`":
        return text[1:-1]
    return re.sub(r"""\\(["'\\])""", r"\1", text[1:-1]) if text[0] in "\"'" else str(text)
