"""Verbs that describe another property of the request: `contracts won by Bitwerk` where the
supplier is the `company that won the contract`, `not inspected by the state`.
"""

from backend.language.common_words import is_past
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.reading.rates import described_words


def _is_verb(reader: Reader, piece: Piece) -> bool:
    if piece.tag == "?":
        return is_past(reader.tokens[piece.start].lower)
    if piece.tag != "P" or piece.end - piece.start != 1 or piece.load[0].whole:
        return False
    prop = piece.load[0].prop
    return is_past(reader.tokens[piece.start].lower) and prop.numeric and not prop.is_year


def _strings(reader: Reader, piece: Piece) -> list[Property]:
    if piece.tag == "P":
        return [piece.load[0].prop] if piece.load[0].prop.worded else []
    if piece.tag != "V":
        return []
    properties = [reader.vocabulary.get(field) for field, _ in piece.load]
    return [prop for prop in properties if prop is not None and prop.worded]


def _truth_by(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not inspected by the state`: the agent is part of the boolean property."""
    truth, _, named = pieces
    prop = truth.load[0].prop
    phrase = {token.lower for token in reader.tokens[named.start : named.end]} - FUNCTION_WORDS
    if prop.kind != "bool" or not phrase <= described_words(reader, prop):
        return None
    return [truth]


DESCRIBED_VERB_RULES: tuple[Rule, ...] = (rule(r"PyP", _truth_by),)
