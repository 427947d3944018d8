"""Validators of values: whole-match regular expressions and small boolean expressions.

Patterns run on a linear-time engine, since they come from outside. Boolean expressions have their
own grammar and are never evaluated as code:

    x > 0                     the value is `x`
    > 0                       the same, shorter
    (x > 0) AND (x < 100)     and, or, not in either case; && || ! too
    x in [1, 2, 3]            lists of literals; `not in` too
    len(x) <= 20              the length of a text or list
"""

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import re2
from lark import Lark, Token, Transformer, v_args
from lark.exceptions import LarkError

from workbench.contract.schema import RegexValidator, Validator

MAX_NESTING = 50
_MAX_PATTERN_MEMORY = 8 << 20

Check = Callable[[Any], bool]
Term = Callable[[Any], Any]

_GRAMMAR = r"""
?start: disjunction
?disjunction: conjunction (_OR conjunction)*  -> any_of
?conjunction: negation (_AND negation)*       -> all_of
?negation: _NOT negation                      -> negated
    | "(" disjunction ")"
    | comparison
comparison: [term] OPERATOR term (OPERATOR term)?
    | [term] "in"i list                       -> member
    | [term] _NOT_IN list                  -> no_member
    | BOOLEAN                                 -> constant
?term: "x"i                                   -> value
    | "len"i "(" "x"i ")"                     -> length
    | literal
literal: SIGNED_NUMBER -> number
    | ESCAPED_STRING   -> text
    | SINGLE_QUOTED    -> text
    | BOOLEAN          -> truth
    | NULL             -> nothing
list: "[" [literal ("," literal)*] "]"
_OR.2: "or"i | "||"
_AND.2: "and"i | "&&"
_NOT.2: "not"i | "!"
_NOT_IN.3: /not\s+in\b/i
OPERATOR: "<=" | ">=" | "==" | "!=" | "<>" | "<" | ">" | "="
BOOLEAN.3: "true"i | "false"i
NULL.3: "null"i | "none"i
SINGLE_QUOTED: /'[^']*'/
%import common.SIGNED_NUMBER
%import common.ESCAPED_STRING
%import common.WS
%ignore WS
"""

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "=": operator.eq, "==": operator.eq, "!=": operator.ne, "<>": operator.ne,
}  # fmt: skip


class ExpressionError(ValueError):
    """The expression is invalid; the message gives the position."""


def passes(value: Any, validators: Sequence[Validator]) -> bool:
    """Whether a value satisfies all validators; a value that cannot be compared does not."""
    return all(compile_validator(validator)(value) for validator in validators)


def compile_validator(validator: Validator) -> Check:
    """The check that a validator defines; raises ExpressionError if it is invalid."""
    if isinstance(validator, RegexValidator):
        return _regex(validator.regex)
    return compile_expression(validator.expression)


@lru_cache(maxsize=500)
def _regex(pattern: str) -> Check:
    options = re2.Options()
    options.max_mem = _MAX_PATTERN_MEMORY
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0] if error.args else ""
        words = why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
        raise ExpressionError(f"the pattern {pattern!r} cannot be read: {words}") from error
    return lambda value: value is not None and compiled.fullmatch(_as_text(value)) is not None


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


@lru_cache(maxsize=500)
def compile_expression(expression: str) -> Check:
    """A boolean expression as a function of the value; raises ExpressionError if it is invalid."""
    depth = deepest = 0
    for char in expression:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    if (
        deepest > MAX_NESTING
        or expression.lower().count("not") + expression.count("!") > MAX_NESTING
    ):
        raise ExpressionError(f"the expression is nested deeper than {MAX_NESTING} levels")
    try:
        check: Term = _parser().parse(expression)  # type: ignore[assignment]
    except LarkError as error:
        where = getattr(error, "column", -1)
        at = f" at character {where}" if isinstance(where, int) and where > 0 else ""
        raise ExpressionError(
            f"the expression {expression!r} cannot be read{at}; write for instance: x > 0"
        ) from error
    return lambda value: _truth(check, value)


def _truth(check: Term, value: Any) -> bool:
    try:
        return bool(check(value))
    except TypeError:  # a text compared with a number
        return False


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", transformer=_Compiler())


@v_args(inline=True)
class _Compiler(Transformer[Token, Term]):
    """Compiles the parse tree into functions of the value, from the leaves up."""

    def any_of(self, *parts: Term) -> Term:
        return lambda x: any(part(x) for part in parts)

    def all_of(self, *parts: Term) -> Term:
        return lambda x: all(part(x) for part in parts)

    def negated(self, part: Term) -> Term:
        return lambda x: not part(x)

    def comparison(self, left: Term | None, sign: Token, middle: Term, *rest: Any) -> Term:
        first, compare = left or _itself, _COMPARE[str(sign)]
        if not rest or rest[0] is None:
            return lambda x: compare(first(x), middle(x))
        second, right = _COMPARE[str(rest[0])], rest[1]
        return lambda x: compare(first(x), middle(x)) and second(middle(x), right(x))

    def member(self, left: Term | None, members: list[Any]) -> Term:
        return lambda x: (left or _itself)(x) in members

    def no_member(self, left: Term | None, members: list[Any]) -> Term:
        return lambda x: (left or _itself)(x) not in members

    def list(self, *terms: Term | None) -> Any:
        return [term(None) for term in terms if term is not None]

    def value(self) -> Term:
        return _itself

    def length(self) -> Term:
        return lambda x: len(x)

    def number(self, token: Token) -> Term:
        number = float(token)
        return lambda _: number

    def text(self, token: Token) -> Term:
        text = str(token)[1:-1]
        return lambda _: text

    def truth(self, token: Token) -> Term:
        return lambda _: str(token).lower() == "true"

    constant = truth

    def nothing(self, _: Token) -> Term:
        return lambda x: None


def _itself(x: Any) -> Any:
    return x
