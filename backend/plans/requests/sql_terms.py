"""The columns and values of SQL: fields of a collection, computed fields, literals."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from rapidfuzz.distance import OSA
from sqlglot import exp

from backend.plans.edits.wording import say_field
from workbench.contract.derived_fields import MONTHS, QUARTERS, DerivedField, derived_kind
from workbench.contract.plan import FaultKind
from workbench.contract.plan_columns import DATED, NUMERIC, Columns, size_field
from workbench.contract.plan_nodes import ENTITY, Bucket, bare_field
from workbench.contract.plan_values import as_bool, as_date, as_number
from workbench.contract.schema import PropertyKind

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.+Z-]+)?")
_CONFIDENCE = re.compile(r"confidence\.(.+)", re.DOTALL)
"""A confidence as filters of searches write it; columns of plans have it behind the name."""
_NEAREST = 3
_PER = "per "
"""The prefix of a period, such as March of one year, to distinguish it from a part, any March."""
_FORMATS: Mapping[str, str] = {
    "%Y": "year", "YYYY": "year", "%Y-%m": "per month", "YYYY-MM": "per month",
    "%m": "month_of_year", "MM": "month_of_year", "%H": "hour",
}  # fmt: skip
_PARTS: Mapping[str, str] = {
    "year": "year", "month": "month_of_year", "quarter": "quarter_of_year", "hour": "hour",
}  # fmt: skip
_OPERATIONS: Mapping[type[exp.Expr], str] = {
    exp.Sub: "minus", exp.Add: "plus", exp.Mul: "times", exp.Div: "share_of",
}  # fmt: skip


class SqlFault(Exception):
    """Why a statement has no plan, as a clause of a sentence. `perhaps_english` means that it may
    not be SQL at all.
    """

    def __init__(
        self, reason: str, kind: FaultKind = "out_of_scope", *, perhaps_english: bool = False
    ) -> None:
        super().__init__(reason)
        self.kind: FaultKind = kind
        self.perhaps_english = perhaps_english


def unsupported(node: exp.Expr) -> SqlFault:
    """The fault of an unsupported expression, in terms that programmers know."""
    for kind, words in _NAMED:
        if (inner := node.find(kind)) is not None:
            return SqlFault(f"{words} not supported: {_code(inner)}")
    return SqlFault(f"{_code(node)} is not supported")


_NAMED: Sequence[tuple[type[exp.Expr], str]] = (
    (exp.Window, "window functions are"),
    (exp.Select, "subqueries are"),
    (exp.Case, "CASE is"),
    (exp.Placeholder, "parameters are"),
)
_LONG = 60


def _code(node: exp.Expr) -> str:
    text = node.sql()
    return text if len(text) <= _LONG else text[:_LONG] + "…"


@dataclass(frozen=True)
class Term:
    """The subject of a condition, a key or an order: a field with the type of its values. `bucket`
    groups a date by period; `calendar` has the values of a part of a date in order.
    """

    field: str
    kind: PropertyKind
    bucket: Bucket | None = None
    calendar: Sequence[str] = ()


class Terms:
    """The fields that a statement may name, and the literals beside them.

    `tables` are the names and aliases after FROM; `notes` collects the assumptions made.
    """

    def __init__(self, columns: Columns, tables: Sequence[str], today: date) -> None:
        self._columns = columns
        self._tables = {name.casefold() for name in tables}
        self._today = today
        self._exactly: dict[str, str] = {}
        self._by_name: dict[str, str] = {}
        self._shared: set[str] = set()
        for field in columns:
            name = bare_field(field)
            self._exactly.setdefault(name, field)
            if self._by_name.setdefault(_plain(name), field) != field:
                self._shared.add(_plain(name))
        self.notes: list[str] = []

    def term(self, node: exp.Expr) -> Term | None:
        """The field that an expression refers to; None if it is none."""
        node = node.unnest()
        if isinstance(node, exp.Column):
            field = self._field(node)
            return Term(field, self._columns[field])
        if isinstance(node, exp.Lower | exp.Upper | exp.Trim):
            inner = self.term(node.this)
            return inner if inner is not None and inner.kind in ("string", "choice") else None
        if isinstance(node, exp.Length | exp.ArraySize) or _called(node, "cardinality"):
            return self._size(node)
        if isinstance(node, exp.Round):
            self.notes.append("numbers are not rounded")
            return self.term(node.this)
        return self._part_of_date(node) or self._of_two(node)

    def is_known(self, node: exp.Column) -> bool:
        """Whether a column exists under exactly that name."""
        return _plain(self._name(node)) in self._by_name

    def _name(self, node: exp.Column) -> str:
        parts = [part.name for part in node.parts]
        if len(parts) > 1 and parts[0].casefold() in self._tables:
            parts = parts[1:]
        return ".".join(parts)

    def _field(self, node: exp.Column) -> str:
        if isinstance(node.this, exp.Star):
            raise SqlFault("* must be the only column after SELECT")
        name = self._name(node)
        of_search = _CONFIDENCE.sub(r"\1.confidence", name)
        if (field := self._exactly.get(name) or self._exactly.get(of_search)) is not None:
            return field
        plain = _plain(name)
        if plain in self._shared:
            near = [field for field in self._columns if _plain(bare_field(field)) == plain]
            raise SqlFault(_unknown(name, near, list(self._columns)), "unknown_property")
        if (field := self._by_name.get(plain)) is not None:
            return field
        ranked = sorted((OSA.distance(plain, other), other) for other in self._by_name)
        near = [self._by_name[other] for far, other in ranked if far <= len(plain) // 2]
        slips = 1 + (len(plain) > 7)
        if near and ranked[0][0] <= slips < min([far for far, _ in ranked[1:]], default=9):
            self.notes.append(f"column “{name}” is read as {bare_field(near[0])}")
            return near[0]
        raise SqlFault(_unknown(name, near, list(self._columns)), "unknown_property",
                       perhaps_english=True)  # fmt: skip

    def _size(self, node: exp.Expr) -> Term | None:
        inner = self.term(_argument(node))
        if inner is None or inner.kind != "array":
            return None
        return Term(size_field(inner.field), "int")

    # -- parts of dates

    def _part_of_date(self, node: exp.Expr) -> Term | None:
        asked = _asked_of_date(node)
        if asked is None:
            return None
        part, inner = asked
        dated = self.term(inner)
        if dated is None or dated.kind not in DATED:
            raise SqlFault(f"{_code(inner)} is not a date and has no {part}", "wrong_type")
        if part.startswith(_PER):
            bucket = part.removeprefix(_PER)
            return Term(dated.field, dated.kind, bucket=bucket)  # type: ignore[arg-type]
        derived = DerivedField(part, dated.field)  # type: ignore[arg-type]
        kind = derived_kind(derived, self._columns)
        if kind is None:
            raise unsupported(node)
        calendar = {"month_of_year": MONTHS, "quarter_of_year": QUARTERS}.get(part, ())
        return Term(derived.name, kind, calendar=calendar)

    def _of_two(self, node: exp.Expr) -> Term | None:
        """A field computed from two columns: `closed - opened`, `paid / total`."""
        sides: tuple[exp.Expr, ...] = ()
        if isinstance(node, exp.Binary):
            sides = (node.this, node.expression)
        if isinstance(node, exp.DateDiff):
            operation, sides = "days_since", _dates_apart(node)
        elif (operation := _OPERATIONS.get(type(node), "")) == "":
            return None
        sides = tuple(_day_number(side) for side in sides)
        terms = [self.term(side) for side in sides]
        if len(terms) != 2 or any(t is None or t.bucket or t.calendar for t in terms):
            return None
        one, other = (term for term in terms if term is not None)
        if operation == "minus" and one.kind in DATED:
            operation = "days_since"
        derived = DerivedField(operation, one.field, other.field)  # type: ignore[arg-type]
        kind = derived_kind(derived, self._columns)
        if kind is None:
            raise SqlFault(f"{_code(node)}: the columns are of different kinds", "wrong_type")
        return Term(derived.name, kind)

    # -- literals

    def literal(self, node: exp.Expr, term: Term) -> Any:
        """A value in the form in which plans compare it with a term."""
        value = self._value(node)
        if term.calendar:
            return _of_calendar(value, term.calendar)
        if term.bucket is not None:
            return _period(value, term.bucket)
        if term.kind in DATED:
            return self._moment(value, term)
        fits = {"bool": as_bool}.get(term.kind, as_number if term.kind in NUMERIC else str)
        read = fits(value)
        if read is None or (term.kind in NUMERIC and isinstance(value, bool)):
            wanted = "truth values" if term.kind == "bool" else "numbers"
            reason = (
                f"“{value}” cannot be compared with {say_field(term.field)}, which has {wanted}"
            )
            raise SqlFault(reason, "wrong_type")
        return read

    def _value(self, node: exp.Expr) -> Any:
        node = node.unnest()
        if isinstance(node, exp.Literal):
            return node.this if node.is_string else _number(node)
        if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
            return -_number(node.this)
        if isinstance(node, exp.Boolean):
            return bool(node.this)
        if isinstance(node, exp.Cast | exp.Date | exp.Timestamp | exp.TsOrDsToDate | exp.Lower
                      | exp.Upper) and isinstance(node.this, exp.Literal):  # fmt: skip
            return node.this.this
        if isinstance(node, exp.Column) and node.this.args.get("quoted"):
            return node.name  # "Trek": many databases accept text in double quotes
        if isinstance(node, exp.Null):
            raise SqlFault("use IS NULL or IS NOT NULL to compare with NULL", "not_understood")
        if (day := self._reckoned(node)) is not None:
            return day.isoformat()
        raise unsupported(node)

    def _reckoned(self, node: exp.Expr) -> date | None:
        """Today, and days before or after it."""
        if isinstance(node, exp.CurrentDate | exp.CurrentTimestamp) or _called(node, "now"):
            return self._today
        if isinstance(node, exp.Date) and node.this.name == "now":
            return self._today
        if isinstance(node, exp.Sub | exp.Add) and isinstance(node.expression, exp.Interval):
            start, days = self._reckoned(node.this), as_number(node.expression.this.name)
            unit = str(node.expression.args.get("unit") or "day").lower().rstrip("s")
            if start is not None and isinstance(days, int) and unit in ("day", "week"):
                step = timedelta(days=days * (7 if unit == "week" else 1))
                return start - step if isinstance(node, exp.Sub) else start + step
        return None

    def _moment(self, value: Any, term: Term) -> str:
        text = str(value)
        if not _DAY.fullmatch(text) or as_date(text) is None:
            reason = f"write dates as '2024-01-31': “{text}” cannot be compared with "
            raise SqlFault(reason + say_field(term.field), "wrong_type")
        if term.kind == "datetime" and len(text) == len("2024-01-31"):
            self.notes.append(f"{text} stands for the whole day")
        return text.replace(" ", "T")


def _number(literal: exp.Literal) -> float | int:
    number = as_number(literal.this)
    if number is None:
        raise SqlFault(f"“{literal.this}” is too large for a number", "out_of_scope")
    return number


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _unknown(name: str, near: Sequence[str], known: Sequence[str]) -> str:
    if near:
        listed = " or ".join(f"“{bare_field(field)}”" for field in near[:_NEAREST])
        return f"there is no column “{name}”; did you mean {listed}"
    names = [bare_field(field) for field in known if field.startswith(ENTITY)]
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"there is no column “{name}”; there are {shown}"


def _called(node: exp.Expr, *names: str) -> bool:
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in names


def _argument(node: exp.Expr) -> exp.Expr:
    inner: exp.Expr = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    return inner


_PART_FUNCTIONS: Mapping[type[exp.Expr], str] = {
    exp.Year: "year", exp.Month: "month_of_year", exp.Quarter: "quarter_of_year",
    exp.Hour: "hour", exp.Dayname: "weekday",
}  # fmt: skip


def _asked_of_date(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """The part of a date, or the period, that a function returns, and the date."""
    if (part := _PART_FUNCTIONS.get(type(node))) is not None:
        return part, _undated(node.this)
    if isinstance(node, exp.Extract):
        return _part(node.this.name, node), node.expression
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
        unit = str(node.args["unit"].name).lower()
        if unit not in ("year", "quarter", "month", "week"):
            raise unsupported(node)
        return _PER + unit, _undated(node.this)
    if isinstance(node, exp.ToChar | exp.TimeToStr):
        return _formatted(node.args["format"], node), _undated(node.this)
    if _called(node, "strftime", "date_format", "date_part") and len(node.expressions) == 2:
        one, other = node.expressions
        written, dated = (one, other) if isinstance(one, exp.Literal) else (other, one)
        if _called(node, "date_part"):
            return _part(written.name, node), dated
        return _formatted(written, node), dated
    if isinstance(node, exp.DayOfWeek | exp.DayOfWeekIso) or _called(node, "weekday"):
        reason = "databases number weekdays differently; write DAYNAME(…) = 'Monday'"
        raise SqlFault(f"{_code(node)} is not supported: {reason}")
    return None


def _undated(node: exp.Expr) -> exp.Expr:
    """The column inside a conversion to a date."""
    wraps = exp.TsOrDsToDate | exp.Cast | exp.Date
    return node.this if isinstance(node, wraps) else node


def _part(name: str, node: exp.Expr) -> str:
    if (part := _PARTS.get(name.lower())) is None:
        raise unsupported(node)
    return part


def _formatted(written: exp.Expr, node: exp.Expr) -> str:
    if (part := _FORMATS.get(written.name)) is None:
        raise unsupported(node)
    return part


def _day_number(node: exp.Expr) -> exp.Expr:
    inner: exp.Expr = node.expressions[0] if _called(node, "julianday") else node
    return inner


def _dates_apart(node: exp.DateDiff) -> tuple[exp.Expr, ...]:
    """The later and the earlier date of `datediff(closed, opened)` or `datediff('day', opened,
    closed)`.
    """
    first, second = _undated(node.this), _undated(node.expression)
    unit = node.args.get("unit")
    if isinstance(first, exp.Literal) and unit is not None:
        if first.name.lower() not in ("day", "days"):
            raise SqlFault(f"{_code(node)} is not supported: only days between dates are")
        later = exp.column(unit.name.lower()) if isinstance(unit, exp.Var) else unit
        return later, second
    if unit is not None and unit.name.lower() not in ("day", "days"):
        raise SqlFault(f"{_code(node)} is not supported: only days between dates are")
    return first, second


def _of_calendar(value: Any, calendar: Sequence[str]) -> str:
    """The name of a month or quarter given as a number."""
    number = as_number(value)
    if isinstance(number, int) and 1 <= number <= len(calendar):
        return calendar[number - 1]
    for name in calendar:
        if isinstance(value, str) and value and name.lower().startswith(value.lower()[:3]):
            return name
    raise SqlFault(f"“{value}” is not one of {', '.join(calendar)}", "unknown_value")


def _period(value: Any, bucket: Bucket) -> str:
    """A year or month in the form of plans."""
    text = str(value)[: 4 if bucket == "year" else 7]
    if bucket not in ("year", "month") or as_date(text) is None:
        raise SqlFault(f"comparing a {bucket} with “{value}” is not supported")
    return text
