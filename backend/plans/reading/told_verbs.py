"""Verbs that another property of the request is described with: `contracts won by Bitwerk`, where
the supplier is the `company that won the contract`, `not inspected by the state`.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.language.common_words import is_past
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.rates import told_words


def _done_by_it(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`contracts won by Bitwerk`, `different suppliers have won a contract`."""
    for i, piece in enumerate(pieces):
        if not _is_verb(reader, piece) or _is_narrowed(pieces, i):
            continue
        word = reader.tokens[piece.start].lower
        others = [prop for j, p in enumerate(pieces) if j != i for prop in _strings(reader, p)]
        if any(word in told_words(reader, prop) for prop in others):
            return [*pieces[:i], *pieces[i + 1 :]]
    return None


def _is_verb(reader: Reader, piece: Piece) -> bool:
    if piece.tag == "?":
        return is_past(reader.tokens[piece.start].lower)
    if piece.tag != "P" or piece.end - piece.start != 1 or piece.load[0].whole:
        return False
    prop = piece.load[0].prop
    return is_past(reader.tokens[piece.start].lower) and prop.numeric and not prop.is_year


def _is_narrowed(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a number or comparison stands beside a verb, which is then about its property."""
    return any(piece.tag in "CbNAMXSp" for piece in pieces[max(0, i - 1) : i + 2])


def _strings(reader: Reader, piece: Piece) -> list[Property]:
    if piece.tag == "P":
        return [piece.load[0].prop] if piece.load[0].prop.kind == "string" else []
    if piece.tag != "V":
        return []
    held = [reader.vocabulary.get(field) for field, _ in piece.load]
    return [prop for prop in held if prop is not None and prop.kind == "string"]


def _truth_by(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not inspected by the state`: by whom is part of the truth."""
    truth, _, named = pieces
    prop = truth.load[0].prop
    said = {token.lower for token in reader.tokens[named.start : named.end]} - FUNCTION_WORDS
    if prop.kind != "bool" or not said <= told_words(reader, prop):
        return None
    return [truth]


def _way_of_a_verb(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`paintings that travelled by sea`: the way is meant, not what else is told of travelling."""
    verb, _, value = pieces
    best = verb.load[0]
    past = verb.end - verb.start == 1 and is_past(reader.tokens[verb.start].lower)
    other = all(field != best.prop.field for field, _ in value.load)
    stated = best.prop.kind == "bool" and not best.whole
    return [value] if past and other and stated else None


def _told_in_front(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`the award procedures`, where a procedure is described as that of an award."""
    first, named = pieces
    word = reader.tokens[first.start].lower
    single = first.end - first.start == 1 and first.end == named.start
    if not single or first.load[0].whole or not named.load[0].whole:
        return None
    prop = named.load[0].prop
    told = prop is not first.load[0].prop and word in told_words(reader, prop)
    return [replace(named, start=first.start)] if told and prop.kind == "string" else None


TOLD_VERB_RULES: tuple[Rule, ...] = (
    rule(r"^.*P.*$", _done_by_it),
    rule(r"PyP", _truth_by),
    rule(r"PyV", _way_of_a_verb),
    rule(r"PP", _told_in_front),
)
