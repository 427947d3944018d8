"""Documents with a start and an end: those running on a given day."""

from collections.abc import Sequence

from backend.language.dates import Span
from backend.plans.reading.cascade import Reader, Rule, cover, rule, tagged
from backend.plans.reading.comparing import in_span
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter, Condition

_THROUGH = frozenset({"throughout", "through", "whole", "entire", "all"})


def _running(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`running on 1 July 2023`, `active in 2022`: started by then and not finished before."""
    period = reader.vocabulary.period
    spans: Sequence[Span] = [piece.load for piece in tagged(pieces, "D")]
    if period is None or any(span.yearless for span in spans):
        return None
    span = spans[0] if spans else Span(reader.today, reader.today)
    begins, ends = period
    words = {token.lower for token in reader.tokens[pieces[0].start : pieces[-1].end]}
    first, last = Span(span.end, span.end), Span(span.start, span.start)
    if words & _THROUGH:
        first, last = last, first
    begun = in_span(begins, first, "until")
    over = _not_over(ends, last)
    phrase = reader.words(pieces)
    reader.assume(f"took “{phrase}” to mean from {begins.label} to {ends.label}")
    return [cover("F", pieces, begun), cover("F", pieces, over)]


def _not_over(ends: Property, span: Span) -> BasicFilter:
    """Documents without an end are still running if the schema says so."""
    later = in_span(ends, span, "since")
    if not ends.unended:
        return later
    parts = [later.model_dump(exclude={"any_of"}), {"field": ends.field, "exists": False}]
    return BasicFilter(field=ends.field, any_of=[Condition.model_validate(part) for part in parts])


PERIOD_RULES: tuple[Rule, ...] = (rule(r"~[yz]?[bC]?D|~", _running),)
