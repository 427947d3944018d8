"""Parts of a request that say nothing about the documents: `if it is not too much trouble`."""

from collections.abc import Sequence

from backend.plans.english.tokens import Token
from backend.plans.reading.linking import Piece

_OPENING = frozenset({"if", "as", "since", "because", "though", "although", "so", "when"})
_SUBJECTS = frozenset({"it", "you", "i", "we", "they", "that", "this", "possible"})
_EMPTY = frozenset("?nw E")


def without_asides(
    pieces: Sequence[Piece], tokens: Sequence[Token]
) -> tuple[list[Piece], list[str]]:
    """The pieces of a clause without such parts between commas, and what was passed over."""
    cuts = [piece.start for piece in pieces if piece.tag == ","]
    first, last = (pieces[0].start, pieces[-1].end) if pieces else (0, 0)
    starts, ends = [first, *(cut + 1 for cut in cuts)], [*cuts, last]
    kept, notes = list(pieces), list[str]()
    for start, end in zip(starts, ends, strict=True):
        inside = [piece for piece in pieces if start <= piece.start < end]
        opening = [token.lower for token in tokens[start : start + 2]]
        talk = len(opening) == 2 and opening[0] in _OPENING and opening[1] in _SUBJECTS
        if not talk or not inside or len(inside) == len(pieces):
            continue
        if all(piece.tag in _EMPTY for piece in inside):
            told = " ".join(token.text for token in tokens[start:end])
            notes.append(f"“{told}” was passed over")
            kept = [piece for piece in kept if piece not in inside]
    return kept, notes
