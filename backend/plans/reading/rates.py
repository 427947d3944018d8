"""Units in words that are not attached to a number: `30 g per litre`, `our rent per month`, `the
largest harvest in tonnes`.
"""

from dataclasses import replace

from backend.language.units import is_base, naming_unit
from backend.language.words import stem, words
from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import ENTITY


def _per_base(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`30 g of sugar per litre`: a unit with a reference quantity."""
    number, named, _, base = pieces
    rated = number.load.unit is not None and is_base(reader.words([base]))
    return [number, named] if rated else None


def _rate(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`our rent per month`, if the rent is monthly: this asks for no groups."""
    times = {"month": ("month", "monthly"), "year": ("year", "yearly", "annual", "annually")}
    wanted = {stem(word) for word in times.get(str(pieces[-1].load), ())}
    spoken = {token.stem for token in reader.tokens}
    for prop in reader.vocabulary.properties:
        rated = prop.numeric and not prop.is_year and wanted & set(prop.parts)
        if rated and spoken & (set(prop.parts) - wanted):
            return []
    return None


def _percentage_of(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`at most 5 percent of the participants left early`: finds the percentage property."""
    place = next(i for i, piece in enumerate(pieces) if piece.tag == "N")
    if pieces[place].load.unit != "pct" or _is_percentage(pieces[place + 1].load[0].prop):
        return None
    behind = [m for piece in pieces[place + 1 :] for m in piece.load if _is_percentage(m.prop)]
    fields = {meaning.prop.field for meaning in behind}
    if len(fields) != 1:
        return None
    return [*pieces[: place + 1], replace(pieces[-1], tag="P", load=behind[:1])]


def _compound(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`profit margin above 20 %`: a noun before another specifies it."""
    first, head = pieces
    prop, word = first.load[0].prop, reader.tokens[first.start].lower
    noun = prop.numeric and prop.kind == "float" and first.end == head.start
    plain = word in {*prop.label.lower().split(), *described_words(reader, prop)}
    other = head.load[0].prop
    if not noun or not plain or not other.numeric or other is prop or first.load[0].whole:
        return None
    reader.assume(f"took “{reader.words(pieces)}” to be {other.label}")
    return [replace(head, start=first.start)]


def described_words(reader: Reader, prop: Property) -> set[str]:
    """The words in a property's description, in lower case."""
    described = reader.vocabulary.collection.schema.properties
    text = next((p.description or "" for p in described if f"{ENTITY}{p.name}" == prop.field), "")
    return {word.lower() for word in words(text)}


def _is_percentage(prop: Property) -> bool:
    return prop.unit is not None and prop.unit.name == "pct"


def _per_unit(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the price per tonne`, if the price is by the tonne: this asks for no groups."""
    unit = reader.tokens[pieces[-1].end - 1].stem
    if naming_unit(unit) is None:
        return None
    spoken = [piece for piece in pieces if piece.tag in "PM"]
    described = any(unit in m.prop.described for piece in spoken[:-1] for m in piece.load[:1])
    return pieces[:-2] if described else None


def _more_in_unit(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`how much more did we harvest in 2024 than in 2025, in tonnes`: compares totals."""
    if not _is_behind_in(reader, pieces[-1]) or any(piece.tag in "PA#" for piece in pieces[1:-1]):
        return None
    rest = [piece for piece in pieces[1:-1] if piece.tag not in "E,"]
    return [pieces[0], replace(pieces[-1], tag="A", load="sum"), pieces[-1], *rest]


def _is_behind_in(reader: Reader, piece: Piece) -> bool:
    before = reader.tokens[piece.start - 1].lower if piece.start else ""
    single = piece.end - piece.start == 1
    return single and before == "in" and naming_unit(reader.tokens[piece.start].stem) is not None


RATE_RULES: tuple[Rule, ...] = (
    rule(r"PP(?=C[ND]|[ND]p)", _compound),
    rule(r"C?N(?:P[WE]?)+", _percentage_of),
    rule(r"NPe\?", _per_base),
    rule(r"P[^PKM]*eP", _per_unit),
    rule(r"=.*P$", _more_in_unit),
)
