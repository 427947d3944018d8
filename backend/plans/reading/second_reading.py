"""A second reading of an unclear clause, without ordinary words that only accompany known ones.
`thefts handed in to the police in Riverside`, `the score should no longer play a role`.

A word that could narrow the answer stays: a name, the object of a preposition or a comparison, a
modifier of a noun. Dropped words are reported.
"""

from collections.abc import Iterator, Sequence

from backend.language.common_words import CARRIERS, PAST_FORMS
from backend.language.frequent_words import is_english
from backend.language.synonyms import root
from backend.language.tokens import Token
from backend.language.words import FUNCTION_WORDS
from backend.plans.reading.absorbing import is_plural_word
from backend.plans.reading.amounts import names_money
from backend.plans.reading.clauses import Clause, read_part
from backend.plans.reading.linking import link
from backend.plans.reading.pieces import Piece
from backend.plans.reading.verbs import PREPOSITIONS

_ARTICLES = frozenset(
    """
    a an the any some all our your their his her its this that these those each every no
    """.split()  # noqa: SIM905
)
_ASKS_FOR = PREPOSITIONS | frozenset(
    """
    above after and before below beneath but called compared concerning equals except excluding
    following had has have having involving is are be was were being mentioning named near only
    nor or other over per plus since than under until upon versus within &
    """.split()  # noqa: SIM905
)
"""The subject of the request, or more of it, follows these."""
_CALCULATES = frozenset(
    """
    divide divided dividing divides multiply multiplied subtract subtracted add added percent
    percentage share ratio
    """.split()  # noqa: SIM905
)
_MEASURING = "AHX"
"""Functions and superlatives."""
_DENYING = frozenset(
    {"not", "no", "never", "without", "except", "neither", "nor", "none", "unless"}
)
"""Without these a request would mean the opposite."""
_NARROWED = frozenset("EPVKFMHLZUTsglfq@")


def linked(clause: Clause) -> list[Piece]:
    """All pieces of a clause's request before any reduction."""
    reader = clause.reader
    period = None if reader.present is None else reader.present.period
    return link(reader.tokens, reader.vocabulary, reader.today, period)


def without_company(clause: Clause) -> Iterator[Clause]:
    """The clause without accompanying words: first without unknown ones, then also without verbs
    that only occur in a description. Nothing if another word is unknown.
    """
    unknown = [piece for piece in clause.pieces if piece.tag == "?"]
    verbs = [piece for piece in clause.pieces if _is_described_verb(piece, clause.reader.tokens)]
    if not all(_accompanies(piece, clause) for piece in unknown):
        return
    for gone in (unknown, [*unknown, *verbs]) if verbs else (unknown,):
        if 0 < len(gone) < len(clause.pieces):
            yield _without(clause, gone)


def _without(clause: Clause, gone: Sequence[Piece]) -> Clause:
    reader = clause.reader
    places = {piece.start for piece in gone}
    start, end = clause.pieces[0].start, clause.pieces[-1].end
    kept = [p for p in linked(clause) if start <= p.start < end and p.start not in places]
    notes = {
        piece.start: f"ignored “{clause.words([piece])}”: no property or value matches"
        for piece in gone
    }
    return read_part(
        reader.text, reader.tokens, kept, start, end, reader.vocabulary, reader.today,
        reader.present, notes,
    )  # fmt: skip


def _is_described_verb(piece: Piece, tokens: Sequence[Token]) -> bool:
    """Whether a verb is in no name, only in a description: `led to`, `noted` if an inspector is
    described as who led the visit.
    """
    token = tokens[piece.start]
    past = token.lower in PAST_FORMS or token.lower.endswith(("ed", "ing"))
    if piece.tag != "P" or piece.end - piece.start != 1 or not past or token.lower in _CALCULATES:
        return False
    own = root(token.stem)
    return all(own not in map(root, meaning.prop.parts) for meaning in piece.load)


def _accompanies(piece: Piece, clause: Clause) -> bool:
    tokens = clause.reader.tokens
    token = tokens[piece.start]
    if token.kind != "word" or (piece.start and token.text[:1].isupper()):
        return False
    if token.lower in _CALCULATES | _DENYING or _picks_out(tokens, piece):
        return False
    compound = _in_compound(tokens, piece.start)
    if not (_is_ordinary(token.lower) or compound):
        return False
    before = piece.start - 1
    while before >= 0 and tokens[before].lower in _ARTICLES:
        before -= 1
    if before >= 0 and tokens[before].lower in _ASKS_FOR:
        return False
    in_front = next((p for p in clause.pieces if p.end == piece.start), None)
    if in_front is not None and in_front.tag == "P" and _is_past(token.lower):
        best = in_front.load[0]
        if best.prop.numeric and (best.prop.weak or not best.whole):
            return False  # "where the engine failed", in a collection that only counts engines
    of_something = [token.lower for token in tokens[piece.end : piece.end + 1]] == ["of"]
    if in_front is not None and in_front.tag in _MEASURING and of_something:
        return False  # "average age of the tenants" measures the age
    bare = not (compound or _inflected(token.lower) or token.lower in PAST_FORMS)
    if in_front is not None and in_front.tag in "PKMHFVE" and bare:
        # "one row per ship's cook", "total sales tax"; but "which funders support biology"
        phrase = tokens[piece.start - 1].lower
        different = in_front.tag == "M" and in_front.load.func == "distinct"
        return (
            (different or in_front.tag in "PE")
            and is_plural_word(phrase)
            and piece is not clause.pieces[-1]
        )
    behind = next((p for p in clause.pieces if p.start == piece.end), None)
    if compound and behind is None and _joins_name(clause, piece):
        return False
    if _is_compared(piece, tokens, behind):
        return False
    following = "" if behind is None else tokens[behind.start].lower
    if behind is None or following in FUNCTION_WORDS | CARRIERS or names_money(following):
        return True
    return behind.tag not in _NARROWED


def _picks_out(tokens: Sequence[Token], piece: Piece) -> bool:
    """`lacquered only`, `the smuggled ones`, `provided they float`: the word narrows the
    documents.
    """
    near = {token.lower for token in (*tokens[max(0, piece.start - 1) : piece.start],
                                      *tokens[piece.end : piece.end + 1])}  # fmt: skip
    return not near.isdisjoint(_PICKING)


_PICKING = frozenset({"only", "solely", "exclusively", "ones", "those", "they"})


def _joins_name(clause: Clause, piece: Piece) -> bool:
    """`twin-engine`: the word specifies a name that it is joined to."""
    return any(p.start == piece.end + 1 and p.tag in "PV" for p in clause.pieces)


def _is_past(word: str) -> bool:
    return word in PAST_FORMS or word.endswith("ed")


def _is_compared(piece: Piece, tokens: Sequence[Token], behind: Piece | None) -> bool:
    """`humidity was below 60 %`, `humidity below 60 %`: the subject of a comparison."""
    following = tokens[piece.end].lower if piece.end < len(tokens) else ""
    plural = is_plural_word(tokens[piece.start].lower)
    return following in _BEING or (behind is not None and behind.tag in "CbN" and not plural)


_BEING = frozenset({"is", "are", "was", "were", "be", "been"})


def _is_ordinary(word: str) -> bool:
    """Whether a word is everyday English, or looks like a verb or a plural."""
    return is_english(word) or _inflected(word)


def _inflected(word: str) -> bool:
    return len(word) > 3 and word.endswith(("s", "ed", "ing"))


def _in_compound(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word is joined to another by a hyphen: `break-ins`."""
    around = [tokens[j] for j in (i - 1, i + 1) if 0 <= j < len(tokens)]
    return any(token.text == "-" and token.joined for token in around)
