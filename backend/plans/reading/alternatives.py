"""Alternatives between conditions: `Boeing or Airbus`, `injured or killed`, `neither … nor …`."""

from collections.abc import Sequence

from backend.plans.reading.cascade import Reader, cover, tagged
from backend.plans.reading.comparing import (
    HAVING,
    known,
    lacking,
    negated,
    one_is_had,
    one_of,
    stated,
)
from backend.plans.reading.pieces import Piece
from workbench.contract.plan_nodes import BasicFilter, Condition


def neither(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`neither an agent nor a fine`, `without an agent or a fine`: both must be missing."""
    if reader.words(pieces[:1]).lower() not in ("neither", "without", "no"):
        return None
    named = [pieces[:2], pieces[-1:]]
    return [cover("F", phrase, lacking(reader.any_property(phrase[-1]))) for phrase in named]


def either_stated(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`injured or killed`: two properties whose bare names are conditions."""
    named = tagged(pieces, "P")
    if len({piece.load[0].prop.field for piece in named}) < len(named):
        return None
    results = [stated(reader, piece, reader.any_property(piece)) for piece in named]
    if one_is_had(reader, named[0]) or reader.tokens[named[0].start - 1].lower in HAVING:
        results = [c or known(reader.any_property(p)) for c, p in zip(results, named, strict=True)]
    conditions = [condition for condition in results if condition is not None]
    if len(conditions) < len(results):
        return None
    return cover("F", pieces, any_of(conditions))


def fact(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`critical or a repeat finding`: a boolean property and a condition, as alternatives."""
    place = next(i for i, piece in enumerate(pieces) if piece.tag == "P")
    prop = pieces[place].load[0].prop
    condition = stated(reader, pieces[place], prop) if prop.kind == "bool" else None
    if condition is None:
        return None
    return [*pieces[:place], cover("F", [pieces[place]], condition), *pieces[place + 1 :]]


def either(reader: Reader, pieces: list[Piece]) -> Piece | list[Piece] | None:
    """F or F: values of one field are merged, anything else becomes alternatives.

    In `neither licensed nor built before 1990` the first is negated already, and all must hold.
    """
    first, *others = tagged(pieces, "F")
    if any(reader.words([piece]).lower() == "nor" for piece in tagged(pieces, "|")):
        return [first, *(cover("F", [piece], negated(piece.load)) for piece in others)]
    conditions: list[BasicFilter] = [piece.load for piece in (first, *others)]
    for piece in tagged(pieces, "P"):
        # "or fields of 20 ha and up": a measured property, not a condition of its own
        if not piece.load[0].prop.worded:
            return None
        reader.assume(f"took “{reader.words([piece])}” to mean the documents")
    simple = all(f.match == "exact" and not f.negate and not f.range_filter for f in conditions)
    if simple and len({f.field for f in conditions}) == 1:
        values: list[object] = []
        for each in conditions:
            values += each.values or [each.query]
        return cover("F", pieces, one_of(conditions[0].field, values))
    return cover("F", pieces, any_of(conditions))


def any_of(conditions: Sequence[BasicFilter]) -> BasicFilter:
    """A condition that holds if at least one of `conditions` does."""
    parts: list[Condition] = []
    for each in conditions:
        body = each.model_dump(exclude={"any_of"})
        parts += each.any_of or [Condition.model_validate(body)]
    return BasicFilter(field=conditions[0].field, any_of=parts)
