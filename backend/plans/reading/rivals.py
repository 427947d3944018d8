"""Comparisons with a document or a step of a scale: `longer than Mill Bridge`, `above moderate`.

The document's value is looked up when the request is read and becomes part of the condition, so
that the plan shows the number.
"""

from collections.abc import Iterable
from datetime import date, datetime

import polars as pl

from backend.language.adjectives import COMPARATIVES
from backend.language.dates import Span
from backend.language.scales import Scale, side_of
from backend.plans.reading.amounts import extent
from backend.plans.reading.cascade import Reader, Rule, Unclear, cover, rule, tagged
from backend.plans.reading.comparing import compare, in_span, negated, one_of
from backend.plans.reading.moments import moment
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.subjects import hinted
from workbench.contract.plan_columns import sized_field
from workbench.contract.plan_nodes import BasicFilter

_HOLDS = " has the "
_SIDES = {"gt": "gt", "ge": "ge", "lt": "lt", "le": "le", "after": "gt", "before": "lt",
          "since": "ge", "until": "le"}  # fmt: skip
_OF_SIZE = frozenset({"bigger", "larger", "smaller"})


def _against(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`C V`: the value is a step of a scale, or names a document."""
    words, value = tagged(pieces, "C")[0], tagged(pieces, "V")[0]
    numbers = tagged(pieces, "N")
    if words.load not in _SIDES or any(reader.words([n]).lower() != "one" for n in numbers):
        return None
    if any(reader.tokens[n.start - 1].lower in ("least", "than", "most") for n in numbers):
        return None  # "with at least one critical case"
    if any(piece.tag == "?" and not _is_adjective(reader, piece) for piece in pieces):
        return None
    comparison = _beside_step(reader, pieces, words, value) or _beside_document(
        reader, pieces, words, value
    )
    if comparison is None:
        return None
    return cover("F", pieces, negated(comparison) if tagged(pieces, "n") else comparison)


def _is_adjective(reader: Reader, piece: Piece) -> bool:
    """`more severe than medium`: one word between `more` and `than`."""
    return piece.end < len(reader.tokens) and reader.tokens[piece.end].lower == "than"


def _step(reader: Reader, value: Piece) -> tuple[Property, Scale, str] | None:
    for field, stored in value.load:
        prop = reader.vocabulary.get(field)
        if prop is not None and prop.scale is not None and prop.scale.place(stored) is not None:
            return prop, prop.scale, str(stored)
    return None


def _beside_step(
    reader: Reader, pieces: list[Piece], words: Piece, value: Piece
) -> BasicFilter | None:
    step = _step(reader, value)
    if step is None:
        return None
    prop, scale, stored = step
    op = _SIDES[words.load]
    side = side_of(reader.tokens[words.start].lower, scale)
    for token in reader.tokens[words.start : words.end] if side is None else ():
        side = side_of(token.lower, scale) if side is None else side
    if side is not None and op in ("gt", "lt"):
        op = "gt" if side else "lt"
    return _steps(reader, pieces, prop, scale, stored, op)


def _steps(
    reader: Reader, pieces: list[Piece], prop: Property, scale: Scale, stored: str, op: str
) -> BasicFilter:
    place = scale.steps.index(stored)
    kept = {
        "gt": scale.steps[place + 1 :],
        "ge": scale.steps[place:],
        "lt": scale.steps[:place],
        "le": scale.steps[: place + 1],
    }[op]
    if not kept:
        end = "above" if op == "gt" else "below"
        reason = f"no {prop.label} is {end} {stored}"
        raise Unclear("unknown_value", reader.words(pieces), reason, list(scale.steps))
    _report_scale(reader, prop, scale)
    return one_of(prop.field, list(kept))


def _report_scale(reader: Reader, prop: Property, scale: Scale) -> None:
    reader.assume(f"took {prop.label} to go from {scale.steps[0]} up to {scale.steps[-1]}")


def _or_more(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`high or above`, `moderate or harder`: includes the step itself."""
    step = _step(reader, pieces[0])
    if step is None:
        return None
    prop, scale, stored = step
    last = pieces[-1]
    if last.tag == "p":
        side: bool | None = last.load == "ge"
        for token in reader.tokens[last.start : last.end]:
            named_side = side_of(token.lower, scale)
            side = side if named_side is None else named_side
    else:
        side = side_of(reader.tokens[last.start].lower, scale)
    if side is None:
        return None
    return cover("F", pieces, _steps(reader, pieces, prop, scale, stored, "ge" if side else "le"))


def _beside_document(
    reader: Reader, pieces: list[Piece], words: Piece, value: Piece
) -> BasicFilter | None:
    named = [
        (prop, stored)
        for field, stored in value.load
        if (prop := reader.vocabulary.get(field)) is not None and (prop.own or prop.key)
    ]
    if not named:
        return None
    prop = _compared(reader, pieces, words)
    if prop is None:
        return None
    other, stored = named[0]
    number = _stored_value(reader, other, stored, prop, reader.words(pieces))
    op = _SIDES[words.load]
    phrase = reader.tokens[words.start].lower
    if phrase in ("better", "worse") and prop.down_is_good:
        op = {"gt": "lt", "lt": "gt"}.get(op, op)
    reader.assume(f"{stored}{_HOLDS}{prop.label} {number}")
    if isinstance(number, date):
        day = Span(number, number)
        spans = {"gt": "after", "lt": "before", "ge": "since", "le": "until"}
        return in_span(prop, day, spans[op])
    return compare(prop, op, number)


def _compared(reader: Reader, pieces: list[Piece], words: Piece) -> Property | None:
    """The compared property: named beside the comparison, or implied by its adjective."""
    for piece in tagged(pieces, "P"):
        prop = reader.choose(piece, lambda p: p.numeric or p.dated)
        if prop is not None:
            return prop
    if words.load in ("after", "before", "since", "until"):
        return moment(reader, of_making=reader.tokens[words.start].lower in ("older", "newer"))
    phrase = reader.tokens[words.start].lower
    degree = COMPARATIVES.get(phrase)
    if degree is not None:
        return hinted(reader, degree.dimension)
    if phrase in _OF_SIZE:
        return extent(reader.vocabulary)
    return None


def _stored_value(
    reader: Reader, of: Property, stored: object, prop: Property, phrase: str
) -> float | date:
    """The value in the document called `stored`; Unclear if it is unknown or not a single value."""
    collection = reader.vocabulary.collection
    array = sized_field(prop.field, collection.fields)
    shown = pl.col(prop.field) if array is None else pl.col(array).list.len()
    rows = collection.table.filter(pl.col(of.field) == pl.lit(stored)).select(shown.alias("v"))
    values = rows.get_column("v").drop_nulls().unique().to_list()
    if len(values) != 1:
        many = f"{len(values)} different values of" if values else "no"
        reason = f"“{stored}” has {many} {prop.label} to compare with"
        raise Unclear("ambiguous" if values else "unknown_value", phrase, reason)
    value = values[0]
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else float(value)


RIVAL_RULES: tuple[Rule, ...] = (
    rule(r"P?E?n?C[PE?N]*t?VP?", _against),
    rule(r"VP?(?:\|\?|p)", _or_more),
)


def is_looked_up(remarks: Iterable[str]) -> bool:
    """Whether remarks report a value that was looked up for a condition."""
    return any(_HOLDS in remark for remark in remarks)
