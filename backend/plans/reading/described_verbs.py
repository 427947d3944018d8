"""Verbs that describe another property of the request: `contracts won by Bitwerk` where the
supplier is the `company that won the contract`, `not inspected by the state`.
"""

from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.cascade import Reader, Rule, rule
from backend.plans.reading.pieces import Piece
from backend.plans.reading.rates import described_words


def _truth_by(reader: Reader, pieces: list[Piece]) -> list[Piece] | None:
    """`not inspected by the state`: the agent is part of the boolean property."""
    truth, _, named = pieces
    prop = truth.load[0].prop
    phrase = {token.lower for token in reader.tokens[named.start : named.end]} - FUNCTION_WORDS
    if prop.kind != "bool" or not phrase <= described_words(reader, prop):
        return None
    return [truth]


DESCRIBED_VERB_RULES: tuple[Rule, ...] = (rule(r"PyP", _truth_by),)
