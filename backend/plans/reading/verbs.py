"""Drops verbs that add nothing to the links of a clause: `carried`, `rented`.

A verb stays if it carries a condition: beside a number, a date or a negation.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.language.common_words import CARRIERS, LIGHT_VERBS, PARTICLES, PAST_FORMS
from backend.language.synonyms import root
from backend.language.tokens import Token
from backend.language.units import naming_unit
from backend.plans.reading.amounts import names_money
from backend.plans.reading.pieces import Piece
from backend.plans.reading.vocabulary import Vocabulary

LINKED = frozenset("VPDQNXF")
PREPOSITIONS = frozenset(
    """
    about across against as at between by caused due for from in into of on per regarding than
    through to towards using via with without
    """.split()  # noqa: SIM905
)


def without_verbs(
    pieces: Sequence[Piece], tokens: Sequence[Token], vocabulary: Vocabulary
) -> tuple[list[Piece], list[str]]:
    """The pieces without empty verbs, and notes on those that might carry meaning.

    A verb that occurs in the texts distinguishes documents and is not dropped.
    """
    kept: list[Piece] = []
    notes: list[str] = []
    last = -1
    for i, piece in enumerate(pieces):
        word = tokens[piece.start].lower
        single = piece.end - piece.start == 1
        if piece.tag == "G" and word == "against" and _alone(pieces):
            continue  # "cases against Hotel Miramar"
        if _is_fact(piece) and single and word in LIGHT_VERBS:
            shared = _shared(piece, pieces)
            kept += [replace(piece, load=shared)] if shared else []
            last = piece.end
        elif single and (
            _says_nothing(pieces, i, tokens) or _relates(pieces, i, tokens, vocabulary)
        ):
            if word not in LIGHT_VERBS:
                notes.append(f"ignored “{tokens[piece.start].text}”, which adds nothing")
            last = piece.end
        elif piece.tag != "?" or word not in PARTICLES or piece.start != last:
            kept.append(piece)
    return kept, notes


def _alone(pieces: Sequence[Piece]) -> bool:
    """Whether nothing is compared: no two values of one property, nor two booleans."""
    fields = [{field for field, _ in p.load} for p in pieces if p.tag == "V"]
    shared = any(a & b for i, a in enumerate(fields) for b in fields[i + 1 :])
    return not shared and all(p.tag != "P" or p.load[0].prop.kind != "bool" for p in pieces)


def _is_fact(piece: Piece) -> bool:
    return piece.tag == "P" and bool(piece.load[0].prop.kind == "bool")


def _says_nothing(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    piece = pieces[i]
    others = [p for p in pieces if p is not piece]
    linked = any(p.tag in LINKED for p in others)
    if piece.tag == "?":
        counted = any(p.tag in "E#" for p in others) and all(p.tag != "?" for p in others)
        keyed = i > 1 and [p.tag for p in pieces[i - 2 : i]] in (["e", "P"], ["y", "P"])
        if (
            keyed
            and pieces[i - 1].end == piece.start
            and tokens[piece.start].stem == tokens[piece.start].lower
        ):
            return False  # "one row per ship's cook"
        return tokens[piece.start].lower in CARRIERS and (linked or counted)
    if _leads_on(pieces, i, tokens):
        return True
    if piece.tag != "P" or not linked or naming_unit(tokens[piece.start].stem) is not None:
        return False
    if piece.load[0].prop.numeric and names_money(tokens[piece.start].lower):
        return False  # "which one costs us the most"
    return _only_described(piece, tokens) or _is_done(pieces, i, tokens)


def _leads_on(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    """`visits that ended in a fine`: a verb read as a boolean with another name, followed by its
    result.
    """
    piece = pieces[i]
    after = pieces[i + 1] if i + 1 < len(pieces) else None
    if piece.tag != "P" or piece.load[0].prop.kind != "bool" or after is None:
        return False
    word, following = tokens[piece.start], tokens[piece.end].lower
    named = {root(part) for meaning in piece.load for part in meaning.prop.parts}
    return (
        piece.end - piece.start == 1
        and root(word.stem) not in named
        and following in ("in", "with", "up")
        and after.tag in "PVF"
    )


def _only_described(piece: Piece, tokens: Sequence[Token]) -> bool:
    """Whether a verb occurs only in a description: `carried out in Antwerp` if the inspector is
    described as who carried it out, `working on climate` for a team size.
    """
    prop = piece.load[0].prop
    if tokens[piece.start].lower not in CARRIERS or prop.kind in ("bool", "array") or prop.dated:
        return False
    if any(root(tokens[piece.start].stem) in map(root, m.prop.parts) for m in piece.load):
        return False
    following = [token.lower for token in tokens[piece.end : piece.end + 2]]
    if prop.numeric and (not following or following[0] not in _PLACING):
        return False
    asked = not prop.numeric and any(token.lower == "who" for token in tokens)
    return following[:1] != [] and following[0] in PARTICLES | PREPOSITIONS and not asked


def _relates(
    pieces: Sequence[Piece], i: int, tokens: Sequence[Token], vocabulary: Vocabulary
) -> bool:
    """Whether an unknown verb only introduces what follows: `everything touching Linux`, `cases
    that dragged on for longer than 500 days`, `I am searching …`.
    """
    piece = pieces[i]
    word = tokens[piece.start].lower
    if piece.tag != "?" or word in vocabulary.text_words:
        return False
    if tuple(t.lower for t in tokens[max(0, piece.start - 2) : piece.start]) in _DO_WE:
        return True
    if root(tokens[piece.start].stem) in {root(noun) for noun in vocabulary.nouns}:
        return True  # "how many times did Etna erupt?", of eruptions
    regular = len(word) > 4 and word.endswith(("ing", "ed")) and tokens[piece.start].text.islower()
    if not regular and word not in PAST_FORMS:
        return False
    leading = tuple(token.lower for token in tokens[max(0, piece.start - 2) : piece.start])
    if word.endswith("ing") and leading in _BUSY:
        return True
    following = next((p for p in pieces[i + 1 :] if p.tag not in ",?R"), None)
    if following is None or not (following.tag in "VFCNDX" or _is_fact(following)):
        return False
    between = {t.lower for t in tokens[piece.end : following.start] if t.kind == "word"}
    return between <= PARTICLES | PREPOSITIONS | _ARTICLES


_DO_WE = frozenset(
    (do, who) for do in ("do", "does", "did", "can") for who in ("we", "they", "you", "i", "people")
)
"""Words that show that a verb is about the asker: `how many sites do we monitor`."""
_BUSY = frozenset({("i", "am"), ("we", "are"), ("am", "i"), ("are", "we"), ("'", "m"), ("i", "m")})
_ARTICLES = frozenset({"the", "a", "an", "our", "your", "their", "upon", "onto", "up", "being"})
_PLACING = frozenset({"on", "in", "with", "at", "for"})


def _is_done(pieces: Sequence[Piece], i: int, tokens: Sequence[Token]) -> bool:
    """`violins rented from York`: the verb of an amount, if nothing asks for the amount."""
    piece = pieces[i]
    prop = piece.load[0].prop
    before = pieces[i - 1] if i else None
    after = pieces[i + 1] if i + 1 < len(pieces) else None
    if not prop.numeric or prop.is_year or before is None or before.tag not in "EVP&,W":
        return False
    if any(p.tag == "#" for p in pieces) and prop.kind == "int":
        return False
    bounded = tokens[piece.end + 1].kind != "word" if piece.end + 1 < len(tokens) else False
    bearing = "CbNpjahmA" if bounded else "CNpjahmA"
    if after is not None and after.tag in bearing and after.start <= piece.end + 1:
        return False
    passive = before.tag == "E" and tokens[piece.start - 1].lower in _BEING
    if passive and prop.kind == "int" and after is not None and after.tag == "X":
        # "the letter that was read the most": the number records how often
        return after.load[1] is not None
    word = tokens[piece.start].lower
    if word.endswith("ed"):
        return not (prop.kind == "int" and prop.low is not None and prop.low <= 0)
    asked = any(t.lower in ("do", "does", "did") for t in tokens[: piece.start])
    beside = before.tag == "P" and before.load[0].prop.worded
    does = word.endswith("s") and beside and before.end == piece.start
    return (asked and after is None) or (does and after is not None and after.tag == "X")


_BEING = frozenset({"is", "are", "was", "were", "been"})


def _shared(piece: Piece, pieces: Sequence[Piece]) -> list[object]:
    """The meanings that a verb shares with other words of the clause, as `seen` beside `queen`."""
    whole = [m for m in piece.load if m.whole]
    others = {m.prop.field for p in pieces if p.tag == "P" and p is not piece for m in p.load}
    return whole or [m for m in piece.load if m.prop.field in others]
