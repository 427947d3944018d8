"""Parts of a request that say nothing about the documents: `if it is not too much trouble`, `so
that I can finish this`, `for my report`.

Such a part begins with a word that subordinates it to the rest and holds nothing that the
collection knows; it ends with a comma, or where the request itself begins or ends. What was passed
over is told.
"""

from collections.abc import Sequence

from backend.plans.english.tokens import Token
from backend.plans.reading.linking import Piece

_REASONS = frozenset(
    """
    if as since because though although so when while otherwise like unless whenever
    """.split()  # noqa: SIM905
)
_SUBJECTS = frozenset(
    """
    it you i we they that this possible my our he she there everyone somebody someone
    """.split()  # noqa: SIM905
)
_OWNERS = frozenset({"my", "our", "his", "her", "their", "your"})
_EMPTY = frozenset("?nwWzyoiRdht E")
_BEGINS = frozenset("oxrcwgslIT")


def without_asides(
    pieces: Sequence[Piece], tokens: Sequence[Token]
) -> tuple[list[Piece], list[str]]:
    """The pieces of a clause without such parts, and what was passed over."""
    kept, notes = list(pieces), list[str]()
    if not pieces:
        return kept, notes
    first, last = _opening(pieces[0].start, tokens), pieces[-1].end
    cuts = [piece.start for piece in pieces if piece.tag == ","]
    for i in range(first, last):
        end = next((cut for cut in cuts if cut > i), last)
        opened = _opens(tokens, i, at_start=i == first or i - 1 in cuts)
        inside = [piece for piece in kept if i <= piece.start < end]
        if i == first and opened and end == last:
            inside = inside[: next((k for k, p in enumerate(inside) if p.tag in _BEGINS), 0)]
        if not opened or not inside or len(inside) == len(kept):
            continue
        if all(piece.tag in _EMPTY for piece in inside) and any(p.tag == "?" for p in inside):
            told = " ".join(token.text for token in tokens[i : inside[-1].end])
            notes.append(f"“{told}” was passed over")
            kept = [piece for piece in kept if piece not in inside]
    return kept, notes


def _opening(start: int, tokens: Sequence[Token]) -> int:
    """Where a clause begins whose first words carry nothing: `for the` in front of a noun."""
    while start > 0 and tokens[start - 1].lower in _LEADING:
        start -= 1
    return start


_LEADING = frozenset({"for", "the", "a", "an", "to", "in", "order"}) | _OWNERS


def _opens(tokens: Sequence[Token], i: int, *, at_start: bool) -> bool:
    """Whether an aside begins at token `i`: a reason, or what something is for."""
    word = tokens[i].lower
    following = tokens[i + 1].lower if i + 1 < len(tokens) else ""
    if word in _REASONS:
        return following in _SUBJECTS
    if word == "in":
        return following == "order"
    if word == "for":
        return following in _OWNERS or (at_start and following in ("the", "a", "an"))
    return word == "to" and at_start
