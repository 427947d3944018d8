"""Conditions of SQL as filters.

A plan applies one filter after the other, and a filter accepts whatever passes at least one of
several tests. So conditions are converted to that form: NOT moves inwards to the comparisons, then
OR is distributed over AND. SQL never keeps a row for a comparison with an unknown value, but plans
do if a test is negated; such a test is therefore combined with one that requires a known value.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from sqlglot import exp

from backend.plans.requests.sql_terms import SqlFault, Term, unsupported
from workbench.contract.plan_columns import DATED
from workbench.contract.plan_nodes import BasicFilter, Condition

Clause = tuple[Condition, ...]
"""Alternative tests, of which at least one must pass."""
_READ = frozenset({"this", "expression", "expressions", "low", "high", "negate", "field", "query"})
"""The known parts of conditions; one that a later version of the parser adds is refused."""
_Item = TypeVar("_Item")
_Way = Literal["exact", "contains", "prefix"]
Comparison = Literal["eq", "ne", "gt", "ge", "lt", "le"]

_MOST = 60
"""Maximum filters of one condition, and tests of one filter."""
_COMPARISONS: Mapping[type[exp.Expr], Comparison] = {
    exp.EQ: "eq", exp.NEQ: "ne", exp.GT: "gt", exp.GTE: "ge", exp.LT: "lt", exp.LTE: "le",
}  # fmt: skip
_NOT: Mapping[Comparison, Comparison] = {
    "eq": "ne", "ne": "eq", "gt": "le", "le": "gt", "ge": "lt", "lt": "ge",
}  # fmt: skip
_TURNED: Mapping[Comparison, Comparison] = {
    "eq": "eq", "ne": "ne", "gt": "lt", "lt": "gt", "ge": "le", "le": "ge",
}  # fmt: skip


class Conditions:
    """Reads conditions. `term` gives the field of an expression or None, `literal` a value in the
    form of a term.
    """

    def __init__(
        self, term: Callable[[exp.Expr], Term | None], literal: Callable[[exp.Expr, Term], Any]
    ) -> None:
        self._term = term
        self._literal = literal

    def filters(self, condition: exp.Expr) -> list[BasicFilter]:
        """The filters that are equivalent to a condition."""
        made = []
        for clause in _different(self._clauses(condition, True)):
            if len(clause) == 1:
                made.append(BasicFilter.model_validate(clause[0].model_dump()))
            else:
                made.append(BasicFilter(field=clause[0].field or "", any_of=list(clause)))
        return made

    def _clauses(self, node: exp.Expr, wanted: bool) -> list[Clause]:
        """The condition, or with `wanted` false its opposite, as clauses that must all hold."""
        node = node.unnest()
        if isinstance(node, exp.Not):
            return self._clauses(node.this, not wanted)
        if isinstance(node, exp.And | exp.Or):
            one, other = (self._clauses(side, wanted) for side in (node.this, node.expression))
            if isinstance(node, exp.And) == wanted:
                return _few([*one, *other], f"more than {_MOST} parts")
            distributed = [tuple(_different([*a, *b])) for a in one for b in other]
            return _few(distributed, "too many combinations of AND and OR")
        return self._test(node, wanted)

    def _test(self, node: exp.Expr, wanted: bool) -> list[Clause]:
        further = (part for name, part in node.args.items() if name not in _READ)
        if not isinstance(node, exp.Column) and any(further):
            raise unsupported(node)
        if node.args.get("negate"):  # maker NOT LIKE 'B%'
            wanted = not wanted
        if (op := _COMPARISONS.get(type(node))) is not None:
            return self._comparison(node, op if wanted else _NOT[op])
        if isinstance(node, exp.Between):
            return self._between(node, wanted)
        if isinstance(node, exp.In):
            return self._in(node, wanted)
        if isinstance(node, exp.Like | exp.ILike):
            return self._like(node, wanted)
        if isinstance(node, exp.Is):
            return self._is(node, wanted)
        if isinstance(node, exp.StartsWith):
            text = _pattern(node.expression)
            return _matching(self._needed(node.this), text, "prefix", wanted)
        if (membership := _membership(node)) is not None:
            return self._member(*membership, wanted)
        if isinstance(node, exp.Column) and (term := self._needed(node)).kind == "bool":
            return [(Condition(field=term.field, query=wanted, match="exact"),)]
        if isinstance(node, exp.Boolean) and bool(node.this) == wanted:
            return []
        raise unsupported(node)

    def _needed(self, node: exp.Expr) -> Term:
        if (term := self._term(node)) is None:
            raise unsupported(node)
        return term

    # -- comparisons

    def _comparison(self, node: exp.Expr, op: Comparison) -> list[Clause]:
        left, right = node.this.unnest(), node.expression.unnest()
        if isinstance(left, exp.Literal) and isinstance(right, exp.Literal):
            if op == "eq" and left.this == right.this:
                return []  # "where 1 = 1"
            raise unsupported(node)
        if isinstance(right, exp.Any):
            return self._member(right.this, left, op == "eq")
        one, other = self._side(left), self._side(right)
        if one is None and other is not None:
            one, other, left, right, op = other, None, right, left, _TURNED[op]
        if one is None:
            raise unsupported(node)
        if other is not None:
            return _beside(one, other, op)
        return _compared(one, self._literal(right, one), op)

    def _side(self, node: exp.Expr) -> Term | None:
        try:
            return self._term(node)
        except SqlFault:
            quoted = isinstance(node, exp.Column) and node.this.args.get("quoted")
            if not quoted:
                raise
            return None  # "Trek" in double quotes is text

    def _between(self, node: exp.Between, wanted: bool) -> list[Clause]:
        term = self._needed(node.this)
        low = _compared(term, self._literal(node.args["low"], term), "ge" if wanted else "lt")
        high = _compared(term, self._literal(node.args["high"], term), "le" if wanted else "gt")
        return [*low, *high] if wanted else [tuple([*low[0], *high[0]])]

    def _in(self, node: exp.In, wanted: bool) -> list[Clause]:
        if node.args.get("query") is not None:
            raise SqlFault("subqueries are not supported: list the values after IN")
        if (array := node.args.get("field")) is not None:
            return self._member(array, node.this, wanted)
        term = self._needed(node.this)
        values = list(dict.fromkeys(self._literal(item, term) for item in node.expressions))
        return _one_of(term, values, wanted)

    def _member(self, array: exp.Expr, item: exp.Expr, wanted: bool) -> list[Clause]:
        """`'x' in tags`: whether a list contains a value."""
        term = self._needed(array)
        if term.kind != "array":
            raise SqlFault(f"{array.sql()} is not a list of values", "wrong_type")
        return _one_of(term, [self._literal(item, term)], wanted)

    def _like(self, node: exp.Like | exp.ILike, wanted: bool) -> list[Clause]:
        term, text = self._needed(node.this), _pattern(node.expression)
        inner = text.strip("%")
        if "%" in inner or "_" in inner or (text.startswith("%") and not text.endswith("%")):
            reason = "write 'abc%' for a beginning or '%abc%' for a part"
            raise SqlFault(f"the pattern '{text}' is not supported: {reason}")
        if not text:
            return _compared(term, text, "eq" if wanted else "ne")
        if not inner and not wanted:
            raise SqlFault("no value passes NOT LIKE '%': write IS NULL for documents without one")
        if not inner:
            return [(Condition(field=term.field, exists=True),)]
        way: _Way = "prefix" if text.endswith("%") else "exact"
        way = "contains" if text.startswith("%") else way
        return _matching(term, inner, way, wanted)

    def _is(self, node: exp.Is, wanted: bool) -> list[Clause]:
        term, value = self._needed(node.this), node.expression
        if isinstance(value, exp.Null):
            return [(Condition(field=term.field, exists=not wanted),)]
        if isinstance(value, exp.Boolean) and term.kind == "bool":
            query = bool(value.this)
            return [(Condition(field=term.field, query=query, match="exact", negate=not wanted),)]
        raise unsupported(node)


def _different(items: Iterable[_Item]) -> list[_Item]:
    """The items without repetitions, in order."""
    kept: list[_Item] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def _few(clauses: list[Clause], reason: str) -> list[Clause]:
    if len(clauses) > _MOST or any(len(clause) > _MOST for clause in clauses):
        raise SqlFault(f"the condition has {reason}")
    return clauses


def _pattern(node: exp.Expr) -> str:
    if not (isinstance(node, exp.Literal) and node.is_string):
        raise unsupported(node)
    return str(node.this)


def _membership(node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    """The list and the value of `array_contains(tags, 'x')` and its like."""
    if isinstance(node, exp.ArrayContains | exp.Contains):
        return node.this, node.expression
    named = isinstance(node, exp.Anonymous) and str(node.this).lower() == "list_contains"
    if named and len(node.expressions) == 2:
        return node.expressions[0], node.expressions[1]
    return None


def _known(*terms: Term) -> list[Clause]:
    return [(Condition(field=term.field, exists=True),) for term in terms]


def _compared(term: Term, value: Any, op: Comparison) -> list[Clause]:
    if op in ("eq", "ne"):
        return _one_of(term, [value], op == "eq")
    if term.calendar:
        place = list(term.calendar).index(value)
        ends = {"ge": (place, None), "gt": (place + 1, None), "le": (0, place + 1),
                "lt": (0, place)}  # fmt: skip
        first, last = ends[op]
        return _one_of(term, list(term.calendar[first:last]), True)
    low = op in ("gt", "ge")
    fields: dict[str, Any] = {"start" if low else "end": value}
    if op in ("gt", "lt"):
        fields["start_exclusive" if low else "end_exclusive"] = True
    dated = term.kind in DATED
    return [(Condition(field=term.field, range_filter=True, is_date=dated, **fields),)]


def _one_of(term: Term, values: list[Any], wanted: bool) -> list[Clause]:
    """Whether the value is one of several, or none of them."""
    if not wanted and term.kind == "bool" and len(values) == 1:
        values, wanted = [not values[0]], True
    asked: dict[str, Any] = {"query": values[0]} if len(values) == 1 else {"values": values}
    if term.kind not in DATED:
        asked["match"] = "exact"
    test = Condition(field=term.field, is_date=term.kind in DATED, negate=not wanted, **asked)
    return [(test,)] if wanted else [*_known(term), (test,)]


def _matching(term: Term, text: str, way: _Way, wanted: bool) -> list[Clause]:
    if term.kind not in ("string", "choice", "array"):
        raise SqlFault(f"only texts can be compared by LIKE, not {term.kind} values", "wrong_type")
    test = Condition(field=term.field, query=text, match=way, negate=not wanted)
    return [(test,)] if wanted else [*_known(term), (test,)]


def _beside(one: Term, other: Term, op: Comparison) -> list[Clause]:
    """Two columns of the same document."""
    if one.bucket or other.bucket or one.calendar or other.calendar:
        raise SqlFault("periods of two dates cannot be compared")
    low, high = op in ("gt", "ge", "eq", "ne"), op in ("lt", "le", "eq", "ne")
    test = Condition(
        field=one.field,
        range_filter=True,
        is_date=one.kind in DATED,
        start_field=other.field if low else None,
        end_field=other.field if high else None,
        start_exclusive=op == "gt",
        end_exclusive=op == "lt",
        negate=op == "ne",
    )
    return [*_known(one, other), (test,)] if op == "ne" else [(test,)]
