"""Questions in two stages: `of the last ten trips, how many were late`.

The first stage selects documents by an order and a number, and the rest of the question is about
these; read in one go, the rest would filter the documents before the selection.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.language.tokens import Token
from backend.plans.reading.pieces import Piece, Quantity

_OPENING = frozenset({"of", "among", "amongst", "out", "from", "take", "for", "in", "within"})
_ASKING = frozenset("W#%A")
_VERBS = frozenset({"is", "are", "was", "were", "has", "have", "had", "did", "do", "does", "came"})
_RELATIVE = frozenset({"that", "which", "who", "we", "they", "you", "i", "it"})


@dataclass(frozen=True)
class Stages:
    """The token after the first stage, its first token, and the pieces of the question."""

    start: int
    end: int
    asked: tuple[Piece, ...]


def staged(tokens: Sequence[Token], pieces: Sequence[Piece]) -> Stages | None:
    """The two stages of a question; None if it has only one."""
    if not pieces or not tokens:
        return None
    return _opened(tokens, pieces) or _asked_first(tokens, pieces)


def _opened(tokens: Sequence[Token], pieces: Sequence[Piece]) -> Stages | None:
    """`of the last ten trips, how many were late`."""
    if tokens[0].lower not in _OPENING:
        return None
    for i in range(1, len(pieces) - 1):
        mark, following = pieces[i], pieces[i + 1]
        if mark.tag in ",z" and mark.end == following.start and following.tag in _ASKING:
            if not _counted_off(pieces[:i]):
                return None
            return Stages(0, mark.start, tuple(pieces[i + 1 :]))
        if following.tag in "#W" and _counted_off(pieces[: i + 1]):
            return Stages(0, following.start, tuple(pieces[i + 1 :]))
    return None


def _asked_first(tokens: Sequence[Token], pieces: Sequence[Piece]) -> Stages | None:
    """`how many of the last ten trips were late`, `which of the 5 longest trips are late`."""
    asks = pieces[0]
    if asks.tag not in "W#" or asks.end >= len(tokens) or tokens[asks.end].lower != "of":
        return None
    for i in range(asks.end + 1, len(tokens)):
        if tokens[i].lower in _VERBS and tokens[i - 1].lower not in _RELATIVE:
            first = [piece for piece in pieces if asks.end <= piece.start < i]
            rest = [piece for piece in pieces if piece.start >= i]
            if not rest or not _counted_off(first):
                return None
            nouns = [replace(piece, load=[]) for piece in first if piece.tag == "E"]
            return Stages(asks.end, i, (asks, *nouns[-1:], *rest))
    return None


def _counted_off(pieces: Sequence[Piece]) -> bool:
    """Whether a number of documents is taken from one end: `last ten`, `5 most expensive`."""
    for i, piece in enumerate(pieces):
        counts = piece.tag == "N" and isinstance(piece.load, Quantity) and piece.load.unit is None
        if counts and piece.load.whole and not (i and pieces[i - 1].tag in "CbPz"):
            return any(other.tag in "TX" for other in pieces)
    return False
