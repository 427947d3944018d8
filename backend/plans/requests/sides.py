"""The side of a bound with the wanted values: `below, not above`, `no wait, before`."""

from collections.abc import Sequence
from datetime import date

from backend.language.dates import Span, whole_month, whole_year
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.operations import ChangeFilter, Operation
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import in_span
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter
from workbench.contract.plan_values import as_date

_UPPER = {"gt": False, "ge": False, "after": False, "since": False,
          "lt": True, "le": True, "before": True, "until": True}  # fmt: skip
_EXCLUSIVE = frozenset({"gt", "lt", "after", "before"})
_OF_TIME = {"gt": "after", "ge": "since", "lt": "before", "le": "until"}


def other_side(clause: Clause, piece: Piece, draft: Draft) -> Operation | None:
    """The only bound of the plan on the side of a comparison word; None for `exactly`."""
    op = str(piece.load)
    if op not in _UPPER:
        return None
    conditions = [condition_of(node) for node in document_filters(draft)]
    bounded = [c for c in conditions if _one_sided(c)]
    dated = [c for c in bounded if c.is_date]
    results = dated if op in _OF_TIME.values() else [c for c in bounded if not c.is_date]
    if op not in ("ge", "le"):  # "at the most" is about a number
        results = results or bounded
    if len(results) > 1:
        results = [c for c in results if (c.start is None) != _UPPER[op]]
    prop = clause.reader.vocabulary.get(results[0].field) if len(results) == 1 else None
    if prop is None and (beside := _beside_period(clause, op, conditions)) is not None:
        return beside
    if prop is None:
        words = clause.text
        raise Unclear("no_such_node", words, f"“{words}”: no single bound of the plan can turn")
    return ChangeFilter(_turned(results[0], op, prop), results[0])


def _beside_period(clause: Clause, op: str, conditions: Sequence[BasicFilter]) -> Operation | None:
    """`before that`, `since then`, `and after`: relative to the only time span of the plan."""
    spans = [c for c in conditions if c.is_date and c.start and c.end and not c.negate]
    prop = clause.reader.vocabulary.get(spans[0].field) if len(spans) == 1 else None
    first, last = (as_date(spans[0].start), as_date(spans[0].end)) if prop else (None, None)
    if prop is None or first is None or last is None:
        return None
    if op in ("ge", "le"):
        return None
    op = _OF_TIME.get(op, op)
    if clause.text.lower().startswith("and ") or any(p.tag == "w" for p in clause.pieces):
        wider = {"after": "since", "before": "until"}.get(op, op)
        return ChangeFilter(in_span(prop, Span(first, last), wider), spans[0])
    return ChangeFilter(in_span(prop, Span(first, last), op), spans[0])


def _one_sided(condition: BasicFilter) -> bool:
    one = (condition.start is None) != (condition.end is None)
    return condition.range_filter and one and not condition.negate


def _turned(present: BasicFilter, op: str, prop: Property) -> BasicFilter:
    """A condition with its bound on the side of `op`."""
    bound = present.end if present.start is None else present.start
    if present.is_date and (day := as_date(bound)) is not None:
        return in_span(prop, _span_of(present, day), _OF_TIME.get(op, op))
    upper, exclusive = _UPPER[op], op in _EXCLUSIVE
    return present.model_copy(
        update={
            "start": None if upper else bound,
            "end": bound if upper else None,
            "start_exclusive": exclusive and not upper,
            "end_exclusive": exclusive and upper,
        }
    )


def _span_of(present: BasicFilter, day: date) -> Span:
    """The original time span: the longest year or month that a bound can come from.

    `after 2022` begins after its last day, `since 2022` with its first.
    """
    ends = present.start_exclusive or (present.end is not None and not present.end_exclusive)
    for span in (whole_year(day.year), whole_month(day.year, day.month)):
        if day == (span.end if ends else span.start):
            return span
    return Span(day, day)
