"""Documents that share a property with a given one: `by the same artist as L010`."""

from dataclasses import dataclass

from backend.plans.reading.cascade import Reader, Rule, cover, rule, tagged
from backend.plans.reading.pieces import Piece
from workbench.contract.plan_nodes import BasicFilter


@dataclass(frozen=True)
class Likeness:
    """The shared field, and the document to compare with."""

    field: str
    of: BasicFilter


def _same(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`same host as G0005`: the condition must identify single documents."""
    prop = reader.any_property(tagged(pieces, "P")[0])
    condition: BasicFilter = tagged(pieces, "F")[0].load
    other = reader.vocabulary.get(condition.field)
    if other is None or other is prop or not (other.key or other.own) or condition.negate:
        return None
    return cover("@", pieces, Likeness(prop.field, condition))


def _where_it_is(reader: Reader, pieces: list[Piece]) -> Piece | None:
    """`every delay at the station where DL-2120 happened`: the property of that one document."""
    return _same(reader, pieces[:-1] if pieces[-1].tag == "P" else pieces)


def _nothing_shared(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the same for 2024`: empty without a document; `on the same day` is not."""
    tokens = reader.tokens
    named = tokens[pieces[0].end].kind == "word" if pieces[0].end < len(tokens) else False
    compared = named and tokens[pieces[0].end].lower in _ALIKE
    return [] if pieces[0].load is None and not compared else None


_ALIKE = frozenset({"day", "date", "week", "month", "quarter", "year"})


LIKENESS_RULES: tuple[Rule, ...] = (
    rule(r"@PE?[tE]*F", _same),
    rule(r"(?<=E)PWFP?$", _where_it_is),
    rule(r"@", _nothing_shared),
)
